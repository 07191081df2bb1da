// YAML text to a Policy. Unknown keys, duplicate keys, wrong types and impossible values are errors with a
// place.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "policy/policy.h"

namespace interlock {

struct PolicyError {
  std::string file;
  int line = 0;    // from 1; 0: no place in the file
  int column = 0;  // from 1
  std::string message;
  std::string text() const;  // "FILE:LINE:COLUMN: sentence"
};

/// Every error that one pass can find, in the file's order. `file` is only a name for messages.
std::expected<Policy, std::vector<PolicyError>> load_policy(std::string_view text, std::string file);

}  // namespace interlock
