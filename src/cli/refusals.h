// Why a cutover may be refused: every code of `unmet`, with what it means (`gpu-interlock explain CODE`).
#pragma once

#include <span>
#include <string_view>

namespace interlock::cli {

struct Refusal {
  std::string_view code;     // stable
  std::string_view meaning;  // one sentence: what does not hold, and what to do
};

/// Host first, then containers, cards, and the plan itself.
std::span<const Refusal> refusals();

/// Nothing: no such code.
const Refusal* find_refusal(std::string_view code);

}  // namespace interlock::cli
