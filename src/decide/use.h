// What a card's holders say of its use, as the judge and the trip machine ask it. Pure.
#pragma once

#include <optional>
#include <vector>

#include "model/holder.h"

namespace interlock::decide {

/// What could not be told counts as yes.
struct Use {
  bool held = false;       // a process has the card open, or may have
  bool sheddable = false;  // one of them is not spared (shedding.h)
  bool used = false;       // one of them uses it: memory counts (design, section 5)
  bool working =
      false;  // one of them computes now, whatever a runtime status says: memory does not count (11.5)
  bool operator==(const Use&) const = default;
};

/// `now` and `before` are two looks at the holders of one card; without an earlier one, `before` is empty.
/// `unknown`: processes that may not be looked into hold any card. `own`: our process.
Use use_of(const std::vector<Holder>& now, const std::vector<Holder>& before,
           const std::vector<UnknownHolder>& unknown, Pid own);

/// What the holder has of the card's memory: by its fdinfo, or, where that does not tell, by KFD, which
/// counts VRAM alone and only what was allocated by way of it. Nothing: neither tells of any.
std::optional<Bytes> memory_of(const Holder& holder);

}  // namespace interlock::decide
