#include <fmt/format.h>

#include <memory>

#include "base/text.h"
#include "cli/commands.h"
#include "decide/finding_codes.h"

namespace interlock::cli {
namespace {

constexpr std::size_t kWidth = 78;

nlohmann::json code_json(const decide::FindingCode& code) {
  return {{"code", code.code},
          {"severity", to_string(code.severity)},
          {"summary", code.summary},
          {"page", code.page}};
}

/// Paragraphs filled anew, to be read at 78 columns; a line that begins with a blank stays as it is.
std::string filled(std::string_view page) {
  std::string text;
  std::size_t column = 0;
  const auto end_line = [&] {
    if (column > 0) text += '\n';
    column = 0;
  };
  for (const auto line : lines_of(page)) {
    if (line.empty() || line.starts_with(' ')) {
      end_line();
      text += fmt::format("{}\n", line);
      continue;
    }
    for (const auto word : words(line)) {
      if (column + 1 + word.size() > kWidth) end_line();
      if (column > 0) text += ' ';
      column += word.size() + (column > 0 ? 1 : 0);
      text += word;
    }
  }
  end_line();
  return text;
}

Outcome all(const Style& style) {
  Outcome outcome;
  outcome.json["codes"] = nlohmann::json::array();
  std::vector<std::vector<Cell>> rows;
  for (const auto& code : decide::finding_codes()) {
    outcome.json["codes"].push_back(code_json(code));
    rows.push_back({{std::string(code.code), style.bold(code.code)},
                    std::string(to_string(code.severity)),
                    std::string(code.summary)});
  }
  outcome.text = table(rows);
  return outcome;
}

Outcome explain(const Style& style, const std::string& name) {
  if (name.empty()) return all(style);
  const auto* code = decide::find_code(name);
  if (code == nullptr) {
    return failed(exits::kUsage, fmt::format("the audit has no finding {}; gpu-interlock explain lists them",
                                             printable(name)));
  }
  Outcome outcome;
  outcome.json = code_json(*code);
  outcome.text = fmt::format("{} ({}): {}\n\n{}", style.bold(code->code), to_string(code->severity),
                             code->summary, filled(code->page));
  return outcome;
}

}  // namespace

void add_explain(CLI::App& app, Action& action) {
  auto* command =
      app.add_subcommand("explain", "What a finding of the audit means, why it matters and what to do");
  const auto name = std::make_shared<std::string>();
  command->add_option("CODE", *name, "A finding's code; without one, all are listed");
  command->callback(
      [&action, name] { action = [name](Context& context) { return explain(context.style, *name); }; });
}

}  // namespace interlock::cli
