// /proc/<pid>/fdinfo/<fd> of a DRM client.
#include "fuzz.h"
#include "observe/fdinfo.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = interlock::fuzz::text_of(data, size);
  const auto info = interlock::observe::parse_fdinfo(text);
  interlock::fuzz::require(!info.card || text.contains("drm-pdev"), "a card is only where it is named");
  return 0;
}
