// A whole Proxmox host in memory, behind the seam. Its clock is its own, so waiting costs nothing; every
// primitive operation is counted, and each can be made to fail in every way that a test can name.
//
//   MockHost host(two_v620());
//   host.choose = [](const Operation& it) { return it.index == 17 ? Fault{Fault::Kind::fail_after} : Fault{};
//   }; try { cut_over(host, ...); } catch (const Killed&) { host.revive(); } catch (const PowerCut&) {
//   host.boot(); } CHECK(host.model().breaches.empty());
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "host/host.h"
#include "mocks/fault.h"
#include "mocks/machine.h"
#include "mocks/model.h"
#include "mocks/recursive_lock.h"

namespace interlock::mocks {

enum class OperationKind : std::uint8_t {
  read_file,
  list_folder,
  read_link,
  real_path,
  info,
  is_locked,  // looking
  replace_file,
  append_file,
  write_control,
  remove_file,
  make_folder,
  sync_file,
  lock,
  run,
  signal,
  wait
};
std::string_view to_string(OperationKind kind);

/// One primitive operation. now(), wall_clock() and rooted() are none.
struct Operation {
  int index = 0;  // from 1; a boot or a new process does not begin anew
  OperationKind kind = OperationKind::read_file;
  std::string text;          // its path, or the command: "pct set 120 --cores 48"
  bool mutating = false;     // it may change the host: a `run` that only asks does not
  std::string_view content;  // what is appended or written, while the operation lasts
};

/// The controller's process has ended here. Until revive() nothing that it does has any effect.
struct Killed {};
/// So has everything else. Until boot() nothing has any effect.
struct PowerCut {};

class MockHost final : public Host {
 public:
  explicit MockHost(Model start);
  ~MockHost() override;

  /// Consulted before each operation; empty: all goes well. Operations made from inside a hook, the gate or
  /// the boot gate are those of other processes: not counted, not asked about.
  std::function<Fault(const Operation&)> choose;
  /// Told after each operation that came back: the place for other actors, who change model() or use
  /// machine().
  std::function<void(const Operation&)> after;
  /// Asked at each start of a container, by whomever; the text is why it is refused.
  std::function<std::optional<std::string>(MockHost&, int vmid)> gate;
  /// Runs at boot before any guest starts.
  std::function<void(MockHost&)> boot_gate;
  /// Off: Fault::Kind::old is `none`, and no copy of the model is kept at each change.
  bool keep_old = true;
  /// What rooted() says, and whether signal() is refused as it then is.
  bool is_rooted = false;

  Model& model();
  const Model& model() const;
  Machine& machine();
  int operations() const { return model().operations; }
  const std::vector<Breach>& breaches() const { return model().breaches; }
  /// After a change made to model() by hand.
  void judge();
  /// The host as it was before the last change by an operation; nothing: none, or not kept.
  const Model* before_change() const { return before_change_ ? &*before_change_ : nullptr; }

  /// A new process of ours: after Killed.
  void revive();
  /// Power off and on; after PowerCut with what its fault said.
  void boot();
  void boot(const BootOptions& options);
  /// The text of a file, for checks: not an operation. Nothing: not there.
  std::optional<std::string> peek(const std::string& path) const;
  /// A file put there by somebody else.
  void poke(const std::string& path, std::string text);

  Result<std::string> read_file(const std::string& path) override;
  Result<std::vector<std::string>> list_folder(const std::string& path) override;
  Result<std::string> read_start(const std::string& path, std::size_t most) override;
  Result<std::vector<FolderEntry>> list_with_info(const std::string& path) override;
  Result<std::string> read_link(const std::string& path) override;
  Result<std::string> real_path(const std::string& path) override;
  Result<FileInfo> info(const std::string& path, bool follow = false) override;
  Result<void> replace_file(const std::string& path, std::string_view content, mode_t mode,
                            Durability durability) override;
  Result<void> append_file(const std::string& path, std::string_view content) override;
  Result<void> write_control(const std::string& path, std::string_view content) override;
  Result<void> remove_file(const std::string& path) override;
  Result<void> make_folder(const std::string& path, mode_t mode) override;
  Result<void> sync_file(const std::string& path) override;
  Result<std::unique_ptr<HeldLock>> lock(const std::string& path, Duration patience) override;
  Result<bool> is_locked(const std::string& path) override;
  Result<CommandEnd> run(const Command& command) override;
  Result<void> signal(const ProcessId& process, int signal) override;
  Instant now() override;
  void wait(Duration duration) override;
  std::string wall_clock() override;
  bool rooted() const override { return is_rooted; }

 private:
  class Memory;
  class Lock;
  class Step;

  template <class Value>
  Result<Value> look(OperationKind kind, const std::string& path,
                     const std::function<Result<Value>(const Model&)>& ask,
                     const std::function<Value(Value)>& spoil);
  Result<void> change(OperationKind kind, const std::string& path,
                      const std::function<Result<void>()>& effect, const std::function<void()>& half = {},
                      std::string_view content = {});
  CommandEnd perform(const Command& command, bool half);
  CommandEnd perform_on_old(const Command& command);
  Result<std::string> writable(const std::string& path) const;

  RecursiveLock mutex_;
  std::unique_ptr<Memory> machine_;
  std::optional<Model> before_change_;
  int depth_ = 0;
  int life_ = 0;  // of the controller: locks of an earlier one are gone
  bool dead_ = false;
  BootOptions next_boot_;
};

}  // namespace interlock::mocks
