// `files:` of a cutover's target: placed inside a container before its unit starts, and given back as they
// were found when the cutover leads back (design, sections 3 and 6; I5).
#pragma once

#include <vector>

#include "act/run.h"
#include "model/journal_text.h"

namespace interlock::act {

/// Each file of that container which is not yet as it should be: what stands there is recorded first.
Outcome place_files(Run& run, Vmid vmid);

/// Everything that this cutover placed in that container, back to what was found. It must run.
Outcome give_files_back(Run& run, Vmid vmid);

/// What a journal says of them, for a run that goes on with it.
Result<std::vector<FileBefore>> files_before(const JournalReading& reading);

}  // namespace interlock::act
