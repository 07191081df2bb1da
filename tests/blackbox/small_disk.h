// A disk that can be filled: a tmpfs over a folder, in a mount namespace of this process, so that nothing of
// it outlives the test.
#pragma once

#include <string>

namespace interlock::tests {

class SmallDisk {
 public:
  /// Over `folder`, which must be empty. Throws where the machine lets nobody mount.
  explicit SmallDisk(std::string folder);
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk();

  /// Not a byte more goes onto it.
  void fill() const;
  /// There is room again.
  void free() const;

 private:
  std::string folder_;
};

}  // namespace interlock::tests
