#include "pages.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace interlock::pages {
namespace {

std::string filled_in(std::string text, const std::string& place, const std::string& with) {
  const auto at = text.find(place + "\n");
  if (at == std::string::npos) throw std::runtime_error("no line " + place);
  return text.replace(at, place.size() + 1, with);
}

std::string manual(const std::vector<Command>& all) {
  std::string text = project_file("man/gpu-interlock.1.in");
  text = filled_in(text, "@OPTIONS@", options_section(all.front()));
  text = filled_in(text, "@COMMANDS@", commands_section(all));
  return filled_in(text, "@EXITS@", exits_section());
}

std::string findings_page() {
  std::string text = project_file("man/gpu-interlock-findings.7.in");
  text = filled_in(text, "@FINDINGS@", findings_section());
  return filled_in(text, "@REFUSALS@", refusals_section());
}

}  // namespace

std::string project_file(const std::string& path) {
  std::ifstream file(std::string(PROJECT_DIR "/") + path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<Page> all_pages() {
  const auto all = commands();
  const auto keys = policy_keys();
  return {
      {"man/gpu-interlock.1", manual(all)},
      {"man/gpu-interlock-findings.7", findings_page()},
      {"man/gpu-interlock.yaml.5",
       filled_in(project_file("man/gpu-interlock.yaml.5.in"), "@KEYS@", keys_section(keys))},
      {"docs/policy.md", policy_document(keys)},
      {"completions/gpu-interlock", bash_completion(all)},
      {"completions/_gpu-interlock", zsh_completion(all)},
      {"completions/gpu-interlock.fish", fish_completion(all)},
  };
}

}  // namespace interlock::pages
