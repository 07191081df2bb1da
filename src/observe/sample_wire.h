// A CardSample as the record that a reader sends to the daemon: length, version, fields. Both ends are of one
// build, or the version differs and the daemon takes the reader for broken. Shorter than PIPE_BUF, so one
// write(2) is whole.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/sample.h"

namespace interlock::observe {

inline constexpr std::size_t kLongestRecord = 4096;  // PIPE_BUF on Linux

/// Texts longer than FileRead::kLongest are cut to one byte more than that: enough to be judged as too long.
std::string encode_sample(const CardSample& sample);

/// The first whole record of `bytes`, which it is taken out of; nothing: more must come. An error: this is no
/// record.
Result<std::optional<CardSample>> next_sample(std::string& bytes);

}  // namespace interlock::observe
