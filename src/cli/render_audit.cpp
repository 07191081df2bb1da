#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/render.h"

namespace interlock::cli {
namespace {

std::string severity_shown(Severity severity, const Style& style) {
  const std::string word(to_string(severity));
  switch (severity) {
    case Severity::violation:
      return style.bad(word);
    case Severity::warning:
      return style.warn(word);
    case Severity::advice:
      break;
  }
  return style.dim(word);
}

std::size_t count(const std::vector<Finding>& findings, Severity severity) {
  return static_cast<std::size_t>(std::ranges::count(findings, severity, &Finding::severity));
}

}  // namespace

nlohmann::json audit_json(const Audit& audit) {
  nlohmann::json json = {{"findings", nlohmann::json::array()}, {"unknown", audit.unknown}};
  for (const Finding& finding : audit.findings) {
    json["findings"].push_back({{"code", finding.code},
                                {"severity", to_string(finding.severity)},
                                {"subject", finding.subject},
                                {"message", finding.message},
                                {"remedy", finding.remedy}});
  }
  return json;
}

std::string findings_text(const std::vector<Finding>& findings, const Style& style) {
  std::vector<Finding> sorted = findings;
  std::ranges::stable_sort(sorted, {}, &Finding::severity);
  std::string text;
  for (const Finding& finding : sorted) {
    text += fmt::format("{} {} ({})\n  {}\n", severity_shown(finding.severity, style),
                        style.bold(finding.subject), finding.code, printable(finding.message));
    if (!finding.remedy.empty()) text += fmt::format("  {} {}\n", style.dim("->"), printable(finding.remedy));
  }
  return text;
}

std::string audit_text(const Audit& audit, const Style& style) {
  std::string text = findings_text(audit.findings, style);
  for (const std::string& unknown : audit.unknown) {
    text += fmt::format("{} {}\n", style.bad("cannot tell"), printable(unknown));
  }
  if (audit.clean()) return style.good("Clean") + ": no rule is broken, now or at the host's next boot.\n";
  std::vector<std::string> sums;
  for (const Severity severity : {Severity::violation, Severity::warning, Severity::advice}) {
    const auto number = count(audit.findings, severity);
    if (number == 0) continue;
    sums.push_back(severity == Severity::advice ? fmt::format("{} advice", number)
                                                : counted(number, to_string(severity)));
  }
  if (!audit.unknown.empty()) sums.push_back(fmt::format("{} that it cannot tell", audit.unknown.size()));
  text += joined(sums, ", ") + ".\n";
  if (!audit.findings.empty()) {
    text += fmt::format("More about one: gpu-interlock explain {}\n", audit.findings.front().code);
  }
  return text;
}

}  // namespace interlock::cli
