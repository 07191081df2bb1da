// The small files that we write and read again, as text: latch, keepsake, guard report. One form for both
// sides.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/container.h"
#include "model/host_state.h"

namespace interlock {

std::string latch_text(const Latch& latch);
/// Never fails: what cannot be understood is a damaged latch, and a damaged latch is a latch.
Latch parse_latch(std::string_view text);

std::string keepsake_text(const Keepsake& keepsake);
Result<Keepsake> parse_keepsake(std::string_view text);

/// run/gpu-interlock/guard.json: `boot_id` and `judged_at` say whether it can be fresh.
std::string guard_text(const GuardReport& report, std::string_view boot_id);
/// Of another boot, or not whole: an error. `running` is left unknown: only the lock tells.
Result<GuardReport> parse_guard(std::string_view text, std::string_view boot_id);

}  // namespace interlock
