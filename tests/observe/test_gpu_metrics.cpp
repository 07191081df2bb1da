#include "catch.h"
#include "observe/gpu_metrics.h"

using namespace interlock::observe;

namespace {

/// A table of `size` bytes as the driver lays it out, with the counter at `offset`.
std::string table(unsigned size, unsigned format, unsigned content, std::size_t offset,
                  std::uint64_t energy) {
  std::string bytes(size, '\x11');
  bytes[0] = static_cast<char>(size & 0xff);
  bytes[1] = static_cast<char>(size >> 8);
  bytes[2] = static_cast<char>(format);
  bytes[3] = static_cast<char>(content);
  for (std::size_t i = 0; i < 8; ++i) bytes[offset + i] = static_cast<char>(energy >> (8 * i));
  return bytes;
}

}  // namespace

TEST_CASE("the energy counter stands where each form of the table has it (amdgpu.md 1.12)") {
  constexpr std::uint64_t kEnergy = 0x0123456789abcdef;
  for (const unsigned content : {1u, 2u, 3u, 4u}) {
    INFO("v1_" << content);
    CHECK(energy_accumulator(table(120, 1, content, 24, kEnergy)) == kEnergy);
  }
  CHECK(energy_accumulator(table(350, 1, 5, 88, kEnergy)) == kEnergy);
  CHECK(energy_accumulator(table(350, 1, 5, 88, kEnergy).substr(0, kGpuMetricsBytes)) == kEnergy);
  CHECK(energy_accumulator(table(120, 1, 3, 24, 0)) == 0);
}

TEST_CASE("a table without a counter gives none, so that no card is called frozen for it") {
  CHECK(!energy_accumulator(table(120, 1, 0, 24, 7)));                  // MI50
  CHECK(!energy_accumulator(table(400, 1, 6, 24, 7)));                  // of a kernel to come
  CHECK(!energy_accumulator(table(120, 2, 3, 24, 7)));                  // APU
  CHECK(!energy_accumulator(table(120, 1, 3, 24, ~std::uint64_t{0})));  // unset: all ones
}

TEST_CASE("a table that is not whole gives no counter (the MangoHud 868 kind: wrong revision decoded)") {
  const std::string whole = table(120, 1, 3, 24, 7);
  for (std::size_t length = 0; length < 32; ++length) CHECK(!energy_accumulator(whole.substr(0, length)));
  CHECK(!energy_accumulator(table(120, 1, 5, 88, 7).substr(0, 95)));
  std::string small = whole;
  small[0] = 24;  // says itself that it ends before the counter
  CHECK(!energy_accumulator(small));
}
