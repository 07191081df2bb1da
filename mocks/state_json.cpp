#include "mocks/state_json.h"

#include <fmt/format.h>

namespace nlohmann {

template <>
struct adl_serializer<interlock::Duration> {
  static void to_json(json& out, const interlock::Duration& duration) { out = duration.count(); }
  static void from_json(const json& in, interlock::Duration& duration) {
    duration = interlock::Duration(in.get<std::int64_t>());
  }
};

template <>
struct adl_serializer<interlock::Instant> {
  static void to_json(json& out, const interlock::Instant& instant) { out = interlock::to_ns(instant); }
  static void from_json(const json& in, interlock::Instant& instant) {
    instant = interlock::instant_from_ns(in.get<std::int64_t>());
  }
};

template <class Value>
struct adl_serializer<std::optional<Value>> {
  static void to_json(json& out, const std::optional<Value>& value) {
    if (value) {
      out = *value;
    } else {
      out = nullptr;
    }
  }
  static void from_json(const json& in, std::optional<Value>& value) {
    if (in.is_null()) {
      value.reset();
    } else {
      value = in.get<Value>();
    }
  }
};

}  // namespace nlohmann

namespace interlock::mocks {

NLOHMANN_JSON_SERIALIZE_ENUM(Stop, {{Stop::obeys, "obeys"},
                                    {Stop::ignores_term, "ignores-term"},
                                    {Stop::leaves_worker, "leaves-worker"},
                                    {Stop::never_answers, "never-answers"},
                                    {Stop::unkillable, "unkillable"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Restart, {{Restart::no, "no"},
                                       {Restart::on_failure, "on-failure"},
                                       {Restart::always, "always"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Container::State, {{Container::State::stopped, "stopped"},
                                                {Container::State::running, "running"},
                                                {Container::State::stopping, "stopping"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Unit, name, load, file, active, sub, restart, restart_sec, stop_limit,
                                   restarts, wanted_by, triggered_by, triggers, conflicts, stop, cards,
                                   memory, load_time, dies_after, cpu_fallback, stays_activating, port,
                                   command, worker_place, started, loaded, declared)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Answer, code, output, errors)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Container, vmid, state, post_stop_due, units, live, files, commands,
                                   obeys_shutdown, starts)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Open, pci, client, memory, engine_ns, engine_at, busy_percent, kfd_memory,
                                   kfd_queue)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Process, pid, started, comm, cmdline, cgroup, opens, ignores_term,
                                   unkillable, unreadable)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Card, id, pci, unique_id, card, render, hwmon, present, off_the_bus,
                                   driver, runtime, power_control, edge, junction, memory_temp, heating,
                                   cooling, since, vram_total, vram_base, leftover, lingers, energy_counter,
                                   energy_stuck, by_path)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(File, text, mode, version)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Override, error, text, hangs)
NLOHMANN_JSON_SERIALIZE_ENUM(Event::Kind, {{Event::Kind::unit_start, "unit-start"},
                                           {Event::Kind::unit_loaded, "unit-loaded"},
                                           {Event::Kind::unit_dies, "unit-dies"},
                                           {Event::Kind::unit_stopped, "unit-stopped"},
                                           {Event::Kind::unit_stop_limit, "unit-stop-limit"},
                                           {Event::Kind::guest_up, "guest-up"},
                                           {Event::Kind::post_stop, "post-stop"},
                                           {Event::Kind::shut_down, "shut-down"},
                                           {Event::Kind::container_start, "container-start"},
                                           {Event::Kind::container_stop, "container-stop"},
                                           {Event::Kind::memory_returned, "memory-returned"},
                                           {Event::Kind::pct, "pct"},
                                           {Event::Kind::undo, "undo"},
                                           {Event::Kind::file_back, "file-back"},
                                           {Event::Kind::backup_over, "backup-over"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Event, at, kind, vmid, subject, words, by_proxmox, text, units, running,
                                   bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PveWrite, path, before)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PctCall, number, text, code, errors, fault)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Breach, operation, invariant, when, text, containers, held)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Worker, vmid, pid, type, orphaned)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Pace, pct, container_start, container_stop, post_stop, guest_up, unit_stop)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Model, now, booted_at, node, boot_id, boots, proxmox, pve_mounted, quorate,
                                   powered_off, disk_full, cards, containers, host_units, processes, files,
                                   folders, links, overrides, host_commands, frozen, locks, workers, events,
                                   unsynced, calls, faults, breaches, breached, shared_cards, kfd, operations,
                                   next_pid, next_client, next_version, pve_version, pace)

nlohmann::json to_state(const Model& model) {
  return model;
}

Result<Model> from_state(const std::string& text) {
  try {
    return nlohmann::json::parse(text).get<Model>();
  } catch (const nlohmann::json::exception& error) {
    return fail("the state of the mocked host is damaged: {}", error.what());
  }
}

}  // namespace interlock::mocks
