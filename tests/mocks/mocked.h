// What the tests of the mocked host in memory share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "mocks/mock_host.h"
#include "mocks/two_v620.h"

namespace interlock::mocks {

inline Result<CommandEnd> run(MockHost& host, std::vector<std::string> words,
                              Duration deadline = std::chrono::seconds(30)) {
  words.insert(words.begin(), "/usr/sbin/pct");
  return host.run({.argv = std::move(words), .input = {}, .deadline = deadline});
}

inline CommandEnd pct(MockHost& host, std::vector<std::string> words,
                      Duration deadline = std::chrono::seconds(30)) {
  auto end = run(host, std::move(words), deadline);
  REQUIRE(end);
  return *end;
}

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace interlock::mocks
