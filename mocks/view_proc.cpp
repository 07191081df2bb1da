// /proc, and what KFD says of processes (amdgpu.md, section 3).
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "base/text.h"
#include "mocks/grants.h"
#include "mocks/view.h"

namespace interlock::mocks::views {
namespace {

constexpr int kFirstCardDescriptor = 5;

std::string unix_sockets(const Model& model) {
  std::string text = "Num       RefCount Protocol Flags    Type St Inode Path\n";
  unsigned inode = 20001;
  const auto add = [&](std::string_view path) {
    text += fmt::format("0000000000000000: 00000002 00000000 00010000 0001 01 {:5} {}\n", inode++, path);
  };
  add("/run/systemd/notify");
  add("/run/dbus/system_bus_socket");
  add("@/var/lib/lxc/monitor-fifo");
  for (const Container& container : model.containers) {
    if (container.running()) add(fmt::format("@/var/lib/lxc/{}/command", container.vmid));
  }
  return text;
}

/// The node that a process has open: the render node, by its name in the container, which is the host's.
std::string node_of(const Model& model, const Open& open) {
  const Card* card = model.card(open.pci);
  return fmt::format("/dev/dri/renderD{}", card == nullptr ? 0 : card->render);
}

std::string fdinfo(const Model& model, const Process& process, const Open& open) {
  std::string text = fmt::format(
      "pos:\t0\nflags:\t02100002\nmnt_id:\t27\nino:\t900\ndrm-driver:\tamdgpu\ndrm-client-id:\t{}\ndrm-pdev:"
      "\t{}\npasid:\t"
      "32770\ndrm-memory-cpu: \t512 KiB\ndrm-memory-gtt: \t1024 KiB\ndrm-memory-vram:\t{} KiB\n",
      open.client, open.pci, open.memory / kKiB);
  const std::uint64_t busy = engine_ns(model, process, open);
  if (busy > 0) text += fmt::format("drm-engine-compute:\t{} ns\n", busy);
  return text;
}

Node descriptors(const Model& model, const Process& process, bool details, std::string_view name) {
  if (name.empty()) {
    std::vector<std::string> names = {"0", "1", "2"};
    for (std::size_t i = 0; i < process.opens.size(); ++i) {
      names.push_back(std::to_string(static_cast<std::size_t>(kFirstCardDescriptor) + i));
    }
    return folder(std::move(names));
  }
  const auto number = parse_number<int>(name);
  const int index = number ? *number - kFirstCardDescriptor : -1;
  const bool of_card = index >= 0 && static_cast<std::size_t>(index) < process.opens.size();
  if (!number || (!of_card && *number > 2)) return {};
  Node node;
  if (!of_card) {
    node = details ? file("pos:\t0\nflags:\t0100002\nmnt_id:\t27\nino:\t5\n") : link("/dev/null");
  } else {
    const Open& open = process.opens.at(static_cast<std::size_t>(index));
    node = details ? file(fdinfo(model, process, open)) : link(node_of(model, open));
  }
  if (process.unreadable) node.error = EACCES;
  return node;
}

/// Below /proc/<pid>/root: the /dev/dri of a container's init, with what the container was started with.
Node root_of_init(const Model& model, int vmid, std::string_view path) {
  if (path.empty()) return folder({"dev"});
  if (path == "dev") return folder({"dri"});
  const Container* container = model.container(vmid);
  std::vector<std::string> names;
  for (const DeviceNode& node : device_nodes(model)) {
    if (container == nullptr || !container->live.contains(node.pci)) continue;
    names.push_back(node.path.substr(std::string_view("/dev/dri/").size()));
    if (path != "dev/dri/" + names.back()) continue;
    Node found;
    found.kind = Node::Kind::device;
    found.mode = 0660;
    found.major = 226;
    found.minor = node.minor;
    return found;
  }
  return path == "dev/dri" ? folder(std::move(names)) : Node{};
}

Node process_file(const Model& model, const Process& process, std::string_view path, Ask ask) {
  if (path.empty()) return folder({"cgroup", "cmdline", "comm", "fd", "fdinfo", "stat", "status"});
  const auto [name, rest] = first_name(path);
  if (name == "fd") return descriptors(model, process, false, rest);
  if (name == "fdinfo") return descriptors(model, process, true, rest);
  if (name == "root") {
    const auto vmid = container_of(process.cgroup);
    const bool init = vmid && process.cgroup == fmt::format("/lxc/{}/ns/init.scope", *vmid);
    return init ? root_of_init(model, *vmid, rest) : Node{};
  }
  if (ask == Ask::kind) {
    const bool known =
        path == "cgroup" || path == "cmdline" || path == "comm" || path == "stat" || path == "status";
    return known ? file({}) : Node{};
  }
  if (path == "cgroup") return file(fmt::format("0::{}\n", process.cgroup));
  if (path == "comm") return file(process.comm + "\n");
  if (path == "cmdline") return file(process.cmdline + std::string(1, '\0'));
  if (path == "stat") {
    return file(
        fmt::format("{} ({}) {} 1 {} {} 0 -1 4194560 900 0 0 0 12 4 0 0 20 0 1 0 {} 200000000 4000 "
                    "18446744073709551615 1 1 0 0 0 0 0 "
                    "4096 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
                    process.pid, process.comm, process.unkillable ? 'D' : 'S', process.pid, process.pid,
                    process.started));
  }
  if (path == "status") {
    const bool inside = container_of(process.cgroup).has_value();
    return file(fmt::format(
        "Name:\t{0}\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t{1}\nNgid:\t0\nPid:\t{1}\nPPid:\t1\n"
        "TracerPid:\t0\nUid:\t{2}\t{2}\t{2}\t{2}\nGid:\t{2}\t{2}\t{2}\t{2}\nNSpid:\t{1}{3}\n",
        process.comm, process.pid, 0, inside ? "\t1" : ""));
  }
  return {};
}

unsigned gpu_number(const Model& model, const Card& card) {
  return 40'000U + static_cast<unsigned>(&card - model.cards.data());
}

/// "0000:83:00.0" as location_id: bus<<8 | device<<3 | function.
unsigned location(const Card& card) {
  const auto part = [&](std::size_t at, std::size_t length) {
    const auto value = parse_number<unsigned>(std::string_view(card.pci).substr(at, length), 16);
    return value ? *value : 0U;
  };
  return part(5, 2) << 8U | part(8, 2) << 3U | part(11, 1);
}

Node kfd_process(const Model& model, const Process& process, std::string_view path) {
  std::vector<std::string> names = {"pasid", "queues"};
  std::vector<std::string> queues;
  for (const Open& open : process.opens) {
    const Card* card = model.card(open.pci);
    if (card == nullptr) continue;
    const unsigned gpu = gpu_number(model, *card);
    names.push_back(fmt::format("vram_{}", gpu));
    if (path == names.back()) return file(fmt::format("{}\n", open.kfd_memory));
    if (!open.kfd_queue) continue;
    queues.push_back(std::to_string(queues.size()));
    if (path == fmt::format("queues/{}", queues.back())) return folder({"gpuid", "size", "type"});
    if (path == fmt::format("queues/{}/gpuid", queues.back())) return file(fmt::format("{}\n", gpu));
    if (path == fmt::format("queues/{}/size", queues.back())) return file("8388608\n");
    if (path == fmt::format("queues/{}/type", queues.back())) return file("0\n");
  }
  if (path.empty()) return folder(std::move(names));
  if (path == "pasid") return file("32771\n");
  if (path == "queues") return folder(std::move(queues));
  return {};
}

bool uses_kfd(const Process& process) {
  return std::ranges::any_of(process.opens, [](const Open& it) { return it.kfd_queue || it.kfd_memory > 0; });
}

}  // namespace

Node kfd(const Model& model, std::string_view path, Ask) {
  if (path.empty()) return folder({"proc", "topology"});
  if (path == "topology") return folder({"nodes"});
  const auto [top, rest] = first_name(path);
  if (top == "proc") {
    if (rest.empty()) {
      std::vector<std::string> names;
      for (const Process& process : model.processes) {
        if (uses_kfd(process)) names.push_back(std::to_string(process.pid));
      }
      return folder(std::move(names));
    }
    const auto [number, inside] = first_name(rest);
    const auto pid = parse_number<int>(number);
    const Process* process = pid ? model.process(*pid) : nullptr;
    return process == nullptr || !uses_kfd(*process) ? Node{} : kfd_process(model, *process, inside);
  }
  const auto [nodes, below_nodes] = first_name(rest);
  if (nodes != "nodes") return {};
  if (below_nodes.empty()) {
    std::vector<std::string> names = {"0"};  // the processor
    for (std::size_t i = 0; i < model.cards.size(); ++i) names.push_back(std::to_string(i + 1));
    return folder(std::move(names));
  }
  const auto [number, what] = first_name(below_nodes);
  const auto index = parse_number<std::size_t>(number);
  if (!index || *index > model.cards.size()) return {};
  if (what.empty()) return folder({"gpu_id", "properties"});
  if (*index == 0) {
    return what == "gpu_id"       ? file("0\n")
           : what == "properties" ? file("cpu_cores_count 64\nlocation_id 0\n")
                                  : Node{};
  }
  const Card& card = model.cards[*index - 1];
  if (what == "gpu_id") return file(fmt::format("{}\n", gpu_number(model, card)));
  if (what != "properties") return {};
  return file(fmt::format(
      "cpu_cores_count 0\nsimd_count 144\nvendor_id 4098\ndevice_id 29601\nlocation_id {}\ndomain 0\n"
      "drm_render_minor {}\nunique_id 0\n",
      location(card), card.render));
}

Node proc(const Model& model, std::string_view path, Ask ask) {
  if (path.empty()) {
    std::vector<std::string> names = {"net", "sys", "uptime"};
    if (ask == Ask::content) {
      for (const Process& process : model.processes) names.push_back(std::to_string(process.pid));
    }
    return folder(std::move(names));
  }
  if (path == "net") return folder({"unix"});
  if (path == "net/unix") return file(ask == Ask::content ? unix_sockets(model) : std::string{});
  if (path == "sys") return folder({"kernel"});
  if (path == "sys/kernel") return folder({"random"});
  if (path == "sys/kernel/random") return folder({"boot_id"});
  if (path == "sys/kernel/random/boot_id") return file(model.boot_id + "\n");
  if (path == "uptime") return file(fmt::format("{}.00 0.00\n", to_ns(model.now) / 1'000'000'000));
  const auto [number, rest] = first_name(path);
  const auto pid = parse_number<int>(number);
  const Process* process = pid ? model.process(*pid) : nullptr;
  return process == nullptr ? Node{} : process_file(model, *process, rest, ask);
}

}  // namespace interlock::mocks::views
