#include "catch.h"
#include "observe/cards.h"
#include "observe/policy_fixture.h"

using namespace interlock;
using namespace interlock::observe;
using namespace interlock::tests;

namespace {

struct Looked {
  Card card;
  std::vector<std::string> cannot_tell;
};

Looked look(Tree& tree, const PciAddress& pci, const std::string& unique_id = "7a3b1c5d9e2f4a60",
            bool sample = false) {
  const Policy policy = two_v620_policy(unique_id);
  std::vector<std::string> cannot_tell;
  Card card = look_at_card(tree.host(), card_nodes(tree.host()), *policy.card(pci), sample, cannot_tell);
  return {std::move(card), std::move(cannot_tell)};
}

}  // namespace

TEST_CASE("a card is described with driver, nodes, memory and its own limits, found by label") {
  Tree tree;
  write_two_cards(tree);
  const auto [card, cannot_tell] = look(tree, kGpu1);
  CHECK(card.id.text() == "gpu1");
  CHECK(card.present);
  CHECK(card.driver == "amdgpu");
  CHECK(card.nodes == std::vector<std::string>{"card1", "renderD129"});
  CHECK(card.memory_total == 34342961152u);
  CHECK(card.memory_used == 26600000000u);
  CHECK(card.gtt_used == 20971520u);
  CHECK(card.emergency[0] == Celsius::from_degrees(115));
  CHECK(card.emergency[1] == Celsius::from_degrees(103));
  CHECK(!card.sample);
  CHECK(cannot_tell.empty());
  CHECK(look(tree, kGpu1, "7a3b1c5d9e2f4a60", true).card.sample->channel(Channel::memory)->input.text ==
        "73000\n");
}

TEST_CASE("another card in the slot is seen by its unique_id, whatever the letters' case (amdgpu.md 2.4)") {
  Tree tree;
  write_two_cards(tree);
  CHECK(!look(tree, kGpu2, "7A3B1C5D9E2F4A60").card.replaced);
  CHECK(look(tree, kGpu2, "1111111111111111").card.replaced);
  CHECK(!look(tree, kGpu1, "1111111111111111").card.replaced);  // the policy names none for it
}

TEST_CASE("a driver that gives no unique_id leaves the question open, and says so") {
  Tree tree;
  write_two_cards(tree);
  tree.remove(pci_folder(kGpu2) + "/unique_id");
  const auto [card, cannot_tell] = look(tree, kGpu2);
  CHECK(!card.replaced);
  CHECK(cannot_tell.size() == 1);
  tree.link(pci_folder(kGpu2) + "/driver", "../drivers/vfio-pci");  // lent: that driver has none to give
  CHECK(look(tree, kGpu2).cannot_tell.empty());
}

TEST_CASE("a card that is not there is absent, with nothing read of it") {
  Tree tree;
  const auto [card, cannot_tell] = look(tree, kGpu1, "7a3b1c5d9e2f4a60", true);
  CHECK(!card.present);
  CHECK(!card.memory_used);
  CHECK(!card.sample->present);
}

TEST_CASE("memory that cannot be read is unknown, never zero") {
  Tree tree;
  write_two_cards(tree);
  tree.remove(pci_folder(kGpu1) + "/mem_info_vram_used")
      .file(pci_folder(kGpu1) + "/mem_info_gtt_used", "garbage\n");
  const auto card = look(tree, kGpu1).card;
  CHECK(!card.memory_used);
  CHECK(!card.gtt_used);
}
