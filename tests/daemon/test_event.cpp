#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "catch.h"
#include "daemon/event.h"

using namespace interlock;
using namespace interlock::daemon;

namespace {

std::string content_of(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("each kind of event has a name and a MESSAGE_ID of its own, of the form that journald wants") {
  std::set<std::string_view> names;
  std::set<std::string_view> ids;
  for (int kind = 0; kind <= static_cast<int>(EventKind::trouble); ++kind) {
    const EventTraits& known = traits(static_cast<EventKind>(kind));
    CHECK(names.insert(known.name).second);
    CHECK(ids.insert(known.message_id).second);
    CHECK(known.message_id.size() == 32);
    CHECK(known.message_id.find_first_not_of("0123456789abcdef") == std::string_view::npos);
  }
}

TEST_CASE("the catalog explains only events that exist, and every one that is critical") {
  const std::string catalog = content_of(std::string(PROJECT_DIR) + "/units/gpu-interlock.catalog");
  REQUIRE_FALSE(catalog.empty());
  std::set<std::string> explained;
  std::istringstream lines(catalog);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("-- ")) explained.insert(line.substr(3));
  }
  std::set<std::string> known;
  for (int kind = 0; kind <= static_cast<int>(EventKind::trouble); ++kind) {
    const EventTraits& event = traits(static_cast<EventKind>(kind));
    known.insert(std::string(event.message_id));
    if (event.priority == Priority::critical) CHECK(explained.contains(std::string(event.message_id)));
  }
  for (const std::string& id : explained) CHECK(known.contains(id));
}

TEST_CASE("a notify command gets one line of JSON with the fields that there are, and no others") {
  Event event{.kind = EventKind::tripped, .message = "junction 103.0 C"};
  event.card = CardId::parse("gpu1");
  event.reason = "over-temperature";
  event.celsius = Celsius::from_degrees(103);
  event.first_rung_at = instant_from_ns(12);
  const std::string line = event_json(event, "2026-11-30T02:14:07Z");
  CHECK(line.find('\n') == std::string::npos);
  const auto json = nlohmann::json::parse(line);
  CHECK(json.at("schema") == 1);
  CHECK(json.at("event") == "card-tripped");
  CHECK(json.at("card") == "gpu1");
  CHECK(json.at("celsius") == 103.0);
  CHECK(json.at("first_rung_at_ns") == 12);
  CHECK_FALSE(json.contains("container"));
  CHECK_FALSE(json.contains("sample_at_ns"));
}
