// Real cutovers on a mocked host, for what happens to them from outside: killed, stopped, told to stop,
// without room on the disk.
#pragma once

#include "blackbox.h"

namespace interlock::tests {

class CutoverBench {
 public:
  /// Models load at once, and the policy's times are `timing` ("command: 2s, stop: 3s") where it names them.
  explicit CutoverBench(const std::map<std::string, std::string>& timing = {});

  /// "gpu-interlock --root DIR --json cutover NAME --yes --without-guard" and `more`.
  Words command(const std::string& name, const Words& more = {}) const;
  Ran cut_over(const std::string& name);
  /// In the background; what it says is in `said()`.
  std::unique_ptr<Running> begin(const std::string& name, const Words& more = {}, const Words& before = {});
  /// Its standard output as JSON, once it has ended.
  nlohmann::json said() const;

  /// Configurations, what runs, what is active and enabled, as the mock knows it: not as the product reads
  /// it.
  std::string picture() const;
  /// The mock's own judgement at every moment so far; empty: no invariant was ever broken.
  std::string breaches() const;
  /// What `audit` calls a violation, that no guard runs aside: an open cutover with nobody at it is one.
  std::string violations() const;
  // The newest journal, by its bare text; since begin(), the one of that cutover, once it is there.
  /// Records of that kind in it.
  int records(const std::string& kind) const;
  /// The last step that it announces: "see-serving"; empty: none.
  std::string step() const;
  /// The result in its last record, "open", or "none".
  std::string result() const;
  /// A pct that somebody began and that has not ended.
  bool pct_at_work() const;

  MockedHost host;

 private:
  std::string newest_path() const;
  std::string newest_journal() const;
  std::string path_before_;  // of the newest one when the last cutover began
};

/// The lines of a configuration that no cutover of the policy may touch.
std::string not_ours(const std::string& config);

}  // namespace interlock::tests
