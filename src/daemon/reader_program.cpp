#include "daemon/reader_program.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>

#include "host/scheduling.h"

namespace interlock::daemon {
namespace {

constexpr int kCannotExec = 126;

Result<std::string> own_folder() {
  std::array<char, PATH_MAX> path;  // NOLINT(cppcoreguidelines-pro-type-member-init): readlink(2) fills it
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  if (length < 0) return fail_errno(errno, "/proc/self/exe");
  const std::string_view whole(path.data(), static_cast<std::size_t>(length));
  return std::string(whole.substr(0, whole.rfind('/')));
}

}  // namespace

Result<ReaderProgram> ReaderProgram::beside_ourselves(std::string root) {
  const std::string path = TRY(own_folder()) + "/gpu-interlock-reader";
  Fd program(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!program) return fail_errno(errno, path);
  return ReaderProgram(std::move(program), std::move(root));
}

Result<AskedChild::Started> ReaderProgram::start(const PciAddress& card) const {
  const auto become_reader = [this, &card] {
    // As soon as its daemon; where that is not given, the daemon has said so.
    if (!run_at_once()) run_early();
    std::array<std::string, 5> words{"gpu-interlock-reader", "--root", root_, "--pci", card.text()};
    std::array<char*, 6> argv{};
    for (std::size_t i = 0; i < words.size(); ++i) argv[i] = words[i].data();
    std::array<char*, 1> no_environment{};
    static_cast<void>(::execveat(program_.get(), "", argv.data(), no_environment.data(), AT_EMPTY_PATH));
    return kCannotExec;
  };
  return AskedChild::fork(become_reader, program_.get());
}

}  // namespace interlock::daemon
