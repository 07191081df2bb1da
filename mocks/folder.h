// The same host as a folder, for `--root DIR`: what a program can read of it stands below DIR as files, the
// rest in DIR/.mock/state.json. Time is real. Whoever opens it holds DIR/.mock/lock, takes in what others
// changed by hand (configurations, cgroup.kill, cgroup.freeze), lets happen what is due, and shows the
// outcome when it is closed.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "mocks/machine.h"
#include "mocks/tree.h"

namespace interlock::mocks {

class Folder final : public Machine {
 public:
  /// A new host in `root`, made from `model`, which is off; boots it.
  static Result<void> make(const std::string& root, Model model);
  static Result<std::unique_ptr<Folder>> open(const std::string& root);
  ~Folder() override = default;

  const std::string& root() const { return root_; }
  /// Writes what has changed. Every change is lost without it.
  Result<void> close();
  /// Lets go of the model for a while, so that others may use it, and takes in what they did.
  Result<void> yield(Duration time);
  /// Power off, and on: /run is empty. `recover`: gpu-interlock recover --boot runs before the guests.
  Result<void> reboot(const BootOptions& options, bool recover);

  bool wait_until(const std::function<bool()>& done, Duration limit) override;
  std::optional<std::string> gate_refusal(int vmid) override;
  bool take_lock(const std::string& path, Duration patience) override;
  void release_lock(const std::string& path) override { locks_.erase(path); }
  std::optional<std::string> host_file(const std::string& path) override;
  void before_guests() override;

 private:
  explicit Folder(std::string root) : Machine(Model{}), root_(std::move(root)) {}
  Result<void> load();
  Result<void> publish();
  Result<void> take_in();
  void take_in_files();
  void take_in_controls();
  void must(Result<void> result);

  std::string root_;
  std::optional<Fd> lock_;
  Tree shown_;
  std::map<std::string, File> stored_;
  bool damaged_ = false;  // a run before this one did not come to its end
  bool recover_ = false;
  std::map<std::string, Fd> locks_;
};

/// CLOCK_BOOTTIME, the clock of the product.
Instant real_time();

}  // namespace interlock::mocks
