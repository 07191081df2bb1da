#include "host/linux_host.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "host/apart.h"
#include "host/child.h"
#include "host/file_lock.h"
#include "host/files.h"
#include "host/process_stat.h"
#include "host/root_folder.h"

namespace interlock {
namespace {

class LinuxHost final : public Host {
 public:
  explicit LinuxHost(RootFolder root) : root_(std::move(root)) {}

  Result<std::string> read_file(const std::string& path) override { return files::read_file(root_, path); }
  Result<std::string> read_start(const std::string& path, std::size_t most) override {
    return files::read_start(root_, path, most);
  }
  Result<std::vector<std::string>> list_folder(const std::string& path) override {
    return files::list_folder(root_, path);
  }
  Result<std::vector<std::string>> list_subfolders(const std::string& path) override {
    return files::list_subfolders(root_, path);
  }
  Result<std::vector<FolderEntry>> list_with_info(const std::string& path) override {
    return files::list_with_info(root_, path);
  }
  Result<std::vector<FolderText>> list_links(const std::string& path) override {
    return files::list_links(root_, path);
  }
  Result<std::vector<FolderText>> read_folder(const std::string& path,
                                              const std::vector<std::string>& passed_over) override {
    return files::read_folder(root_, path, passed_over);
  }
  Result<std::string> read_link(const std::string& path) override { return files::read_link(root_, path); }
  Result<std::string> real_path(const std::string& path) override { return root_.real_path(path); }
  Result<FileInfo> info(const std::string& path, bool follow) override {
    return files::info(root_, path, follow);
  }
  Result<std::string> apart(const std::function<std::string()>& work, Duration deadline) override {
    return run_apart(work, deadline, root_.descriptor());
  }

  Result<void> replace_file(const std::string& path, std::string_view content, mode_t mode,
                            Durability durability) override {
    return files::replace_file(root_, path, content, mode, durability);
  }
  Result<void> append_file(const std::string& path, std::string_view content) override {
    return files::append_file(root_, path, content);
  }
  Result<void> write_control(const std::string& path, std::string_view content) override {
    return files::write_control(root_, path, content);
  }
  Result<void> remove_file(const std::string& path) override { return files::remove_file(root_, path); }
  Result<void> make_folder(const std::string& path, mode_t mode) override {
    return files::make_folder(root_, path, mode);
  }
  Result<void> sync_file(const std::string& path) override { return files::sync_file(root_, path); }

  Result<std::unique_ptr<HeldLock>> lock(const std::string& path, Duration patience) override;
  Result<bool> is_locked(const std::string& path) override { return files::is_locked(root_, path); }
  Result<CommandEnd> run(const Command& command) override { return children_.run(root_, command); }
  Result<void> signal(const ProcessId& process, int signal) override;

  Instant now() override;
  void wait(Duration duration) override;
  std::string wall_clock() override;
  bool rooted() const override { return root_.rooted(); }

 private:
  RootFolder root_;
  Children children_;
};

Result<std::unique_ptr<HeldLock>> LinuxHost::lock(const std::string& path, Duration patience) {
  // flock(2) has no time limit of its own; a signal to end a blocking one would be a race of its own.
  const Instant deadline = now() + patience;
  Duration pause = std::chrono::milliseconds(2);
  for (;;) {
    auto held = TRY(files::try_lock(root_, path));
    if (held) return held;
    const Duration left = deadline - now();
    if (left <= Duration::zero()) {
      return std::unexpected(Error{fmt::format("{} is locked by another process", path), EWOULDBLOCK});
    }
    wait(std::min(pause, left));
    pause = std::min<Duration>(pause * 2, std::chrono::milliseconds(50));
  }
}

Result<void> LinuxHost::signal(const ProcessId& process, int signal) {
  const std::string name = fmt::format("cannot signal process {}", process.pid);
  if (rooted()) return fail_errno(EPERM, name + ", since no signal is sent below a root folder");
  const Fd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0)));
  if (!pidfd) return fail_errno(errno, name);
  // Looked at after the pidfd is ours: if the start time is the same now, the pidfd is that process for good.
  const auto text = read_file(fmt::format("/proc/{}/stat", process.pid));
  if (!text) return fail_errno(is_missing(text.error()) ? ESRCH : text.error().code, name);
  const auto stat = parse_process_stat(*text);
  if (!stat) return fail("{}: its stat file cannot be understood", name);
  if (stat->started != process.started)
    return fail_errno(ESRCH, name + ", since its number is another's now");
  if (::syscall(SYS_pidfd_send_signal, pidfd.get(), signal, nullptr, 0) != 0) return fail_errno(errno, name);
  return {};
}

Instant LinuxHost::now() {
  timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return Instant{std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec)};
}

void LinuxHost::wait(Duration duration) {
  const Duration until = now().time_since_epoch() + std::max(duration, Duration::zero());
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(until);
  const timespec time{.tv_sec = seconds.count(), .tv_nsec = (until - seconds).count()};
  while (::clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &time, nullptr) == EINTR) {
  }
}

std::string LinuxHost::wall_clock() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec);
}

}  // namespace

Result<std::unique_ptr<Host>> make_linux_host(const std::string& root) {
  return std::make_unique<LinuxHost>(TRY(RootFolder::open_root(root)));
}

}  // namespace interlock
