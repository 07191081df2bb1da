// A card whose true temperatures are known, and a reader that tells of them truly or not. For the property
// test.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "decide/use.h"
#include "guard_samples.h"

namespace interlock::test {

/// Random choices that replay from a seed on every standard library.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::int64_t between(std::int64_t low, std::int64_t high);  // both included
  Duration between(Duration low, Duration high);              // in whole milliseconds
  bool chance(int percent) { return between(1, 100) <= percent; }
  template <class T>
  T pick(std::initializer_list<T> choices) {
    return choices.begin()[between(0, static_cast<std::int64_t>(choices.size()) - 1)];
  }

 private:
  std::mt19937_64 engine_;
};

/// A temperature with inertia: it moves towards its target no faster than its rate.
class TrueTemperature {
 public:
  TrueTemperature(double start, Celsius trip) : value_(start), target_(start), trip_(trip.degrees()) {}
  double at(Instant now) const;
  void head_for(double target, double degrees_per_second, Instant now);
  /// Since when it has been at or above the trip without a break; nothing: it is not.
  std::optional<Instant> hot_since(Instant now);

 private:
  void advance(Instant now);
  double value_;
  double target_;
  double rate_ = 0;
  double trip_;
  Instant since_{};
  std::optional<Instant> hot_since_;
};

/// What is wrong with the answers of the reader.
enum class Fault {
  none,
  late,  // no answer in time
  errno_of_one,
  errno_of_all,
  empty,
  cut,
  padded,
  garbage,
  known_lie,
  out_of_range,
  label,
  other_card,
  off_the_bus,
  gone,
  other_driver,
  says_suspended,
  plausible,  // any believable number, the same for all channels
  frozen,     // the values and the energy count of the moment when it began
};
/// A fault that no judge may ever take for a temperature; of errno_of_one that is said of that one.
bool is_loud(Fault fault);

/// Who has the card open, and what it really does.
struct World {
  decide::Use use;
  bool suspended = false;
};

class CardSimulator {
 public:
  CardSimulator(Dice& dice, const GuardPolicy& guard, double start);

  TrueTemperature& truth(Channel channel) { return truth_[static_cast<std::size_t>(channel)]; }
  /// The same fault at two questions in a row is one fault that lasts.
  void set_fault(Fault fault, Instant now);
  Fault fault() const { return fault_; }
  Instant fault_since() const { return fault_since_; }
  /// What the reader answers now; nothing: it does not. `lied(channel)` tells of the last answer.
  std::optional<CardSample> answer(const World& world, Instant now);
  /// Of the last answer: this channel gave a number that sensors give, true or not.
  bool gave_number(Channel channel) const { return gave_number_[static_cast<std::size_t>(channel)]; }
  /// Of the last answer: the number was the true one.
  bool was_true(Channel channel) const { return was_true_[static_cast<std::size_t>(channel)]; }

 private:
  CardSample honest(const World& world, Instant now);
  void spoil(CardSample& sample);
  std::string spoiled_text();

  Dice& dice_;
  std::array<TrueTemperature, 2> truth_;
  Fault fault_ = Fault::none;
  Instant fault_since_{};
  std::optional<CardSample> frozen_;
  std::uint64_t energy_ = 1000;
  std::array<bool, 2> gave_number_{};
  std::array<bool, 2> was_true_{};
};

}  // namespace interlock::test
