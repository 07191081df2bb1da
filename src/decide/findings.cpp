#include "decide/findings.h"

#include "decide/findings_rules.h"

namespace interlock::decide {

Audit audit(const HostState& state, const Policy& policy) {
  const AuditInput input{state, policy};
  Report report;
  audit_exclusiveness(input, report);
  audit_bindings(input, report);
  audit_containers(input, report);
  audit_cards(input, report);
  audit_holders(input, report);
  audit_guard(input, report);
  audit_host(input, report);
  audit_sight(input, report);
  return report.audit();
}

}  // namespace interlock::decide
