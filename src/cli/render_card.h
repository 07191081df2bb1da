// The words for a card's state, and for the guard's and a cutover's: the same in `status` and in `watch`.
#pragma once

#include <string>

#include "cli/render.h"
#include "cli/style.h"

namespace interlock::cli {

/// Cool is not guarded: "guarding" is the guard's own word, and only while it speaks.
Cell state_cell(const CardStatus& status, const Style& style);
/// "62.0 C", or the verdict where nothing was measured; coloured by the limits.
Cell channel_cell(const Verdicts& verdicts, const GuardPolicy& guard, Channel channel, const Style& style);
/// "serving 120/llamacpp.service"
std::string use_text(const decide::CardUse& use);
/// "20.0 GiB of 32.0 GiB"
std::string memory_text(const Card& card);
std::string guard_line(const HostState& state, const Style& style);
std::string cutover_line(const HostState& state, const Style& style);

}  // namespace interlock::cli
