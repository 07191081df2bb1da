#include "bench/table.h"

#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string_view>

namespace interlock::bench {
namespace {

double microseconds(Duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

std::string text(Duration time) {
  const double us = microseconds(time);
  return us < 1000 ? fmt::format("{:.1f} us", us) : fmt::format("{:.2f} ms", us / 1000);
}

void print(std::string_view what, std::string_view median, std::string_view cpu, std::string_view budget,
           std::string_view ratio) {
  std::cout << fmt::format("{:<78} {:>12} {:>12} {:>10}  {}", what, median, cpu, budget, ratio) << std::endl;
}

const char* name_of(Row::Kind kind) {
  switch (kind) {
    case Row::Kind::ours:
      return "ours";
    case Row::Kind::peer:
      return "peer";
    case Row::Kind::limit:
      return "limit";
  }
  return "";
}

}  // namespace

Table::Table() {
  print("what", "median", "CPU", "budget", "ratio");
}

void Table::add(const Row& row) {
  const Duration budgeted = row.of_cpu ? row.time.cpu : row.time.wall;
  const double ratio = row.budget ? microseconds(budgeted) / microseconds(*row.budget) : 0;
  kept_ = kept_ && ratio <= 1;
  const char* indent = row.kind == Row::Kind::ours ? "" : "  ";
  print(indent + row.what, text(row.time.wall), row.time.cpu == Duration::zero() ? "" : text(row.time.cpu),
        row.budget ? text(*row.budget) : "",
        row.budget ? fmt::format("{:.2f}{}", ratio, ratio > 1 ? " over" : "") : "");
  rows_.push_back(row);
}

void Table::write_json(const std::string& path) const {
  nlohmann::json all = nlohmann::json::array();
  for (const Row& row : rows_) {
    nlohmann::json one{
        {"what", row.what}, {"kind", name_of(row.kind)}, {"wall_us", microseconds(row.time.wall)}};
    // A peer's work is its children's, which are not counted here.
    if (row.time.cpu != Duration::zero()) one["cpu_us"] = microseconds(row.time.cpu);
    if (row.budget) one["budget_us"] = microseconds(*row.budget);
    if (!row.grows.empty()) {
      one["grows"] = row.grows;
      one["with"] = row.with;
    }
    all.push_back(std::move(one));
  }
  std::ofstream out(path);
  out << all.dump(1) << '\n';
  insist(static_cast<bool>(out.flush()), "the JSON could not be written");
}

}  // namespace interlock::bench
