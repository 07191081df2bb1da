#include "daemon/metrics.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace interlock::daemon {
namespace {

constexpr std::array kStates = {GuardState::guarding, GuardState::warning, GuardState::tripped,
                                GuardState::latched,  GuardState::blind,   GuardState::absent,
                                GuardState::lent};
constexpr std::array kVerdicts = {VerdictKind::measured, VerdictKind::parked, VerdictKind::stale,
                                  VerdictKind::implausible, VerdictKind::unreadable};

double seconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

/// Names that the policy gives are made of letters, digits, '-', '_' and '.': none needs an escape.
class Text {
 public:
  void family(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    add("# HELP gpu_interlock_{} {}\n# TYPE gpu_interlock_{} {}\n", name, help, name, type);
  }
  template <class Value>
  void value(const CardMetrics& card, Value value, const std::string& labels = {}) {
    add("gpu_interlock_{}{{card=\"{}\",pci=\"{}\"{}}} {}\n", name_, card.id.text(), card.pci.text(), labels,
        value);
  }
  template <class Value>
  void value(Value value) {
    add("gpu_interlock_{} {}\n", name_, value);
  }
  std::string take() { return std::move(text_); }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  std::string_view name_;
  std::string text_;
};

std::string channel_label(Channel channel) {
  return fmt::format(",channel=\"{}\"", to_string(channel));
}

template <class Each>
void for_each_verdict(const CardMetrics& card, Each each) {
  for (const Channel channel : kChannels) {
    const auto& verdict = card.verdicts[static_cast<std::size_t>(channel)];
    if (verdict) each(channel, *verdict);
  }
}

void temperatures(Text& text, const GuardMetrics& metrics) {
  text.family("temperature_celsius", "gauge", "Temperature as believed; absent where it is not.");
  for (const CardMetrics& card : metrics.cards) {
    for_each_verdict(card, [&](Channel channel, const Verdict& verdict) {
      if (verdict.celsius) text.value(card, verdict.celsius->degrees(), channel_label(channel));
    });
  }
  text.family("verdict", "gauge", "What is believed of each channel: 1 for the verdict that holds.");
  for (const CardMetrics& card : metrics.cards) {
    for_each_verdict(card, [&](Channel channel, const Verdict& verdict) {
      for (const VerdictKind kind : kVerdicts) {
        text.value(card, verdict.kind == kind ? 1 : 0,
                   channel_label(channel) + fmt::format(",verdict=\"{}\"", to_string(kind)));
      }
    });
  }
}

}  // namespace

std::string metrics_text(const GuardMetrics& metrics) {
  Text text;
  temperatures(text, metrics);
  text.family("state", "gauge", "State of each card: 1 for the one that holds.");
  for (const CardMetrics& card : metrics.cards) {
    for (const GuardState state : kStates) {
      text.value(card, card.state == state ? 1 : 0, fmt::format(",state=\"{}\"", to_string(state)));
    }
  }
  text.family("sample_age_seconds", "gauge", "Age of the last sample; absent before the first.");
  for (const CardMetrics& card : metrics.cards) {
    if (card.sample_age) text.value(card, seconds(*card.sample_age));
  }
  text.family("trips_total", "counter", "Trips since the guard started.");
  for (const CardMetrics& card : metrics.cards) text.value(card, card.trips);
  text.family("sheds_total", "counter", "Times that a card's load was taken off since the guard started.");
  for (const CardMetrics& card : metrics.cards) text.value(card, card.sheds);
  text.family("readers_replaced_total", "counter", "Sensor readers replaced because they were late.");
  for (const CardMetrics& card : metrics.cards) text.value(card, card.readers_replaced);
  text.family("readers_hung", "gauge", "Sensor readers that hang in the kernel and cannot be ended.");
  for (const CardMetrics& card : metrics.cards) text.value(card, card.readers_hung);
  text.family("loop_lateness_seconds", "gauge", "How late the latest judgement came, in the last seconds.");
  text.value(seconds(metrics.lateness));
  text.family("helpers_left_behind", "gauge", "Helper processes that could not be ended.");
  text.value(metrics.left_behind);
  text.family("holder_looks_late_total", "counter", "Looks for holders that did not answer in time.");
  text.value(metrics.holder_looks_late);
  return text.take();
}

}  // namespace interlock::daemon
