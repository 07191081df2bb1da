// A card of the two-v620 host and samples of it, for the tests of the judge and of the trip machine.
#pragma once

#include <cerrno>
#include <string>

#include "decide/verdict.h"

namespace interlock::test {

inline Instant at(Duration since_boot) {
  return Instant{since_boot};
}

inline PolicyCard gpu1() {
  return {.id = *CardId::parse("gpu1"),
          .pci = *PciAddress::parse("0000:03:00.0"),
          .unique_id = std::nullopt,
          .shared = false};
}

/// Limits of hosts/two-v620; all else as the design has it.
inline GuardPolicy v620_guard() {
  GuardPolicy guard;
  const auto limits = [](int warn, int trip) {
    return Limits{.warn = Celsius::from_degrees(warn),
                  .trip = Celsius::from_degrees(trip),
                  .resume = Celsius::from_degrees(85)};
  };
  guard.channels = {limits(95, 102), limits(93, 101)};
  return guard;
}

inline ChannelSample reading(std::string label, std::string text) {
  return {.label = {.error = 0, .text = std::move(label)}, .input = {.error = 0, .text = std::move(text)}};
}

inline std::string milli_text(int degrees) {
  return std::to_string(degrees * 1000) + "\n";
}

/// A sample of a card that works, at these temperatures.
inline CardSample sample_at(Instant taken_at, int junction, int memory) {
  CardSample sample;
  sample.taken_at = taken_at;
  sample.present = true;
  sample.driver = "amdgpu";
  sample.unique_id = {.error = 0, .text = "7a3b1c5d9e2f4a60\n"};
  sample.runtime = RuntimeStatus::active;
  sample.channels = {reading("junction\n", milli_text(junction)), reading("mem\n", milli_text(memory))};
  return sample;
}

inline ChannelSample& junction_of(CardSample& sample) {
  return *sample.channels[0];
}
inline ChannelSample& memory_of(CardSample& sample) {
  return *sample.channels[1];
}

/// The judge of gpu1 with its memory; each sample is judged at the moment it was taken.
struct Judge {
  PolicyCard card = gpu1();
  GuardPolicy guard = v620_guard();
  decide::Use use{.held = true, .sheddable = true, .used = true, .working = false};
  Duration deadline = decide::sample_deadline(guard.poll);
  decide::CardMemory memory;

  decide::Judgement operator()(const CardSample& sample) { return (*this)(sample, sample.taken_at); }
  decide::Judgement operator()(const std::optional<CardSample>& sample, Instant now) {
    return decide::judge({.card = card, .guard = guard, .use = use, .deadline = deadline}, memory, sample,
                         now);
  }
};

inline const Verdict& junction_verdict(const decide::Judgement& judgement) {
  return judgement.verdicts[0].value();
}
inline const Verdict& memory_verdict(const decide::Judgement& judgement) {
  return judgement.verdicts[1].value();
}

}  // namespace interlock::test
