// What every command is given: the options before it, the host, and how to speak.
#pragma once

#include <expected>
#include <functional>
#include <iosfwd>
#include <string>

#include "act/cutover.h"
#include "cli/outcome.h"
#include "cli/style.h"
#include "host/host.h"
#include "model/host_state.h"
#include "observe/host_state.h"
#include "policy/policy.h"

namespace interlock::cli {

struct Globals {
  std::string policy;  // --policy FILE, a path as the caller sees it; empty: the host's own
  std::string root;    // --root DIR; "/" without
  bool json = false;
};

struct Context {
  Globals globals;
  Host& host;
  Style style = {};
  bool interactive = false;     // both standard input and output are a terminal
  bool terminal = false;        // standard output is one: colour, and lines that are written over
  bool live = false;            // steps are told as they go
  std::ostream* out = nullptr;  // where to, and the question before a cutover
  std::function<bool(const std::string& question)> confirm = {};  // only when interactive
  /// From this call on SIGTERM and SIGINT do not end the process: what it returns says whether one has come.
  std::function<act::ToldToStop()> heed_signals = {};
};

template <class T>
using Or = std::expected<T, Outcome>;

enum class PolicyChoice { current, or_kept };

/// The policy, or exit 2 with every error in it. `or_kept`: for what must work while the policy is broken,
/// the last good copy stands in (design, 11.8).
Or<Policy> policy_of(Context& context, PolicyChoice choice = PolicyChoice::current);

/// One look at the host, or exit 7.
Or<HostState> look(Context& context, const Policy& policy, const observe::LookFor& wanted = {});

}  // namespace interlock::cli
