// The table of codes: what scripts and people refer to stays what it is (design, section 7).
#include <set>
#include <string>

#include "base/text.h"
#include "catch.h"
#include "decide/finding_codes.h"

using namespace interlock;
using namespace interlock::decide;

TEST_CASE("every code of the design is in the table, with the design's severity") {
  const std::vector<std::pair<const char*, Severity>> wanted = {
      {"card-double-bound", Severity::violation},
      {"card-autostart-conflict", Severity::violation},
      {"unit-not-retired", Severity::violation},
      {"guard-not-running", Severity::violation},
      {"guard-stale", Severity::violation},
      {"sensor-blind", Severity::violation},
      {"holder-unknown", Severity::violation},
      {"ledger-disagrees", Severity::violation},
      {"cutover-open", Severity::violation},
      {"policy-broken", Severity::violation},
      {"card-replaced", Severity::violation},
      {"vram-spill", Severity::violation},
      {"card-bound-by-vm", Severity::violation},
      {"exclusivity-not-provable", Severity::warning},
      {"container-pending-binding", Severity::warning},
      {"clone-double-bound", Severity::warning},
      {"holder-foreign", Severity::warning},
      {"unit-serving-undeclared", Severity::warning},
      {"card-missing", Severity::warning},
      {"card-latched", Severity::warning},
      {"limits-too-close-to-emergency", Severity::warning},
      {"container-ha-managed", Severity::warning},
      {"container-locked", Severity::warning},
      {"container-generated-config-stale", Severity::warning},
      {"backup-stop-mode", Severity::warning},
      {"vram-headroom-low", Severity::warning},
      {"governor-powersave", Severity::warning},
      {"gate-missing", Severity::warning},
      {"sensor-disagrees", Severity::warning},
      {"card-bound-by-unmanaged-container", Severity::warning},
      {"snapshot-latent-binding", Severity::advice},
      {"card-wildcard-access", Severity::advice},
  };
  for (const auto& [code, severity] : wanted) {
    INFO(code);
    REQUIRE(find_code(code) != nullptr);
    CHECK(find_code(code)->severity == severity);
  }
}

TEST_CASE("codes are unique, and each has a summary of one line and a page") {
  std::set<std::string_view> seen;
  for (const FindingCode& code : finding_codes()) {
    INFO(code.code);
    CHECK(seen.insert(code.code).second);
    CHECK(code.code.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string_view::npos);
    CHECK_FALSE(code.summary.empty());
    CHECK(code.summary.find('\n') == std::string_view::npos);
    CHECK_FALSE(code.summary.ends_with('.'));
    CHECK(code.page.size() > 200);
    CHECK(code.page.find("\n\n") != std::string_view::npos);
    CHECK(trimmed(code.page) == code.page);
  }
}

TEST_CASE("a code that nobody has is not found") {
  CHECK(find_code("card-on-fire") == nullptr);
  CHECK(find_code("") == nullptr);
}
