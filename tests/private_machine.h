// A machine of a test's own, for code that has no root folder put before its paths (libsensors, libudev, a
// guard without --root): while a function runs, in a thread of its own, folders of the test lie over the
// machine's, and device events stay inside. What it starts sees the same, and nobody else does.
#pragma once

#include <sched.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <future>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.h"

namespace interlock::tests {

/// `real` shows what `source` is: both folders, or both files.
struct Cover {
  std::string source;
  std::string real;
};

/// This machine does not let us: it takes root.
struct NotAllowed : std::runtime_error {
  explicit NotAllowed(const std::string& what) : runtime_error(what + ": " + std::strerror(errno)) {}
};

namespace detail {

inline void make_private(const std::vector<Cover>& covers) {
  // Of this thread alone, and gone with it.
  if (::unshare(CLONE_NEWNS | CLONE_NEWNET) != 0) throw NotAllowed("namespaces of our own");
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    throw NotAllowed("mounts of our own");
  for (const auto& [source, real] : covers) {
    if (::mount(source.c_str(), real.c_str(), nullptr, MS_BIND, nullptr) != 0)
      throw NotAllowed("a mount over " + real);
  }
}

}  // namespace detail

/// Where it cannot be, the test says that it is left out.
inline void on_private_machine(const std::vector<Cover>& covers, const std::function<void()>& body) {
  try {
    std::async(std::launch::async, [&] {
      detail::make_private(covers);
      body();
    }).get();
  } catch (const NotAllowed& error) {
    WARN("LEFT OUT on this machine: " << error.what());
  }
}

}  // namespace interlock::tests
