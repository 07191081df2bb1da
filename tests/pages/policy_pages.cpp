// The policy's keys for people, from the schema that editors use.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "pages.h"
#include "roff.h"

namespace interlock::pages {
namespace {

using Json = nlohmann::ordered_json;  // in the schema's own order

Json resolved(const Json& part, const Json& schema) {
  Json whole = part;
  for (const Json& other : part.value("allOf", Json::array())) {
    const auto base = schema.at(Json::json_pointer(other.at("$ref").get<std::string>().substr(1)));
    for (const auto& [key, value] : base.items()) {
      if (!whole.contains(key)) whole[key] = value;
    }
  }
  return whole;
}

std::string shown(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string facts(const Json& part, bool required) {
  std::vector<std::string> facts;
  if (required) facts.emplace_back("required");
  if (part.contains("const")) facts.push_back("always " + part.at("const").dump());
  if (part.contains("enum")) {
    std::vector<std::string> words;
    for (const Json& word : part.at("enum")) words.push_back(shown(word));
    facts.push_back(joined(words, " or "));
  }
  if (part.value("type", "") == "boolean") facts.emplace_back("true or false");
  if (part.contains("minimum"))
    facts.push_back(fmt::format("from {} to {}", part.at("minimum").dump(), part.at("maximum").dump()));
  if (part.contains("default")) facts.push_back("default " + shown(part.at("default")));
  if (part.contains("examples")) facts.push_back("as in " + shown(part.at("examples").front()));
  return joined(facts, "; ");
}

/// What the reader's own names are called in a path.
std::string chosen_name(const std::string& above) {
  if (above == "containers") return "VMID";
  if (above == "cards") return "CARD";
  return above == "cutovers" ? "NAME" : "VMID";
}

void add_keys(const Json& raw, const Json& schema, const std::string& path, std::vector<Key>& keys);

void add_below(const Json& part, const Json& schema, const std::string& path, std::vector<Key>& keys) {
  const Json needed = part.value("required", Json::array());
  const Json properties = part.value("properties", Json::object());
  for (const auto& [name, raw] : properties.items()) {
    const std::string here = path.empty() ? name : path + "." + name;
    const Json one = resolved(raw, schema);
    const bool required = std::ranges::find(needed, Json(name)) != needed.end();
    const Json items = one.value("items", Json::object());
    const bool section =
        one.contains("properties") || items.contains("properties") ||
        (one.contains("additionalProperties") && one.at("additionalProperties").contains("properties")) ||
        name == "cutovers";
    keys.push_back({here, one.at("description"), facts(one, required), section});
    add_keys(one, schema, here, keys);
  }
}

void add_keys(const Json& part, const Json& schema, const std::string& path, std::vector<Key>& keys) {
  add_below(part, schema, path, keys);
  const auto more = part.find("additionalProperties");
  if (more != part.end() && more->is_object() && !more->contains("allOf") && !more->contains("$ref"))
    add_keys(*more, schema, path + "." + chosen_name(path), keys);
  const auto items = part.find("items");
  if (items != part.end() && items->contains("properties")) add_below(*items, schema, path + "[]", keys);
}

}  // namespace

std::vector<Key> policy_keys() {
  const Json schema = Json::parse(project_file("policies/gpu-interlock.schema.json"));
  std::vector<Key> keys;
  add_keys(schema, schema, "", keys);
  return keys;
}

std::string keys_section(const std::vector<Key>& keys) {
  std::string text;
  for (const Key& key : keys) {
    const bool top = key.path.find('.') == std::string::npos;
    if (top)
      text += ".SS \"" + key.path + "\"\n";
    else
      text += ".TP\n" + roff::bold(key.path) + "\n";
    text += roff::prose(key.about);
    if (!key.facts.empty()) text += roff::prose("(" + key.facts + ")");
  }
  return text;
}

std::string policy_document(const std::vector<Key>& keys) {
  std::string text =
      "# The policy, key by key\n\n"
      "Written from [the schema](../policies/gpu-interlock.schema.json) by `WRITE_PAGES=1 "
      "build/tests/test_pages`. "
      "`/etc/gpu-interlock/policy.yaml` is the policy; `gpu-interlock policy init` draws up a first one, "
      "`gpu-interlock policy check` says what is wrong in it and where. `NAME`, `CARD` and `VMID` stand for "
      "names of "
      "your own, `[]` for each entry of a list. Durations are whole numbers with `ms`, `s`, `m` or `h`, "
      "sizes with "
      "`KiB`, `MiB` or `GiB`, temperatures degrees Celsius.\n";
  for (const Key& key : keys) {
    const bool top = key.path.find('.') == std::string::npos;
    text += fmt::format("\n{} `{}`\n\n{}\n", top ? "##" : "###", key.path, key.about);
    if (!key.facts.empty()) text += fmt::format("\n*{}*\n", key.facts);
  }
  return text;
}

}  // namespace interlock::pages
