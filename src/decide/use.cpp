#include "decide/use.h"

#include <algorithm>

#include "decide/shedding.h"

namespace interlock::decide {
namespace {

bool engine_grew(const Holder& now, const std::vector<Holder>& before) {
  const auto earlier = std::ranges::find_if(
      before, [&](const Holder& holder) { return holder.process == now.process && holder.card == now.card; });
  return earlier != before.end() && now.engine_ns &&
         (!earlier->engine_ns || *now.engine_ns > *earlier->engine_ns);
}

}  // namespace

Use use_of(const std::vector<Holder>& now, const std::vector<Holder>& before,
           const std::vector<UnknownHolder>& unknown, Pid own) {
  Use use;
  use.held = use.sheddable = use.used = use.working = !unknown.empty();
  for (const Holder& holder : now) {
    const bool works = holder.kfd_queue || engine_grew(holder, before);
    use.held = true;
    use.sheddable = use.sheddable || !is_spared(holder, own);
    use.working = use.working || works;
    use.used = use.used || works || holder.uses != Truth::no;
  }
  return use;
}

std::optional<Bytes> memory_of(const Holder& holder) {
  if (holder.memory) return holder.memory;
  // A process of which KFD counts none may have memory that only fdinfo would tell.
  return holder.kfd_memory && *holder.kfd_memory > 0 ? holder.kfd_memory : std::nullopt;
}

}  // namespace interlock::decide
