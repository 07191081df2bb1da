// The model as JSON, for DIR/.mock/state.json.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/result.h"
#include "mocks/model.h"

namespace interlock::mocks {

nlohmann::json to_state(const Model& model);
Result<Model> from_state(const std::string& text);

}  // namespace interlock::mocks
