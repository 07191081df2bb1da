#include "pve/vzdump_jobs.h"

#include "base/text.h"
#include "pve/config.h"
#include "pve/perl_text.h"
#include "pve/section_config.h"

namespace interlock::pve {
namespace {

/// "100,101;102 103". Numbers below 100 are no guests, and vzdump passes over them.
Result<std::set<Vmid>> guest_list(std::string_view text) {
  std::set<Vmid> guests;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(",; \t", at), text.size());
    const std::string_view piece = without_space(text.substr(at, end - at));
    at = end + 1;
    if (piece.empty()) continue;
    if (const auto vmid = Vmid::parse(piece)) {
      guests.insert(*vmid);
    } else if (!parse_number<unsigned>(piece)) {
      return fail("'{}' is no guest's number", printable(piece));
    }
  }
  return guests;
}

}  // namespace

Result<std::vector<VzdumpJob>> parse_vzdump_jobs(std::string_view text) {
  const auto blocks = TRY(parse_section_config(text));
  std::vector<VzdumpJob> jobs;
  for (const SectionBlock& block : blocks) {
    if (block.type != "vzdump") continue;
    VzdumpJob job;
    job.id = block.id;
    const auto is_set = [&](std::string_view key, bool otherwise) {
      const std::string* value = block.find(key);
      return value == nullptr ? otherwise : truthy(*value);
    };
    const auto text_of = [&](std::string_view key, std::string_view otherwise) {
      const std::string* value = block.find(key);
      return value == nullptr ? std::string(otherwise) : *value;
    };
    const auto context = "backup job " + printable(block.id);
    job.enabled = is_set("enabled", true);
    job.mode = text_of("mode", job.mode);
    job.node = text_of("node", "");
    job.all = is_set("all", false);
    job.guests = TRY(in_context(guest_list(text_of("vmid", "")), context));
    job.excluded = TRY(in_context(guest_list(text_of("exclude", "")), context));
    job.pool = text_of("pool", "");
    jobs.push_back(std::move(job));
  }
  return jobs;
}

Pools parse_pools(std::string_view user_cfg) {
  constexpr std::size_t kGuests = 3;
  Pools pools;
  for (const std::string_view line : lines_of(user_cfg)) {
    const auto fields = split(line, ':');
    if (fields.size() <= kGuests || fields[0] != "pool" || fields[1].empty()) continue;
    auto& members = pools[std::string(fields[1])];
    for (const std::string_view guest : split(fields[kGuests], ',')) {
      if (const auto vmid = Vmid::parse(without_space(guest))) members.insert(*vmid);
    }
  }
  return pools;
}

Truth takes(const VzdumpJob& job, Vmid vmid, std::string_view node, const Pools& pools) {
  if (!job.node.empty() && job.node != node) return Truth::no;
  if (job.excluded.contains(vmid)) return Truth::no;
  if (job.all || job.guests.contains(vmid)) return Truth::yes;
  if (job.pool.empty()) return Truth::no;
  if (!pools.contains(job.pool)) return Truth::unknown;
  for (const auto& [name, members] : pools) {  // a pool's pools, "models/large", are in it
    if ((name == job.pool || name.starts_with(job.pool + "/")) && members.contains(vmid)) return Truth::yes;
  }
  return Truth::no;
}

}  // namespace interlock::pve
