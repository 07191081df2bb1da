#include "model/unit.h"

namespace interlock {

Truth is_live(const Unit& unit) {
  if (unit.load == LoadState::not_found) return Truth::no;
  switch (unit.active) {
    case ActiveState::inactive:
    case ActiveState::failed:
      return Truth::no;
    case ActiveState::unknown:
      return Truth::unknown;
    default:
      return Truth::yes;
  }
}

Truth would_start(const Unit& unit) {
  if (unit.load == LoadState::not_found) return Truth::no;
  if (!unit.started_by.empty()) return Truth::yes;
  switch (unit.file) {
    case UnitFileState::disabled:
    case UnitFileState::masked:
    case UnitFileState::is_static:  // nothing enabled starts it: started_by is empty
    case UnitFileState::indirect:
    case UnitFileState::linked:
    case UnitFileState::transient:
    case UnitFileState::none:
      return Truth::no;
    case UnitFileState::unknown:
    case UnitFileState::bad:
      return Truth::unknown;
    default:
      return Truth::yes;  // a runtime mask or link vanishes at the boot (U06, U12)
  }
}

Truth is_retired(const Unit& unit) {
  const Truth live = is_live(unit);
  const Truth starts = would_start(unit);
  if (live == Truth::yes || starts == Truth::yes) return Truth::no;
  if (live == Truth::unknown || starts == Truth::unknown) return Truth::unknown;
  return Truth::yes;
}

}  // namespace interlock
