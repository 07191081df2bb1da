#include "cli/sample_apart.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "daemon/child_process.h"
#include "daemon/sample_wire.h"
#include "host/linux_host.h"
#include "observe/sensors.h"

namespace interlock::cli {
namespace {

/// What can be told of the card without its sensors, and this errno for all of them.
CardSample without_sensors(Host& host, const PciAddress& pci, int error) {
  observe::HostCardFolder folder(host, pci);
  const FileRead unread{.error = error, .text = {}};
  CardSample sample;
  sample.taken_at = host.now();
  sample.present = folder.present();
  sample.driver = folder.driver();
  sample.unique_id = unread;
  for (auto& channel : sample.channels) channel = ChannelSample{.label = unread, .input = unread};
  return sample;
}

/// Who reads our standard error would wait for a child that hangs, long after we have ended.
bool let_go_of_standard_error() {
  const Fd nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  return nowhere && ::dup2(nowhere.get(), STDERR_FILENO) == STDERR_FILENO;
}

int answer(const std::string& root, const PciAddress& pci) {
  if (!let_go_of_standard_error()) return 1;
  const auto host = make_linux_host(root);
  if (!host) return 1;
  const std::string record = daemon::encode_sample(observe::sample_card(**host, pci));
  return ::write(STDOUT_FILENO, record.data(), record.size()) == static_cast<ssize_t>(record.size()) ? 0 : 1;
}

/// The one record that comes, or nothing when its time is over or its writer has ended.
std::optional<CardSample> await(const Fd& from, Host& host, Instant end) {
  std::string bytes;
  for (Instant now = host.now(); now < end; now = host.now()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - now);
    pollfd asked{.fd = from.get(), .events = POLLIN, .revents = 0};
    if (::poll(&asked, 1, static_cast<int>(left.count())) <= 0) continue;
    std::array<char, daemon::kLongestRecord> buffer{};
    const ssize_t got = ::read(from.get(), buffer.data(), buffer.size());
    if (got <= 0) return std::nullopt;
    bytes.append(buffer.data(), static_cast<std::size_t>(got));
    auto sample = daemon::take_sample(bytes);
    if (!sample) return std::nullopt;
    if (*sample) return *sample;
  }
  return std::nullopt;
}

}  // namespace

CardSample sample_apart(Host& host, const std::string& root, const PciAddress& pci) {
  auto pipe = daemon::make_pipe();
  if (!pipe) return without_sensors(host, pci, pipe.error().code);
  const auto child = daemon::fork_child({.output = pipe->write.get()}, [&] { return answer(root, pci); });
  if (!child) return without_sensors(host, pci, child.error().code);
  pipe->write = Fd();
  const auto sample = await(pipe->read, host, host.now() + kSampleDeadline);
  if (!sample) child->kill();
  static_cast<void>(child->reap());  // one that hangs is the kernel's, and init's after us
  return sample ? *sample : without_sensors(host, pci, ETIMEDOUT);
}

bool timed_out(const CardSample& sample) {
  return std::ranges::any_of(
      sample.channels, [](const auto& channel) { return channel && channel->input.error == ETIMEDOUT; });
}

}  // namespace interlock::cli
