// A policy is a pure function of its text, and all scenarios here have one of two texts: each is read once.
// The linker puts this in load_policy()'s place (tests/CMakeLists.txt), since the product itself keeps
// nothing between two readings.
#include <map>

#include "policy/load.h"

namespace interlock {
namespace {

using Loaded = std::expected<Policy, std::vector<PolicyError>>;

}  // namespace

#define LOAD_POLICY                                                                                     \
  "_ZN9interlock11load_policyESt17basic_string_viewIcSt11char_traitsIcEENSt7__cxx1112basic_stringIcS2_" \
  "SaIcEEE"
Loaded load_policy_itself(std::string_view text, std::string file) __asm__("__real_" LOAD_POLICY);
Loaded load_policy_once(std::string_view text, std::string file) __asm__("__wrap_" LOAD_POLICY);

Loaded load_policy_once(std::string_view text, std::string file) {
  thread_local std::map<std::pair<std::string, std::string>, Loaded> seen;
  const auto key = std::pair(file, std::string(text));
  auto found = seen.find(key);
  if (found == seen.end()) found = seen.emplace(key, load_policy_itself(text, std::move(file))).first;
  return found->second;
}

}  // namespace interlock
