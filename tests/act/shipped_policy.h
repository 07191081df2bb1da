// The shipped policy of a real shape of host, which mocks::two_v620() is the host of.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "policy/load.h"

namespace interlock::tests {

inline const Policy& shipped_policy() {
  static const Policy kPolicy = [] {
    std::ostringstream text;
    text << std::ifstream(std::string(PROJECT_DIR) + "/policies/two-v620.yaml").rdbuf();
    return *load_policy(text.str(), "policy.yaml");
  }();
  return kPolicy;
}

}  // namespace interlock::tests
