// One process: which cards it has open, by fdinfo first, by device number second, by KFD third.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/host.h"
#include "model/holder.h"
#include "observe/card_nodes.h"
#include "observe/kfd.h"

namespace interlock::observe {

/// The process, or what was asked of it, went away while we looked.
bool is_gone(const Error& error);

/// One opened card as fdinfo tells of it; copies of the descriptor are one client.
struct DrmClient {
  std::optional<std::uint64_t> id;
  std::optional<Bytes> memory;
  std::optional<Bytes> evicted;
  std::optional<std::uint64_t> engine_ns;
};

struct OpenCard {
  std::vector<DrmClient> clients;  // each id once
  bool untold = false;             // a descriptor of the card whose fdinfo says nothing of it
  std::optional<KfdUse> kfd;
};

struct ProcessLook {
  ProcessId process;
  std::string command;
  Place place;
  std::map<PciAddress, OpenCard> cards;
  std::string unclear;  // why it may have more open than that; empty: it has not
};

class ProcessLooker {
 public:
  ProcessLooker(Host& host, const CardNodes& nodes, const Kfd& kfd) : host_(host), nodes_(nodes), kfd_(kfd) {}

  /// Nothing: it has no card open, or is gone. An error: it may have any, and why that cannot be told.
  Result<std::optional<ProcessLook>> look(Pid pid, bool has_kfd_entry);
  /// Where it lives; `known` is false where that cannot be read.
  Place place(Pid pid);

 private:
  /// A table of open files: the folder whose fd/ and fdinfo/ show it, and what is in it.
  struct OpenFiles {
    std::string folder;
    std::vector<FolderEntry> descriptors;
  };

  Result<bool> may_have_card(Pid pid);
  Result<bool> may_have_card_below_root(const std::string& folder);
  Result<std::vector<OpenFiles>> open_files(Pid pid);
  Result<std::vector<FolderEntry>> descriptors(const std::string& folder);
  Result<std::optional<ProcessLook>> look_once(Pid pid, bool has_kfd_entry, bool& replaced);
  void add_descriptor(ProcessLook& look, const std::string& folder, const FolderEntry& descriptor);
  Result<std::optional<PciAddress>> card_of(const std::string& folder, const FolderEntry& descriptor);
  Result<std::optional<PciAddress>> card_by_link(const std::string& folder, const FolderEntry& descriptor);
  void add_kfd(ProcessLook& look);

  Host& host_;
  const CardNodes& nodes_;
  const Kfd& kfd_;
};

}  // namespace interlock::observe
