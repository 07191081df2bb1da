// What the fuzzers share. Each looks for crashes and undefined behaviour by itself; require() adds what must
// hold for any input at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace interlock::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

inline void require(bool holds, const char* what) {
  if (holds) return;
  static_cast<void>(std::fprintf(stderr, "does not hold: %s\n", what));  // the abort is what counts
  std::abort();
}

}  // namespace interlock::fuzz
