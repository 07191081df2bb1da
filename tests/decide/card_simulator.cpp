#include "card_simulator.h"

#include <algorithm>
#include <cmath>

namespace interlock::test {
namespace {

double seconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

/// amdgpu gives whole degrees, cut off.
int shown(double truth) {
  return static_cast<int>(std::floor(truth));
}

constexpr std::size_t index_of(Channel channel) {
  return static_cast<std::size_t>(channel);
}

}  // namespace

std::int64_t Dice::between(std::int64_t low, std::int64_t high) {
  const auto span = static_cast<std::uint64_t>(high - low) + 1;
  return low + static_cast<std::int64_t>(engine_() % span);
}

Duration Dice::between(Duration low, Duration high) {
  using std::chrono::milliseconds;
  return milliseconds(between(low / milliseconds(1), high / milliseconds(1)));
}

double TrueTemperature::at(Instant now) const {
  const double way = rate_ * seconds(now - since_);
  return target_ >= value_ ? std::min(target_, value_ + way) : std::max(target_, value_ - way);
}

void TrueTemperature::head_for(double target, double degrees_per_second, Instant now) {
  advance(now);
  target_ = target;
  rate_ = degrees_per_second;
}

std::optional<Instant> TrueTemperature::hot_since(Instant now) {
  advance(now);
  return hot_since_;
}

void TrueTemperature::advance(Instant now) {
  const double value = at(now);
  if (value < trip_) {
    hot_since_.reset();
  } else if (!hot_since_) {
    const double until_trip = value_ < trip_ ? (trip_ - value_) / rate_ : 0.0;
    hot_since_ = since_ + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(until_trip));
  }
  value_ = value;
  since_ = now;
}

bool is_loud(Fault fault) {
  return fault != Fault::none && fault != Fault::plausible && fault != Fault::frozen;
}

CardSimulator::CardSimulator(Dice& dice, const GuardPolicy& guard, double start)
    : dice_(dice),
      truth_{TrueTemperature(start, guard.limits(Channel::junction)->trip),
             TrueTemperature(start, guard.limits(Channel::memory)->trip)} {}

void CardSimulator::set_fault(Fault fault, Instant now) {
  if (fault == fault_) return;
  fault_ = fault;
  fault_since_ = now;
  frozen_.reset();
}

CardSample CardSimulator::honest(const World& world, Instant now) {
  CardSample sample =
      sample_at(now, shown(truth(Channel::junction).at(now)), shown(truth(Channel::memory).at(now)));
  sample.energy = world.suspended ? energy_ : ++energy_;
  if (world.suspended) {
    sample.runtime = RuntimeStatus::suspended;
    sample.channels = {};
  }
  return sample;
}

std::optional<CardSample> CardSimulator::answer(const World& world, Instant now) {
  if (fault_ == Fault::late) return std::nullopt;
  CardSample sample = honest(world, now);
  const bool asleep = world.suspended;
  gave_number_.fill(!asleep);
  was_true_.fill(!asleep);
  if (fault_ == Fault::none || asleep) return sample;
  if (fault_ == Fault::frozen) {
    if (!frozen_) frozen_ = sample;
    for (const Channel channel : kChannels)
      was_true_[index_of(channel)] = frozen_->channel(channel) == sample.channel(channel);
    frozen_->taken_at = now;
    return frozen_;
  }
  was_true_.fill(false);
  gave_number_.fill(!is_loud(fault_));
  spoil(sample);
  return sample;
}

std::string CardSimulator::spoiled_text() {
  switch (fault_) {
    case Fault::empty:
      return "";
    case Fault::cut:
      return dice_.pick<const char*>({"10", "56000", "4"});
    case Fault::padded:
      return std::string("56000\n\0\0\0", 9);
    case Fault::garbage:
      return dice_.pick<const char*>({"nan\n", "N/A\n", "0x30\n", "+50000\n", "50 000\n"});
    case Fault::known_lie:
      return dice_.pick<const char*>({"0\n", "255000\n", "511000\n", "65535000\n"});
    case Fault::out_of_range:
      return dice_.pick<const char*>({"-40000\n", "151000\n", "2112000\n"});
    default:
      return milli_text(static_cast<int>(dice_.between(1, 150)));
  }
}

void CardSimulator::spoil(CardSample& sample) {
  const auto each = [&](auto change) {
    for (auto& channel : sample.channels) change(*channel);
  };
  const auto fail = [&](ChannelSample& channel, int code) { channel.input = {.error = code, .text = {}}; };
  const int code = dice_.pick({EPERM, EBUSY, EIO, EOPNOTSUPP, EINVAL, EACCES, ENODEV, ENOENT});
  switch (fault_) {
    case Fault::errno_of_one:
      fail(junction_of(sample), code);
      gave_number_[index_of(Channel::memory)] = was_true_[index_of(Channel::memory)] = true;
      return;
    case Fault::errno_of_all:
      each([&](ChannelSample& channel) { fail(channel, code); });
      return;
    case Fault::label:
      each([](ChannelSample& channel) { channel.label.text = "edge\n"; });
      return;
    case Fault::other_card:
      sample.unique_id.text = "0000000000000001\n";
      return;
    case Fault::off_the_bus:
      sample.off_the_bus = true;
      return;
    case Fault::other_driver:
      sample.driver = "vfio-pci";
      return;
    case Fault::gone:
      sample.present = false;
      sample.channels = {};
      return;
    case Fault::says_suspended:
      sample.runtime = RuntimeStatus::suspended;
      sample.channels = {};
      return;
    default: {
      const std::string text = spoiled_text();
      each([&](ChannelSample& channel) { channel.input.text = text; });
    }
  }
}

}  // namespace interlock::test
