// What a command has to say: an exit code, text for a person or one JSON object, and what went wrong.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace interlock::cli {

/// The exit codes of design, section 8.
namespace exits {
inline constexpr int kDone = 0;
inline constexpr int kProblems = 1;    // audit: a violation, or something that it cannot tell
inline constexpr int kUsage = 2;       // usage or policy error; nothing was touched
inline constexpr int kRefused = 3;     // nothing was touched
inline constexpr int kRolledBack = 4;  // failed, and the way back is complete
inline constexpr int kHeld = 5;        // failed, and held where nothing is unsafe
inline constexpr int kBusy = 6;        // another cutover is at work
inline constexpr int kUnreadable = 7;  // the host cannot be read well enough to decide

struct Meaning {
  int code;
  std::string_view text;
};
std::span<const Meaning> meanings();
}  // namespace exits

struct Failure {
  std::string message;
  std::string file = {};
  int line = 0;              // from 1; 0: no place
  int column = 0;            // from 1
  std::string text() const;  // "FILE:LINE:COLUMN: sentence"
};

struct Outcome {
  int exit = exits::kDone;
  nlohmann::json json = nlohmann::json::object();
  std::string text;               // for standard output
  std::vector<Failure> failures;  // for standard error; the first is the JSON's `error`
  std::vector<Failure> remarks;   // for standard error too, and the JSON's `remarks`: it is done all the same
};

Outcome failed(int exit, std::string message);

/// With `as_json` exactly one object on `out`, else the text; failures and remarks on `err` either way.
void print(const Outcome& outcome, bool as_json, std::ostream& out, std::ostream& err);

}  // namespace interlock::cli
