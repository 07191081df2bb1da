#include "model/journal_text.h"

#include <algorithm>
#include <optional>

#include "base/digest.h"
#include "base/result.h"
#include "base/text.h"
#include "model/json_bytes.h"

namespace interlock {
namespace {

using nlohmann::json;

std::string checksum(std::string_view text) {
  return sha256_hex(text).substr(0, 16);
}

/// "<length> <checksum> <json>", without its LF.
Result<JournalRecord> parse_record(std::string_view line) {
  const auto first = line.find(' ');
  const auto second = line.find(' ', first == std::string_view::npos ? first : first + 1);
  if (second == std::string_view::npos) return fail("no length and checksum");
  const std::string_view text = line.substr(second + 1);
  if (line.substr(0, first) != std::to_string(text.size())) return fail("not as long as it says");
  if (line.substr(first + 1, second - first - 1) != checksum(text))
    return fail("its checksum does not match");
  json value = TRY(parse_json(text));
  if (!value.is_object() || !value.contains("kind") || !value["kind"].is_string() ||
      !value.contains("body")) {
    return fail("no kind and body");
  }
  return JournalRecord{value["kind"].get<std::string>(), std::move(value["body"])};
}

bool is_end(const JournalRecord& record) {
  return record.kind == "end";
}

std::optional<std::string> name_in(const JournalRecord& record) {
  if (record.kind != "begin" || !record.body.is_object()) return std::nullopt;
  const auto found = record.body.find("name");
  if (found == record.body.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

/// Whole records whose kind, as compact() writes it, may be this one; `use` says whether it was.
template <class Use>
void each_of_kind(std::string_view text, std::string_view kind, Use use) {
  const std::string written = fmt::format("\"kind\":\"{}\"", kind);
  const auto last_whole = text.rfind('\n');
  if (last_whole == std::string_view::npos) return;
  for (const std::string_view line : lines_of(text.substr(0, last_whole + 1))) {
    if (!line.contains(written)) continue;
    const auto record = parse_record(line);
    if (record && use(*record)) return;
  }
}

}  // namespace

bool JournalReading::ended() const {
  return std::ranges::any_of(records, is_end);
}

std::string JournalReading::name() const {
  for (const JournalRecord& record : records) {
    if (auto name = name_in(record)) return *std::move(name);
  }
  return {};
}

bool journal_has_ended(std::string_view text) {
  bool ended = false;
  each_of_kind(text, "end", [&](const JournalRecord& record) { return ended = is_end(record); });
  return ended;
}

std::string journal_name(std::string_view text) {
  std::optional<std::string> name;
  each_of_kind(text, "begin", [&](const JournalRecord& record) {
    name = name_in(record);
    return name.has_value();
  });
  return name.value_or(std::string());
}

std::string journal_line(const JournalRecord& record) {
  const std::string text = compact({{"kind", record.kind}, {"body", record.body}});
  return fmt::format("{} {} {}\n", text.size(), checksum(text), text);
}

JournalReading parse_journal(std::string id, std::string_view text) {
  JournalReading reading{std::move(id), {}, false, {}};
  const auto lines = lines_of(text);
  for (std::size_t at = 0; at < lines.size(); ++at) {
    const bool last = at + 1 == lines.size();
    auto record = parse_record(lines[at]);
    if (last && (!record || !text.ends_with('\n'))) {
      reading.torn = true;
    } else if (!record) {
      if (reading.damage.empty())
        reading.damage = fmt::format("record {}: {}", at + 1, record.error().message);
    } else {
      reading.records.push_back(*std::move(record));
    }
  }
  return reading;
}

}  // namespace interlock
