// One thing that the audit has to say (design, section 7).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace interlock {

enum class Severity : std::uint8_t { violation, warning, advice };
std::string_view to_string(Severity severity);

struct Finding {
  std::string code;  // stable: "card-double-bound"
  Severity severity = Severity::violation;
  std::string subject;  // "gpu1", "120", "120/llamacpp.service"
  std::string message;  // a sentence
  std::string remedy;   // what to do, a command where there is one
  bool operator==(const Finding&) const = default;
};

struct Audit {
  std::vector<Finding> findings;
  std::vector<std::string> unknown;  // what it cannot tell
  bool clean() const { return findings.empty() && unknown.empty(); }
};

/// A condition of a cutover that does not hold.
struct Unmet {
  std::string code;  // "quorum", "container-locked", ...
  std::string subject;
  std::string message;
  std::string remedy;
  bool operator==(const Unmet&) const = default;
};

}  // namespace interlock
