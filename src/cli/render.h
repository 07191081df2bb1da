// Values to text for a person, and to JSON for a program. Pure: nothing here looks at the host.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "act/cutover.h"
#include "cli/style.h"
#include "decide/card_map.h"
#include "model/finding.h"
#include "model/host_state.h"
#include "model/plan.h"
#include "policy/policy.h"

namespace interlock::cli {

struct Planned;  // planning.h

/// What is believed of one card now: by a guard that is alive and fresh, else from one look at its sensors.
struct CardStatus {
  const Card* card = nullptr;
  bool guarded = false;  // the state is such a guard's word
  GuardState state = GuardState::blind;
  std::string reason;
  Verdicts verdicts;
  decide::CardUse use;
};
std::vector<CardStatus> card_statuses(const HostState& state, const Policy& policy);

nlohmann::json status_json(const HostState& state, const Policy& policy, const Audit& audit);
std::string status_text(const HostState& state, const Policy& policy, const Audit& audit, const Style& style);

nlohmann::json audit_json(const Audit& audit);
std::string audit_text(const Audit& audit, const Style& style);
/// Violations first, each with its remedy below.
std::string findings_text(const std::vector<Finding>& findings, const Style& style);

nlohmann::json plan_json(const Planned& planned);
std::string plan_text(const Planned& planned, const Style& style);
nlohmann::json unmet_json(const std::vector<Unmet>& unmet);
std::string unmet_text(const std::vector<Unmet>& unmet, const Style& style);

nlohmann::json cutover_json(const act::CutoverReport& report);
/// One line for a step that is over.
std::string step_text(const act::StepReport& report, const Style& style);
/// The end of the story: what was reached, and what a person must do.
std::string cutover_text(const act::CutoverReport& report, const std::string& name, const Style& style);

/// "no", "yes", null.
nlohmann::json truth_json(Truth value);
/// Names as the policy has them: "gpu1, gpu2"; "none" for no card.
std::string cards_text(const std::set<PciAddress>& cards, const Policy& policy);
/// "0.2 s", "14 s", "3 min".
std::string duration_text(Duration duration);

}  // namespace interlock::cli
