#include "observe/governors.h"

#include <map>
#include <string>
#include <utility>

#include "base/text.h"

namespace interlock::observe {
namespace {

constexpr const char* kPolicies = "/sys/devices/system/cpu/cpufreq";

std::string word_in(Host& host, const std::string& path) {
  const auto text = host.read_file(path);
  return text ? std::string(trimmed(*text)) : std::string();
}

}  // namespace

std::vector<CpuGovernor> read_governors(Host& host) {
  std::vector<CpuGovernor> governors;
  const auto policies = host.list_folder(kPolicies);
  if (!policies) return governors;
  std::map<std::pair<std::string, std::string>, int> cpus;
  for (const std::string& name : *policies) {
    if (!name.starts_with("policy")) continue;
    const std::string folder = fmt::format("{}/{}", kPolicies, name);
    const std::string governor = word_in(host, folder + "/scaling_governor");
    if (governor.empty()) continue;
    const auto affected = words(word_in(host, folder + "/affected_cpus"));
    cpus[{word_in(host, folder + "/scaling_driver"), governor}] +=
        affected.empty() ? 1 : static_cast<int>(affected.size());
  }
  for (const auto& [pair, count] : cpus) governors.push_back({pair.first, pair.second, count});
  return governors;
}

}  // namespace interlock::observe
