#include "scene.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "base/text.h"
#include "cli/gate.h"
#include "host/paths.h"
#include "mocks/config.h"
#include "mocks/two_v620.h"
#include "model/journal_text.h"
#include "policy/load.h"

namespace interlock::scene {
namespace {

std::string file_text(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string file_of(const mocks::Model& model, const std::string& path) {
  const auto found = model.files.find(path);
  return found == model.files.end() ? "(none)" : found->second.text;
}

mocks::Model after(const mocks::Model& from, const std::string& name, bool gated = false) {
  mocks::MockHost host(from);
  if (gated) install_gate(host);
  const auto report = run(host, name);
  if (report.result != act::CutoverResult::done) throw std::runtime_error(name + ": " + text_of(report));
  host.machine().barrier();
  return host.model();
}

}  // namespace

const Policy& policy() {
  static const Policy kPolicy = [] {
    const std::string path = std::string(PROJECT_DIR) + "/policies/two-v620.yaml";
    auto loaded = load_policy(file_text(path), "policy.yaml");
    if (!loaded) throw std::runtime_error(loaded.error().front().text());
    return *std::move(loaded);
  }();
  return kPolicy;
}

Picture picture_of(const mocks::Model& model) {
  Picture picture;
  for (const mocks::Container& container : model.containers) {
    const std::string* config = model.config(container.vmid);
    picture.configs[container.vmid] = config == nullptr ? "(none)" : print(mocks::parse(*config));
    picture.generated[container.vmid] = file_of(model, mocks::generated_path(container.vmid));
    picture.running[container.vmid] = container.running();
    for (const mocks::Unit& unit : container.units) {
      picture.units[fmt::format("{}/{}", container.vmid, unit.name)] = unit.active + " " + unit.file;
    }
  }
  picture.ledger = file_of(model, "/var/lib/gpu-interlock/ledger");
  return picture;
}

std::string difference(const Picture& one, const Picture& other) {
  std::string text;
  for (const auto& [vmid, config] : one.configs) {
    if (config != other.configs.at(vmid)) {
      text += fmt::format("configuration of {}:\n{}\nagainst\n{}\n", vmid, config, other.configs.at(vmid));
    }
    if (one.generated.at(vmid) != other.generated.at(vmid)) {
      text += fmt::format("generated configuration of {}:\n{}\nagainst\n{}\n", vmid, one.generated.at(vmid),
                          other.generated.at(vmid));
    }
    if (one.running.at(vmid) != other.running.at(vmid)) {
      text += fmt::format("{} {} against {}\n", vmid, one.running.at(vmid) ? "runs" : "is stopped",
                          other.running.at(vmid) ? "runs" : "is stopped");
    }
  }
  for (const auto& [unit, state] : one.units) {
    if (state != other.units.at(unit))
      text += fmt::format("{}: {} against {}\n", unit, state, other.units.at(unit));
  }
  return text;
}

mocks::Model start() {
  static const mocks::Model kStart = [] {
    mocks::MockHost host(mocks::two_v620());
    host.poke("/usr/sbin/pct", "");
    // What Proxmox generated at each start, and a first rewrite of its own: byte for byte comparisons begin
    // behind it.
    for (const int vmid : {120, 121, 123}) {
      host.model().files.at(host.model().config_path(vmid)).text =
          print(mocks::parse(*host.model().config(vmid)));
    }
    return host.model();
  }();
  return kStart;
}

const mocks::Model& large() {
  static const mocks::Model kLarge = after(start(), "to-qwen38fn");
  return kLarge;
}

const std::vector<Course>& courses() {
  static const std::vector<Course> kCourses = [] {
    std::vector<Course> all;
    all.push_back({"to-qwen38fn", start(), picture_of(start()), picture_of(large())});
    all.push_back({"to-qwen36", large(), picture_of(large()), picture_of(after(large(), "to-qwen36"))});
    return all;
  }();
  return kCourses;
}

void install_gate(mocks::MockHost& host) {
  host.gate = [](mocks::MockHost& it, int vmid) -> std::optional<std::string> {
    const auto answer = cli::pass_gate(it, *Vmid::parse(std::to_string(vmid)), true);
    if (answer.reasons.empty()) return std::nullopt;
    return joined(answer.reasons, "; ");
  };
  host.boot_gate = [](mocks::MockHost& it) {
    static_cast<void>(act::recover_at_boot(it, [](const act::StepReport&) {}));  // what it leaves is judged
  };
}

const std::vector<Course>& gated_courses() {
  static const std::vector<Course> kCourses = [] {
    mocks::Model from = start();
    from.files[paths::kPolicy] = {policy().text, 0644, from.next_version++};
    for (mocks::Container& container : from.containers) {
      for (mocks::Unit& unit : container.units) {
        if (unit.cards > 0) unit.load_time = std::chrono::seconds(2);
      }
    }
    const mocks::Model there = after(from, "to-qwen38fn", true);
    std::vector<Course> all;
    all.push_back({"to-qwen38fn", from, picture_of(from), picture_of(there)});
    all.push_back({"to-qwen36", there, picture_of(there), picture_of(after(there, "to-qwen36", true))});
    return all;
  }();
  return kCourses;
}

act::CutoverReport run(mocks::MockHost& host, const std::string& name) {
  return act::cut_over(host, policy(), name, {.without_guard = true, .on_failure = act::OnFailure::rollback},
                       [](const act::StepReport&) {});
}

act::CutoverReport recover(mocks::MockHost& host, act::Direction direction) {
  return act::recover(host, direction, {.without_guard = true, .on_failure = act::OnFailure::rollback},
                      [](const act::StepReport&) {});
}

bool has_open_journal(const mocks::Model& model) {
  for (const auto& [path, file] : model.files) {
    if (path.ends_with(".journal") && !parse_journal(path, file.text).ended()) return true;
  }
  return false;
}

std::string text_of(const std::vector<mocks::Breach>& breaches) {
  std::string text;
  for (const mocks::Breach& breach : breaches) {
    text += fmt::format("after operation {}: {} {}: {}\n", breach.operation, breach.invariant, breach.when,
                        breach.text);
  }
  return text;
}

std::string text_of(const act::CutoverReport& report) {
  std::string text = fmt::format("{}: {}\n", act::to_string(report.result), report.error);
  for (const Unmet& unmet : report.unmet)
    text += fmt::format("  unmet {} {}: {} ({})\n", unmet.code, unmet.subject, unmet.message, unmet.remedy);
  for (const act::StepReport& step : report.steps) {
    text += fmt::format("  {}{} {} ({}): {}\n", step.back ? "back " : "", step.step.id, step.step.text,
                        step.done ? "done" : "FAILED", step.seen);
  }
  for (const std::string& message : report.messages) text += "  " + message + "\n";
  return text;
}

}  // namespace interlock::scene
