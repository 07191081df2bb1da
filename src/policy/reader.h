// Typed access to a YAML document in which every complaint has a place. Knows nothing of what a policy says.
//
// Each accessor gives the value, or nothing after it has told `Errors` why. Thus a caller reads on, and one
// pass finds every mistake.
#pragma once

#include <yaml-cpp/yaml.h>

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "base/units.h"
#include "policy/load.h"

namespace interlock {

/// A place in the file, from 1.
struct Spot {
  int line = 0;
  int column = 0;
  auto operator<=>(const Spot&) const = default;
};

class Errors {
 public:
  explicit Errors(std::string file) : file_(std::move(file)) {}
  void add(Spot spot, std::string message);
  std::size_t count() const { return found_.size(); }
  /// In the file's order, each once: an alias brings us to the same place twice.
  std::vector<PolicyError> sorted() const;

 private:
  std::string file_;
  std::vector<PolicyError> found_;
};

class Fields;
struct Member;

/// One value of the document, with its place and the path of keys that leads to it
/// ("guard.channels.junction").
class Entry {
 public:
  Entry(YAML::Node node, Spot spot, std::string path, Errors& errors);

  const std::string& path() const { return path_; }
  Spot spot() const { return spot_; }
  /// "<path>: <message>", at this place.
  void reject(std::string_view message) const { reject_at(spot_, message); }
  void reject_at(Spot spot, std::string_view message) const;
  /// Of the whole document so far: who checks values against each other asks whether they were good by
  /// themselves.
  std::size_t complaints() const { return errors_->count(); }

  std::optional<std::string> text() const;
  std::optional<std::int64_t> number(std::int64_t low, std::int64_t high) const;
  std::optional<bool> boolean() const;  // true or false, nothing else
  std::optional<Duration> duration(Duration low, Duration high) const;
  std::optional<Bytes> size(Bytes high) const;
  template <class Enum>
  std::optional<Enum> choice(std::initializer_list<std::pair<std::string_view, Enum>> words) const;

  bool is_list() const { return node_.IsSequence(); }
  bool is_plain() const { return node_.IsScalar() && node_.Tag() == "?"; }  // a scalar without quotes
  std::optional<std::vector<Entry>> items() const;
  /// A map whose keys the file invents. A key that is there twice is an error, and only its first value is
  /// given.
  std::optional<std::vector<Member>> members() const;
  /// A map whose keys are among `known`.
  std::optional<Fields> fields(std::initializer_list<std::string_view> known) const;

 private:
  void reject_choice(std::string_view given, const std::vector<std::string>& words) const;
  std::string shown() const;  // the value, for a message
  std::string where() const { return path_.empty() ? "the policy" : path_; }
  YAML::Node node_;
  Spot spot_;
  std::string path_;
  Errors* errors_;
};

struct Member {
  std::string key;
  Spot key_spot;
  Entry value;
  /// Of the key itself, not of its value.
  void reject_key(std::string_view message) const { value.reject_at(key_spot, message); }
};

/// The keys that a map of known keys has.
class Fields {
 public:
  Fields(Entry map, std::vector<Member> members) : map_(std::move(map)), members_(std::move(members)) {}
  const Entry* find(std::string_view key) const;
  /// The same; an error where it is missing.
  const Entry* need(std::string_view key) const;
  /// `into` becomes what `read` makes of the key's value; it stays as it is where the key is missing or
  /// wrong.
  template <class T, class Read>
  void take(std::string_view key, T& into, Read read) const {
    const Entry* entry = find(key);
    if (entry == nullptr) return;
    if (auto value = read(*entry)) into = *std::move(value);
  }

 private:
  Entry map_;
  std::vector<Member> members_;
};

template <class Enum>
std::optional<Enum> Entry::choice(std::initializer_list<std::pair<std::string_view, Enum>> words) const {
  const auto given = text();
  if (!given) return std::nullopt;
  std::vector<std::string> known;
  for (const auto& [word, value] : words) {
    if (*given == word) return value;
    known.emplace_back(word);
  }
  reject_choice(*given, known);
  return std::nullopt;
}

/// The document's root; nothing, and an error, where the text is no YAML document.
std::optional<Entry> parse_yaml(std::string_view text, Errors& errors);

}  // namespace interlock
