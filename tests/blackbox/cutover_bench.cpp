#include "cutover_bench.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace interlock::tests {
namespace {

namespace fs = std::filesystem;

const std::string kPolicy = "/etc/gpu-interlock/policy.yaml";

/// "  command: 30s" becomes "  command: 2s".
void set_time(std::string& policy, const std::string& key, const std::string& value) {
  const auto timing = policy.find("\ntiming:");
  const auto at = policy.find("\n  " + key + ": ", timing);
  if (timing == std::string::npos || at == std::string::npos) throw std::runtime_error("no time for " + key);
  const auto from = at + key.size() + 5;
  policy.replace(from, policy.find_first_of(" \n", from) - from, value);
}

std::string after_last(const std::string& text, const std::string& mark) {
  const auto at = text.rfind(mark);
  if (at == std::string::npos) return "";
  const auto from = at + mark.size();
  return text.substr(from, text.find('"', from) - from);
}

}  // namespace

CutoverBench::CutoverBench(const std::map<std::string, std::string>& timing) {
  std::string policy = host.read(kPolicy);
  set_time(policy, "settle", "50ms");
  for (const auto& [key, value] : timing) set_time(policy, key, value);
  host.write(kPolicy, policy);
  for (const std::string unit :
       {"120/llamacpp.service", "120/llamacpp-qwen38fn.service", "123/llamacpp-qwen38fn.service"}) {
    host.mock("set", {"unit", unit, "load-ms", "0"});
  }
}

Words CutoverBench::command(const std::string& name, const Words& more) const {
  Words words = {"gpu-interlock", "--root", host.root(), "--json",
                 "cutover",       name,     "--yes",     "--without-guard"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Ran CutoverBench::cut_over(const std::string& name) {
  path_before_.clear();
  return run(command(name));
}

std::unique_ptr<Running> CutoverBench::begin(const std::string& name, const Words& more,
                                             const Words& before) {
  Words words = before;
  for (const std::string& word : command(name, more)) words.push_back(word);
  if (!before.empty()) words[before.size()] = std::string(BINARY_DIR) + "/" + words[before.size()];
  fs::remove(host.root() + "/../cutover.out");
  path_before_ = newest_path();
  return std::make_unique<Running>(words, host.root() + "/../cutover.out", host.root() + "/../cutover.err");
}

nlohmann::json CutoverBench::said() const {
  return Ran{.out = content_of(host.root() + "/../cutover.out"),
             .err = content_of(host.root() + "/../cutover.err")}
      .json();
}

std::string CutoverBench::picture() const {
  const auto state = nlohmann::json::parse(host.read("/.mock/state.json"));
  std::string text;
  for (const auto& container : state.at("containers")) {
    const std::string vmid = container.at("vmid").dump();
    text += vmid + " " + container.at("state").get<std::string>() + "\n";
    for (const auto& unit : container.at("units")) {
      text += "  " + unit.at("name").get<std::string>() + " " + unit.at("active").get<std::string>() + " " +
              unit.at("file").get<std::string>() + "\n";
    }
    text += host.read("/etc/pve/lxc/" + vmid + ".conf");
  }
  return text;
}

std::string CutoverBench::breaches() const {
  const auto found = nlohmann::json::parse(host.read("/.mock/state.json")).at("breaches");
  return found.empty() ? "" : host.mock("log").out;
}

std::string CutoverBench::violations() const {
  const auto audit = host.cli({"audit"}).json();
  std::string text;
  for (const auto& unknown : audit.at("unknown")) text += "cannot tell " + unknown.dump() + "\n";
  for (const auto& finding : audit.at("findings")) {
    if (finding.at("severity") == "violation" && finding.at("code") != "guard-not-running")
      text += finding.dump(2) + "\n";
  }
  return text;
}

std::string CutoverBench::newest_path() const {
  std::vector<std::string> paths;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(host.path("/var/lib/gpu-interlock/cutovers"), none)) {
    if (entry.path().extension() == ".journal") paths.push_back(entry.path());
  }
  return paths.empty() ? "" : *std::ranges::max_element(paths);
}

std::string CutoverBench::newest_journal() const {
  const std::string path = newest_path();
  return path == path_before_ ? "" : content_of(path);
}

int CutoverBench::records(const std::string& kind) const {
  const std::string text = newest_journal();
  const std::string mark = "\"kind\":\"" + kind + "\"}\n";
  int count = 0;
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) ++count;
  return count;
}

std::string CutoverBench::step() const {
  const std::string text = newest_journal();
  const auto intent = text.rfind("\"kind\":\"intent\"}\n");
  return intent == std::string::npos ? "" : after_last(text.substr(0, intent), "\"kind\":\"");
}

std::string CutoverBench::result() const {
  const std::string text = newest_journal();
  if (text.empty()) return "none";
  if (!text.ends_with("\"kind\":\"end\"}\n")) return "open";
  return after_last(text, "\"result\":\"");
}

bool CutoverBench::pct_at_work() const {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::error_code gone;
    const std::string program = fs::read_symlink(entry.path() / "exe", gone).string();
    if (!gone && program == host.root() + "/.mock/mock-host") return true;
  }
  return false;
}

std::string not_ours(const std::string& config) {
  std::string kept;
  std::size_t at = 0;
  bool in_snapshot = false;
  while (at < config.size()) {
    const auto end = config.find('\n', at);
    const std::string line = config.substr(at, end - at);
    at = end == std::string::npos ? config.size() : end + 1;
    if (line.starts_with("[")) in_snapshot = true;
    bool ours = false;
    for (const std::string key :
         {"cores:", "memory:", "swap:", "onboot:", "lxc.mount.entry: /dev/dri/by-path/"}) {
      ours = ours || line.starts_with(key);
    }
    if (in_snapshot || !ours) kept += line + "\n";
  }
  return kept;
}

}  // namespace interlock::tests
