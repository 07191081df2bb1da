#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "decide/findings_rules.h"
#include "decide/invariants.h"

namespace interlock::decide {
namespace {

std::string capitalised(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

void add_units(const AuditInput& input, Report& report) {
  for (const Breach& breach : breaches(input.state, input.policy)) {
    if (breach.invariant != "I2" || breach.containers.empty()) continue;
    const std::string vmid = breach.containers.begin()->text();
    report.add(
        "unit-not-retired",
        {vmid, capitalised(breach.message) + ".",
         fmt::format(
             "Keep one of them, and disable and stop the others: pct exec {} -- systemctl disable --now "
             "UNIT",
             vmid)});
  }
}

/// A name that the policy misspells, or of a unit that is gone (U03; two-v620 failure 1).
void add_missing_units(const AuditInput& input, const Container& container, Report& report) {
  const auto declared = input.policy.containers.find(container.vmid);
  if (declared == input.policy.containers.end()) return;
  for (const UnitName& name : declared->second.units) {
    const Unit* unit = container.unit(name);
    if (unit == nullptr || unit->load != LoadState::not_found) continue;
    const std::string vmid = container.vmid.text();
    report.add("unit-missing",
               {vmid + "/" + name.text(),
                fmt::format("Container {} has no unit {}, which the policy declares.", vmid, name.text()),
                fmt::format("Compare with: pct exec {} -- systemctl list-unit-files", vmid)});
  }
}

void add_missing(const AuditInput& input, Report& report) {
  for (const auto& [vmid, declared] : input.policy.containers) {
    if (input.state.container(vmid) != nullptr) continue;
    report.add("container-missing",
               {vmid.text(), fmt::format("Container {} is in the policy and not on this host.", vmid.text()),
                "Correct the policy, or bring the container back."});
  }
}

void add_lock(const Container& container, Report& report) {
  if (container.lock.empty()) return;
  const std::string vmid = container.vmid.text();
  report.add("container-locked",
             {vmid,
              fmt::format("Container {} is locked ({}): it can be neither started nor changed.", vmid,
                          printable(container.lock)),
              fmt::format("Wait for the task that set the lock; if there is none, pct unlock {}.", vmid)});
}

void add_ha(const Container& container, Report& report) {
  // "unknown": whether it is managed could not be read, which the state says by itself.
  if (!container.autostart.ha_state || container.autostart.ha_state == "unknown") return;
  const std::string vmid = container.vmid.text();
  report.add(
      "container-ha-managed",
      {vmid,
       fmt::format("Container {} is managed by high availability, in state {}.", vmid,
                   printable(*container.autostart.ha_state)),
       fmt::format(
           "Take it out (ha-manager remove ct:{0}), or set it to ignored (ha-manager set ct:{0} --state "
           "ignored).",
           vmid)});
}

void add_generated(const Container& container, Report& report) {
  if (!container.generated_stale) return;
  const std::string vmid = container.vmid.text();
  report.add(
      "container-generated-config-stale",
      {vmid,
       fmt::format(
           "/var/lib/lxc/{0}/config differs from what the configuration of container {0} says of cards.",
           vmid),
       fmt::format(
           "Have it written anew by any harmless change, such as pct set {} --onboot with its present "
           "value.",
           vmid)});
}

void add_ineffective(const Container& container, Report& report) {
  for (const std::string& line : container.ineffective) {
    report.add("container-config-ineffective", {container.vmid.text(),
                                                fmt::format("In the configuration of container {}: {}.",
                                                            container.vmid.text(), printable(line)),
                                                "Correct the line, or remove it."});
  }
}

/// A hookscript of a container that has nothing to do with cards is nobody's concern here; a hook of lxc, a
/// file that cannot be read or static nodes concern cards wherever they are.
bool concerns_cards(const std::string& line, bool ours) {
  return ours || !line.starts_with("hookscript");
}

void add_unprovable(const AuditInput& input, const Container& container, Report& report) {
  const bool ours = input.declares(container.vmid) || input.binds_ours(container);
  std::vector<std::string> reasons;
  if (container.may_make_nodes) {
    reasons.emplace_back("it is privileged, and its device rules let it make and open nodes of other cards");
  }
  for (const std::string& line : container.unprovable) {
    if (concerns_cards(line, ours)) reasons.push_back("'" + printable(trimmed(line)) + "' may do anything");
  }
  if (reasons.empty()) return;
  report.add(
      "exclusivity-not-provable",
      {container.vmid.text(),
       fmt::format("That container {} keeps off other cards cannot be proven: {}.", container.vmid.text(),
                   joined(reasons, "; ")),
       container.may_make_nodes
           ? "Make it unprivileged, or add `lxc.cap.drop: mknod` to its configuration."
           : "Move what the line does into the configuration itself, or make sure that it binds no card."});
}

void add_backups(const AuditInput& input, const Container& container, Report& report) {
  if (container.stop_backups.empty()) return;
  if (!input.declares(container.vmid) && !input.binds_ours(container)) return;
  report.add("backup-stop-mode",
             {container.vmid.text(),
              fmt::format("Backup job {} stops container {} and starts it again, whatever its onboot says.",
                          listed(container.stop_backups), container.vmid.text()),
              fmt::format("Use snapshot mode in that job, or exclude {} from it.", container.vmid.text())});
}

}  // namespace

void audit_containers(const AuditInput& input, Report& report) {
  add_units(input, report);
  add_missing(input, report);
  for (const Container& container : input.state.containers) {
    if (input.declares(container.vmid) || input.binds_ours(container)) {
      add_lock(container, report);
      add_ha(container, report);
    }
    add_missing_units(input, container, report);
    if (input.declares(container.vmid) || input.binds_ours(container) || !container.generated_cards.empty()) {
      add_generated(container, report);
    }
    add_ineffective(container, report);
    add_unprovable(input, container, report);
    add_backups(input, container, report);
  }
}

}  // namespace interlock::decide
