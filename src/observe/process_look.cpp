#include "observe/process_look.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include "host/process_stat.h"
#include "observe/fdinfo.h"
#include "pve/bindings.h"
#include "pve/cgroup_path.h"

namespace interlock::observe {

bool is_gone(const Error& error) {
  return is_missing(error) || error.code == ESRCH;
}

namespace {

std::string folder_of(Pid pid) {
  return fmt::format("/proc/{}", pid);
}

bool is_drm_node(const FolderEntry& entry) {
  return entry.info && entry.info->kind == FileInfo::Kind::character_device &&
         entry.info->device_major == kDrmMajor;
}

/// What no card's node can be: "socket:[123]", "anon_inode:[eventpoll]", which lie in no folder, and the
/// nodes that lxc makes in every container by itself (lxc: src/lxc/conf.c, lxc_devices).
bool is_never_a_card(std::string_view target) {
  const auto end = target.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
  const bool has_no_path = end != 0 && end != std::string_view::npos && target[end] == ':';
  constexpr std::array<std::string_view, 6> kUsual = {"/dev/null", "/dev/zero",   "/dev/full",
                                                      "/dev/tty",  "/dev/random", "/dev/urandom"};
  return has_no_path || std::ranges::find(kUsual, target) != kUsual.end();
}

Result<std::vector<FolderText>> unless_gone(Result<std::vector<FolderText>> listed) {
  if (!listed && is_gone(listed.error())) return std::vector<FolderText>();
  return listed;
}

void add_client(OpenCard& open, const FdInfo& info) {
  const auto same = [&](const DrmClient& client) { return client.id && client.id == info.client; };
  if (std::ranges::any_of(open.clients, same)) return;
  open.clients.push_back(
      {.id = info.client, .memory = info.memory, .evicted = info.evicted, .engine_ns = info.engine_ns});
}

Result<std::optional<ProcessStat>> read_stat(Host& host, Pid pid) {
  const std::string path = folder_of(pid) + "/stat";
  const auto text = host.read_file(path);
  if (!text && is_gone(text.error())) return std::nullopt;
  if (!text) return std::unexpected(text.error());
  auto stat = parse_process_stat(*text);
  if (!stat) return fail("{} cannot be understood", path);
  return stat;
}

}  // namespace

Place ProcessLooker::place(Pid pid) {
  const auto text = host_.read_file(folder_of(pid) + "/cgroup");
  if (text) return pve::place_of(*text);
  Place unknown;
  unknown.known = false;
  return unknown;
}

Result<std::optional<ProcessLook>> ProcessLooker::look(Pid pid, bool has_kfd_entry) {
  if (!has_kfd_entry && !TRY(may_have_card(pid))) return std::nullopt;
  for (int tries = 0; tries < 2; ++tries) {
    bool replaced = false;
    auto found = TRY(look_once(pid, has_kfd_entry, replaced));
    if (!replaced) return found;
  }
  return std::nullopt;  // twice another process: none of those looked at is there any more
}

Result<std::optional<ProcessLook>> ProcessLooker::look_once(Pid pid, bool has_kfd_entry, bool& replaced) {
  const auto before = TRY(read_stat(host_, pid));
  if (!before) return std::nullopt;
  ProcessLook look{.process = {pid, before->started},
                   .command = before->command,
                   .place = place(pid),
                   .cards = {},
                   .unclear = {}};
  for (const OpenFiles& table : TRY(open_files(pid))) {
    for (const FolderEntry& descriptor : table.descriptors) add_descriptor(look, table.folder, descriptor);
  }
  if (has_kfd_entry) add_kfd(look);
  const auto after = TRY(read_stat(host_, pid));
  if (!after) return std::nullopt;
  replaced = after->started != before->started;
  if (look.cards.empty() && look.unclear.empty()) return std::nullopt;
  return look;
}

/// The process's own table; where its first thread has ended and others go on, that of each thread.
Result<std::vector<ProcessLooker::OpenFiles>> ProcessLooker::open_files(Pid pid) {
  std::vector<OpenFiles> tables;
  const std::string folder = folder_of(pid);
  auto own = TRY(descriptors(folder));
  if (!own.empty()) {
    tables.push_back({folder, std::move(own)});
    return tables;
  }
  const auto threads = host_.list_folder(folder + "/task");
  if (!threads && !is_gone(threads.error())) return std::unexpected(threads.error());
  if (!threads || threads->size() < 2) return tables;  // a kernel thread, or a process that has just ended
  for (const std::string& thread : *threads) {
    std::string of_thread = folder + "/task/" + thread;
    auto found = TRY(descriptors(of_thread));
    tables.push_back({std::move(of_thread), std::move(found)});
  }
  return tables;
}

Result<std::vector<FolderEntry>> ProcessLooker::descriptors(const std::string& folder) {
  std::vector<FolderEntry> found;
  auto open = host_.list_with_info(folder + "/fd");
  if (!open && !is_gone(open.error())) return std::unexpected(std::move(open).error());
  if (open) found = *std::move(open);
  if (!host_.rooted()) return found;
  // A folder that stands for a host may have the texts alone.
  const auto texts = host_.list_folder(folder + "/fdinfo");
  if (!texts && !is_gone(texts.error())) return std::unexpected(texts.error());
  if (!texts) return found;
  for (const std::string& name : *texts) {
    if (std::ranges::find(found, name, &FolderEntry::name) == found.end()) {
      found.push_back({name, fail_errno(ENOENT, folder + "/fd/" + name)});
    }
  }
  return found;
}

/// Without reading more of the process than that takes: nearly none has.
Result<bool> ProcessLooker::may_have_card(Pid pid) {
  if (host_.rooted()) return may_have_card_below_root(folder_of(pid));
  const auto may_be_card = [](const FolderEntry& descriptor) {
    return descriptor.info ? is_drm_node(descriptor) : !is_gone(descriptor.info.error());
  };
  const auto tables = TRY(open_files(pid));
  return std::ranges::any_of(
      tables, [&](const OpenFiles& table) { return std::ranges::any_of(table.descriptors, may_be_card); });
}

/// Nodes may be plain files there, and a descriptor's fdinfo may stand without the descriptor: what they say
/// tells.
Result<bool> ProcessLooker::may_have_card_below_root(const std::string& folder) {
  const auto links = TRY(unless_gone(host_.list_links(folder + "/fd")));
  std::vector<std::string> passed_over;
  for (const FolderText& link : links) {
    if (link.text && is_never_a_card(*link.text)) passed_over.push_back(link.name);
  }
  const auto texts = TRY(unless_gone(host_.read_folder(folder + "/fdinfo", passed_over)));
  if (links.empty() && texts.empty()) return true;  // its threads may have files of their own

  const auto may_be_card = [](const FolderText& found, auto says_so) {
    return found.text ? says_so(*found.text) : !is_gone(found.text.error());
  };
  const auto is_node = [&](const FolderText& link) {
    return may_be_card(link, [](std::string_view target) { return target.starts_with("/dev/dri/"); });
  };
  const auto is_client = [&](const FolderText& info) {
    return may_be_card(info, [](std::string_view text) { return text.contains("drm-"); });
  };
  return std::ranges::any_of(links, is_node) || std::ranges::any_of(texts, is_client);
}

void ProcessLooker::add_descriptor(ProcessLook& look, const std::string& folder,
                                   const FolderEntry& descriptor) {
  if (!host_.rooted()) {
    if (descriptor.info && !is_drm_node(descriptor)) return;
    if (!descriptor.info && is_gone(descriptor.info.error())) return;
  }
  const auto text = host_.read_file(folder + "/fdinfo/" + descriptor.name);
  const FdInfo info = text ? parse_fdinfo(*text) : FdInfo{};
  if (info.card) return add_client(look.cards[*info.card], info);
  // A card that was unplugged prints no drm-pdev any more, and its descriptor is still open.
  const auto card = card_of(folder, descriptor);
  if (!card) {
    look.unclear = card.error().message;
  } else if (*card) {
    look.cards[**card].untold = true;
  } else if (!text && !is_gone(text.error()) && !descriptor.info) {
    look.unclear = text.error().message;  // neither way could tell
  }
}

Result<std::optional<PciAddress>> ProcessLooker::card_of(const std::string& folder,
                                                         const FolderEntry& descriptor) {
  if (!is_drm_node(descriptor)) return card_by_link(folder, descriptor);
  const unsigned minor = descriptor.info->device_minor;
  if (const auto card = card_of_number(nodes_, kDrmMajor, minor)) return card;
  const auto known = host_.info(fmt::format("/sys/dev/char/{}:{}", kDrmMajor, minor), true);
  if (!known && is_missing(known.error()))
    return fail("it has a node open whose card is gone (226:{})", minor);
  return std::nullopt;  // no PCI card: a frame buffer, a virtual one
}

/// The link's text is the name that the opener knew: inside a container, perhaps another card's. It says
/// which card only below a root folder, and elsewhere only that something is no device.
Result<std::optional<PciAddress>> ProcessLooker::card_by_link(const std::string& folder,
                                                              const FolderEntry& descriptor) {
  const auto target = host_.read_link(folder + "/fd/" + descriptor.name);
  if (!target && !is_gone(target.error())) return std::unexpected(target.error());
  if (!target) return std::nullopt;
  if (!host_.rooted()) {
    const bool may_be_node = !descriptor.info && target->starts_with("/dev/");
    if (may_be_node) return std::unexpected(descriptor.info.error());
    return std::nullopt;
  }
  if (!target->starts_with("/dev/dri/")) return std::nullopt;
  if (const auto card = pve::card_in_name(*target)) return card;
  return card_of_node(nodes_, target->substr(target->rfind('/') + 1));
}

void ProcessLooker::add_kfd(ProcessLook& look) {
  const KfdProcess process = kfd_.look(look.process.pid);
  if (!process.unclear.empty()) look.unclear = process.unclear;
  for (const auto& [card, use] : process.cards) {
    if (use.any() || look.cards.contains(card)) look.cards[card].kfd = use;
  }
}

}  // namespace interlock::observe
