#include "model/gate_text.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "model/sealed_text.h"

namespace interlock {
namespace {

/// The sealed body as an object that `read` takes apart; a missing key or a wrong type is an error.
template <class Read>
auto parsed(std::string_view kind, std::string_view text, Read read)
    -> Result<decltype(read(nlohmann::json{}))> {
  const std::string body = TRY(unsealed(kind, text));
  try {
    return read(nlohmann::json::parse(body));
  } catch (const nlohmann::json::exception& error) {
    return fail("a {} that is no {}: {}", kind, kind, error.what());
  } catch (const std::bad_optional_access&) {
    return fail("a {} with a name that is none", kind);
  }
}

Vmid vmid_of(const nlohmann::json& json) {
  return Vmid::parse(json.at("vmid").get<std::string>()).value();
}

}  // namespace

std::string claim_text(const Claim& claim) {
  nlohmann::json json = {{"vmid", claim.vmid.text()}, {"cards", nlohmann::json::array()},
                         {"boot_id", claim.boot_id},  {"made_at_ns", to_ns(claim.made_at)},
                         {"by_unit", claim.by_unit},  {"opened", claim.opened}};
  for (const PciAddress& card : claim.cards) json["cards"].push_back(card.text());
  return sealed("claim", json.dump() + "\n");
}

Result<Claim> parse_claim(std::string_view text) {
  return parsed("claim", text, [](const nlohmann::json& json) {
    Claim claim{vmid_of(json),
                {},
                json.at("boot_id").get<std::string>(),
                instant_from_ns(json.at("made_at_ns").get<std::int64_t>()),
                json.at("by_unit").get<bool>(),
                json.at("opened").get<bool>()};
    for (const auto& card : json.at("cards")) {
      claim.cards.insert(PciAddress::parse(card.get<std::string>()).value());
    }
    return claim;
  });
}

std::string allowance_text(const Allowance& allowance) {
  const nlohmann::json json = {{"vmid", allowance.vmid.text()},
                               {"reason", allowance.reason},
                               {"boot_id", allowance.boot_id},
                               {"made_at_ns", to_ns(allowance.made_at)}};
  return sealed("allowance", json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

Result<Allowance> parse_allowance(std::string_view text) {
  return parsed("allowance", text, [](const nlohmann::json& json) {
    return Allowance{vmid_of(json), json.at("reason").get<std::string>(),
                     json.at("boot_id").get<std::string>(),
                     instant_from_ns(json.at("made_at_ns").get<std::int64_t>())};
  });
}

}  // namespace interlock
