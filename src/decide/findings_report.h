// What the audit's rules write into, and the few questions that several of them ask.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/finding.h"
#include "model/host_state.h"
#include "policy/policy.h"

namespace interlock::decide {

/// What a finding is about, and its words.
struct Words {
  std::string subject;
  std::string message;
  std::string remedy;
};

class Report {
 public:
  /// With the severity that the table of codes has. A code that is not in it is a programming error.
  void add(std::string_view code, Words words);
  /// One that weighs less here.
  void add(std::string_view code, Severity severity, Words words);
  void cannot_tell(std::string sentence);
  /// Findings by severity, and in the order in which they came; each sentence once.
  Audit audit() const;

 private:
  Audit audit_;
};

/// All that a rule may look at.
struct AuditInput {
  const HostState& state;
  const Policy& policy;

  std::string card(const PciAddress& pci) const { return policy.card_name(pci); }
  bool declares(Vmid vmid) const { return policy.containers.contains(vmid); }
  bool is_ours(const PciAddress& pci) const { return policy.card(pci) != nullptr; }
  /// Cards of the policy among those, by name.
  std::vector<std::string> names(const std::set<PciAddress>& cards) const;
  /// It binds a card of the policy, now or from its next start on.
  bool binds_ours(const Container& container) const;
  /// Of the policy's cards. None for a card that it does not name.
  std::vector<const Container*> binders(const PciAddress& card) const;
};

/// "gpu1", "gpu1 and gpu2", "120, 121 and 123"
std::string listed(const std::vector<std::string>& names);

}  // namespace interlock::decide
