// For each code of the audit: a change to a clean host that provokes it, and one much like it that does not.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/finding.h"
#include "model/host_state.h"
#include "policy/policy.h"

namespace interlock::test {

struct Host {
  HostState state;
  Policy policy;
};

struct AuditCase {
  std::string code;
  std::string reason;
  std::string subject;
  Severity severity = Severity::violation;
  std::function<void(Host&)> provoke;
  std::function<void(Host&)> spare;  // must not give this code
};

/// two-v620 at rest, without what the audit has to say of it: no snapshot, no device rules, the gate in
/// place.
Host clean_host();

std::vector<AuditCase> card_cases();
std::vector<AuditCase> binding_cases();
std::vector<AuditCase> container_cases();
std::vector<AuditCase> holder_cases();
std::vector<AuditCase> host_cases();
std::vector<AuditCase> all_cases();

}  // namespace interlock::test
