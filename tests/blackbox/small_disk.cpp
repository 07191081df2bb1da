#include "small_disk.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "base/fd.h"

namespace interlock::tests {

SmallDisk::SmallDisk(std::string folder) : folder_(std::move(folder)) {
  const auto must = [](int answer, const std::string& what) {
    if (answer != 0) throw std::runtime_error(what + ": " + std::strerror(errno));
  };
  must(::unshare(CLONE_NEWNS), "a mount namespace");
  must(::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "mounts of this process alone");
  must(::mount("small", folder_.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "size=4m,mode=0755"),
       "a tmpfs on " + folder_);
}

SmallDisk::~SmallDisk() {
  static_cast<void>(::umount2(folder_.c_str(), MNT_DETACH));  // at worst it ends with this process
}

void SmallDisk::fill() const {
  const Fd file(::open((folder_ + "/.filler").c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600));
  if (!file) throw std::runtime_error("cannot fill the disk");
  constexpr std::array<char, 4096> kPage{};
  while (::write(file.get(), kPage.data(), kPage.size()) > 0) {
  }
  if (errno != ENOSPC) throw std::runtime_error("the disk did not become full");
}

void SmallDisk::free() const {
  if (::unlink((folder_ + "/.filler").c_str()) != 0) throw std::runtime_error("the disk was not full");
}

}  // namespace interlock::tests
