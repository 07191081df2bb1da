// Changes to a container configuration as text to text. Everything that is not ours stays byte for byte.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace interlock::pve {

/// Without those lines of the main section that equal one of `lines`, each as often as it stands there. Lines
/// are compared without their ends, LF or CR LF.
std::string without_lines(std::string_view config, const std::vector<std::string>& lines);

/// With `lines` behind the main section's last raw lxc line, or its last line where it has none; before any
/// section header, never at the file's end when a snapshot stands there (case B01), never glued to a last
/// line without LF (case B04).
std::string with_lines(std::string_view config, const std::vector<std::string>& lines);

}  // namespace interlock::pve
