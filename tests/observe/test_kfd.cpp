#include "catch.h"
#include "observe/card_fixture.h"
#include "observe/kfd.h"

using namespace interlock;
using namespace interlock::observe;
using namespace interlock::tests;

namespace {

const std::string kNodes = "/sys/class/kfd/kfd/topology/nodes/";
const std::string kProc = "/sys/class/kfd/kfd/proc/";

void write_topology(Tree& tree) {
  tree.file(kNodes + "0/gpu_id", "0\n")
      .file(kNodes + "0/properties", "cpu_cores_count 64\nlocation_id 0\ndomain 0\n");
  tree.file(kNodes + "1/gpu_id", "51140\n")
      .file(kNodes + "1/properties", "simd_count 144\nlocation_id 768\ndomain 0\n");
  tree.file(kNodes + "2/gpu_id", "8712\n").file(kNodes + "2/properties", "location_id 33536\ndomain 0\n");
}

}  // namespace

TEST_CASE("a topology node's location is bus, device and function (amdgpu.md 3.5)") {
  CHECK(kfd_node_address("location_id 768\ndomain 0\n") == kGpu1);
  CHECK(kfd_node_address("location_id 33536\n") == kGpu2);
  CHECK(kfd_node_address("location_id 33546\ndomain 1\n")->text() == "0001:83:01.2");
  CHECK(!kfd_node_address("location_id 0\n"));
  CHECK(!kfd_node_address(""));
  CHECK(!kfd_node_address("location_id x\n"));
}

TEST_CASE("memory and queues are told to cards; an entry of zero bytes is no use (amdgpu.md 3.5)") {
  Tree tree;
  write_topology(tree);
  tree.file(kProc + "4711/vram_51140", "1073741824\n").file(kProc + "4711/vram_8712", "0\n");
  tree.file(kProc + "4711/sdma_51140", "0\n").file(kProc + "4711/pasid", "32771\n");
  tree.file(kProc + "4712/vram_51140", "0\n").file(kProc + "4712/queues/0/gpuid", "8712\n");
  const Kfd kfd(tree.host());
  CHECK(kfd.processes() == std::vector<Pid>{4711, 4712});

  const KfdProcess first = kfd.look(4711);
  CHECK(first.unclear.empty());
  CHECK(first.cards.at(kGpu1).memory == 1073741824);
  CHECK(first.cards.at(kGpu1).any());
  CHECK(!first.cards.at(kGpu2).any());

  const KfdProcess second = kfd.look(4712);
  CHECK(!second.cards.at(kGpu1).any());
  CHECK(second.cards.at(kGpu2).queue);
}

TEST_CASE("no KFD is no KFD; a process that ended is nobody") {
  Tree tree;
  const Kfd kfd(tree.host());
  CHECK(kfd.processes() == std::vector<Pid>{});
  CHECK(kfd.look(4711).cards.empty());
  CHECK(kfd.look(4711).unclear.empty());
}

TEST_CASE("use of a card that cannot be told is said, never passed over") {
  Tree tree;
  tree.file(kProc + "4711/vram_51140", "1073741824\n").file(kProc + "4712/vram_51140", "0\n");
  tree.file(kProc + "4713/queues/0/gpuid", "51140\n").file(kProc + "4714/vram_51140", "many\n");
  const Kfd kfd(tree.host());
  CHECK(kfd.look(4711).unclear.find("51140") != std::string::npos);
  CHECK(kfd.look(4712).unclear.empty());
  CHECK(!kfd.look(4713).unclear.empty());
  CHECK(!kfd.look(4714).unclear.empty());
}
