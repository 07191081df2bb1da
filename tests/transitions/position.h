// What of a host the product's own files mean to whoever goes on from it: an exploration takes two states for
// one where they mean the same.
#pragma once

#include <cstdint>
#include <string_view>

#include "mocks/fingerprint.h"

namespace interlock::explore {

/// The host as a process of ours finds it: of a journal what recovery reads of it, of the ledger who owns
/// what.
std::uint64_t host_state(const mocks::Model& model);

/// A journal record's text without what differs from run to run: the journal's id, why a way back was taken.
std::uint64_t record_meaning(std::string_view content);

}  // namespace interlock::explore
