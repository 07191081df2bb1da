#include "catch.h"
#include "model/json_bytes.h"
#include "model/plan_json.h"

using namespace interlock;

namespace {

const PciAddress kCard1 = *PciAddress::parse("0000:03:00.0");
const PciAddress kCard2 = *PciAddress::parse("0000:83:00.0");
const Vmid k120 = *Vmid::parse("120");
const Vmid k123 = *Vmid::parse("123");

Target example() {
  Target target{"back to before to-qwen38fn", {}};
  Want& runs = target.wants[k120];
  runs.state = RunState::running;
  runs.cards = std::set{kCard1, kCard2};
  runs.serve = UnitName::parse("llamacpp.service");
  runs.start = false;
  runs.serving = false;
  runs.enable = false;
  runs.settings = {{"cores", "8"}, {"swap", std::nullopt}};
  runs.lines[kCard1] = {"lxc.mount.entry: /dev/dri dev/dri none bind,optional,create=file", "dev0: caf\xe9"};
  Want& stops = target.wants[k123];
  stops.state = RunState::stopped;
  stops.cards = std::set<PciAddress>{};
  stops.retire_all = true;
  stops.keep_binding = true;
  target.wants[*Vmid::parse("130")] = {};
  return target;
}

}  // namespace

TEST_CASE("the way back comes out of the journal as it went in, byte for byte (I4, I5)") {
  const Target target = example();
  const auto back = target_from_json(*parse_json(compact(to_json(target))));
  REQUIRE(back.has_value());
  CHECK(*back == target);
}

TEST_CASE("no cards is another wish than no word about cards") {
  Target target = example();
  target.wants[k123].cards.reset();
  const auto back = target_from_json(to_json(target));
  REQUIRE(back.has_value());
  CHECK_FALSE(back->wants.at(k123).cards.has_value());
}

TEST_CASE("a target that is not whole, or says what this version does not know, is an error") {
  const nlohmann::json good = to_json(example());
  for (const char* text :
       {"{}", "[]", R"({"name":"x"})", R"({"name":1,"wants":{}})", R"({"name":"x","wants":{"99":{}}})",
        R"({"name":"x","wants":{"120":{"state":"unknown"}}})",
        R"({"name":"x","wants":{"120":{"cards":["gpu1"]}}})", R"({"name":"x","wants":{"120":{"cards":{}}}})",
        R"({"name":"x","wants":{"120":{"serve":"llama"}}})", R"({"name":"x","wants":{"120":{"later":1}}})",
        R"({"name":"x","wants":{"120":{"settings":{"cores":8}}}})",
        R"({"name":"x","wants":{"120":{"retire_all":"yes"}}})",
        R"({"name":"x","wants":{"120":{"lines":[]}}})"}) {
    INFO(text);
    CHECK_FALSE(target_from_json(*parse_json(text)).has_value());
  }
  CHECK(target_from_json(good).has_value());
}

TEST_CASE("a step says what scripts look for: id, kind, subject, text (design, section 8)") {
  Step step;
  step.id = 3;
  step.kind = StepKind::retire_unit;
  step.container = k120;
  step.unit = UnitName::parse("llamacpp.service");
  step.text = "retire it";
  const auto json = to_json(step);
  CHECK(json["id"] == 3);
  CHECK(json["kind"] == "retire-unit");
  CHECK(json["subject"] == "120/llamacpp.service");
  CHECK(json["text"] == "retire it");
  CHECK_FALSE(json.contains("cards"));
  CHECK_FALSE(json.contains("owner"));
  step.kind = StepKind::give_card;
  step.owner = Owner::of(k120);
  CHECK(to_json(step)["owner"] == "120");
}

TEST_CASE("bytes that are not UTF-8 survive JSON; what is neither text nor bytes is an error") {
  const std::string bytes("caf\xe9\x00\xff", 6);
  CHECK(bytes_from_json(bytes_to_json(bytes)) == bytes);
  CHECK(bytes_from_json(bytes_to_json("plain")) == "plain");
  for (const char* text : {"1", "{}", R"({"hex":"0"})", R"({"hex":"zz"})", R"({"hex":"00","more":1})"}) {
    CHECK_FALSE(bytes_from_json(*parse_json(text)).has_value());
  }
  CHECK_FALSE(parse_json("{\"a\":").has_value());
}
