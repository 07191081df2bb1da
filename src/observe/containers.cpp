#include "observe/containers.h"

#include <algorithm>

#include "base/digest.h"
#include "base/text.h"
#include "host/paths.h"
#include "model/state_text.h"
#include "observe/binding_cards.h"
#include "observe/units.h"
#include "observe/untold.h"
#include "pve/bindings.h"
#include "pve/config.h"
#include "pve/ha_resources.h"
#include "pve/pct_output.h"

namespace interlock::observe {
namespace {

constexpr const char* kBackupJobs = "/etc/pve/jobs.cfg";
constexpr const char* kUsers = "/etc/pve/user.cfg";

/// A file of Proxmox that need not be there; empty then.
Result<std::string> optional_file(Host& host, const std::string& path) {
  auto text = host.read_file(path);
  if (!text && is_missing(text.error())) return std::string();
  return text;
}

template <class Value, class Parse>
std::optional<Value> parsed(Host& host, const std::string& path, const std::string& what, Parse parse,
                            std::vector<std::string>& cannot_tell) {
  const auto read = [&]() -> Result<Value> { return parse(TRY(optional_file(host, path))); };
  auto value = read();
  if (value) return *std::move(value);
  cannot_tell.push_back(untold(what, path + ": " + value.error().message));
  return std::nullopt;
}

std::optional<std::set<Vmid>> running_containers(Host& host, std::vector<std::string>& cannot_tell) {
  const auto read = [&]() -> Result<std::set<Vmid>> {
    return pve::parse_running(TRY(host.read_file(paths::kUnixSockets)));
  };
  auto running = read();
  if (running) return *std::move(running);
  cannot_tell.push_back(untold("which containers run", running.error().message));
  return std::nullopt;
}

RunState run_state(const ContainerContext& context, Vmid vmid) {
  if (!context.running) return RunState::unknown;
  return context.running->contains(vmid) ? RunState::running : RunState::stopped;
}

std::optional<std::string> ha_state(const ContainerContext& context, Vmid vmid) {
  if (!context.managed) return "unknown";  // perhaps managed: perhaps started by it
  const auto found = context.managed->find(vmid);
  if (found == context.managed->end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> stop_backups(const ContainerContext& context, Vmid vmid) {
  std::vector<std::string> jobs;
  for (const pve::VzdumpJob& job : context.jobs) {
    if (!job.enabled || job.mode != "stop") continue;
    if (pve::takes(job, vmid, context.node, context.pools) != Truth::no) jobs.push_back(job.id);
  }
  return jobs;
}

std::string setting(const Container& container, const std::string& key) {
  const auto found = container.settings.find(key);
  return found == container.settings.end() || !found->second ? std::string() : *found->second;
}

/// What lxc itself would use, which a plain `systemctl start` does not write anew (pct.md, section 2).
void read_generated(Host& host, const ContainerContext& context, const pve::ConfigFile& config,
                    const pve::TextOf& included, Container& container,
                    std::vector<std::string>& cannot_tell) {
  const std::string path = paths::generated_config(container.vmid);
  const auto text = host.read_file(path);
  if (!text) {
    if (!is_missing(text.error()))
      cannot_tell.push_back(untold("what lxc would start", text.error().message));
    return;
  }
  const BoundCards bound =
      bound_cards(host, context.nodes, pve::generated_grants(*text, included), container.running);
  for (const Binding& binding : bound.bindings) {
    if (binding.cards.empty() && !binding.every_card) continue;
    if (std::ranges::find(container.generated_lines, binding.line) == container.generated_lines.end()) {
      container.generated_lines.push_back(binding.line);
    }
    container.generated_cards.insert(binding.cards.begin(), binding.cards.end());
  }
  container.generated_stale = pve::generated_is_stale(config, *text);
}

void read_keepsake(Host& host, Container& container, std::vector<std::string>& cannot_tell) {
  const std::string path = paths::keepsake(container.vmid);
  const auto text = host.read_file(path);
  if (!text && is_missing(text.error())) return;
  auto keepsake = text ? parse_keepsake(*text) : std::unexpected(text.error());
  if (keepsake) {
    container.keepsake = *std::move(keepsake);
  } else {
    cannot_tell.push_back(untold(fmt::format("what was taken from container {}", container.vmid.text()),
                                 path + ": " + keepsake.error().message));
  }
}

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

}  // namespace

ContainerContext container_context(Host& host, std::vector<std::string>& cannot_tell) {
  ContainerContext context;
  context.nodes = card_nodes(host);
  if (const auto local = host.read_link(paths::kPveLocal))
    context.node = local->substr(local->rfind('/') + 1);
  context.running = running_containers(host, cannot_tell);
  context.managed = parsed<std::map<Vmid, std::string>>(host, paths::kHaResources,
                                                        "which containers high availability manages",
                                                        pve::parse_ha_resources, cannot_tell);
  if (auto jobs = parsed<std::vector<pve::VzdumpJob>>(host, kBackupJobs, "which backup jobs stop containers",
                                                      pve::parse_vzdump_jobs, cannot_tell)) {
    context.jobs = *std::move(jobs);
  }
  const bool by_pool =
      std::ranges::any_of(context.jobs, [](const pve::VzdumpJob& job) { return !job.pool.empty(); });
  if (!by_pool) return context;
  const auto pools = [](const std::string& text) -> Result<pve::Pools> { return pve::parse_pools(text); };
  if (auto found =
          parsed<pve::Pools>(host, kUsers, "which guests are in a backup job's pool", pools, cannot_tell)) {
    context.pools = *std::move(found);
  }
  return context;
}

Result<std::vector<Vmid>> list_containers(Host& host) {
  constexpr std::string_view kSuffix = ".conf";
  std::vector<Vmid> found;
  for (const std::string& name : TRY(host.list_folder(paths::kContainers))) {
    if (!name.ends_with(kSuffix)) continue;
    const std::string_view number = std::string_view(name).substr(0, name.size() - kSuffix.size());
    if (const auto vmid = Vmid::parse(number)) found.push_back(*vmid);
  }
  std::ranges::sort(found);
  return found;
}

Result<Container> read_container(Host& host, const ContainerContext& context, Vmid vmid,
                                 std::vector<std::string>& cannot_tell) {
  Container container{.vmid = vmid};
  container.config = TRY(host.read_file(paths::container_config(vmid)));
  container.digest = sha1_hex(container.config);
  container.running = run_state(context, vmid);

  const pve::ConfigFile config = pve::parse_config(container.config);
  const pve::TextOf included = [&host](const std::string& path) { return host.read_file(path); };
  const pve::Grants given = pve::grants_of(config, included);
  container.settings = pve::settings_of(config.main());
  container.name = setting(container, "hostname");
  container.lock = setting(container, "lock");
  container.is_template =
      container.settings.contains("template") && pve::truthy(setting(container, "template"));
  container.unprivileged = given.unprivileged;
  container.may_make_nodes = given.may_make_nodes;
  container.pending = pve::pending_keys(config);
  container.ineffective = given.ineffective;
  container.unprovable = given.unprovable;
  BoundCards bound = bound_cards(host, context.nodes, given, container.running);
  container.bindings = std::move(bound.bindings);
  append(container.unprovable, bound.unprovable);
  container.autostart = {.onboot = pve::has_onboot(config),
                         .lxc_start_auto = given.lxc_start_auto,
                         .ha_state = ha_state(context, vmid)};
  container.stop_backups = stop_backups(context, vmid);
  read_generated(host, context, config, included, container, cannot_tell);
  read_keepsake(host, container, cannot_tell);
  return container;
}

void read_units(Host& host, const Policy& policy, Container& container) {
  const auto declared = policy.containers.find(container.vmid);
  if (declared == policy.containers.end() || declared->second.units.empty()) return;
  if (container.running == RunState::stopped) {
    container.units_answer = UnitsAnswer::not_running;
    return;
  }
  container.units_answer = UnitsAnswer::unanswered;
  if (container.running == RunState::unknown) {
    container.units_error = fmt::format("whether container {} runs could not be told", container.vmid.text());
    return;
  }
  auto units = ask_units(host, container.vmid, declared->second.units, policy.timing.command);
  if (!units) {
    container.units_error = units.error().message;
    return;
  }
  container.units = *std::move(units);
  container.units_answer = UnitsAnswer::answered;
}

}  // namespace interlock::observe
