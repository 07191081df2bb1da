// The card's binary table of measurements.
#include "fuzz.h"
#include "observe/gpu_metrics.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static_cast<void>(
      interlock::observe::energy_accumulator(interlock::fuzz::text_of(data, size)));  // any answer will do
  return 0;
}
