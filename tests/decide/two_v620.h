// The host of hosts/two-v620 as values: two cards, containers 120 and 123 that serve with them, 121 that must
// never be touched; with the policy that is shipped for it.
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "model/host_state.h"
#include "policy/load.h"

namespace interlock::two_v620 {

inline const PciAddress kGpu1 = *PciAddress::parse("0000:03:00.0");
inline const PciAddress kGpu2 = *PciAddress::parse("0000:83:00.0");
inline const Vmid k120 = *Vmid::parse("120");
inline const Vmid k121 = *Vmid::parse("121");
inline const Vmid k123 = *Vmid::parse("123");
inline const UnitName kQwen36 = *UnitName::parse("llamacpp.service");
inline const UnitName kQwen38 = *UnitName::parse("llamacpp-qwen38fn.service");

inline Policy policy() {
  const std::string path = PROJECT_DIR "/policies/two-v620.yaml";
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  auto loaded = load_policy(text.str(), path);
  if (!loaded) throw std::runtime_error(loaded.error().front().text());
  return *loaded;
}

inline Target to_qwen38fn() {
  return policy().cutovers.at("to-qwen38fn").target();
}
inline Target to_qwen36() {
  return policy().cutovers.at("to-qwen36").target();
}

inline std::string entry(const PciAddress& card, const std::string& kind, const std::string& node) {
  return "lxc.mount.entry: /dev/dri/by-path/pci-" + card.text() + "-" + kind + " dev/dri/" + node +
         " none bind,optional,create=file";
}

inline Binding binding(const PciAddress& card, const std::string& line) {
  Binding made;
  made.line = line;
  made.source = line.substr(line.find('/'), line.find(' ', line.find('/')) - line.find('/'));
  made.cards = {card};
  return made;
}

inline Unit unit(const UnitName& name, bool on) {
  return {name,
          LoadState::loaded,
          on ? ActiveState::active : ActiveState::inactive,
          on ? UnitFileState::enabled : UnitFileState::disabled,
          on ? "running" : "dead",
          0,
          {}};
}

inline Holder server(Vmid vmid, const UnitName& unit, const PciAddress& card) {
  Holder holder{{4711, 100}, "llama-server", card,      {vmid, unit, {}, true, true}, {}, {},
                {},          false,          Truth::yes};
  holder.memory = 20000 * kMiB;
  return holder;
}

inline Card card(const char* id, const PciAddress& pci, const std::string& primary,
                 const std::string& render) {
  CardSample sample;
  sample.present = true;
  sample.driver = "amdgpu";
  sample.runtime = RuntimeStatus::active;
  sample.channels = {ChannelSample{{0, "junction\n"}, {0, "62000\n"}},
                     ChannelSample{{0, "mem\n"}, {0, "60000\n"}}};
  sample.edge = FileRead{0, "55000\n"};
  Card made(*CardId::parse(id), pci);
  made.present = true;
  made.driver = "amdgpu";
  made.nodes = {primary, render};
  made.sample = sample;
  return made;
}

inline Container container(Vmid vmid, const Settings& settings) {
  Container made(vmid);
  made.digest = "digest-of-" + vmid.text();
  made.running = RunState::running;
  made.settings = settings;
  made.autostart.onboot = true;
  made.units_answer = UnitsAnswer::answered;
  return made;
}

/// As it normally works: 120 serves qwen3.6 with gpu1, 123 serves qwen3.8 with gpu2, all start at boot.
inline HostState normal() {
  HostState state;
  state.taken_at = instant_from_ns(1'000'000'000'000);
  state.boot_id = "c0ffee";
  state.node = "pve";
  state.pve_mounted = state.quorate = Truth::yes;
  state.backup_running = Truth::no;
  state.cards = {card("gpu1", kGpu1, "card1", "renderD129"), card("gpu2", kGpu2, "card2", "renderD128")};
  for (Card& each : state.cards) each.sample->taken_at = state.taken_at;
  state.cards[0].holders = {server(k120, kQwen36, kGpu1)};
  state.cards[1].holders = {server(k123, kQwen38, kGpu2)};

  Container c120 = container(k120, {{"cores", "8"}, {"memory", "16384"}, {"swap", "4096"}, {"onboot", "1"}});
  c120.bindings = {binding(kGpu1, entry(kGpu1, "render", "renderD129")),
                   binding(kGpu1, entry(kGpu1, "card", "card1"))};
  c120.units = {unit(kQwen36, true), unit(kQwen38, false)};
  c120.generated_cards = {kGpu1};
  Container c121 = container(k121, {{"cores", "4"}, {"memory", "8192"}, {"swap", "512"}, {"onboot", "1"}});
  c121.units_answer = UnitsAnswer::not_asked;
  Container c123 = container(k123, {{"cores", "16"}, {"memory", "65536"}, {"swap", "4096"}, {"onboot", "1"}});
  c123.bindings = {binding(kGpu2, entry(kGpu2, "render", "renderD128")),
                   binding(kGpu2, entry(kGpu2, "card", "card2"))};
  Binding latent;
  latent.when = Binding::When::latent;
  latent.line = "lxc.mount.entry: /dev/dri dev/dri none bind,optional,create=dir";
  latent.source = "/dev/dri";
  latent.cards = {kGpu1, kGpu2};
  latent.every_card = true;
  c123.bindings.push_back(latent);
  c123.units = {unit(kQwen38, true)};
  c123.generated_cards = {kGpu2};
  state.containers = {c120, c121, c123};

  state.ledger = Ledger{{kGpu1, Owner::of(k120)}, {kGpu2, Owner::of(k123)}};
  state.guard.running = Truth::yes;
  state.guard.fresh = true;
  state.guard.judged_at = state.taken_at;
  for (const Card& each : state.cards) {
    state.guard.states[each.id] = GuardState::guarding;
    const Verdict fine{VerdictKind::measured, Celsius::from_degrees(62), state.taken_at, {}};
    state.guard.verdicts[each.id] = {fine, fine};
  }
  return state;
}

}  // namespace interlock::two_v620
