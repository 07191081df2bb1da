// What is drawn up for a person must be a policy: each text is loaded again and compared.
#include "base/text.h"
#include "policy/sketch.h"
#include "policy_text.h"

using namespace interlock;
using namespace interlock::test;

namespace {

PolicyCard card(const char* id, const char* pci) {
  return {
      .id = *CardId::parse(id), .pci = *PciAddress::parse(pci), .unique_id = std::nullopt, .shared = false};
}

Limits limits(int warn, int trip, int resume) {
  return {Celsius::from_degrees(warn), Celsius::from_degrees(trip), Celsius::from_degrees(resume)};
}

Sketch whole() {
  Sketch sketch;
  sketch.heading = {"The first words.", "And the second."};
  sketch.cards = {{card("gpu1", "0000:03:00.0"), "amdgpu"}, {card("gpu2", "0000:83:00.0")}};
  sketch.cards[1].value.unique_id = "7a3b1c5d9e2f4a60";
  sketch.cards_left_out = {"0000:0a:00.0 is left out"};
  sketch.channels = {Noted<Limits>{limits(95, 102, 85), "why"}, Noted<Limits>{limits(93, 101, 85)}};
  sketch.poll = {std::chrono::seconds(2), "why"};
  sketch.poll_warm = {std::chrono::milliseconds(150)};
  sketch.latch = {LatchMode::until_cool, "why"};
  sketch.last_resort = {LastResort::poweroff, "why"};
  SketchContainer first{.vmid = *Vmid::parse("120")};
  first.notes = {"llamacpp, running"};
  first.units = {{*UnitName::parse("llamacpp.service"), "why"},
                 {*UnitName::parse("llama@a:b\\x2d1.service")}};
  first.left_out = {"gone.service is not there"};
  first.bind = {BindStyle::device, "why"};
  first.running = true;
  first.cards = {*CardId::parse("gpu1")};
  first.serving = first.units[1].value;
  SketchContainer second{.vmid = *Vmid::parse("123")};
  sketch.containers = {first, second};
  sketch.containers_left_out = {"container 999 is not here"};
  return sketch;
}

/// The commented cutover made real.
std::string uncommented(const std::string& text) {
  std::string result;
  bool example = false;
  for (const std::string_view line : lines_of(text)) {
    example = example || line == "# cutovers:";
    result += example ? line.substr(2) : line;
    result += '\n';
  }
  return result;
}

}  // namespace

TEST_CASE("a whole sketch is loaded again as what it was") {
  const std::string text = policy_text(whole());
  INFO(text);
  const Policy policy = policy_of(text);
  REQUIRE(policy.cards.size() == 2);
  CHECK(policy.cards[0].id.text() == "gpu1");
  CHECK(policy.cards[0].pci.text() == "0000:03:00.0");
  CHECK(!policy.cards[0].unique_id);
  CHECK(policy.cards[1].unique_id == "7a3b1c5d9e2f4a60");
  CHECK(policy.guard.limits(Channel::junction)->trip == Celsius::from_degrees(102));
  CHECK(policy.guard.limits(Channel::junction)->warn == Celsius::from_degrees(95));
  CHECK(policy.guard.limits(Channel::memory)->resume == Celsius::from_degrees(85));
  CHECK(policy.guard.poll == std::chrono::seconds(2));
  CHECK(policy.guard.poll_warm == std::chrono::milliseconds(150));
  CHECK(policy.guard.latch == LatchMode::until_cool);
  CHECK(policy.guard.last_resort == LastResort::poweroff);
  CHECK(policy.guard.confirm == GuardPolicy{}.confirm);
  CHECK(policy.guard.blind_grace == GuardPolicy{}.blind_grace);
  CHECK(policy.guard.slew == GuardPolicy{}.slew);
  REQUIRE(policy.containers.size() == 2);
  const auto& first = policy.containers.at(*Vmid::parse("120"));
  CHECK(first.units ==
        std::vector{*UnitName::parse("llamacpp.service"), *UnitName::parse("llama@a:b\\x2d1.service")});
  CHECK(first.bind == BindStyle::device);
  CHECK(policy.containers.at(*Vmid::parse("123")).units.empty());
  CHECK(policy.cutovers.empty());
}

TEST_CASE("the cutover in the comments is a sound one, for who takes the comment signs away") {
  const Policy policy = policy_of(uncommented(policy_text(whole())));
  REQUIRE(policy.cutovers.contains("as-now"));
  const Cutover& cutover = policy.cutovers.at("as-now");
  REQUIRE(cutover.containers.size() == 1);
  const Want& want = cutover.containers.at(*Vmid::parse("120")).want;
  CHECK(want.serve->text() == "llama@a:b\\x2d1.service");
  CHECK(want.cards == std::set{*PciAddress::parse("0000:03:00.0")});
}

TEST_CASE("every note is in the text, none of its lines too long, and none is anything but a comment") {
  Sketch sketch = whole();
  const std::string evil = "a name\ncards: {}\n\x1b[31m \xff: { [ \"";
  sketch.cards[0].note = evil;
  sketch.containers[0].notes = {
      evil, std::string(300, 'x') + " " + std::string(90, 'y') + " " + std::string(90, 'z')};
  const std::string text = policy_text(sketch);
  INFO(text);
  CHECK(policy_of(text).cards.size() == 2);
  for (const std::string_view line : lines_of(text)) {
    INFO(line);
    CHECK((line.size() <= 118 || line.contains(std::string(300, 'x'))));
  }
  for (const char* part : {"The first words.", "0000:0a:00.0 is left out", "gone.service is not there",
                           "container 999 is not here", "llamacpp.service"}) {
    INFO(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("a sketch without a container, or with the cards alone, is a policy too") {
  Sketch sketch = whole();
  sketch.containers.clear();
  CHECK(policy_of(policy_text(sketch)).containers.empty());
  const Policy bare = policy_of(policy_text(bare_sketch({card("gpu1", "0000:03:00.0")})));
  CHECK(bare.cards.size() == 1);
  CHECK(card_name_at(0).text() == "gpu1");
  CHECK(card_name_at(11).text() == "gpu12");
}

TEST_CASE("only 16 hexadecimal digits are a unique_id that a policy can hold") {
  CHECK(is_unique_id("7a3b1c5d9e2f4a60"));
  CHECK(is_unique_id("7A3B1C5D9E2F4A60"));
  CHECK(!is_unique_id(""));
  CHECK(!is_unique_id("0"));
  CHECK(!is_unique_id("7a3b1c5d9e2f4a6g"));
}
