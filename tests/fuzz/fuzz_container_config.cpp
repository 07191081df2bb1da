// A container's configuration: read, resolved to grants, edited.
#include <algorithm>
#include <string>

#include "fuzz.h"
#include "pve/bindings.h"
#include "pve/edit.h"

using namespace interlock;
using namespace interlock::pve;
using fuzz::require;

namespace {

std::optional<DeviceNumber> number_of(const std::string& path) {
  if (path == "/dev/dri/renderD128") return DeviceNumber{226, 128};
  if (path == "/dev/dri/renderD129") return DeviceNumber{226, 129};
  return std::nullopt;
}

void check_edits(std::string_view text, const ConfigFile& config) {
  const std::vector<std::string> ours = {"lxc.mount.entry: /dev/dri/by-path/x dev/dri/y none bind # ours"};
  const std::string base = without_lines(text, ours);
  const std::string added = with_lines(base, ours);
  const std::string taken = without_lines(added, ours);
  require(taken == base || taken == base + "\n", "taking our line out again leaves what was there");
  require(parse_config(added).sections.size() == config.sections.size(), "an edit adds no section");
  const ConfigFile with = parse_config(added);
  require(
      std::ranges::any_of(with.main().lines, [&](const ConfigLine& line) { return line.text == ours[0]; }),
      "an added line is in the main section");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const ConfigFile config = parse_config(text);
  require(config_text(config) == text, "the lines in order are the file");

  // Half of the text stands for whatever file is included.
  const auto included = [&](const std::string& path) -> Result<std::string> {
    if (path.empty() || path.back() == 'x') return fail("{}: not there", path);
    return std::string(text.substr(text.size() / 2));
  };
  const Grants grants = grants_of(config, included);
  for (const Grant& grant : grants.grants) {
    require(!grant.source.empty() || grant.form != Binding::Form::device, "a device grant names a path");
    static_cast<void>(permitted(grants, grant, {226, 128}, number_of));  // any answer will do
    static_cast<void>(card_in_name(grant.source));
  }
  require(!grants.may_make_nodes || !grants.unprivileged, "an unprivileged container makes no nodes");
  static_cast<void>(generated_grants(text, included));
  static_cast<void>(generated_is_stale(config, text));
  static_cast<void>(pending_keys(config));
  static_cast<void>(has_onboot(config));
  check_edits(text, config);
  return 0;
}
