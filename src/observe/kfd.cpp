#include "observe/kfd.h"

#include "base/text.h"

namespace interlock::observe {
namespace {

constexpr const char* kProcesses = "/sys/class/kfd/kfd/proc";
constexpr const char* kNodes = "/sys/class/kfd/kfd/topology/nodes";

std::string folder_of(Pid pid) {
  return fmt::format("{}/{}", kProcesses, pid);
}

void note(KfdProcess& process, const Error& error) {
  // The process ended meanwhile; its entry goes away as a whole.
  if (!is_missing(error) && error.code != ENODEV) process.unclear = error.message;
}

}  // namespace

std::optional<PciAddress> kfd_node_address(std::string_view properties) {
  std::optional<unsigned> location;
  unsigned domain = 0;  // older kernels do not print it
  for (const std::string_view line : lines_of(properties)) {
    const auto parts = words(line);
    if (parts.size() != 2) continue;
    const auto number = parse_number<unsigned>(parts[1]);
    if (parts[0] == "location_id") location = number;
    if (parts[0] == "domain" && number) domain = *number;
  }
  if (!location || *location == 0) return std::nullopt;
  return PciAddress::parse(fmt::format("{:04x}:{:02x}:{:02x}.{}", domain, (*location >> 8) & 0xff,
                                       (*location >> 3) & 0x1f, *location & 7));
}

Kfd::Kfd(Host& host) : host_(host) {
  const auto nodes = host.list_folder(kNodes);
  if (!nodes) return;  // what it would have named is unclear in look()
  for (const std::string& node : *nodes) {
    const std::string folder = std::string(kNodes) + "/" + node;
    const auto gpu = host.read_file(folder + "/gpu_id");
    const auto properties = host.read_file(folder + "/properties");
    if (!gpu || !properties) continue;
    if (const auto address = kfd_node_address(*properties))
      cards_.emplace(std::string(trimmed(*gpu)), *address);
  }
}

Result<std::vector<Pid>> Kfd::processes() const {
  std::vector<Pid> pids;
  const auto names = host_.list_folder(kProcesses);
  if (!names && is_missing(names.error())) return pids;
  if (!names) return std::unexpected(names.error());
  for (const std::string& name : *names) {
    if (const auto pid = parse_number<Pid>(name)) pids.push_back(*pid);
  }
  return pids;
}

KfdProcess Kfd::look(Pid pid) const {
  KfdProcess process;
  const std::string folder = folder_of(pid);
  const auto names = host_.list_folder(folder);
  if (!names) {
    note(process, names.error());
    return process;
  }
  for (const std::string& name : *names) {
    // sdma_* is left alone: reading it waits for a kernel worker that looks into the process's queues.
    if (name.starts_with("vram_")) add_memory(process, folder, name);
    if (name == "queues") add_queue(process, folder + "/queues");
  }
  return process;
}

void Kfd::add_memory(KfdProcess& process, const std::string& folder, const std::string& file) const {
  const auto text = host_.read_file(folder + "/" + file);
  if (!text) return note(process, text.error());
  const auto bytes = parse_number<Bytes>(trimmed(*text));
  if (!bytes) {
    process.unclear = fmt::format("{}/{} reads '{}'", folder, file, printable(*text));
    return;
  }
  const std::string_view gpu = std::string_view(file).substr(std::string_view("vram_").size());
  if (*bytes == 0 && !cards_.contains(gpu)) return;  // an entry is there for every card that it could use
  if (const PciAddress* pci = card(process, gpu)) process.cards[*pci].memory += *bytes;
}

void Kfd::add_queue(KfdProcess& process, const std::string& folder) const {
  const auto queues = host_.list_folder(folder);
  if (!queues) return note(process, queues.error());
  for (const std::string& queue : *queues) {
    const auto gpu = host_.read_file(folder + "/" + queue + "/gpuid");
    if (!gpu) {
      note(process, gpu.error());
    } else if (const PciAddress* pci = card(process, trimmed(*gpu))) {
      process.cards[*pci].queue = true;
    }
  }
}

const PciAddress* Kfd::card(KfdProcess& process, std::string_view gpu) const {
  const auto found = cards_.find(gpu);
  if (found != cards_.end()) return &found->second;
  process.unclear = fmt::format("KFD's card number {} cannot be told to a PCI address", printable(gpu));
  return nullptr;
}

}  // namespace interlock::observe
