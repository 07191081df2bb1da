#include "pve/pct_output.h"

#include <algorithm>
#include <map>

#include "base/text.h"

namespace interlock::pve {
namespace {

using Properties = std::map<std::string_view, std::string_view>;

/// Blocks of KEY=VALUE lines with empty lines between them.
Result<std::vector<Properties>> blocks_of(std::string_view output) {
  std::vector<Properties> blocks;
  bool inside = false;
  for (std::string_view line : lines_of(output)) {
    if (line.ends_with('\r')) line.remove_suffix(1);  // a terminal stood between
    if (line.empty()) {
      inside = false;
      continue;
    }
    const auto equals = line.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return fail("'{}' is not a property", printable(line));
    if (!inside) blocks.emplace_back();
    inside = true;
    if (!blocks.back().emplace(line.substr(0, equals), line.substr(equals + 1)).second) {
      return fail("{} is there twice for one unit", printable(line.substr(0, equals)));
    }
  }
  return blocks;
}

/// Block i answers for another unit that was asked too, and that one's block does not: their order is mixed
/// up.
bool mixed_up(const std::vector<Properties>& blocks, const std::vector<UnitName>& asked, std::size_t i) {
  const auto id_of = [&](std::size_t at) {
    const auto found = blocks[at].find("Id");
    return found == blocks[at].end() ? std::string_view{} : found->second;
  };
  if (id_of(i).empty() || id_of(i) == asked[i].text()) return false;
  for (std::size_t j = 0; j < asked.size(); ++j) {
    if (asked[j].text() == id_of(i)) return id_of(j) != id_of(i);
  }
  return false;
}

std::vector<std::string> starters(const Properties& block, UnitFileState file) {
  std::vector<std::string> found;
  if (file == UnitFileState::masked) return found;
  const bool enabled = file == UnitFileState::enabled || file == UnitFileState::enabled_runtime;
  for (const std::string_view key : {"TriggeredBy", "WantedBy", "RequiredBy", "BoundBy", "UpheldBy"}) {
    const auto names = block.find(key);
    if (names == block.end()) continue;
    for (const std::string_view name : words(names->second)) {
      const bool linked_by_enable = enabled && key != "TriggeredBy" && name.ends_with(".target");
      if (!linked_by_enable && std::ranges::find(found, name) == found.end()) found.emplace_back(name);
    }
  }
  return found;
}

Result<Unit> unit_of(const Properties& block, const UnitName& asked) {
  for (const std::string_view key : {"LoadState", "ActiveState", "UnitFileState"}) {
    if (!block.contains(key)) return fail("the answer for {} has no {}", asked.text(), key);
  }
  const auto value_of = [&](std::string_view key) {
    const auto found = block.find(key);
    return found == block.end() ? std::string_view{} : found->second;
  };
  const UnitFileState file = unit_file_state(value_of("UnitFileState"));
  return Unit{.name = asked,
              .load = load_state(value_of("LoadState")),
              .active = active_state(value_of("ActiveState")),
              .file = file,
              .sub = std::string(value_of("SubState")),
              .restarts = parse_number<std::uint32_t>(value_of("NRestarts")),
              .started_by = starters(block, file)};
}

bool is_header(std::string_view line) {
  const auto columns = words(line);
  return !columns.empty() && columns.front() == "Num" && columns.back() == "Path";
}

/// "0000000000000000: 00000002 00000000 00010000 0001 01 12345 @/path": the path, which may be empty.
/// Nothing: not such a line.
std::optional<std::string_view> socket_path(std::string_view line) {
  constexpr std::size_t kColumns = 7;
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || !parse_number<std::uint64_t>(line.substr(0, colon), 16))
    return std::nullopt;
  std::size_t at = 0;
  for (std::size_t column = 0; column < kColumns; ++column) {
    at = line.find_first_not_of(' ', at);
    if (at == std::string_view::npos) return std::nullopt;
    at = std::min(line.find(' ', at), line.size());
  }
  return at == line.size() ? std::string_view{} : line.substr(at + 1);
}

std::optional<Vmid> container_of_socket(std::string_view path) {
  constexpr std::string_view kBefore = "@/var/lib/lxc/";
  constexpr std::string_view kBehind = "/command";
  if (!path.starts_with(kBefore) || !path.ends_with(kBehind)) return std::nullopt;
  if (path.size() < kBefore.size() + kBehind.size()) return std::nullopt;
  return Vmid::parse(path.substr(kBefore.size(), path.size() - kBefore.size() - kBehind.size()));
}

}  // namespace

Result<std::vector<Unit>> parse_units(std::string_view output, const std::vector<UnitName>& asked) {
  const auto blocks = TRY(blocks_of(output));
  if (blocks.size() != asked.size()) {
    return fail("systemctl answered for {} of {} units", blocks.size(), asked.size());
  }
  std::vector<Unit> units;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (mixed_up(blocks, asked, i)) return fail("systemctl answered in another order than it was asked");
    units.push_back(TRY(unit_of(blocks[i], asked[i])));
  }
  return units;
}

Result<std::set<Vmid>> parse_running(std::string_view proc_net_unix) {
  if (!proc_net_unix.ends_with('\n')) return fail("the table of sockets breaks off");
  auto lines = lines_of(proc_net_unix);
  if (!is_header(lines.front())) return fail("the table of sockets has no header");
  lines.erase(lines.begin());
  std::set<Vmid> running;
  bool may_go_on = false;  // a path may hold an LF of its own; the kernel prints it as it is
  for (const std::string_view line : lines) {
    const auto path = socket_path(line);
    if (!path && !may_go_on) return fail("'{}' is no line of the table of sockets", printable(line));
    if (!path) continue;
    may_go_on = !path->empty();
    if (const auto vmid = container_of_socket(*path)) running.insert(*vmid);
  }
  return running;
}

}  // namespace interlock::pve
