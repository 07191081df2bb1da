// Looks for the cards' holders, again and again, in helper processes with a deadline: a read of fdinfo may
// block behind a hung card, and /etc/pve may hang as a whole (amdgpu.md, 3.3; design, 11.10).
#pragma once

#include <memory>
#include <string>

#include "daemon/child_task.h"
#include "daemon/holder_view.h"
#include "policy/policy.h"

namespace interlock::daemon {

class HolderWatch {
 public:
  /// `on_look`: the view has changed, or a look came to nothing.
  HolderWatch(EventLoop& loop, LeftBehind& left_behind, std::string root, Callback on_look);
  HolderWatch(const HolderWatch&) = delete;
  HolderWatch& operator=(const HolderWatch&) = delete;

  /// Looks at once, and then at the pace.
  void begin(const Policy& policy);
  /// Between two looks: quick ones at the containers that bind a card, and now and then one at all of /proc.
  void pace(Duration between);
  /// The next look is at all of /proc, and now.
  void look_at_all_now();

  const HolderView& view() const { return view_; }
  /// The first look has answered, or has been given up.
  bool tried() const { return tried_; }
  /// Why the last look came to nothing; empty when it did not.
  const std::string& trouble() const { return trouble_; }
  unsigned late() const { return late_; }

 private:
  void look();
  void look_at_bindings();
  void end_look(const std::string& trouble);

  EventLoop& loop_;
  LeftBehind& left_behind_;
  std::string root_;
  Callback on_look_;
  HolderView view_;
  Policy policy_;
  Duration between_ = std::chrono::seconds(1);
  std::optional<Instant> all_at_;  // when the next look at all of /proc is due
  bool answered_ = false;
  bool tried_ = false;
  bool again_ = false;
  unsigned late_ = 0;
  std::string trouble_;
  std::unique_ptr<ChildTask> holders_;
  std::unique_ptr<ChildTask> bindings_;
  Timer next_;
  Timer next_bindings_;
};

}  // namespace interlock::daemon
