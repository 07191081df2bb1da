#include "policy/sketch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string_view>

#include "base/text.h"
#include "policy/quantity.h"

namespace interlock {
namespace {

constexpr std::size_t kWidth = 118;
constexpr std::string_view kSchema = "/usr/share/gpu-interlock/gpu-interlock.schema.json";

class Text {
 public:
  /// A comment, wrapped; a word that is too long has a line of its own.
  void comment(std::size_t indent, std::string_view sentence) {
    const std::string start = std::string(indent, ' ') + "#";
    std::string line = start;
    const std::string shown = printable(sentence);
    for (const std::string_view word : words(shown)) {
      if (line.size() > start.size() && line.size() + 1 + word.size() > kWidth) {
        add(line);
        line = start;
      }
      line += " ";
      line += word;
    }
    if (line.size() > start.size()) add(line);
  }
  void comments(std::size_t indent, const std::vector<std::string>& sentences) {
    for (const std::string& sentence : sentences) comment(indent, sentence);
  }
  void line(std::size_t indent, std::string_view text) { add(std::string(indent, ' ') + std::string(text)); }
  void blank() { text_ += '\n'; }
  const std::string& text() const { return text_; }

 private:
  void add(std::string_view line) {
    text_ += line;
    text_ += '\n';
  }
  std::string text_;
};

/// Plain where YAML takes it for what it is.
std::string scalar(const std::string& text) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("._-@").contains(static_cast<char>(c));
  };
  const bool word = !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0;
  if (word && std::ranges::all_of(text, plain)) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string limits_text(const Limits& limits) {
  const auto degrees = [](Celsius celsius) { return celsius.milli() / 1000; };
  return fmt::format("{{ warn: {}, trip: {}, resume: {} }}", degrees(limits.warn), degrees(limits.trip),
                     degrees(limits.resume));
}

void write_cards(const Sketch& sketch, Text& text) {
  text.comment(
      0,
      "The cards, each at its PCI address. Their names are ours: change them as you like, here and below.");
  text.line(0, "cards:");
  for (const auto& [card, note] : sketch.cards) {
    text.comment(2, note);
    text.line(2, fmt::format("{}:", scalar(card.id.text())));
    text.line(4, fmt::format("pci: \"{}\"", card.pci.text()));
    if (card.unique_id)
      text.line(4,
                fmt::format("unique_id: \"{}\"   # another card in this slot is an error", *card.unique_id));
  }
  text.comments(2, sketch.cards_left_out);
}

void write_guard(const Sketch& sketch, Text& text) {
  const GuardPolicy ours;
  text.comment(0,
               "When a card is too hot, and what is done then. What is not here has its default: "
               "gpu-interlock.yaml(5).");
  text.line(0, "guard:");
  text.comment(2, sketch.poll.note);
  text.line(
      2, fmt::format("poll: {}   # how often a cool card is looked at,", duration_text(sketch.poll.value)));
  text.comment(2, sketch.poll_warm.note);
  text.line(2, fmt::format("poll_warm: {}   # and one that has reached `warn`",
                           duration_text(sketch.poll_warm.value)));
  text.line(2, "channels:");
  for (const Channel channel : kChannels) {
    const auto& limits = sketch.channels[static_cast<std::size_t>(channel)];
    if (!limits) continue;
    text.comment(4, limits->note);
    text.line(4, fmt::format("{}: {}", to_string(channel), limits_text(limits->value)));
  }
  text.line(2,
            fmt::format("confirm: {}   # ours: so many samples in a row at or above `trip`", ours.confirm));
  text.line(
      2, fmt::format(
             "blind_grace: {}   # ours: so long may a card in use go without a reading that can be believed",
             duration_text(ours.blind_grace)));
  text.line(2, fmt::format("slew: {}   # ours: C/s, the fastest that these cards heat up", ours.slew));
  text.comment(2, sketch.latch.note);
  text.line(2, fmt::format("latch: {}",
                           sketch.latch.value == LatchMode::until_cool ? "until-cool" : "until-reset"));
  text.comment(2, sketch.last_resort.note);
  text.line(2, fmt::format("last_resort: {}",
                           sketch.last_resort.value == LastResort::poweroff ? "poweroff" : "none"));
}

void write_container(const SketchContainer& container, Text& text) {
  text.comments(2, container.notes);
  text.line(2, fmt::format("{}:", container.vmid.text()));
  if (container.units.empty()) {
    text.line(4, "units: []");
  } else {
    text.line(4, "units:");
    for (const auto& [unit, note] : container.units) {
      text.comment(6, note);
      text.line(6, fmt::format("- {}", scalar(unit.text())));
    }
  }
  text.comments(6, container.left_out);
  text.comment(4, container.bind.note);
  text.line(4, fmt::format("bind: {}", to_string(container.bind.value)));
}

void write_containers(const Sketch& sketch, Text& text) {
  text.comment(0,
               "The containers that use cards, and the units in them that do: at most one unit of a "
               "container at a time. A "
               "container that is not named here is never touched.");
  if (sketch.containers.empty()) {
    text.comment(0, "containers:");
  } else {
    text.line(0, "containers:");
    for (const SketchContainer& container : sketch.containers) write_container(container, text);
  }
  text.comments(2, sketch.containers_left_out);
}

/// How the host is now, as a cutover that somebody may want to have.
void write_example(const Sketch& sketch, Text& text) {
  const auto runs = [](const SketchContainer& container) {
    return container.running && !container.cards.empty();
  };
  if (std::ranges::none_of(sketch.containers, runs)) return;
  text.blank();
  text.comment(0,
               "A cutover says how things should be after it, and is a command of its own: gpu-interlock "
               "as-now. This one "
               "is how the host is now; without the '#' it is yours.");
  text.line(0, "# cutovers:");
  text.line(0, "#   as-now:");
  for (const SketchContainer& container : sketch.containers) {
    if (!runs(container)) continue;
    std::vector<std::string> cards;
    for (const CardId& card : container.cards) cards.push_back(scalar(card.text()));
    const std::string serve = container.serving ? ", serve: " + scalar(container.serving->text()) : "";
    text.line(0, fmt::format("#     {}: {{ state: running, cards: [{}]{} }}", container.vmid.text(),
                             joined(cards, ", "), serve));
  }
}

}  // namespace

std::string policy_text(const Sketch& sketch) {
  Text text;
  text.line(0, fmt::format("# yaml-language-server: $schema={}", kSchema));
  for (std::size_t at = 0; at < sketch.heading.size(); ++at) {
    text.line(0, "#");
    text.comment(0, sketch.heading[at]);
  }
  text.line(0, "version: 1");
  text.blank();
  write_cards(sketch, text);
  text.blank();
  write_guard(sketch, text);
  text.blank();
  write_containers(sketch, text);
  write_example(sketch, text);
  return text.text();
}

Sketch bare_sketch(const std::vector<PolicyCard>& cards) {
  Sketch sketch;
  for (const PolicyCard& card : cards) sketch.cards.push_back({card});
  sketch.channels[static_cast<std::size_t>(Channel::junction)] =
      Noted<Limits>{{.warn = Celsius::from_degrees(2),
                     .trip = Celsius::from_degrees(3),
                     .resume = Celsius::from_degrees(1)}};
  return sketch;
}

CardId card_name_at(std::size_t index) {
  const auto id = CardId::parse(fmt::format("gpu{}", index + 1));
  if (!id) throw std::logic_error("gpuN is the name of a card");
  return *id;
}

bool is_unique_id(const std::string& text) {
  constexpr std::size_t kDigits = 16;
  return text.size() == kDigits &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

}  // namespace interlock
