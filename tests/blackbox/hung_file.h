// A file whose read hangs in the kernel, as that of a card does whose firmware no longer answers: the process
// sleeps uninterruptibly (state D), and not even SIGKILL ends it (lab of the FUSE kind; amdgpu.md, 1.7).
#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "base/fd.h"

namespace interlock::tests {

class HungFile {
 public:
  /// Over the file at `path`; at first it reads as `text`. Needs root and /dev/fuse: throws without.
  HungFile(std::string path, std::string text);
  HungFile(const HungFile&) = delete;
  HungFile& operator=(const HungFile&) = delete;
  /// Whoever hangs is let go with an error.
  ~HungFile();

  /// From now on no read comes back.
  void hang() { hanging_ = true; }
  /// Reads that hang.
  int hung() const { return hung_; }

 private:
  void serve();
  void answer(const char* request, std::size_t size);

  std::string path_;
  std::string text_;
  Fd device_;
  Fd wake_;
  std::atomic<bool> hanging_ = false;
  std::atomic<int> hung_ = 0;
  std::thread server_;
};

}  // namespace interlock::tests
