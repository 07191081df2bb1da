// `systemctl show` of one to three units; the first byte says how many were asked.
#include "fuzz.h"
#include "pve/pct_output.h"

using namespace interlock;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<UnitName> names = {*UnitName::parse("llamacpp.service"),
                                              *UnitName::parse("llamacpp-qwen38fn.service"),
                                              *UnitName::parse("foo.socket")};
  if (size == 0) return 0;
  const std::vector<UnitName> asked(names.begin(), names.begin() + 1 + data[0] % 3);
  const auto units = pve::parse_units(fuzz::text_of(data + 1, size - 1), asked);
  if (!units) return 0;
  require(units->size() == asked.size(), "each unit asked has its answer");
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const Unit& unit = (*units)[i];
    require(unit.name == asked[i], "in the order asked");
    if (is_retired(unit) == Truth::yes) {
      require(unit.load == LoadState::not_found || unit.started_by.empty(),
              "nothing would start a retired unit");
    }
  }
  return 0;
}
