// Looks for the cards' holders, again and again, in helper processes that stay, with a deadline for each
// look: a read of fdinfo may block behind a hung card, and /etc/pve may hang as a whole (amdgpu.md, 3.3;
// design, 11.10).
#pragma once

#include <string>

#include "daemon/asked_child.h"
#include "daemon/holder_view.h"
#include "policy/policy.h"

namespace interlock::daemon {

class HolderWatch {
 public:
  /// `on_look`: the view has changed, or a look came to nothing.
  HolderWatch(EventLoop& loop, LeftBehind& left_behind, std::string root, Callback on_look);
  HolderWatch(const HolderWatch&) = delete;
  HolderWatch& operator=(const HolderWatch&) = delete;

  /// Looks at once, and then at the pace; what helpers know of an earlier policy goes with them.
  void begin(const Policy& policy);
  /// From one look to the next: at the containers that bind a card, and at all of /proc.
  struct Pace {
    Duration quick;
    Duration all;
    bool operator==(const Pace&) const = default;
  };
  void pace(Pace pace);
  /// The next look is at all of /proc, and now.
  void look_at_all_now();

  const HolderView& view() const { return view_; }
  /// The first look has answered, or has been given up.
  bool tried() const { return tried_; }
  /// Why the last look came to nothing; empty when it did not.
  const std::string& trouble() const { return trouble_; }
  /// Looks that had not answered at their deadline.
  unsigned late() const { return holders_.late(); }

 private:
  std::string find_holders(std::string_view question) const;
  std::string find_bindings() const;
  void look();
  void take_look(std::string& bytes);
  void end_look(const std::string& trouble);
  void look_at_bindings();
  void take_bindings(std::string& bytes);

  EventLoop& loop_;
  std::string root_;
  Callback on_look_;
  HolderView view_;
  Policy policy_;
  Pace pace_{std::chrono::seconds(1), std::chrono::seconds(1)};
  std::optional<Instant> all_at_;            // when the last look at all of /proc began
  std::optional<std::set<Vmid>> looked_at_;  // what the look that is awaited is at; nothing: everywhere
  Instant begun_at_{};
  bool tried_ = false;
  bool again_ = false;
  std::string trouble_;
  AskedChild holders_;  // each begins with the policy that was in force then
  AskedChild bindings_;
  Timer next_;
  Timer next_bindings_;
};

}  // namespace interlock::daemon
