// What a cutover wants of one container.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "policy/sections.h"

namespace interlock {
namespace {

using namespace std::chrono_literals;

void read_wanted_cards(const Entry& entry, const Draft& draft, Want& want) {
  const auto items = entry.items();
  if (!items) return;
  want.cards.emplace();
  for (const Entry& item : *items) {
    const auto name = item.text();
    const PolicyCard* card = name ? read_card_name(item, *name, draft) : nullptr;
    if (card != nullptr && !want.cards->insert(card->pci).second) {
      item.reject(fmt::format("{} is in the list already", *name));
    }
  }
}

void read_serve(const Entry& entry, const PolicyContainer& container, Want& want) {
  const auto name = entry.text();
  if (!name) return;
  const auto unit = UnitName::parse(*name);
  if (unit && std::ranges::find(container.units, *unit) != container.units.end()) {
    want.serve = *unit;
    return;
  }
  std::vector<std::string> declared;
  for (const UnitName& known : container.units) declared.push_back(known.text());
  entry.reject(fmt::format("'{}' is not among containers.{}.units; declared: {}", printable(*name),
                           container.vmid.text(), declared.empty() ? "none" : joined(declared, ", ")));
}

/// Limits as Proxmox takes them (pct.conf(5)).
void read_settings(const Fields& fields, Settings& settings) {
  constexpr std::int64_t kMostMemory = 64LL * 1024 * 1024;  // MiB: 64 TiB
  const auto limit = [&](const char* key, std::int64_t low, std::int64_t high) {
    const Entry* entry = fields.find(key);
    const auto value = entry != nullptr ? entry->number(low, high) : std::nullopt;
    if (value) settings[key] = std::to_string(*value);
  };
  limit("cores", 1, 8192);
  limit("memory", 16, kMostMemory);
  limit("swap", 0, kMostMemory);
  const Entry* onboot = fields.find("onboot");
  const auto starts = onboot != nullptr ? onboot->boolean() : std::nullopt;
  if (starts) settings["onboot"] = *starts ? "1" : "0";
}

std::optional<Requirement> read_requirement(const Entry& entry) {
  const auto fields = entry.fields({"file", "command"});
  if (!fields) return std::nullopt;
  Requirement requirement;
  fields->take("file", requirement.file, read_absolute_path);
  fields->take("command", requirement.command,
               [](const Entry& command) { return read_command(command, false); });
  if ((fields->find("file") != nullptr) == (fields->find("command") != nullptr)) {
    entry.reject("write either file or command");
    return std::nullopt;
  }
  return requirement;
}

std::optional<HealthCheck> read_health_check(const Entry& entry, Duration within) {
  const auto fields = entry.fields({"command", "within"});
  if (!fields) return std::nullopt;
  HealthCheck check{.command = {}, .within = within};
  const Entry* command = fields->need("command");
  if (command != nullptr) {
    if (auto argv = read_command(*command, false)) check.command = *std::move(argv);
  }
  fields->take("within", check.within, [](const Entry& time) { return time.duration(1s, 24h); });
  return check;
}

/// "0644": what chmod takes, without set-user-ID and its like.
std::optional<std::string> read_mode(const Entry& entry) {
  const auto text = entry.text();
  if (!text) return std::nullopt;
  if (text->size() == 4 && text->front() == '0' && parse_number<unsigned>(*text, 8)) return text;
  entry.reject(fmt::format("'{}' is no file mode; one looks like \"0644\"", printable(*text)));
  return std::nullopt;
}

std::optional<std::string> read_owner(const Entry& entry) {
  const auto text = entry.text();
  if (!text) return std::nullopt;
  const auto good = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("-_.").contains(c);
  };
  const auto names = split(*text, ':');
  const auto is_name = [&](std::string_view name) {
    return !name.empty() && name.front() != '-' && std::ranges::all_of(name, good);
  };
  if (names.size() == 2 && std::ranges::all_of(names, is_name)) return text;
  entry.reject(fmt::format("'{}' is no owner; one looks like root:root", printable(*text)));
  return std::nullopt;
}

std::optional<PlacedFile> read_placed_file(const Entry& entry) {
  const auto fields = entry.fields({"path", "source", "content", "owner", "mode"});
  if (!fields) return std::nullopt;
  PlacedFile file{.path = {}, .source = {}, .content = std::nullopt, .owner = "root:root", .mode = "0644"};
  if (fields->need("path") != nullptr) fields->take("path", file.path, read_absolute_path);
  fields->take("source", file.source, read_relative_path);
  fields->take("content", file.content, [](const Entry& content) { return content.text(); });
  fields->take("owner", file.owner, read_owner);
  fields->take("mode", file.mode, read_mode);
  if ((fields->find("source") != nullptr) == (fields->find("content") != nullptr)) {
    entry.reject("write either source or content");
    return std::nullopt;
  }
  return file;
}

template <class T, class Read>
void read_list(const Fields& fields, std::string_view key, std::vector<T>& into, Read read) {
  const Entry* entry = fields.find(key);
  const auto items = entry != nullptr ? entry->items() : std::nullopt;
  if (!items) return;
  for (const Entry& item : *items) {
    if (auto value = read(item)) into.push_back(*std::move(value));
  }
}

/// What makes no sense together. `release` is only how a stopped container gives its cards away, and a
/// container that stays stopped runs nothing that could be asked.
void check_together(const Entry& entry, const Fields& fields, const Want& want) {
  const bool stopped = want.state == RunState::stopped;
  if (stopped) {
    for (const std::string_view key : {"serve", "requires", "healthy", "files"}) {
      if (const Entry* extra = fields.find(key)) extra->reject("makes no sense with state: stopped");
    }
    if (want.settings.contains("onboot") && want.settings.at("onboot") == "1") {
      fields.find("onboot")->reject("true makes no sense with state: stopped; the next boot would start it");
    }
    if (want.cards && !want.cards->empty() && !want.keep_binding) {
      fields.find("cards")->reject(
          "a stopped container has no card; with release: keep-binding it may stay bound");
    }
  } else if (const Entry* release = fields.find("release")) {
    release->reject("makes sense only with state: stopped");
  }
  if (want.serve && want.cards && want.cards->empty())
    fields.find("serve")->reject("cannot serve without a card");
  if (fields.find("healthy") != nullptr && fields.find("serve") == nullptr) {
    fields.find("healthy")->reject("is asked of the unit that serves; serve is missing");
  }
  if (want == Want{} && fields.find("requires") == nullptr && fields.find("files") == nullptr) {
    entry.reject("it wants nothing of this container");
  }
}

}  // namespace

void read_want(const Member& member, Draft& draft, Cutover& cutover) {
  const Entry& entry = member.value;
  const auto before = entry.complaints();
  const auto fields = entry.fields({"state", "cards", "serve", "cores", "memory", "swap", "onboot",
                                    "requires", "healthy", "files", "release"});
  const auto vmid = Vmid::parse(member.key);
  const auto declared = vmid ? draft.policy.containers.find(*vmid) : draft.policy.containers.end();
  if (declared == draft.policy.containers.end()) {
    if (!draft.container_keys.contains(member.key)) {
      member.reject_key(
          fmt::format("container '{}' is not among containers; declared: {}", printable(member.key),
                      joined({draft.container_keys.begin(), draft.container_keys.end()}, ", ")));
    }
    return;
  }
  if (!fields) return;

  CutoverContainer container;
  Want& want = container.want;
  fields->take("state", want.state, [](const Entry& state) {
    return state.choice<RunState>({{"running", RunState::running}, {"stopped", RunState::stopped}});
  });
  fields->take("release", want.keep_binding, [](const Entry& release) {
    return release.choice<bool>({{"keep-binding", true}, {"detach", false}});
  });
  if (const Entry* cards = fields->find("cards")) read_wanted_cards(*cards, draft, want);
  if (const Entry* serve = fields->find("serve")) read_serve(*serve, declared->second, want);
  read_settings(*fields, want.settings);
  read_list(*fields, "requires", container.requires_, read_requirement);
  read_list(*fields, "healthy", container.healthy,
            [&](const Entry& item) { return read_health_check(item, draft.policy.timing.serve); });
  read_list(*fields, "files", container.files, read_placed_file);
  if (entry.complaints() == before) check_together(entry, *fields, want);
  if (want.state == RunState::stopped && !want.cards && !want.keep_binding) want.cards.emplace();  // detach
  cutover.containers.emplace(*vmid, std::move(container));
}

}  // namespace interlock
