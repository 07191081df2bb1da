#include "position.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "base/text.h"
#include "decide/gate.h"
#include "host/paths.h"
#include "model/gate_text.h"
#include "model/ledger_text.h"

namespace interlock::explore {
namespace {

using mocks::File;
using mocks::Hasher;
using mocks::Model;

/// Adds text, and for each journal id in it ("20261130T015321Z-to-qwen38fn") one mark.
void add_without_ids(Hasher& hasher, std::string_view text) {
  constexpr std::size_t kDate = 8;
  constexpr std::size_t kStamp = 16;  // "20261130T015321Z"
  std::size_t from = 0;
  for (std::size_t at = text.find('T'); at != std::string_view::npos; at = text.find('T', at + 1)) {
    if (at < from + kDate || at + kStamp - kDate > text.size()) continue;
    if (text[at + kStamp - kDate - 1] != 'Z' || text[at - kDate] != '2') continue;
    std::size_t end = at + kStamp - kDate;
    while (end < text.size() && text[end] != '"' && text[end] != '\n' && text[end] != ' ') ++end;
    hasher.add(text.substr(from, at - kDate - from)).add(7U);
    from = end;
  }
  hasher.add(text.substr(from));
}

/// Long, and almost always one of the same few.
std::uint64_t meaning_of_first(std::string_view line) {
  thread_local std::unordered_map<std::uint64_t, std::uint64_t> seen;
  const std::uint64_t key = Hasher().add(line).value();
  if (const auto found = seen.find(key); found != seen.end()) return found->second;
  return seen.emplace(key, record_meaning(line)).first->second;
}

/// Its first record, the files that it placed, and whether its last record is whole.
void add_journal(std::string_view text, Hasher& hasher) {
  constexpr std::string_view kEnd = R"("kind":"end"})";
  constexpr std::string_view kFile = R"("kind":"file"})";
  hasher.add("journal");
  const auto lines = lines_of(text.substr(0, text.rfind('\n') + 1));
  const auto is_end = [&](std::string_view line) { return line.ends_with(kEnd); };
  if (std::ranges::any_of(lines, is_end)) return static_cast<void>(hasher.add("ended"));
  if (lines.empty()) return static_cast<void>(hasher.add("unbegun"));
  hasher.add(meaning_of_first(lines.front()));
  for (const std::string_view line : lines) {
    if (line.ends_with(kFile)) hasher.add(line);
  }
  hasher.add(text.ends_with('\n') ? "whole" : "torn");
}

void add_ledger(const Ledger& ledger, Hasher& hasher) {
  hasher.add("ledger");
  for (const auto& [card, owner] : ledger) {
    hasher.add(card.text()).add(owner.kind == Owner::Kind::held ? std::string("held") : owner.text());
  }
}

/// One that is too old, or of an earlier boot, never counts again; nor does one that the unit made whose
/// start it was and which is not at it any more, until the container's next start writes it anew.
bool still_matters(const Model& model, const Claim& claim) {
  if (claim.boot_id != model.boot_id || model.now - claim.made_at > decide::kClaimLife) return false;
  const mocks::Container* container = model.container(parse_number<int>(claim.vmid.text()).value_or(0));
  const bool unit_is_over = container != nullptr && !container->running() && !container->post_stop_due;
  return !(claim.by_unit && unit_is_over);
}

void add_claim(const Claim& claim, Hasher& hasher) {
  hasher.add("claim").add(claim.vmid.text()).add((claim.by_unit ? 1U : 0U) | (claim.opened ? 2U : 0U));
  for (const PciAddress& card : claim.cards) hasher.add(card.text());
}

bool own_way(const Model& model, std::string_view path, const File& file, Hasher& hasher) {
  if (path.contains(".tmp.")) return true;  // what a broken write left beside its file: nobody reads it
  if (path.ends_with(".lock") && file.text.empty()) return true;  // who holds it is not in the file
  if (path.ends_with(".journal")) {
    add_journal(file.text, hasher);
    return true;
  }
  if (path == paths::kLedger) {
    const auto ledger = parse_ledger(file.text);
    if (!ledger) return false;
    add_ledger(*ledger, hasher);
    return true;
  }
  if (path.starts_with(paths::kClaims)) {
    const auto claim = parse_claim(file.text);
    if (!claim) return false;
    if (still_matters(model, *claim)) add_claim(*claim, hasher);
    return true;
  }
  return false;
}

}  // namespace

std::uint64_t host_state(const Model& model) {
  return mocks::fingerprint(model, own_way);
}

std::uint64_t record_meaning(std::string_view content) {
  // Length and checksum are the record's own; a beginning's "at" comes before all that counts.
  const auto json = content.find('{');
  std::string_view text = json == std::string_view::npos ? content : content.substr(json);
  if (const auto from = text.find("\"boot_id\"");
      from != std::string_view::npos && text.starts_with("{\"body\":{\"at\""))
    text.remove_prefix(from);
  if (const auto why = text.rfind(",\"why\":"); why != std::string_view::npos) text = text.substr(0, why);
  Hasher hasher;
  add_without_ids(hasher, text);
  return hasher.value();
}

}  // namespace interlock::explore
