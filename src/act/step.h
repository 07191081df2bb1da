// The steps, one function a kind (model/plan.h says what each means).
#pragma once

#include "act/run.h"

namespace interlock::act {

// steps_ledger.cpp
Outcome set_owner(Run& run, const Step& step);  // take_card, give_card

// steps_units.cpp
Outcome retire_unit(Run& run, const Step& step);
Outcome start_unit(Run& run, const Step& step);
Outcome enable_unit(Run& run, const Step& step);

// steps_settings.cpp
Outcome clear_autostart(Run& run, const Step& step);
Outcome restore_autostart(Run& run, const Step& step);
Outcome set_limits(Run& run, const Step& step);

// steps_power.cpp
Outcome stop_container(Run& run, const Step& step);
Outcome start_container(Run& run, const Step& step);

// steps_cards.cpp
Outcome release_cards(Run& run, const Step& step);
Outcome bind_cards(Run& run, const Step& step);

// see_card_free.cpp
Outcome see_card_free(Run& run, const Step& step);

// see_serving.cpp
Outcome see_serving(Run& run, const Step& step);

// sweep.cpp
Outcome sweep(Run& run, const Step& step);

}  // namespace interlock::act
