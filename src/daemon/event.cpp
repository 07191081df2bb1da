#include "daemon/event.h"

#include <array>

#include "model/json_bytes.h"

namespace interlock::daemon {
namespace {

constexpr std::array<EventTraits, 22> kTraits{{
    {"guard-started", "0fc0f68124184ace89156ca03546c6d9", Priority::info, false},
    {"guard-stopping", "b03a1807a71040bb9342cc60a4986f3e", Priority::info, false},
    {"card-warning", "ac5751765aab47fa8705297c3748c014", Priority::warning, true},
    {"card-guarding", "4be2ad37115740bda8c9a4c429bdd7ca", Priority::info, false},
    {"card-blind", "fa713c17b84b42cb9ee7458f29ce819f", Priority::warning, false},
    {"card-absent", "347e7cf6f1474d408990fb9043aea33e", Priority::warning, false},
    {"card-lent", "1a0f462ba36a4453ab4c88c3709f3d58", Priority::info, false},
    {"card-tripped", "fffb2311af794c08ab72ce27332a802d", Priority::critical, true},
    {"card-shedding", "dc16f65d25a146a99a2100002782104a", Priority::warning, false},
    {"card-shed", "d80532a9de27482187481ce7f0aa1630", Priority::notice, true},
    {"card-not-shed", "44eb55c443284f8faa5210184697e41e", Priority::critical, true},
    {"card-hot-without-holder", "e56bebf96c5a4c4bb49b0930b2e83e1c", Priority::critical, true},
    {"card-latched", "4545588c2be546ba9af303f169c5ad3e", Priority::warning, false},
    {"latch-not-written", "82b68555b62f4638b74bf90251155c16", Priority::critical, true},
    {"card-reset", "ab3745ab9b66482f921ca4884b0f3b70", Priority::notice, true},
    {"card-resumed", "d733fc04a1834027a2fba7d0fa365482", Priority::notice, true},
    {"reader-replaced", "e60e49c428a1436997f3a400b32dff20", Priority::warning, false},
    {"holders-not-seen", "7e7a734b814d49e7ada8498bb7e55fd5", Priority::warning, false},
    {"policy-broken", "b28e52d3b6d74858b5ed980a640ec775", Priority::error, true},
    {"policy-reloaded", "5a28d67450cf42598844d78c79bf63ee", Priority::notice, false},
    {"policy-refused", "63f45b63e2e64967aeb6e345f8ec313b", Priority::error, true},
    {"trouble", "9176f25850434f7294e9ba54ea052b70", Priority::warning, false},
}};
static_assert(static_cast<std::size_t>(EventKind::trouble) + 1 == kTraits.size());

}  // namespace

const EventTraits& traits(EventKind kind) {
  return kTraits.at(static_cast<std::size_t>(kind));
}

std::string event_json(const Event& event, std::string_view wall_clock) {
  nlohmann::json json{{"schema", 1},
                      {"event", traits(event.kind).name},
                      {"message_id", traits(event.kind).message_id},
                      {"at", wall_clock},
                      {"message", event.message}};
  const auto text = [&](const char* key, const std::string& value) {
    if (!value.empty()) json[key] = value;
  };
  const auto instant = [&](const char* key, const std::optional<Instant>& at) {
    if (at) json[key] = to_ns(*at);
  };
  if (event.card) json["card"] = event.card->text();
  if (event.pci) json["pci"] = event.pci->text();
  if (event.celsius) json["celsius"] = event.celsius->degrees();
  if (event.container) json["container"] = event.container->number();
  text("reason", event.reason);
  text("unit", event.unit);
  text("rung", event.rung);
  instant("sample_at_ns", event.sample_at);
  instant("judged_at_ns", event.judged_at);
  instant("first_rung_at_ns", event.first_rung_at);
  return compact(json);
}

}  // namespace interlock::daemon
