// What a unit's answers mean (cases/units.md).
#include "catch.h"
#include "model/unit.h"

using namespace interlock;

namespace {

Unit unit(LoadState load, ActiveState active, UnitFileState file) {
  Unit made{*UnitName::parse("llamacpp.service"), load, active, file, "", std::nullopt, {}};
  return made;
}

Unit loaded(ActiveState active, UnitFileState file) {
  return unit(LoadState::loaded, active, file);
}

}  // namespace

TEST_CASE("retired is disabled and inactive, both seen (I2)") {
  CHECK(is_retired(loaded(ActiveState::inactive, UnitFileState::disabled)) == Truth::yes);
  CHECK(is_retired(loaded(ActiveState::failed, UnitFileState::disabled)) == Truth::yes);
  CHECK(is_retired(loaded(ActiveState::inactive, UnitFileState::enabled)) == Truth::no);
  CHECK(is_retired(loaded(ActiveState::active, UnitFileState::disabled)) == Truth::no);
}

TEST_CASE("a unit on its way up or down is not retired (U01, U02, U09)") {
  for (const ActiveState state :
       {ActiveState::activating, ActiveState::deactivating, ActiveState::reloading}) {
    CHECK(is_live(loaded(state, UnitFileState::disabled)) == Truth::yes);
    CHECK(is_retired(loaded(state, UnitFileState::disabled)) == Truth::no);
  }
}

TEST_CASE("an answer that is not understood is unknown, and unknown is not retired") {
  CHECK(is_retired(loaded(ActiveState::unknown, UnitFileState::disabled)) == Truth::unknown);
  CHECK(is_retired(loaded(ActiveState::inactive, UnitFileState::unknown)) == Truth::unknown);
  CHECK(is_retired(loaded(ActiveState::inactive, UnitFileState::bad)) == Truth::unknown);
  CHECK(is_retired(loaded(ActiveState::unknown, UnitFileState::enabled)) == Truth::no);
}

TEST_CASE("a unit that does not exist counts as retired (U03)") {
  CHECK(is_retired(unit(LoadState::not_found, ActiveState::inactive, UnitFileState::none)) == Truth::yes);
}

TEST_CASE("masks and links of this boot alone vanish at the next: not retired (U06, U12)") {
  CHECK(would_start(loaded(ActiveState::inactive, UnitFileState::masked)) == Truth::no);
  CHECK(would_start(loaded(ActiveState::inactive, UnitFileState::masked_runtime)) == Truth::yes);
  CHECK(would_start(loaded(ActiveState::inactive, UnitFileState::enabled_runtime)) == Truth::yes);
}

TEST_CASE("a socket or timer that would start it keeps it from being retired (U04, U07)") {
  Unit socket = loaded(ActiveState::inactive, UnitFileState::disabled);
  socket.started_by = {"llamacpp.socket"};
  CHECK(is_retired(socket) == Truth::no);
  CHECK(is_retired(loaded(ActiveState::inactive, UnitFileState::indirect)) == Truth::yes);
}

TEST_CASE("systemd's words and back; a word of a later version is unknown, not a state that it is not") {
  CHECK(active_state("activating") == ActiveState::activating);
  CHECK(active_state("maintenance") == ActiveState::unknown);
  CHECK(unit_file_state("") == UnitFileState::none);
  CHECK(unit_file_state("enabled-runtime") == UnitFileState::enabled_runtime);
  CHECK(unit_file_state("nearly") == UnitFileState::unknown);
  CHECK(load_state("error") == LoadState::bad);
  CHECK(to_string(ActiveState::deactivating) == "deactivating");
}
