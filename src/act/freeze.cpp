#include "act/freeze.h"

#include "act/latch_file.h"
#include "act/shed.h"
#include "base/digest.h"
#include "base/text.h"
#include "host/paths.h"
#include "model/json_bytes.h"
#include "model/sealed_text.h"

namespace interlock::act {
namespace {

struct Freeze {
  PciAddress card;
  std::string cgroup;
  std::uint64_t inode = 0;  // of the cgroup: another of the same name is another one
};

std::string record_path(const std::string& cgroup) {
  return fmt::format("{}/{}", paths::kFreezes, sha1_hex(cgroup));
}

std::string record_text(const Freeze& frozen) {
  const nlohmann::json body{
      {"card", frozen.card.text()}, {"cgroup", bytes_to_json(frozen.cgroup)}, {"inode", frozen.inode}};
  return sealed("freeze", compact(body) + "\n");
}

Result<Freeze> read_record(Host& host, const std::string& path) {
  const std::string text = TRY(host.read_file(path));
  const std::string body = TRY(unsealed("freeze", text));
  const auto json = TRY(parse_json(body));
  if (!json.is_object() || !json.contains("card") || !json["card"].is_string() || !json.contains("cgroup") ||
      !json.contains("inode") || !json["inode"].is_number_unsigned()) {
    return fail("it is not whole");
  }
  const auto card = PciAddress::parse(json["card"].get<std::string>());
  if (!card) return fail("it names no card");
  return Freeze{*card, TRY(bytes_from_json(json["cgroup"])), json["inode"].get<std::uint64_t>()};
}

Result<std::vector<std::string>> record_paths(Host& host) {
  const auto names = host.list_folder(paths::kFreezes);
  if (!names && is_missing(names.error())) return std::vector<std::string>{};
  if (!names) return std::unexpected(in_context(names.error(), paths::kFreezes));
  std::vector<std::string> found;
  for (const std::string& name : *names) {
    if (!name.contains(".tmp.")) found.push_back(fmt::format("{}/{}", paths::kFreezes, name));
  }
  return found;
}

Result<void> thaw_recorded(Host& host, const Freeze& frozen) {
  const std::string folder = paths::cgroup(frozen.cgroup);
  const auto info = host.info(folder);
  if (!info && !is_missing(info.error())) return std::unexpected(in_context(info.error(), folder));
  if (info && info->inode == frozen.inode) {
    const auto written = host.write_control(folder + "/cgroup.freeze", "0");
    if (!written && !is_missing(written.error())) return in_context(written, folder);
  }
  auto forgotten = host.remove_file(record_path(frozen.cgroup));
  if (!forgotten && is_missing(forgotten.error())) return {};
  return forgotten;
}

/// Each record of a freeze; the first error of all, after everything was tried.
Result<void> for_each_record(Host& host, const std::function<Result<void>(const Freeze&)>& what) {
  Result<void> outcome;
  for (const std::string& path : TRY(record_paths(host))) {
    const auto record = read_record(host, path);
    auto went = record ? what(*record) : std::unexpected(in_context(record.error(), path));
    if (!went && outcome) outcome = std::move(went);
  }
  return outcome;
}

}  // namespace

Result<void> freeze(Host& host, const PciAddress& card, const std::string& cgroup) {
  const std::string folder = paths::cgroup(cgroup);
  const auto info = host.info(folder);
  if (!info) return std::unexpected(in_context(info.error(), folder));
  const std::string record = record_text({card, cgroup, info->inode});
  static_cast<void>(host.make_folder(paths::kFreezes, 0700));  // the write says whether it is there
  const auto recorded = host.replace_file(record_path(cgroup), record, 0600, Durability::plain);
  TRY(in_context(host.write_control(folder + "/cgroup.freeze", "1"), folder));
  return in_context(recorded, "frozen, and not recorded");
}

Result<void> thaw(Host& host, const std::string& cgroup) {
  const auto record = read_record(host, record_path(cgroup));
  if (record) return thaw_recorded(host, *record);
  if (is_missing(record.error())) return {};
  return std::unexpected(in_context(record.error(), record_path(cgroup)));
}

Result<void> thaw_all(Host& host, const PciAddress& card) {
  return for_each_record(host, [&](const Freeze& frozen) -> Result<void> {
    if (frozen.card != card) return {};
    return thaw_recorded(host, frozen);
  });
}

Result<bool> is_frozen(Host& host, const std::string& cgroup) {
  const std::string events = paths::cgroup(cgroup) + "/cgroup.events";
  const std::string text = TRY(in_context(host.read_file(events), events));
  for (const std::string_view line : lines_of(text)) {
    if (line == "frozen 1") return true;
  }
  return false;
}

Result<void> thaw_leftovers(Host& host) {
  return for_each_record(host, [&](const Freeze& frozen) -> Result<void> {
    // What was frozen for a trip must not work again, only because the daemon that would have ended it is
    // gone.
    if (read_latch(host, frozen.card)) {
      const auto killed = host.write_control(paths::cgroup(frozen.cgroup) + "/cgroup.kill", "1");
      if (!killed && !is_missing(killed.error())) return in_context(killed, frozen.cgroup);
    }
    return thaw_recorded(host, frozen);
  });
}

}  // namespace interlock::act
