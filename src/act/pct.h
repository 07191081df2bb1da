// Proxmox's `pct` as argument vectors. An exit status is a hint (pct.md, 1.0): every caller reads afterwards.
// An error means that the command could not be started at all.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "host/host.h"
#include "model/container.h"
#include "model/identity.h"

namespace interlock::act {

class Pct {
 public:
  explicit Pct(Host& host) : host_(host) {}
  /// Keys with a value are set, those without one deleted, in one call. `digest`: the configuration that the
  /// caller has read, refused by Proxmox when it has changed since.
  Result<CommandEnd> set(Vmid vmid, const Settings& settings, const std::string& digest, Duration deadline);
  Result<CommandEnd> start(Vmid vmid, Duration deadline);
  /// `pct shutdown`, which stops it hard at `patience`; when it still runs then, `pct stop`.
  Result<CommandEnd> shut_down(Vmid vmid, Duration patience);
  Result<CommandEnd> stop(Vmid vmid, Duration deadline);
  Result<CommandEnd> execute(Vmid vmid, const std::vector<std::string>& argv, Duration deadline);
  /// `input` on the command's standard input.
  Result<CommandEnd> execute(Vmid vmid, const std::vector<std::string>& argv, const std::string& input,
                             Duration deadline);
  Result<CommandEnd> systemctl(Vmid vmid, const std::vector<std::string>& arguments, Duration deadline);

 private:
  Result<CommandEnd> run(std::vector<std::string> arguments, Duration deadline, std::string input = {});
  Host& host_;
};

/// What a call said of itself, for a message: "exit status 255: CT is locked (backup)".
std::string hint_of(const Result<CommandEnd>& call);

/// The name under which a configuration line is set and deleted through `pct set`: "dev0" of "dev0:
/// /dev/dri/card1"; empty for a raw `lxc.` line, which only an edit of the file can change.
std::string key_of_line(std::string_view line);
/// What follows the key, as `pct set` takes it.
std::string value_of_line(std::string_view line);

}  // namespace interlock::act
