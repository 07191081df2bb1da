#include "audit_cases.h"
#include "two_v620.h"

namespace interlock::test {

using namespace two_v620;

namespace {

Binding by_number(const PciAddress& card, const std::string& node) {
  Binding made;
  made.form = Binding::Form::device;
  made.line = "dev0: /dev/dri/" + node;
  made.source = "/dev/dri/" + node;
  made.cards = {card};
  return made;
}

Binding folder() {
  Binding made;
  made.line = "lxc.mount.entry: /dev/dri dev/dri none bind,optional,create=dir";
  made.source = "/dev/dri";
  made.cards = {kGpu1, kGpu2};
  made.every_card = true;
  return made;
}

/// 121 gets gpu1 too, by its address.
void bind_121(Host& host) {
  host.state.container(k121)->bindings = {host.state.container(k120)->bindings[0]};
}

void stop(Host& host, Vmid vmid) {
  host.state.container(vmid)->running = RunState::stopped;
  host.state.container(vmid)->autostart = {};
}

}  // namespace

std::vector<AuditCase> binding_cases() {
  return {
      {"card-double-bound", "two containers that run bind it", "gpu1", Severity::violation, bind_121,
       [](Host& host) {
         bind_121(host);
         host.policy.cards[0].shared = true;
       }},
      {"card-double-bound", "one of them may run: nobody can tell", "gpu1", Severity::violation,
       [](Host& host) {
         bind_121(host);
         host.state.container(k121)->running = RunState::unknown;
       },
       [](Host& host) {
         bind_121(host);
         stop(host, k121);
       }},
      {"card-double-bound", "by a folder (B03)", "gpu2", Severity::violation,
       [](Host& host) { host.state.container(k121)->bindings = {folder()}; },
       [](Host& host) {
         host.state.container(k121)->bindings = {folder()};
         host.state.container(k121)->bindings[0].when = Binding::When::latent;
       }},
      {"card-double-bound", "by a pending change of one that runs (B16)", "gpu2", Severity::violation,
       [](Host& host) {
         host.state.container(k120)->bindings.push_back(by_number(kGpu2, "renderD128"));
         host.state.container(k120)->bindings.back().when = Binding::When::next_start;
       },
       [](Host&) {}},
      {"card-autostart-conflict", "stopped, with its card and its onboot (two-v620 failure 3)", "gpu1",
       Severity::violation,
       [](Host& host) {
         bind_121(host);
         host.state.container(k121)->running = RunState::stopped;
       },
       [](Host& host) {
         bind_121(host);
         stop(host, k121);
       }},
      {"card-autostart-conflict", "both stopped, both start at the boot (B04)", "gpu1", Severity::violation,
       [](Host& host) {
         bind_121(host);
         host.state.container(k120)->running = host.state.container(k121)->running = RunState::stopped;
       },
       [](Host& host) {
         bind_121(host);
         host.state.container(k121)->is_template = true;
         host.state.container(k121)->running = RunState::stopped;
       }},
      {"card-autostart-conflict", "by high availability, whatever onboot says (pct.md 5.4)", "gpu1",
       Severity::violation,
       [](Host& host) {
         bind_121(host);
         stop(host, k121);
         host.state.container(k121)->autostart.ha_state = "started";
       },
       [](Host& host) {
         bind_121(host);
         stop(host, k121);
         host.state.container(k121)->autostart.ha_state = "stopped";
       }},
      {"card-autostart-conflict", "by lxc.start.auto (B20)", "gpu1", Severity::violation,
       [](Host& host) {
         bind_121(host);
         stop(host, k121);
         host.state.container(k121)->autostart.lxc_start_auto = true;
       },
       [](Host&) {}},
      {"card-bound-by-vm", "a machine with hostpci (11.11)", "gpu2", Severity::violation,
       [](Host& host) { host.state.vms[kGpu2] = {"VM 200"}; },
       [](Host& host) { host.state.vms[*PciAddress::parse("0000:c3:00.0")] = {"VM 200"}; }},
      {"card-bound-by-unmanaged-container", "not in the policy", "121", Severity::warning,
       [](Host& host) {
         bind_121(host);
         stop(host, k121);
       },
       [](Host& host) {
         bind_121(host);
         stop(host, k121);
         host.policy.containers.insert({k121, PolicyContainer{k121, {}, BindStyle::mount_entry, {}}});
       }},
      {"card-bound-by-number", "a name that can move (S07, B09)", "123", Severity::warning,
       [](Host& host) { host.state.container(k123)->bindings = {by_number(kGpu2, "renderD128")}; },
       [](Host& host) {  // one card has no other to be taken for
         host.state.container(k123)->bindings = {by_number(kGpu2, "renderD128")};
         host.policy.cards.erase(host.policy.cards.begin());
       }},
      {"card-wildcard-access", "all of /dev/dri", "120", Severity::advice,
       [](Host& host) { host.state.container(k120)->bindings.push_back(folder()); },
       [](Host& host) {
         host.state.container(k120)->bindings.push_back(folder());
         host.state.container(k120)->bindings.back().when = Binding::When::latent;
       }},
      {"binding-not-permitted", "bound, not permitted (B02, B10, B11)", "120", Severity::warning,
       [](Host& host) {
         for (Binding& binding : host.state.container(k120)->bindings) binding.permitted = false;
       },
       [](Host& host) { host.state.container(k120)->bindings[0].permitted = false; }},
      {"binding-dangling", "no such node (S08)", "120", Severity::warning,
       [](Host& host) {
         host.state.container(k120)->bindings.push_back(by_number(kGpu1, "renderD777"));
         host.state.container(k120)->bindings.back().cards.clear();
       },
       [](Host& host) {  // /dev/kfd is nobody's card (B05)
         host.state.container(k120)->bindings.push_back(by_number(kGpu1, "kfd"));
         host.state.container(k120)->bindings.back().source = "/dev/kfd";
         host.state.container(k120)->bindings.back().cards.clear();
       }},
      {"clone-double-bound", "a stopped copy", "121", Severity::warning,
       [](Host& host) {
         bind_121(host);
         stop(host, k121);
       },
       [](Host& host) {  // the policy says that it may keep its card
         host.state.container(k123)->bindings.push_back(host.state.container(k120)->bindings[0]);
         stop(host, k123);
         host.policy.cutovers.at("to-qwen38fn").containers.at(k123).want.keep_binding = true;
       }},
      {"snapshot-latent-binding", "a rollback would bring both cards (B01)", "123", Severity::advice,
       [](Host& host) {
         host.state.container(k123)->bindings.push_back(folder());
         host.state.container(k123)->bindings.back().when = Binding::When::latent;
       },
       [](Host& host) {  // the card that the container has anyway
         host.state.container(k123)->bindings.push_back(by_number(kGpu2, "renderD128"));
         host.state.container(k123)->bindings.back().when = Binding::When::latent;
       }},
      {"container-pending-binding", "one that comes (B16)", "120", Severity::warning,
       [](Host& host) {
         host.state.container(k120)->bindings.push_back(by_number(kGpu1, "renderD129"));
         host.state.container(k120)->bindings.back().when = Binding::When::next_start;
       },
       [](Host&) {}},
      {"container-pending-binding", "one that goes (B15)", "123", Severity::warning,
       [](Host& host) { host.state.container(k123)->bindings[0].live_after_removal = true; },
       [](Host& host) { host.state.container(k123)->pending = {"memory"}; }},
  };
}

std::vector<AuditCase> container_cases() {
  return {
      {"unit-not-retired", "two enabled (two-v620 failure 6)", "120", Severity::violation,
       [](Host& host) { host.state.container(k120)->units[1].file = UnitFileState::enabled; }, [](Host&) {}},
      {"unit-not-retired", "its socket would start it (U07)", "120", Severity::violation,
       [](Host& host) { host.state.container(k120)->units[1].started_by = {"foo.socket"}; },
       [](Host& host) { host.state.container(k120)->units[1].active = ActiveState::failed; }},
      {"unit-not-retired", "between two restarts (U02)", "120", Severity::violation,
       [](Host& host) { host.state.container(k120)->units[1].active = ActiveState::activating; },
       [](Host&) {}},
      {"unit-missing", "a misspelt name (U03)", "120/llamacpp-qwen38fn.service", Severity::warning,
       [](Host& host) { host.state.container(k120)->units[1].load = LoadState::not_found; }, [](Host&) {}},
      {"container-missing", "gone from the host", "120", Severity::warning,
       [](Host& host) {
         std::erase_if(host.state.containers, [](const Container& each) { return each.vmid == k120; });
         host.state.cards[0].holders.clear();
         host.state.ledger->erase(kGpu1);
       },
       [](Host&) {}},
      {"container-locked", "by a backup", "120", Severity::warning,
       [](Host& host) { host.state.container(k120)->lock = "backup"; },
       [](Host& host) { host.state.container(k121)->lock = "backup"; }},
      {"container-ha-managed", "an HA resource", "123", Severity::warning,
       [](Host& host) { host.state.container(k123)->autostart.ha_state = "started"; },
       [](Host& host) {
         host.state.container(k121)->autostart.ha_state = "started";
         host.state.container(k123)->autostart.ha_state = "unknown";
       }},
      {"container-generated-config-stale", "edited by hand", "120", Severity::warning,
       [](Host& host) { host.state.container(k120)->generated_stale = true; },
       [](Host& host) { host.state.container(k121)->generated_stale = true; }},
      {"container-generated-config-stale", "a card that its configuration has lost", "121", Severity::warning,
       [](Host& host) {
         host.state.container(k121)->generated_stale = true;
         host.state.container(k121)->generated_cards = {kGpu1};
       },
       [](Host&) {}},
      {"container-config-ineffective", "a remark behind a value (B12)", "120", Severity::warning,
       [](Host& host) {
         host.state.container(k120)->ineffective = {
             "dev3: /dev/dri/renderD131,gid=104 # 104 = render: gid is no number"};
       },
       [](Host&) {}},
      {"exclusivity-not-provable", "privileged, with wide rules (B08)", "120", Severity::warning,
       [](Host& host) { host.state.container(k120)->may_make_nodes = true; }, [](Host&) {}},
      {"exclusivity-not-provable", "a hook of any container", "121", Severity::warning,
       [](Host& host) { host.state.container(k121)->unprovable = {"lxc.hook.mount: /usr/local/bin/gpu"}; },
       [](Host& host) { host.state.container(k121)->unprovable = {"hookscript: local:snippets/mail.sh"}; }},
      {"exclusivity-not-provable", "a hookscript of a container with a card (B14)", "123", Severity::warning,
       [](Host& host) { host.state.container(k123)->unprovable = {"hookscript: local:snippets/fix-usb.sh"}; },
       [](Host&) {}},
      {"backup-stop-mode", "a job that restarts it (pct.md 5.5)", "120", Severity::warning,
       [](Host& host) { host.state.container(k120)->stop_backups = {"backup-1"}; },
       [](Host& host) { host.state.container(k121)->stop_backups = {"backup-1"}; }},
  };
}

std::vector<AuditCase> holder_cases() {
  const auto add = [](Host& host, std::optional<Vmid> container, const char* unit, Truth uses) {
    Holder holder = server(k120, kQwen36, kGpu1);
    holder.process = {5000, 1};
    holder.command = "llama-bench";
    holder.place = {container, unit == nullptr ? std::nullopt : UnitName::parse(unit), "/x", true, false};
    holder.uses = uses;
    host.state.cards[0].holders.push_back(holder);
  };
  const auto memory = [](Host& host, Bytes left, Bytes outside) {
    host.state.cards[0].memory_total = 30704 * kMiB;
    host.state.cards[0].memory_used = 30704 * kMiB - left;
    host.state.cards[0].gtt_used = outside;
  };
  return {
      {"unit-serving-undeclared", "another unit of a declared container", "120/comfyui.service",
       Severity::warning, [=](Host& host) { add(host, k120, "comfyui.service", Truth::yes); },
       [=](Host& host) { add(host, k120, "gateway.service", Truth::no); }},
      {"holder-foreign", "a benchmark by hand (S11, two-v620 failure 9)", "120", Severity::warning,
       [=](Host& host) { add(host, k120, nullptr, Truth::yes); },
       [=](Host& host) { add(host, k120, nullptr, Truth::no); }},
      {"holder-foreign", "on the host, idle or not", "host", Severity::warning,
       [=](Host& host) { add(host, {}, nullptr, Truth::no); },
       [=](Host& host) {
         add(host, {}, "systemd-logind.service", Truth::no);
         host.state.cards[0].holders.back().command = "systemd-logind";
       }},
      {"holder-foreign", "in a container that does not bind the card", "121/agent.service", Severity::warning,
       [=](Host& host) { add(host, k121, "agent.service", Truth::no); }, [](Host&) {}},
      {"holder-foreign", "what a stopped unit left behind (S02)", "120/llamacpp.service", Severity::warning,
       [](Host& host) { host.state.container(k120)->units[0] = unit(kQwen36, false); }, [](Host&) {}},
      {"holder-foreign", "a stop reported success, and the old owner still has the card (S03, S06)",
       "120/llamacpp.service", Severity::warning,
       [](Host& host) {
         host.state.container(k120)->units[0] = unit(kQwen36, false);
         host.state.cards[0].holders[0].uses = Truth::unknown;
       },
       [](Host& host) {
         host.state.container(k120)->units[0] = unit(kQwen36, false);
         host.state.cards[0].holders.clear();
       }},
      {"holder-unknown", "a process that may not be looked into", "pid 99", Severity::violation,
       [](Host& host) {
         host.state.unknown_holders = {{99, {k121, {}, {}, true, false}, "permission denied"}};
       },
       [](Host&) {}},
      {"vram-spill", "the driver has pushed memory out", "gpu1", Severity::violation,
       [=](Host& host) { host.state.cards[0].holders[0].evicted = 2048 * kMiB; },
       [=](Host& host) { host.state.cards[0].holders[0].evicted = 64 * kMiB; }},
      {"vram-spill", "a full card, and much of it in system memory", "gpu1", Severity::violation,
       [=](Host& host) { memory(host, 100 * kMiB, 4096 * kMiB); },
       [=](Host& host) { memory(host, 4096 * kMiB, 40960 * kMiB); }},  // pinned host memory is not spilled
      {"vram-headroom-low", "less than the usual rule", "gpu1", Severity::warning,
       [=](Host& host) { memory(host, 1023 * kMiB, 100 * kMiB); },
       [=](Host& host) { memory(host, 1024 * kMiB, 100 * kMiB); }},
      {"vram-headroom-low", "less than a measured need", "gpu1", Severity::warning,
       [=](Host& host) {
         memory(host, 299 * kMiB, 100 * kMiB);
         host.policy.containers.at(k120).vram_minimum_mib = 300;
       },
       [=](Host& host) {
         memory(host, 300 * kMiB, 100 * kMiB);
         host.policy.containers.at(k120).vram_minimum_mib = 300;
       }},
      {"vram-headroom-low", "on a card that is used at all", "gpu1", Severity::warning,
       [=](Host& host) { memory(host, 10 * kMiB, 100 * kMiB); },
       [=](Host& host) {
         memory(host, 10 * kMiB, 100 * kMiB);
         host.state.cards[0].holders.clear();
       }},
  };
}

}  // namespace interlock::test
