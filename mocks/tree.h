// The model's /sys, /proc and /dev as files below a folder.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "mocks/model.h"
#include "mocks/view.h"

namespace interlock::mocks {

/// Everything below /sys, /proc and /dev, by path, folders before what is in them.
using Tree = std::map<std::string, Node>;
Tree tree_of(const Model& model);

/// Makes the folder show `now`, where it shows `before`: only what differs is touched, so that what a person
/// changed by hand stays until the model itself changes it. A sensor's file is changed in place, as a reader
/// that holds it open must see it; others are replaced whole.
Result<void> show(const std::string& root, const Tree& before, const Tree& now);
/// The same without knowing what it shows now: everything is written, and what does not belong there is
/// removed.
Result<void> show_all(const std::string& root, const Tree& now);

}  // namespace interlock::mocks
