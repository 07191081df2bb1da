// One cutover under way, as its steps see it. A step is one function: it applies, and then looks at what has
// come of it.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "act/pct.h"
#include "host/host.h"
#include "model/plan.h"
#include "policy/policy.h"

namespace interlock {
struct JournalRecord;
}

namespace interlock::act {

/// A file inside a container as it was before this cutover placed another in its place; nothing: there was
/// none.
struct FileBefore {
  Vmid container;
  std::string path;
  struct Found {
    std::string content;
    std::string owner;  // "user:group"
    std::string mode;   // "640"
  };
  std::optional<Found> found;
};

struct Run;

/// Where a run stands between two of its operations, and could be gone on from by the same code: with the
/// host and what its Run remembers, all that the rest of it depends on.
struct Juncture {
  enum class At : std::uint8_t {
    planned,  // a plan is made and proven, and not recorded yet
    walking,  // it is recorded, and `from` of its steps are done
    turned,   // it is to go back from whatever is there
    held      // it can go no way
  };
  At at = At::planned;
  const Plan* plan = nullptr;  // planned and walking
  std::size_t from = 0;
  const Target* way_back = nullptr;
  bool mangled = false;  // Journal::mangled()
};

struct Run {
  Run(Host& on, const Policy& by, std::string journal)
      : host(on), policy(by), pct(on), id(std::move(journal)) {}

  Host& host;
  const Policy& policy;
  Pct pct;
  std::string id;                    // the journal's, and what the ledger holds cards for
  const Cutover* cutover = nullptr;  // its requirements, files and health checks; nothing on a way back
  Target target;                     // where the steps that run now lead
  bool back = false;
  bool without_guard = false;
  std::set<PciAddress> cards;                                // all that it touches
  std::function<Result<void>(const JournalRecord&)> record;  // to the journal, synced when it returns
  std::function<void(const Run&, const Juncture&)> stands;   // told each juncture that it comes to
  std::function<std::optional<std::string>()> told_to_stop;  // CutoverOptions
  std::set<Vmid> asked;                                      // whose requirements have been asked, and hold
  std::set<Vmid> prepared;         // whose files are placed and whose requirements hold
  std::vector<FileBefore> placed;  // by this cutover, and not yet given back
  std::set<Vmid> started;          // started in this run: what their units do is not known from before
};

/// What a step has come to. `seen` is what was read afterwards, or why it failed.
struct Outcome {
  bool done = false;
  std::string seen;
};

inline Outcome done(std::string seen) {
  return {true, std::move(seen)};
}
inline Outcome failed(std::string why) {
  return {false, std::move(why)};
}

/// Applies the step once and verifies it by fresh reading, within the policy's times.
Outcome carry_out(Run& run, const Step& step);

/// One look at something that takes time.
struct Seen {
  enum class How { so, not_yet, never };
  How how = How::not_yet;
  std::string text;
};

/// Looks again and again, `pause` apart, until it is so, can never be, or `limit` is over: at least once, and
/// once more at the end. The last thing seen.
Outcome seen_within(Host& host, Duration limit, Duration pause, const std::function<Seen()>& look);

/// Everything that was written below /etc/pve so far survives a power cut (pct.md, section 3). No database
/// log: none.
Result<void> barrier(Host& host);

}  // namespace interlock::act
