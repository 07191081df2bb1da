// A pipe whose ends no program that we start inherits by accident.
#pragma once

#include "base/fd.h"
#include "base/result.h"

namespace interlock {

/// Both ends are close-on-exec and above the standard descriptors; `read` never blocks.
struct Pipe {
  Fd read;
  Fd write;
};
Result<Pipe> make_pipe();

/// The same descriptor under a number that no dup2 onto a standard one overwrites.
Result<Fd> above_standard(Fd fd);

}  // namespace interlock
