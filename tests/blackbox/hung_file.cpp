#include "hung_file.h"

#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace interlock::tests {
namespace {

constexpr std::size_t kBuffer = 64 * 1024;  // the kernel wants at least FUSE_MIN_READ_BUFFER
constexpr std::uint32_t kMode = S_IFREG | 0444;

template <class T>
T taken(const char* from, std::size_t size) {
  T value{};
  std::memcpy(&value, from, std::min(size, sizeof value));
  return value;
}

void reply(const Fd& device, const fuse_in_header& to, int error, const void* body, std::size_t size) {
  fuse_out_header header{};
  header.len = static_cast<std::uint32_t>(sizeof header + size);
  header.error = -error;
  header.unique = to.unique;
  std::array<iovec, 2> parts{{{&header, sizeof header}, {const_cast<void*>(body), size}}};
  // Who asked may have gone; then there is nobody to answer.
  static_cast<void>(!::writev(device.get(), parts.data(), size == 0 ? 1 : 2));
}

}  // namespace

HungFile::HungFile(std::string path, std::string text)
    : path_(std::move(path)),
      text_(std::move(text)),
      device_(::open("/dev/fuse", O_RDWR | O_CLOEXEC)),
      wake_(::eventfd(0, EFD_CLOEXEC)) {
  if (!device_ || !wake_) throw std::runtime_error("a file that hangs needs /dev/fuse");
  const std::string options =
      "fd=" + std::to_string(device_.get()) + ",rootmode=100444,user_id=0,group_id=0,allow_other";
  if (::mount("hung", path_.c_str(), "fuse", MS_NOSUID | MS_NODEV, options.c_str()) != 0)
    throw std::runtime_error("a file that hangs needs a mount over " + path_ + ": " + std::strerror(errno));
  server_ = std::thread([this] { serve(); });
}

HungFile::~HungFile() {
  const std::uint64_t one = 1;
  static_cast<void>(!::write(wake_.get(), &one, sizeof one));  // an eventfd at 0 takes it
  server_.join();
  ::umount2(path_.c_str(), MNT_DETACH);
  device_ = Fd();  // ends the connection, and with it every read
}

void HungFile::serve() {
  std::vector<char> request(kBuffer);
  for (;;) {
    std::array<pollfd, 2> asked{{{device_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}}};
    if (::poll(asked.data(), asked.size(), -1) < 0) continue;
    if (asked[1].revents != 0) return;
    const ssize_t got = ::read(device_.get(), request.data(), request.size());
    if (got < 0 && errno == ENODEV) return;  // unmounted
    if (got >= static_cast<ssize_t>(sizeof(fuse_in_header)))
      answer(request.data(), static_cast<std::size_t>(got));
  }
}

void HungFile::answer(const char* request, std::size_t size) {
  const auto header = taken<fuse_in_header>(request, size);
  const char* body = request + sizeof header;
  const std::size_t rest = size - sizeof header;
  switch (header.opcode) {
    case FUSE_INIT: {
      fuse_init_out out{};
      out.major = FUSE_KERNEL_VERSION;
      out.minor = std::min<std::uint32_t>(taken<fuse_init_in>(body, rest).minor, FUSE_KERNEL_MINOR_VERSION);
      out.max_write = 4096;
      return reply(device_, header, 0, &out, sizeof out);
    }
    case FUSE_GETATTR: {
      fuse_attr_out out{};
      out.attr.ino = FUSE_ROOT_ID;
      out.attr.mode = kMode;
      out.attr.nlink = 1;
      out.attr.size = 4096;  // as a sysfs file
      return reply(device_, header, 0, &out, sizeof out);
    }
    case FUSE_OPEN: {
      fuse_open_out out{};
      out.open_flags = FOPEN_DIRECT_IO;
      return reply(device_, header, 0, &out, sizeof out);
    }
    case FUSE_READ: {
      if (hanging_) {
        ++hung_;
        return;
      }
      const std::size_t from = std::min<std::size_t>(taken<fuse_read_in>(body, rest).offset, text_.size());
      return reply(device_, header, 0, text_.data() + from, text_.size() - from);
    }
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_INTERRUPT:
      return;  // these have no answer
    case FUSE_RELEASE:
    case FUSE_FLUSH:
      return reply(device_, header, 0, nullptr, 0);
    default:
      return reply(device_, header, ENOSYS, nullptr, 0);
  }
}

}  // namespace interlock::tests
