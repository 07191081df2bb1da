// What can befall a scenario at one of its operations, and how that is written: "217:fail-after" (a fault),
// "203:start-123" (another actor, just before it), "217:forward" (the recovery behind it goes forward). A
// scenario is the list of what befell it: "to-qwen38fn 30:hang,112:power-cut-after-2".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mocks/mock_host.h"

namespace interlock::explore {

/// Who else acts on a host (pct.md, section 5; verification.md, section 3).
enum class Actor : std::uint8_t {
  start,      // a person's `pct start`
  stop,       // a person's `pct stop`
  put_back,   // an editor writes the configuration as it was when the cutover began
  tag,        // a harmless `pct set`
  reboot,     // the container reboots itself
  ha,         // HA is told to keep it running, and does
  backup,     // vzdump in stop mode: stops it, and starts it again half a minute later
  roll_back,  // to its snapshot, in which it has the card
  clone,      // a copy with its cards and its autostart
  second,     // another controller is started
};

struct Choice {
  int operation = 0;  // index of the operation that it strikes; forward, 0: the next recovery
  enum class What : std::uint8_t { fault, actor, forward } what = What::fault;
  mocks::Fault fault;
  Actor actor = Actor::start;
  int vmid = 0;
  bool of_read = false;  // a fault of an operation that changes nothing
  std::string text() const;
  static std::optional<Choice> parse(std::string_view text);

 private:
  bool take_word(std::string_view word);  // false: it means nothing
};

struct Trace {
  std::string cutover;
  std::vector<Choice> choices;
  std::string text() const;
  static std::optional<Trace> parse(std::string_view text);
};

/// Everything that can go wrong with this operation, less what would be the same as another or as nothing.
std::vector<Choice> faults_of(const mocks::Operation& operation, const mocks::Model& model);
/// Before each edit below /etc/pve and each command that changes something; `looks`: before those that only
/// ask, too.
std::vector<Choice> actors_at(const mocks::Operation& operation, const mocks::Model& model, bool looks);

/// Lets that actor act; `beginning` is how the configurations were.
void act(mocks::MockHost& host, const Choice& choice, const mocks::Model& beginning);

}  // namespace interlock::explore
