#include "model/state_text.h"

#include "model/json_bytes.h"
#include "model/sealed_text.h"

namespace interlock {
namespace {

using nlohmann::json;

Latch damaged_latch(std::string_view why) {
  return {TripReason::blind, fmt::format("the latch file could not be understood: {}", why), {}, true};
}

Result<Latch> latch_of(std::string_view text) {
  const std::string content = TRY(unsealed("latch", text));
  const json body = TRY(parse_json(content));
  const auto word = [&](const char* key) -> Result<std::string> {
    if (!body.is_object() || !body.contains(key) || !body[key].is_string())
      return fail("it has no \"{}\"", key);
    return body[key].get<std::string>();
  };
  const std::string reason = TRY(word("reason"));
  Latch latch;
  if (reason == to_string(TripReason::over_temperature)) {
    latch.reason = TripReason::over_temperature;
  } else if (reason == to_string(TripReason::blind)) {
    latch.reason = TripReason::blind;
  } else {
    return fail("its reason is none that is known");
  }
  latch.why = TRY(word("why"));
  latch.tripped = TRY(word("tripped"));
  return latch;
}

Result<std::vector<std::string>> lines_from(const json& value) {
  if (!value.is_array()) return fail("lines that are no list");
  std::vector<std::string> lines;
  for (const json& line : value) lines.push_back(TRY(bytes_from_json(line)));
  return lines;
}

}  // namespace

std::string latch_text(const Latch& latch) {
  const json body{{"reason", to_string(latch.reason)}, {"why", latch.why}, {"tripped", latch.tripped}};
  return sealed("latch", compact(body) + "\n");
}

Latch parse_latch(std::string_view text) {
  auto latch = latch_of(text);
  return latch ? *std::move(latch) : damaged_latch(latch.error().message);
}

std::string keepsake_text(const Keepsake& keepsake) {
  json body{{"lines", json::object()}};
  for (const auto& [card, lines] : keepsake.lines) {
    json& list = body["lines"][card.text()] = json::array();
    for (const std::string& line : lines) list.push_back(bytes_to_json(line));
  }
  if (keepsake.onboot) body["onboot"] = *keepsake.onboot ? bytes_to_json(**keepsake.onboot) : json(nullptr);
  return sealed("keepsake", compact(body) + "\n");
}

Result<Keepsake> parse_keepsake(std::string_view text) {
  const std::string content = TRY(unsealed("keepsake", text));
  const json body = TRY(parse_json(content));
  if (!body.is_object() || !body.contains("lines") || !body["lines"].is_object())
    return fail("it has no \"lines\"");
  Keepsake keepsake;
  for (const auto& [name, lines] : body["lines"].items()) {
    const auto card = PciAddress::parse(name);
    if (!card) return fail("the keepsake names no card: \"{}\"", name);
    keepsake.lines[*card] = TRY(lines_from(lines));
  }
  if (!body.contains("onboot")) return keepsake;
  keepsake.onboot = std::optional<std::string>{};
  if (!body["onboot"].is_null()) keepsake.onboot = TRY(bytes_from_json(body["onboot"]));
  return keepsake;
}

}  // namespace interlock
