#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "policy/sections.h"

namespace interlock {
namespace {

bool has_only_names(std::string_view path) {
  return std::ranges::all_of(split(path, '/'), [](std::string_view name) {
    return !name.empty() && name != "." && name != ".." && name.find('\n') == std::string_view::npos;
  });
}

}  // namespace

const PolicyCard* read_card_name(const Entry& entry, const std::string& name, const Draft& draft) {
  const auto id = CardId::parse(name);
  if (const PolicyCard* card = id ? draft.policy.card(*id) : nullptr) return card;
  if (!draft.card_keys.contains(name)) {
    entry.reject(fmt::format("no card is called '{}'; known: {}", printable(name),
                             joined({draft.card_keys.begin(), draft.card_keys.end()}, ", ")));
  }
  return nullptr;
}

std::optional<Argv> read_command(const Entry& entry, bool on_host) {
  const auto items = entry.is_list() ? entry.items() : std::nullopt;
  if (!items) {
    entry.reject("a command is a list of words: [/usr/bin/curl, -fsS, ...]; no shell takes it apart");
    return std::nullopt;
  }
  Argv argv;
  bool good = true;
  for (const Entry& item : *items) {
    const auto word = item.text();
    good = good && word;
    if (word) argv.push_back(*word);
  }
  if (!good) return std::nullopt;
  if (argv.empty()) {
    entry.reject("the command is empty");
  } else if (on_host && !argv.front().starts_with('/')) {
    entry.reject(
        fmt::format("a command of the host begins with an absolute path, not '{}'", printable(argv.front())));
  } else if (argv.front().starts_with('-')) {
    entry.reject(fmt::format("'{}' is an option, not a program", printable(argv.front())));
  } else {
    return argv;
  }
  return std::nullopt;
}

std::optional<std::vector<Argv>> read_commands(const Entry& entry) {
  const auto items = entry.items();
  if (!items) return std::nullopt;
  std::vector<Argv> commands;
  const bool single = !items->empty() && std::ranges::none_of(*items, &Entry::is_list);
  if (single) {
    if (auto command = read_command(entry, true)) commands.push_back(*std::move(command));
    return commands;
  }
  for (const Entry& item : *items) {
    if (auto command = read_command(item, true)) commands.push_back(*std::move(command));
  }
  return commands;
}

std::optional<std::string> read_absolute_path(const Entry& entry) {
  const auto path = entry.text();
  if (!path) return std::nullopt;
  if (path->starts_with('/') && has_only_names(std::string_view(*path).substr(1))) return path;
  entry.reject(fmt::format("'{}' is no absolute path of a file", printable(*path)));
  return std::nullopt;
}

std::optional<std::string> read_relative_path(const Entry& entry) {
  const auto path = entry.text();
  if (!path) return std::nullopt;
  if (has_only_names(*path)) return path;
  entry.reject(fmt::format("'{}' is no path below the policy's folder", printable(*path)));
  return std::nullopt;
}

}  // namespace interlock
