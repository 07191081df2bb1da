// The first record of a journal: all that a recovery needs, even when the policy file has changed or is gone.
#pragma once

#include <string>

#include "base/result.h"
#include "model/journal_text.h"
#include "model/plan.h"
#include "policy/policy.h"

namespace interlock::act {

struct Beginning {
  std::string name;  // the cutover's
  Policy policy;
  bool without_guard = false;
  Target target;    // as planned: what it left open is filled in
  Target way_back;  // the host where it began
};

JournalRecord begin_record(const Beginning& beginning, const Plan& plan, const std::string& wall_clock);

/// Not even the first record is whole, and there is no other: nothing was done, since each step has a record
/// before it.
bool nothing_begun(const JournalReading& reading);
Result<Beginning> beginning_of(const JournalReading& reading);

}  // namespace interlock::act
