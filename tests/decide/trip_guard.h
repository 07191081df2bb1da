// A judge and a trip machine, driven by samples as the daemon does.
#pragma once

#include "decide/trip.h"
#include "guard_samples.h"

namespace interlock::test {

using namespace std::chrono_literals;
using decide::Judgement;
using decide::TripMemory;
using decide::TripOutput;
using decide::Use;

inline constexpr Use kHeld{.held = true, .sheddable = true, .used = true, .working = false};
inline constexpr Use kNobody{};

struct Guard {
  Judge judge;
  TripMemory trip;

  explicit Guard(Use use = kHeld) { judge.use = use; }

  TripOutput step(const Judgement& judgement, Instant now) {
    return decide::step(judge.guard, trip, {.judgement = judgement, .use = judge.use}, now);
  }
  TripOutput sample(const CardSample& sample) { return step(judge(sample), sample.taken_at); }
  TripOutput temperatures(Duration when, int junction, int memory = 60) {
    return sample(sample_at(at(when), junction, memory));
  }
  TripOutput broken(Duration when, int code = EIO) {
    CardSample sample = sample_at(at(when), 60, 60);
    junction_of(sample).input = {.error = code, .text = {}};
    return this->sample(sample);
  }
  TripOutput gone(Duration when) {
    CardSample sample;
    sample.taken_at = at(when);
    return this->sample(sample);
  }
  TripOutput lent(Duration when) {
    CardSample sample = sample_at(at(when), 60, 60);
    sample.driver = "vfio-pci";
    sample.channels = {};
    return this->sample(sample);
  }
  TripOutput asleep(Duration when) {
    CardSample sample = sample_at(at(when), 60, 60);
    sample.runtime = RuntimeStatus::suspended;
    sample.channels = {};
    return this->sample(sample);
  }
  TripOutput nothing(Duration when) { return step(judge(std::nullopt, at(when)), at(when)); }
  TripOutput use_is(Duration when, Use use) {
    judge.use = use;
    return nothing(when);
  }
};

}  // namespace interlock::test
