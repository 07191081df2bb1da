// What was measured, as a table for people and as JSON for a script that draws it.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/stopwatch.h"

namespace interlock::bench {

inline void insist(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

struct Row {
  enum class Kind { ours, peer, limit };  // peer: what people use today; limit: no program can do with less

  std::string what;
  Measured time;
  Kind kind = Kind::ours;
  std::optional<Duration> budget{};
  bool of_cpu = false;  // the budget is for processor time, not for time
  std::string grows{};  // a curve's name, where this is a point of one,
  int with = 0;         // with so many
};

class Table {
 public:
  Table();
  void add(const Row& row);
  /// Every row within its budget.
  bool kept() const { return kept_; }
  /// An array of objects: what, kind, wall_us, cpu_us, and where there are any budget_us, grows, with.
  void write_json(const std::string& path) const;

 private:
  std::vector<Row> rows_;
  bool kept_ = true;
};

}  // namespace interlock::bench
