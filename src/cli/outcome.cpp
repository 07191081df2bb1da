#include "cli/outcome.h"

#include <fmt/format.h>

#include <array>
#include <ostream>

namespace interlock::cli {
namespace {

constexpr int kSchema = 1;

nlohmann::json error_json(const Failure& failure) {
  nlohmann::json error = {
      {"message", failure.message}, {"file", nullptr}, {"line", nullptr}, {"column", nullptr}};
  if (!failure.file.empty()) error["file"] = failure.file;
  if (failure.line > 0) error["line"] = failure.line;
  if (failure.column > 0) error["column"] = failure.column;
  return error;
}

}  // namespace

std::span<const exits::Meaning> exits::meanings() {
  static constexpr std::array<Meaning, 8> kMeanings{{
      {kDone, "done, clean, or already so"},
      {kProblems,
       "audit: at least one violation, or something that it cannot tell; policy check: this host does not "
       "have all "
       "that the policy names"},
      {kUsage, "usage or policy error; nothing was touched"},
      {kRefused, "refused: a condition does not hold; nothing was touched"},
      {kRolledBack, "failed, and the way back is complete"},
      {kHeld, "failed, and held in a safe state: a person is needed"},
      {kBusy, "busy: another cutover is at work"},
      {kUnreadable, "the host cannot be read well enough to decide"},
  }};
  return kMeanings;
}

std::string Failure::text() const {
  if (file.empty()) return message;
  if (line == 0) return fmt::format("{}: {}", file, message);
  return fmt::format("{}:{}:{}: {}", file, line, column, message);
}

Outcome failed(int exit, std::string message) {
  Outcome outcome;
  outcome.exit = exit;
  outcome.failures.push_back({std::move(message)});
  return outcome;
}

void print(const Outcome& outcome, bool as_json, std::ostream& out, std::ostream& err) {
  if (as_json) {
    nlohmann::json json = outcome.json;
    json["schema"] = kSchema;
    json["exit"] = outcome.exit;
    if (!outcome.failures.empty()) json["error"] = error_json(outcome.failures.front());
    if (outcome.failures.size() > 1) {
      for (const Failure& failure : outcome.failures) json["errors"].push_back(error_json(failure));
    }
    for (const Failure& remark : outcome.remarks) json["remarks"].push_back(error_json(remark));
    // Names and lines of the host may hold any bytes; what is not UTF-8 is shown as U+FFFD.
    out << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  } else {
    out << outcome.text;
  }
  out.flush();
  for (const Failure& remark : outcome.remarks) err << remark.text() << '\n';
  for (const Failure& failure : outcome.failures) err << failure.text() << '\n';
}

}  // namespace interlock::cli
