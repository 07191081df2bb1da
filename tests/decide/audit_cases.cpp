#include "audit_cases.h"

#include "two_v620.h"

namespace interlock::test {

using namespace two_v620;

Host clean_host() {
  Host host{normal(), policy()};
  host.state.gate_gaps.emplace();
  std::erase_if(host.state.container(k123)->bindings,
                [](const Binding& binding) { return binding.when == Binding::When::latent; });
  return host;
}

std::vector<AuditCase> all_cases() {
  std::vector<AuditCase> all;
  for (const auto& part : {card_cases(), binding_cases(), container_cases(), holder_cases(), host_cases()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

std::vector<AuditCase> card_cases() {
  const auto hot = [](Host& host, Channel channel, std::int64_t degrees) {
    host.state.cards[0].sample->channels[static_cast<std::size_t>(channel)]->input.text =
        std::to_string(degrees * 1000) + "\n";
  };
  const auto unguarded = [](Host& host) { host.state.guard.verdicts.clear(); };
  const auto unreadable = [](Host& host) {
    host.state.guard.verdicts.clear();
    host.state.cards[0].sample->channels[1]->input = {EIO, ""};
  };
  return {
      {"card-missing", "the card is off the bus", "gpu2", Severity::warning,
       [](Host& host) {
         host.state.cards[1].present = false;
         host.state.cards[1].sample.reset();
         host.state.cards[1].holders.clear();
       },
       [](Host&) {}},
      {"card-replaced", "another unique_id", "gpu2", Severity::violation,
       [](Host& host) {
         host.state.cards[1].replaced = true;
         host.state.cards[1].unique_id = "1111";
         host.policy.cards[1].unique_id = "2222";
       },
       [](Host& host) { host.state.cards[1].unique_id = "1111"; }},
      {"sensor-blind", "a channel gives EIO while a process has the card open (two-v620 failure 4)", "gpu1",
       Severity::violation, unreadable, unguarded},
      {"sensor-blind", "the same on a card that nobody has open", "gpu1", Severity::warning,
       [=](Host& host) {
         unreadable(host);
         host.state.cards[0].holders.clear();
       },
       [](Host& host) {  // parked: asleep, and nobody uses it
         host.state.guard.verdicts.clear();
         host.state.cards[0].holders.clear();
         host.state.cards[0].sample->runtime = RuntimeStatus::suspended;
         host.state.cards[0].sample->channels = {};
       }},
      {"sensor-blind", "the guard, which knows what came before, does not believe it", "gpu1",
       Severity::violation,
       [](Host& host) {
         host.state.guard.verdicts.at(host.policy.cards[0].id)[0] =
             Verdict{VerdictKind::stale, std::nullopt, host.state.taken_at, "the same value for 61 s"};
       },
       [](Host& host) {  // lent to a machine: no reader, no verdict
         host.state.guard.verdicts.clear();
         host.state.cards[0].driver = host.state.cards[0].sample->driver = "vfio-pci";
         host.state.cards[0].holders.clear();
       }},
      {"sensor-disagrees", "libsensors reads 20 C less", "gpu1", Severity::warning,
       [](Host& host) { host.state.cards[0].second_opinion[0] = Celsius::from_degrees(42); },
       [](Host& host) {
         host.state.cards[0].second_opinion = {Celsius::from_degrees(52), Celsius::from_degrees(70)};
       }},
      {"sensor-disagrees", "and more, on the other channel", "gpu1", Severity::warning,
       [=](Host& host) {
         hot(host, Channel::memory, 60);
         host.state.cards[0].second_opinion[1] = Celsius::from_milli(70001);
       },
       [](Host& host) { host.state.cards[0].second_opinion[1] = Celsius::from_milli(70000); }},
      {"limits-too-close-to-emergency",
       "101 C and two samples at 10 C/s reach 103 C; the emergency is at 102.9", "gpu1", Severity::warning,
       [](Host& host) { host.state.cards[0].emergency[1] = Celsius::from_milli(102900); },
       [](Host& host) {  // as on the real cards
         host.state.cards[0].emergency[0] = Celsius::from_degrees(105);
         host.state.cards[0].emergency[1] = Celsius::from_degrees(103);
       }},
      {"limits-too-close-to-emergency", "odd card limits are findings, not errors (T07)", "gpu2",
       Severity::warning, [](Host& host) { host.state.cards[1].emergency[0] = Celsius::from_degrees(94); },
       [](Host& host) { host.state.cards[1].emergency[0] = Celsius::from_degrees(0); }},
      {"guard-not-running", "nobody watches loaded cards", "guard", Severity::violation,
       [](Host& host) { host.state.guard.running = Truth::no; },
       [](Host& host) { host.state.guard.running = Truth::unknown; }},
      {"guard-not-running", "nobody watches idle cards", "guard", Severity::warning,
       [](Host& host) {
         host.state.guard = {};
         host.state.guard.running = Truth::no;
         for (Card& card : host.state.cards) card.holders.clear();
       },
       [](Host&) {}},
      {"guard-stale", "it runs and does not judge", "guard", Severity::violation,
       [](Host& host) { host.state.guard.fresh = false; }, [](Host&) {}},
      {"guard-stale", "the same with nothing on the cards", "guard", Severity::warning,
       [](Host& host) {
         host.state.guard.fresh = false;
         for (Card& card : host.state.cards) {
           for (Holder& holder : card.holders) holder.uses = Truth::no;
         }
       },
       [](Host& host) { host.state.guard.running = Truth::no; }},
      {"card-latched", "after a trip", "gpu1", Severity::warning,
       [](Host& host) {
         host.state.latches[kGpu1] = {TripReason::over_temperature, "junction 103.0 C twice in a row",
                                      "2026-11-30", false};
       },
       [](Host& host) { host.state.latches[*PciAddress::parse("0000:c3:00.0")] = {}; }},
      {"card-latched", "a latch that cannot be understood is a latch", "gpu2", Severity::warning,
       [](Host& host) { host.state.latches[kGpu2] = {TripReason::blind, "", "", true}; }, [](Host&) {}},
  };
}

std::vector<AuditCase> host_cases() {
  const auto open = [](Host& host, bool attended) {
    host.state.cutover = OpenCutover{"20261130T021407Z-to-qwen38fn", "to-qwen38fn", "interrupted", attended};
  };
  return {
      {"cutover-open", "interrupted", "to-qwen38fn", Severity::violation,
       [=](Host& host) { open(host, false); }, [=](Host& host) { open(host, true); }},
      {"policy-broken", "the kept copy stands in", "policy", Severity::violation,
       [](Host& host) { host.state.policy_broken = "policy.yaml:3:7: unknown key 'pcl'"; }, [](Host&) {}},
      {"ledger-disagrees", "it cannot be read", "ledger", Severity::violation,
       [](Host& host) {
         host.state.ledger.reset();
         host.state.ledger_error = "its checksum is wrong";
       },
       [](Host& host) { host.state.ledger->clear(); }},
      {"ledger-disagrees", "another container than its owner can hold the card", "gpu1", Severity::violation,
       [](Host& host) { host.state.ledger->at(kGpu1) = Owner::of(k123); },
       [](Host& host) { host.state.ledger->erase(kGpu1); }},
      {"ledger-disagrees", "nobody owns a card that a running container binds", "gpu2", Severity::violation,
       [](Host& host) { host.state.ledger->at(kGpu2) = Owner::nobody(); },
       [](Host& host) {
         host.state.ledger->at(kGpu2) = Owner::nobody();
         host.state.container(k123)->running = RunState::stopped;
         host.state.container(k123)->autostart = {};
       }},
      {"ledger-disagrees", "its owner has lost the binding", "gpu1", Severity::violation,
       [](Host& host) { host.state.container(k120)->bindings.clear(); },
       [](Host& host) { host.policy.cards[0].shared = true, host.state.container(k120)->bindings.clear(); }},
      {"ledger-disagrees", "its owner is gone", "gpu1", Severity::violation,
       [](Host& host) {
         host.state.ledger->at(kGpu1) = Owner::of(*Vmid::parse("199"));
         host.state.container(k120)->bindings.clear();
       },
       [](Host&) {}},
      {"ledger-disagrees", "held for a cutover that is not open", "gpu1", Severity::violation,
       [](Host& host) {
         host.state.ledger->at(kGpu1) = Owner::held_by("c1");
         host.state.container(k120)->bindings.clear();
       },
       [=](Host& host) {
         host.state.ledger->at(kGpu1) = Owner::held_by("c1");
         host.state.container(k120)->bindings.clear();
         open(host, true);
       }},
      {"gate-missing", "a path without it", "gate", Severity::warning,
       [](Host& host) { host.state.gate_gaps->emplace_back("pve-container-debug@.service"); }, [](Host&) {}},
      {"governor-powersave", "pinned to the lowest clock", "host", Severity::warning,
       [](Host& host) { host.state.governors = {{"acpi-cpufreq", "powersave", 64}}; },
       [](Host& host) {
         host.state.governors = {{"amd-pstate-epp", "powersave", 64}, {"acpi-cpufreq", "schedutil", 64}};
       }},
  };
}

}  // namespace interlock::test
