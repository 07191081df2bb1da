#include "act/begin_record.h"

#include <algorithm>

#include "model/json_bytes.h"
#include "model/plan_json.h"
#include "policy/load.h"

namespace interlock::act {
namespace {

using nlohmann::json;

const JournalRecord* begin_of(const JournalReading& reading) {
  const auto found = std::ranges::find(reading.records, "begin", &JournalRecord::kind);
  return found == reading.records.end() ? nullptr : &*found;
}

Result<json> member(const json& body, const char* key) {
  if (!body.is_object() || !body.contains(key)) return fail("it has no \"{}\"", key);
  return body[key];
}

Result<Policy> policy_from(const json& body) {
  const json embedded = TRY(member(body, "policy"));
  const json text_json = TRY(member(embedded, "text"));
  const json file_json = TRY(member(embedded, "file"));
  const std::string text = TRY(bytes_from_json(text_json));
  const std::string file = TRY(bytes_from_json(file_json));
  auto policy = load_policy(text, file);
  if (policy) return *std::move(policy);
  return fail("the policy in it is not understood by this version: {}",
              policy.error().empty() ? "no reason given" : policy.error().front().text());
}

Result<Beginning> read(const json& body) {
  const json name = TRY(member(body, "name"));
  const json target = TRY(member(body, "target"));
  const json way_back = TRY(member(body, "way_back"));
  const json without_guard = TRY(member(body, "without_guard"));
  if (!without_guard.is_boolean()) return fail("\"without_guard\" is neither true nor false");
  Beginning beginning;
  beginning.name = TRY(bytes_from_json(name));
  beginning.policy = TRY(policy_from(body));
  beginning.without_guard = without_guard.get<bool>();
  beginning.target = TRY(target_from_json(target));
  beginning.way_back = TRY(target_from_json(way_back));
  return beginning;
}

}  // namespace

JournalRecord begin_record(const Beginning& beginning, const Plan& plan, const std::string& wall_clock) {
  const Policy& policy = beginning.policy;
  return {"begin",
          {{"name", bytes_to_json(beginning.name)},
           {"at", wall_clock},
           {"policy",
            {{"file", bytes_to_json(policy.file)},
             {"text", bytes_to_json(policy.text)},
             {"digest", policy.digest}}},
           {"without_guard", beginning.without_guard},
           {"boot_id", plan.boot_id},
           {"target", to_json(beginning.target)},
           {"way_back", to_json(beginning.way_back)},
           {"plan", to_json(plan)}}};
}

bool nothing_begun(const JournalReading& reading) {
  return reading.records.empty() && reading.damage.empty();
}

Result<Beginning> beginning_of(const JournalReading& reading) {
  const JournalRecord* record = begin_of(reading);
  if (record == nullptr) return fail("the journal of cutover {} has no whole first record", reading.id);
  return in_context(read(record->body), "the first record of cutover " + reading.id);
}

}  // namespace interlock::act
