#include "observe/workers.h"

#include "base/text.h"
#include "observe/processes.h"
#include "observe/untold.h"

namespace interlock::observe {

std::optional<WorkerTitle> parse_worker_title(std::string_view command_line) {
  constexpr std::string_view kTask = "task ";
  constexpr std::size_t kType = 5;
  constexpr std::size_t kGuest = 6;
  if (!command_line.starts_with("task UPID:")) return std::nullopt;
  // A title is shorter than the command line that it overwrote: what follows it are NUL bytes or blanks.
  const std::string_view upid =
      trimmed(command_line.substr(kTask.size(), command_line.find('\0') - kTask.size()));
  const auto fields = split(upid, ':');
  if (fields.size() <= kGuest) return std::nullopt;
  return WorkerTitle{std::string(upid), std::string(fields[kType]), Vmid::parse(fields[kGuest])};
}

std::vector<std::string> workers_on(Host& host, const std::set<Vmid>& guests,
                                    std::vector<std::string>& cannot_tell) {
  std::vector<std::string> found;
  const auto pids = all_processes(host);
  if (!pids) {
    cannot_tell.push_back(untold("whether a task of Proxmox is at work", pids.error().message));
    return found;
  }
  for (const Pid pid : *pids) {
    const auto command_line = host.read_start(fmt::format("/proc/{}/cmdline", pid), 512);
    if (!command_line) continue;  // it has ended; a task's own command line is for everybody to read
    const auto title = parse_worker_title(*command_line);
    if (!title) continue;
    const bool on_container = title->type.starts_with("vz") || title->type.starts_with("ha");
    if ((on_container && title->guest && guests.contains(*title->guest)) || title->type == "startall") {
      found.push_back(title->upid);
    }
  }
  return found;
}

}  // namespace interlock::observe
