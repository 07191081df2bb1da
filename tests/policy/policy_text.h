// A small sound policy, and what load_policy says of it after one change.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "policy/load.h"

namespace interlock::test {

/// Lines are numbered in the comments, since messages are checked with their places.
inline constexpr std::string_view kSound =
    "version: 1\n"                                               // 1
    "cards:\n"                                                   // 2
    "  gpu1: { pci: \"0000:03:00.0\" }\n"                        // 3
    "  gpu2: { pci: \"0000:83:00.0\" }\n"                        // 4
    "guard:\n"                                                   // 5
    "  channels:\n"                                              // 6
    "    junction: { warn: 95, trip: 102, resume: 85 }\n"        // 7
    "    memory:   { warn: 93, trip: 101, resume: 85 }\n"        // 8
    "containers:\n"                                              // 9
    "  120: { units: [llamacpp.service, large.service] }\n"      // 10
    "  123: { units: [large.service] }\n"                        // 11
    "cutovers:\n"                                                // 12
    "  to-large:\n"                                              // 13
    "    123: { state: stopped, cards: [] }\n"                   // 14
    "    120: { cards: [gpu1, gpu2], serve: large.service }\n";  // 15

/// kSound with its one `old` text replaced.
inline std::string changed(std::string_view old, std::string_view replacement) {
  std::string text(kSound);
  const auto at = text.find(old);
  INFO("not in the sound policy: " << old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), replacement);
}

/// kSound and more lines: a section that it does not have.
inline std::string and_also(std::string_view lines) {
  return std::string(kSound) + std::string(lines);
}

/// kSound with one more line in `guard:`.
inline std::string guard_with(std::string_view line) {
  return changed("guard:\n", "guard:\n  " + std::string(line) + "\n");
}

/// "LINE:COLUMN: message", in the order given; empty: the policy loads.
inline std::vector<std::string> errors_of(std::string_view text) {
  const auto policy = load_policy(text, "p");
  std::vector<std::string> errors;
  if (policy) return errors;
  for (const PolicyError& error : policy.error()) errors.push_back(error.text().substr(2));
  return errors;
}

/// The only error; the test fails where there are none or several.
inline std::string error_of(std::string_view text) {
  const auto errors = errors_of(text);
  if (errors.size() != 1) {
    std::string all = "errors: " + std::to_string(errors.size());
    for (const std::string& error : errors) all += "\n" + error;
    return all;
  }
  return errors.front();
}

inline Policy policy_of(std::string_view text) {
  const auto policy = load_policy(text, "p");
  if (!policy) FAIL(policy.error().front().text());
  return *policy;
}

}  // namespace interlock::test
