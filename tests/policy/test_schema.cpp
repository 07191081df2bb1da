// The JSON Schema that editors complete and check a policy by says what the parser takes: it is held against
// the parser's own answers, so that neither can change alone.
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "catch.h"
#include "policy/load.h"
#include "policy/quantity.h"

using namespace interlock;
using nlohmann::json;

namespace {

/// Every key that a policy can have. JSON is YAML, too.
const char* const kWhole = R"({
  "version": 1,
  "cards": { "gpu1": { "pci": "0000:03:00.0", "unique_id": "7a3b1c5d9e2f4a60", "shared": false } },
  "guard": {
    "poll": "500ms", "poll_warm": "100ms", "confirm": 2, "blind_grace": "2s", "slew": 10,
    "channels": { "junction": { "warn": 95, "trip": 102, "resume": 85 },
                  "memory": { "warn": 93, "trip": 101, "resume": 85 } },
    "shed": { "freeze": "200ms", "stop": "20s", "kill": "5s", "container": "40s" },
    "idle_memory": "64MiB", "idle_floor": "256MiB",
    "cool": { "gpu1": [["/usr/local/sbin/blower", "full"]] },
    "latch": "until-reset", "last_resort": "none", "notify": [["/usr/local/sbin/tell-me"]]
  },
  "timing": { "command": "30s", "stop": "90s", "start": "60s", "serve": "20m", "settle": "10s" },
  "containers": { "120": { "units": ["a.service"], "bind": "mount-entry", "vram_minimum": 100 } },
  "cutovers": { "to-a": { "120": {
    "state": "running", "cards": ["gpu1"], "serve": "a.service", "cores": 8, "memory": 1024, "swap": 0,
    "onboot": true, "requires": [{ "file": "/etc/a" }, { "command": ["/bin/true"] }],
    "healthy": [{ "command": ["/bin/true"], "within": "1m" }],
    "files": [{ "path": "/etc/a", "source": "a", "owner": "root:root", "mode": "0644" }] } } }
})";

json whole() {
  return json::parse(kWhole);
}

json schema() {
  std::ifstream file(PROJECT_DIR "/policies/gpu-interlock.schema.json");
  return json::parse(file);
}

std::string errors_of(const json& policy) {
  const auto loaded = load_policy(policy.dump(2), "p");
  std::string errors;
  if (loaded) return errors;
  for (const PolicyError& error : loaded.error()) errors += error.message + "\n";
  return errors;
}

/// The complaint after one value is another one.
std::string errors_with(const json::json_pointer& at, const json& value) {
  json policy = whole();
  policy[at] = value;
  return errors_of(policy);
}

/// A schema's part with what it refers to beside what it says itself.
json resolved(json part) {
  for (const json& other : part.value("allOf", json::array())) {
    const std::string name = other.at("$ref").get<std::string>();
    json base = schema().at(json::json_pointer(name.substr(1)));
    base.update(part);
    part = base;
  }
  return part;
}

std::set<std::string> names(const json& list) {
  return list.get<std::set<std::string>>();
}

std::set<std::string> known_keys(const std::string& errors) {
  std::smatch found;
  std::set<std::string> keys;
  if (!std::regex_search(errors, found,
                         std::regex("unknown key '[^']*zz-unknown' in [^;]*; known: ([^\n]*)")))
    return keys;
  const std::string list = found[1];
  const std::regex word("[a-z_]+");
  for (auto at = std::sregex_iterator(list.begin(), list.end(), word); at != std::sregex_iterator(); ++at)
    keys.insert(at->str());
  return keys;
}

void compare_map(const json& part, const json::json_pointer& at) {
  std::set<std::string> wanted;
  for (const auto& [key, value] : part.at("properties").items()) {
    INFO(key);
    wanted.insert(key);
    CHECK(value.value("description", "").size() > 10);
  }
  CHECK(known_keys(errors_with(at / "zz-unknown", 1)) == wanted);
  CHECK(part.at("additionalProperties") == false);

  const auto needed = part.contains("required") ? names(part.at("required")) : std::set<std::string>();
  for (const std::string& key : wanted) {
    json policy = whole();
    policy[at].erase(key);
    INFO("without " << key);
    const bool missed = errors_of(policy).find(": " + key + " is missing") != std::string::npos;
    CHECK(missed == needed.contains(key));
  }
}

void compare_bounds(const json& part, const json::json_pointer& at) {
  const std::string limits =
      fmt::format("from {} to {} can be", part.at("minimum").dump(), part.at("maximum").dump());
  CHECK(errors_with(at, -1'000'000'000'000).find(limits) != std::string::npos);
  CHECK(errors_with(at, "zz").find("a whole number is wanted") != std::string::npos);
}

/// Durations and sizes carry their bounds in the description, as people read them.
void compare_quantity(const json& part, const json::json_pointer& at) {
  const bool is_size = part.at("pattern").get<std::string>().find("MiB") != std::string::npos;
  const std::string errors = errors_with(at, is_size ? "1000000GiB" : "100000h");
  std::smatch found;
  REQUIRE(std::regex_search(errors, found, std::regex("out of range; (.*) can be")));
  std::string bounds = found[1];
  bounds.front() = is_size ? 'A' : 'F';
  INFO(bounds);
  CHECK(part.at("description").get<std::string>().find(bounds) != std::string::npos);
}

void compare_words(const json& part, const json::json_pointer& at) {
  std::smatch found;
  const std::string errors = errors_with(at, "zz-nonsense");
  REQUIRE(std::regex_search(errors, found, std::regex("not known here; write ([^\n]*)")));
  std::set<std::string> words;
  const std::string list = found[1];
  const std::regex word("[a-z-]+");
  for (auto one = std::sregex_iterator(list.begin(), list.end(), word); one != std::sregex_iterator();
       ++one) {
    if (one->str() != "or") words.insert(one->str());
  }
  CHECK(words == names(part.at("enum")));
}

/// An editor must never mark what the parser takes.
void compare_pattern(const json& part, const json::json_pointer& at) {
  const std::regex pattern(part.at("pattern").get<std::string>());
  json values = {"0000:03:00.0", "00000000:83:00.0", "0000:03:00",  "zz nonsense!", "7A3B1C5D9E2F4A60",
                 "7a3b",         "a.service",        "a@b.service", "a.timer",      "/etc/a",
                 "etc/a",        "root:root",        "-a:b",        "0644",         "4755",
                 "0o644"};
  for (const json& example : part.value("examples", json::array())) values.push_back(example);
  if (part.contains("default")) values.push_back(part.at("default"));
  for (const json& value : values) {
    INFO(value);
    // Of this value alone: `serve` must also be among the units, which no schema can know.
    const std::string errors = errors_with(at, value);
    const bool taken = errors.empty() || errors.find("is not among") != std::string::npos;
    if (errors.empty()) CHECK(std::regex_search(value.get<std::string>(), pattern));
    if (value == "zz nonsense!" && part.at("pattern") != "^[^/]")
      CHECK_FALSE(std::regex_search("zz nonsense!", pattern));
    for (const json& example : part.value("examples", json::array())) {
      if (value == example) CHECK(taken);
    }
  }
}

/// What a policy means, as far as keys with a default go.
std::string meaning(const json& text) {
  const auto loaded = load_policy(text.dump(2), "p");
  if (!loaded) return loaded.error().front().text();
  const GuardPolicy& guard = loaded->guard;
  const Timing& timing = loaded->timing;
  std::string all = fmt::format(
      "{} {} {} {} {} {} {} {} {}", loaded->cards[0].shared, guard.confirm, guard.slew, guard.idle_memory,
      guard.idle_floor, static_cast<int>(guard.latch), static_cast<int>(guard.last_resort),
      static_cast<int>(loaded->containers.begin()->second.bind),
      loaded->cutovers.begin()->second.containers.begin()->second.want.keep_binding);
  for (const Duration time :
       {guard.poll, guard.poll_warm, guard.blind_grace, guard.shed.freeze, guard.shed.stop, guard.shed.kill,
        guard.shed.container, timing.command, timing.stop, timing.start, timing.serve, timing.settle})
    all += " " + duration_text(time);
  for (const PlacedFile& file : loaded->cutovers.begin()->second.containers.begin()->second.files)
    all += " " + file.owner + " " + file.mode;
  return all;
}

void compare_default(const json& part, const json::json_pointer& at) {
  json without = whole();
  without[at.parent_pointer()].erase(at.back());
  json with = whole();
  with[at] = part.at("default");
  if (at.back() == "release")
    return;  // makes sense only for a stopped container, where `whole` has a running one
  CHECK(meaning(with) == meaning(without));
}

void compare(const json& raw, const json::json_pointer& at) {
  const json part = resolved(raw);
  INFO("at " << at.to_string());
  if (part.contains("properties")) compare_map(part, at);
  const json properties = part.value("properties", json::object());
  for (const auto& [key, value] : properties.items()) compare(value, at / key);
  const auto more = part.find("additionalProperties");
  if (more != part.end() && more->is_object()) compare(*more, at / whole()[at].begin().key());
  const std::string name = at.empty() ? "" : at.back();
  const bool commands = name == "cool" || name == "notify" || name == "command";
  if (part.value("type", "") == "array" && !commands && part.at("items").contains("properties"))
    compare(part.at("items"), at / 0);
  if (part.value("type", "") == "integer") compare_bounds(part, at);
  if (part.contains("enum")) compare_words(part, at);
  const std::string pattern = part.value("pattern", "");
  if (pattern.starts_with("^[0-9]+("))
    compare_quantity(part, at);
  else if (!pattern.empty() && part.value("type", "") == "string")
    compare_pattern(part, at);
  if (part.value("type", "") == "boolean")
    CHECK(errors_with(at, "zz").find("true or false") != std::string::npos);
  if (part.contains("default")) compare_default(part, at);
}

}  // namespace

TEST_CASE("the policy with every key in it is a sound one") {
  CHECK(errors_of(whole()).empty());
}

TEST_CASE("the schema has the parser's keys, bounds, words, defaults and patterns, and describes each key") {
  compare(schema(), json::json_pointer());
}

TEST_CASE("names of cards, containers and cutovers that the parser takes fit the schema's patterns") {
  const json keys = schema().at("properties");
  const std::vector<std::pair<std::string, json::json_pointer>> places = {
      {keys.at("cards").at("propertyNames").at("pattern"), json::json_pointer("/cards")},
      {keys.at("containers").at("propertyNames").at("pattern"), json::json_pointer("/containers")},
      {keys.at("cutovers").at("propertyNames").at("pattern"), json::json_pointer("/cutovers")}};
  for (const auto& [pattern, at] : places) {
    for (const std::string& name :
         {std::string("gpu-2"), std::string("9gpu"), std::string("g.p_u"), std::string("-g"),
          std::string("100"), std::string("99"), std::string("999999999"), std::string("1000000000"),
          std::string("a b"), std::string(32, 'a'), std::string(33, 'a'), std::string(65, 'a')}) {
      json policy = whole();
      policy[at][name] = policy[at].begin().value();
      if (at.back() == "cards") policy[at][name] = {{"pci", "0000:44:00.0"}};
      INFO(at.to_string() << " " << name);
      CHECK(errors_of(policy).empty() == std::regex_search(name, std::regex(pattern)));
    }
  }
}

TEST_CASE("shipped policies name the schema, so that editors complete from it") {
  for (const char* name : {"two-v620.yaml"}) {
    std::ifstream file(std::string(PROJECT_DIR "/policies/") + name);
    std::string first;
    std::getline(file, first);
    CHECK(first == "# yaml-language-server: $schema=gpu-interlock.schema.json");
  }
}
