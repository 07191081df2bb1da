// A number for everything of a host that a program could tell apart later: two hosts with the same one go on
// alike. Left out is what is only a name: process and client numbers, inode versions, the clock itself (what
// is due counts by its distance from now), how often a unit was restarted so far, and the mock's own notes.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "mocks/model.h"

namespace interlock::mocks {

class Hasher {
 public:
  Hasher& add(std::uint64_t value);
  Hasher& add(std::string_view text);
  template <class Range>
  Hasher& add_each(const Range& texts) {
    for (const auto& text : texts) add(std::string_view(text));
    return add(texts.size());
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0x9e3779b97f4a7c15ULL;
};

/// Adds a stored file in its own way, its path too; false: it counts as it is.
using OwnWay =
    std::function<bool(const Model& model, std::string_view path, const File& file, Hasher& hasher)>;

std::uint64_t fingerprint(const Model& model, const OwnWay& own_way);

/// The same for what only a power cut could tell apart: the last writes below /etc/pve, not yet safe from
/// one.
std::uint64_t fingerprint_of_unsynced(const Model& model);

}  // namespace interlock::mocks
