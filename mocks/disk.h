// Files of the mocked host's folder, as an ordinary program handles them. Links are followed as the system
// does: those that the mock makes are relative, and stay inside.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace interlock::mocks::disk {

Result<std::string> read(const std::string& path);
/// Beside and renamed: a reader sees the old or the new, whole.
Result<void> replace(const std::string& path, std::string_view content, unsigned mode);
/// One pwrite from the start and then the new length, for readers that hold it open. Not there, or not a
/// file: replaced.
Result<void> overwrite(const std::string& path, std::string_view content, unsigned mode);
Result<void> make_folders(const std::string& path);
Result<void> make_link(const std::string& target, const std::string& path);
/// A file, link or whole folder; what is not there is fine.
Result<void> remove(const std::string& path);
/// Regular files below `folder`, as paths that begin with it; links are not followed.
std::vector<std::string> files_below(const std::string& folder);
/// An exclusive flock(2), waited for; `wait` false: nothing when somebody else holds it.
Result<std::optional<Fd>> lock(const std::string& path, bool wait);

}  // namespace interlock::mocks::disk
