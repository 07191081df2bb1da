// The reader's part: one look at one card's sensors through open descriptors. Judges nothing.
#pragma once

#include <memory>

#include "host/host.h"
#include "model/sample.h"

namespace interlock::observe {

/// Reads through the seam, opening each file anew: for `status`, permissives and the mocks. Never fails: what could not
/// be read is in the sample, by errno. While `runtime_status` is suspended no temperature file is touched.
CardSample sample_card(Host& host, const PciAddress& pci);

}  // namespace interlock::observe
