// Every code that an audit can give, with what it means (design, section 7; `gpu-interlock explain CODE`).
#pragma once

#include <span>
#include <string_view>

#include "model/finding.h"

namespace interlock::decide {

struct FindingCode {
  std::string_view code;     // stable: scripts and people refer to it
  Severity severity;         // at its worst; two of them weigh less where nothing is at stake
  std::string_view summary;  // one line, without a full stop
  /// What it says, why it matters, what to do: paragraphs with an empty line between them, whose own line
  /// ends mean no more than a blank.
  std::string_view page;
};

/// By subject: cards and their bindings, sensors and guard, containers, holders, host.
std::span<const FindingCode> finding_codes();

/// Nothing: no such code.
const FindingCode* find_code(std::string_view code);

}  // namespace interlock::decide
