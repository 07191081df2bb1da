// The policy that the daemon guards by: the host's own, or the last good copy of it. A typing error must not
// leave cards unguarded at the next boot (design, section 4).
#pragma once

#include <string>

#include "base/result.h"
#include "host/host.h"
#include "policy/policy.h"

namespace interlock::daemon {

struct PolicyChoice {
  Policy policy;
  std::string
      broken;  // what is wrong with the policy, when this is the kept copy; empty: it is the policy itself
};

class PolicySource {
 public:
  /// `named`: a file that the caller named, as the caller sees it; empty: the host's own. Only that one is
  /// kept.
  PolicySource(Host& host, std::string named) : host_(host), named_(std::move(named)) {}

  /// The policy, whole, and at least one of its cards in this machine; or every error in it, one a line.
  Result<Policy> load();
  /// The same, or the kept copy.
  Result<PolicyChoice> load_or_kept();
  /// Remembers a policy that has proved good.
  Result<void> keep(const Policy& policy);

 private:
  Result<std::string> text();
  Result<Policy> parse(const std::string& text, const std::string& file);

  Host& host_;
  std::string named_;
};

}  // namespace interlock::daemon
