#include "base/fd.h"

#include <unistd.h>

namespace interlock {

void Fd::reset() {
  // Linux frees the descriptor whatever close() answers; data that matters is synced before.
  if (fd_ >= 0) static_cast<void>(::close(std::exchange(fd_, -1)));
}

}  // namespace interlock
