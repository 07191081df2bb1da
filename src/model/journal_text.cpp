#include "model/journal_text.h"

#include <algorithm>

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

/// The JSON in "<length> <checksum> <json>", without its LF.
Result<std::string_view> framed(std::string_view line) {
  const auto first = line.find(' ');
  const auto second = line.find(' ', first == std::string_view::npos ? first : first + 1);
  if (second == std::string_view::npos) return fail("no length and checksum");
  const std::string_view text = line.substr(second + 1);
  if (line.substr(0, first) != std::to_string(text.size())) return fail("not as long as it says");
  if (line.substr(first + 1, second - first - 1) != checksum(text))
    return fail("its checksum does not match");
  return text;
}

Result<JournalRecord> parse_record(std::string_view line) {
  const std::string_view text = TRY(framed(line));
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

}  // namespace

bool JournalReading::ended() const {
  return std::ranges::any_of(records, is_end);
}

std::string JournalReading::name() const {
  for (const JournalRecord& record : records) {
    if (record.kind != "begin" || !record.body.is_object()) continue;
    const auto found = record.body.find("name");
    if (found != record.body.end() && found->is_string()) return found->get<std::string>();
  }
  return {};
}

bool journal_has_ended(std::string_view text) {
  const auto last_whole = text.rfind('\n');
  if (last_whole == std::string_view::npos) return false;
  return std::ranges::any_of(lines_of(text.substr(0, last_whole + 1)), [](std::string_view line) {
    if (!line.contains(R"("kind":"end")")) return false;  // as compact() writes it
    const auto record = parse_record(line);
    return record && is_end(*record);
  });
}

std::string cutover_in_id(std::string_view id) {
  const auto dash = id.find('-');
  return dash == std::string_view::npos ? std::string() : std::string(id.substr(dash + 1));
}

std::string journal_line(const JournalRecord& record) {
  const std::string text = compact({{"kind", record.kind}, {"body", record.body}});
  return fmt::format("{} {} {}\n", text.size(), checksum(text), text);
}

std::string whole_records(std::string_view text) {
  std::string whole;
  for (const std::string_view line : lines_of(text.substr(0, text.rfind('\n') + 1))) {
    if (framed(line)) whole.append(line) += '\n';
  }
  return whole;
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
