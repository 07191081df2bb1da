// The host of two cards under the real engine: what every scenario here begins with, and how its end is
// judged.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "act/cutover.h"
#include "mocks/mock_host.h"
#include "policy/policy.h"

namespace interlock::scene {

const Policy& policy();

/// What a person would compare: configurations as Proxmox writes them, what runs, what is enabled, who owns a
/// card.
struct Picture {
  std::map<int, std::string> configs;
  std::map<int, std::string> generated;
  std::map<int, bool> running;
  std::map<std::string, std::string> units;  // "120/llamacpp.service": "active enabled"
  std::string ledger;
  bool operator==(const Picture&) const = default;
};

Picture picture_of(const mocks::Model& model);
/// What differs, for a message; the ledger is left out, since it may name an owner where it had no line
/// before.
std::string difference(const Picture& one, const Picture& other);

/// Before anything was done: both models served, nobody has run gpu-interlock yet.
mocks::Model start();
/// After an undisturbed to-qwen38fn.
const mocks::Model& large();

/// The state in which that cutover begins here, and the one in which it ends.
struct Course {
  std::string name;
  mocks::Model from;
  Picture beginning;
  Picture end;
};
const std::vector<Course>& courses();

/// The same courses on a host on which the gate stands in the way of every start and recovery runs at boot,
/// as the package installs them; models load in two seconds.
const std::vector<Course>& gated_courses();
/// The real gate and the real boot gate, asked as Proxmox's units ask them.
void install_gate(mocks::MockHost& host);

act::CutoverReport run(mocks::MockHost& host, const std::string& name);
act::CutoverReport recover(mocks::MockHost& host, act::Direction direction = act::Direction::back);

/// A cutover was begun and is not closed.
bool has_open_journal(const mocks::Model& model);
std::string text_of(const std::vector<mocks::Breach>& breaches);
std::string text_of(const act::CutoverReport& report);

}  // namespace interlock::scene
