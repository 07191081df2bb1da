#include "act/journal.h"

#include <algorithm>
#include <cctype>
#include <ranges>

#include "base/text.h"
#include "host/paths.h"

namespace interlock::act {
namespace {

constexpr std::string_view kSuffix = ".journal";

/// "2026-11-30T02:14:07Z" to "20261130T021407Z".
std::string stamp_of(std::string_view wall_clock) {
  std::string stamp;
  for (const char c : wall_clock) {
    if (c != '-' && c != ':') stamp += c;
  }
  return stamp;
}

std::string stamp_in(const std::string& id) {
  return id.substr(0, id.find('-'));
}

/// The next one behind `stamp`, for a clock that did not move on: "...Z" < "...Z.001" < "...Z.002".
std::string behind(const std::string& stamp) {
  const auto dot = stamp.rfind('.');
  const auto count = dot == std::string::npos ? std::nullopt : parse_number<int>(stamp.substr(dot + 1));
  if (!count || *count >= 999) return stamp + ".001";
  return fmt::format("{}.{:03}", stamp.substr(0, dot), *count + 1);
}

/// The cutover's name, whose characters a policy restricts to these.
std::string for_a_file(const std::string& name) {
  std::string kept = name;
  std::ranges::replace_if(
      kept, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_' && c != '.'; }, '_');
  return kept;
}

}  // namespace

std::string journal_path(const std::string& id) {
  return fmt::format("{}/{}{}", paths::kCutovers, id, kSuffix);
}

Result<Journal> Journal::create(Host& host, const std::string& name) {
  const auto ids = TRY(journal_ids(host));
  std::string stamp = stamp_of(host.wall_clock());
  if (!ids.empty() && stamp <= stamp_in(ids.back())) stamp = behind(stamp_in(ids.back()));
  return Journal(host, fmt::format("{}-{}", stamp, for_a_file(name)));
}

Journal Journal::reopen(Host& host, const JournalReading& reading) {
  Journal journal(host, reading.id);
  journal.mangled_ = reading.torn || !reading.damage.empty();
  return journal;
}

Result<void> Journal::mend() {
  const std::string text =
      TRY(in_context(host_->read_file(journal_path(id_)), "the journal of cutover " + id_));
  TRY(host_->replace_file(journal_path(id_), whole_records(text), 0600, Durability::synced));
  mangled_ = false;
  return {};
}

Result<void> Journal::write(const JournalRecord& record) {
  const std::string context = fmt::format("the record \"{}\" of cutover {}", record.kind, id_);
  TRY(in_context(host_->make_folder(paths::kCutovers, 0700), context));
  if (mangled_) TRY(in_context(mend(), context));
  auto written = host_->append_file(journal_path(id_), journal_line(record));
  if (!written) mangled_ = true;
  return in_context(std::move(written), context);
}

Result<void> Journal::begin(const JournalRecord& record) {
  TRY(write(record));
  const JournalReading reading = TRY(read_journal(*host_, id_));
  if (!reading.records.empty() && !reading.torn && reading.damage.empty()) return {};
  return fail("the beginning of cutover {} was written, and is not in its journal", id_);
}

Result<void> Journal::end(std::string_view result) {
  TRY(write({"end", {{"result", result}, {"at", host_->wall_clock()}}}));
  const std::string context = "the journal of cutover " + id_;
  if (journal_has_ended(TRY(in_context(host_->read_file(journal_path(id_)), context)))) return {};
  return fail("the end of cutover {} was written, and is not in its journal", id_);
}

Result<void> Journal::discard() {
  auto removed = host_->remove_file(journal_path(id_));
  if (!removed && is_missing(removed.error())) return {};
  return removed;
}

Result<JournalReading> read_journal(Host& host, const std::string& id) {
  const std::string text = TRY(in_context(host.read_file(journal_path(id)), "the journal of cutover " + id));
  return parse_journal(id, text);
}

Result<std::vector<std::string>> journal_ids(Host& host) {
  const auto names = host.list_folder(paths::kCutovers);
  if (!names && is_missing(names.error())) return std::vector<std::string>{};
  if (!names) return std::unexpected(in_context(names.error(), paths::kCutovers));
  std::vector<std::string> ids;
  for (const std::string& name : *names) {
    if (name.ends_with(kSuffix)) ids.push_back(name.substr(0, name.size() - kSuffix.size()));
  }
  std::ranges::sort(ids);
  return ids;
}

Result<std::optional<JournalReading>> open_journal(Host& host) {
  const auto ids = TRY(journal_ids(host));
  for (const std::string& id : ids | std::views::reverse) {
    JournalReading reading = TRY(read_journal(host, id));
    if (!reading.ended()) return reading;
  }
  return std::nullopt;
}

}  // namespace interlock::act
