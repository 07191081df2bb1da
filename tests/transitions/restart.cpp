#include "restart.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace interlock::explore {
namespace {

using mocks::Fault;
using mocks::MockHost;

constexpr auto kAfterBoot = std::chrono::minutes(3);  // until the guests are up and the models loaded
constexpr auto kUntilSomebodyComes = std::chrono::minutes(3);

}  // namespace

Node stopped_at(Node node) {
  MockHost host(std::move(node.model));
  if (node.place.stopped->kind == Fault::Kind::killed) {
    host.revive();
    node.place.stopped.reset();
  } else {
    host.machine().power_off({.lost_writes = node.place.stopped->lost_writes});
    node.place.stopped->lost_writes = 0;
  }
  node.model = std::move(host.model());
  return node;
}

void pass_until_somebody_comes(MockHost& host) {
  host.machine().pass(kUntilSomebodyComes);
  const auto& events = host.model().events;
  const auto next = std::ranges::min_element(events, {}, &mocks::Event::at);
  if (next != events.end() && next->at - host.model().now <= kUntilSomebodyComes)
    host.machine().pass(next->at - host.model().now);
}

Node come_back_to(Node node) {
  MockHost host(std::move(node.model));
  scene::install_gate(host);
  pass_until_somebody_comes(host);
  node.model = std::move(host.model());
  node.place.reported = false;
  return node;
}

Booted booted(Node node) {
  MockHost host(std::move(node.model));
  scene::install_gate(host);
  host.boot({.renumber = node.place.stopped->renumber});
  host.machine().pass(kAfterBoot);
  node.place.stopped.reset();
  return {{std::move(host.model()), std::move(node.place)}, host.machine().checks};
}

}  // namespace interlock::explore
