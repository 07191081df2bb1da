// The audit's rules, by subject. Each adds what it finds, and what it could not see.
#pragma once

#include "decide/findings_report.h"

namespace interlock::decide {

void audit_exclusiveness(const AuditInput& input, Report& report);  // I1: who can hold each card
void audit_bindings(const AuditInput& input, Report& report);       // each container's ways to a card
void audit_containers(const AuditInput& input, Report& report);     // locks, HA, units, backups
void audit_cards(const AuditInput& input, Report& report);          // there, readable, cool enough limits
void audit_holders(const AuditInput& input, Report& report);        // who has a card open, and how much of it
void audit_guard(const AuditInput& input, Report& report);          // the daemon and its latches
void audit_host(const AuditInput& input, Report& report);           // cutover, policy, ledger, gate
void audit_sight(const AuditInput& input, Report& report);          // what nobody could see

}  // namespace interlock::decide
