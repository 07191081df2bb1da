// Targets, plans and steps as JSON: in the journal, and on the command line (`plan --json`).
#pragma once

#include <nlohmann/json.hpp>

#include "base/result.h"
#include "model/plan.h"

namespace interlock {

nlohmann::json to_json(const Target& target);
nlohmann::json to_json(const Plan& plan);
nlohmann::json to_json(const Step& step);  // {id, kind, subject, text} and what the kind needs
Result<Target> target_from_json(const nlohmann::json& json);

}  // namespace interlock
