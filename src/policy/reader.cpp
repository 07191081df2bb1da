#include "policy/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "policy/quantity.h"

namespace interlock {
namespace {

Spot spot_of(const YAML::Mark& mark, Spot otherwise) {
  return mark.is_null() ? otherwise : Spot{mark.line + 1, mark.column + 1};
}

std::string clipped(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  return printable(text.substr(0, kLongest)) + (text.size() > kLongest ? "..." : "");
}

/// Tags of plain and quoted scalars, and of "!!str".
bool is_text_tag(std::string_view tag) {
  return tag.empty() || tag == "?" || tag == "!" || tag == "tag:yaml.org,2002:str";
}

std::string child_path(const std::string& parent, std::string_view key) {
  return parent.empty() ? std::string(key) : fmt::format("{}.{}", parent, key);
}

}  // namespace

void Errors::add(Spot spot, std::string message) {
  found_.push_back({file_, spot.line, spot.column, std::move(message)});
}

std::vector<PolicyError> Errors::sorted() const {
  const auto order = [](const PolicyError& error) { return Spot{error.line, error.column}; };
  std::vector<PolicyError> errors;
  for (const PolicyError& error : found_) {
    const auto same = [&](const PolicyError& other) {
      return order(other) == order(error) && other.message == error.message;
    };
    if (std::ranges::none_of(errors, same)) errors.push_back(error);
  }
  std::ranges::stable_sort(errors, {}, order);
  return errors;
}

Entry::Entry(YAML::Node node, Spot spot, std::string path, Errors& errors)
    : node_(std::move(node)), spot_(spot), path_(std::move(path)), errors_(&errors) {}

void Entry::reject_at(Spot spot, std::string_view message) const {
  errors_->add(spot, fmt::format("{}: {}", where(), message));
}

void Entry::reject_choice(std::string_view given, const std::vector<std::string>& words) const {
  reject(fmt::format("'{}' is not known here; write {}", clipped(given), joined(words, " or ")));
}

std::string Entry::shown() const {
  if (node_.IsMap()) return "a map";
  if (node_.IsSequence()) return "a list";
  if (node_.IsNull()) return "nothing";
  return fmt::format("'{}'", clipped(node_.Scalar()));
}

std::optional<std::string> Entry::text() const {
  if (!node_.IsScalar()) {
    reject(fmt::format("a text is wanted here, not {}", shown()));
  } else if (!is_text_tag(node_.Tag())) {
    reject(fmt::format("the tag {} means nothing here; take it away", clipped(node_.Tag())));
  } else if (node_.Scalar().empty()) {
    reject("the text is empty");
  } else if (node_.Scalar().find('\0') != std::string::npos) {
    reject("the text contains a NUL byte");
  } else {
    return node_.Scalar();
  }
  return std::nullopt;
}

std::optional<std::int64_t> Entry::number(std::int64_t low, std::int64_t high) const {
  const auto value = is_plain() ? parse_number<std::int64_t>(node_.Scalar()) : std::nullopt;
  const bool octal = value && std::to_string(*value) != node_.Scalar();
  if (!value || octal) {
    const bool quoted = node_.IsScalar() && !is_plain();
    reject(fmt::format("a whole number is wanted here, not {}{}", shown(), quoted ? " in quotes" : ""));
    return std::nullopt;
  }
  if (*value < low || *value > high) {
    reject(fmt::format("{} is out of range; from {} to {} can be", *value, low, high));
    return std::nullopt;
  }
  return value;
}

std::optional<bool> Entry::boolean() const {
  if (is_plain() && node_.Scalar() == "true") return true;
  if (is_plain() && node_.Scalar() == "false") return false;
  reject(fmt::format("write true or false, not {}", shown()));
  return std::nullopt;
}

std::optional<Duration> Entry::duration(Duration low, Duration high) const {
  const auto value = node_.IsScalar() ? parse_duration(node_.Scalar()) : std::nullopt;
  if (!value) {
    reject(fmt::format(
        "a duration is wanted here, not {}; write a whole number and its unit: 500ms, 2s, 20m, 1h", shown()));
    return std::nullopt;
  }
  if (*value < low || *value > high) {
    reject(fmt::format("{} is out of range; from {} to {} can be", duration_text(*value), duration_text(low),
                       duration_text(high)));
    return std::nullopt;
  }
  return value;
}

std::optional<Bytes> Entry::size(Bytes high) const {
  const auto value = node_.IsScalar() ? parse_size(node_.Scalar()) : std::nullopt;
  if (!value) {
    reject(fmt::format(
        "a size is wanted here, not {}; write a whole number and its unit: 512KiB, 64MiB, 2GiB", shown()));
  } else if (*value > high) {
    reject(fmt::format("{} is out of range; at most {} can be", bytes_text(*value), bytes_text(high)));
  } else {
    return value;
  }
  return std::nullopt;
}

std::optional<std::vector<Entry>> Entry::items() const {
  if (!node_.IsSequence()) {
    reject(fmt::format("a list is wanted here, not {}", shown()));
    return std::nullopt;
  }
  std::vector<Entry> entries;
  for (const auto& item : node_) {
    entries.emplace_back(item, spot_of(item.Mark(), spot_), fmt::format("{}[{}]", path_, entries.size() + 1),
                         *errors_);
  }
  return entries;
}

std::optional<std::vector<Member>> Entry::members() const {
  if (!node_.IsMap()) {
    reject(fmt::format("a map of keys is wanted here, not {}", shown()));
    return std::nullopt;
  }
  std::vector<Member> members;
  std::map<std::string, Spot> seen;
  for (const auto& pair : node_) {
    const Spot key_spot = spot_of(pair.first.Mark(), spot_);
    if (!pair.first.IsScalar()) {
      errors_->add(key_spot, fmt::format("a key in {} is no text", where()));
      continue;
    }
    const std::string key = pair.first.Scalar();
    const auto [first, is_new] = seen.emplace(key, key_spot);
    if (!is_new) {
      errors_->add(key_spot,
                   fmt::format("'{}' is given twice; the first is at line {}, column {}",
                               clipped(child_path(path_, key)), first->second.line, first->second.column));
      continue;
    }
    // yaml-cpp puts an empty value where the next token stands: its key is the place that a person looks for.
    const Spot spot = pair.second.IsNull() ? key_spot : spot_of(pair.second.Mark(), key_spot);
    members.push_back({key, key_spot, Entry(pair.second, spot, child_path(path_, printable(key)), *errors_)});
  }
  return members;
}

std::optional<Fields> Entry::fields(std::initializer_list<std::string_view> known) const {
  auto all = members();
  if (!all) return std::nullopt;
  std::vector<Member> taken;
  for (Member& member : *all) {
    if (std::ranges::find(known, member.key) != known.end()) {
      taken.push_back(std::move(member));
      continue;
    }
    const std::vector<std::string> words(known.begin(), known.end());
    errors_->add(member.key_spot, fmt::format("unknown key '{}' in {}; known: {}", clipped(member.key),
                                              where(), joined(words, ", ")));
  }
  return Fields(*this, std::move(taken));
}

const Entry* Fields::find(std::string_view key) const {
  const auto found = std::ranges::find(members_, key, &Member::key);
  return found == members_.end() ? nullptr : &found->value;
}

const Entry* Fields::need(std::string_view key) const {
  const Entry* entry = find(key);
  if (entry == nullptr) map_.reject(fmt::format("{} is missing", key));
  return entry;
}

}  // namespace interlock
