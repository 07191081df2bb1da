#include "daemon/trip_text.h"

#include "model/json_bytes.h"
#include "model/sealed_text.h"

namespace interlock::daemon {
namespace {

using nlohmann::json;

constexpr std::string_view kKind = "trips";

json to_json(const decide::ChannelTrip& channel) {
  json value{{"hot_in_a_row", channel.hot_in_a_row}, {"parked", channel.parked}};
  if (channel.last_good) value["last_good"] = channel.last_good->milli();
  if (channel.trusted_at) value["trusted_at"] = to_ns(*channel.trusted_at);
  return value;
}

std::optional<std::int64_t> number_from(const json& object, const char* key) {
  if (!object.contains(key)) return std::nullopt;
  return object.at(key).get<std::int64_t>();
}

std::optional<Instant> instant_from(const json& object, const char* key) {
  const auto ns = number_from(object, key);
  return ns ? std::optional(instant_from_ns(*ns)) : std::nullopt;
}

decide::ChannelTrip channel_from(const json& value) {
  decide::ChannelTrip channel;
  channel.hot_in_a_row = value.at("hot_in_a_row").get<int>();
  channel.parked = value.at("parked").get<bool>();
  if (const auto milli = number_from(value, "last_good")) channel.last_good = Celsius::from_milli(*milli);
  channel.trusted_at = instant_from(value, "trusted_at");
  return channel;
}

json to_json(const KeptTrip& kept) {
  json value{{"warm", kept.memory.warm}, {"channels", json::array()}, {"shed", json::array()}};
  for (const auto& channel : kept.memory.channels) value["channels"].push_back(to_json(channel));
  for (const std::string& one : kept.shed) value["shed"].push_back(bytes_to_json(one));
  if (kept.memory.held_since) value["held_since"] = to_ns(*kept.memory.held_since);
  return value;
}

KeptTrip kept_from(const json& value) {
  KeptTrip kept;
  kept.memory.warm = value.at("warm").get<bool>();
  kept.memory.held_since = instant_from(value, "held_since");
  for (std::size_t i = 0; i < kept.memory.channels.size(); ++i) {
    kept.memory.channels[i] = channel_from(value.at("channels").at(i));
  }
  for (const json& one : value.at("shed")) {
    if (auto text = bytes_from_json(one)) kept.shed.push_back(*std::move(text));
  }
  return kept;
}

}  // namespace

std::string trips_text(const KeptTrips& trips, std::string_view boot_id) {
  json cards = json::object();
  for (const auto& [pci, kept] : trips.cards) cards[pci.text()] = to_json(kept);
  return sealed(
      kKind, compact({{"boot_id", boot_id}, {"saved_at", to_ns(trips.saved_at)}, {"cards", cards}}) + "\n");
}

Result<KeptTrips> parse_trips(std::string_view text, std::string_view boot_id) {
  const std::string content = TRY(unsealed(kKind, text));
  const json body = TRY(parse_json(content));
  try {
    if (body.at("boot_id") != boot_id) return KeptTrips{};  // its instants mean nothing any more
    KeptTrips trips;
    trips.saved_at = instant_from_ns(body.at("saved_at").get<std::int64_t>());
    for (const auto& [card, value] : body.at("cards").items()) {
      if (const auto pci = PciAddress::parse(card)) trips.cards.emplace(*pci, kept_from(value));
    }
    return trips;
  } catch (const json::exception& error) {
    return fail("it is not whole: {}", error.what());
  }
}

}  // namespace interlock::daemon
