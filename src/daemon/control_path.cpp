#include "daemon/control_path.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "host/paths.h"
#include "host/root_folder.h"

namespace interlock::daemon {
namespace {

constexpr int kBacklog = 16;
constexpr mode_t kForUsAlone = 0177;  // the bits that are taken away

const sockaddr* generic(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

Result<Fd> unix_socket(int flags) {
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
  if (!socket) return fail_errno(errno, "making the control socket");
  return socket;
}

}  // namespace

Result<ControlAddress> control_address(const std::string& root) {
  const std::string path = paths::kControlSocket;
  const auto slash = path.rfind('/');
  const auto folder_root = TRY(RootFolder::open_root(root));
  ControlAddress control;
  control.folder = TRY(folder_root.open(path.substr(0, slash), O_PATH | O_DIRECTORY));
  const std::string through = fmt::format("/proc/self/fd/{}{}", control.folder.get(), path.substr(slash));
  control.address.sun_family = AF_UNIX;
  std::ranges::copy(through, control.address.sun_path);  // zeroed before, and far shorter than 107 bytes
  return control;
}

Result<Fd> listen_for_control(const std::string& root) {
  const auto control = TRY(control_address(root));
  Fd socket = TRY(unix_socket(SOCK_NONBLOCK));
  if (::unlink(control.address.sun_path) != 0 && errno != ENOENT)
    return fail_errno(errno, paths::kControlSocket);
  const mode_t before = ::umask(kForUsAlone);
  const int bound = ::bind(socket.get(), generic(control.address), sizeof control.address);
  const int code = errno;
  ::umask(before);
  if (bound != 0) return fail_errno(code, paths::kControlSocket);
  if (::listen(socket.get(), kBacklog) != 0) return fail_errno(errno, paths::kControlSocket);
  return socket;
}

Result<Fd> connect_to_control(const std::string& root) {
  const auto control = TRY(control_address(root));
  Fd socket = TRY(unix_socket(0));
  if (::connect(socket.get(), generic(control.address), sizeof control.address) != 0) {
    return fail_errno(errno, paths::kControlSocket);
  }
  return socket;
}

}  // namespace interlock::daemon
