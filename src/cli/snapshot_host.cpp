#include "cli/snapshot_host.h"

#include <algorithm>
#include <cerrno>

namespace interlock::cli {
namespace {

class SnapshotHost final : public Host {
 public:
  SnapshotHost(std::unique_ptr<Host> files, Taken taken)
      : files_(std::move(files)), taken_(std::move(taken)) {}

  Result<std::string> read_file(const std::string& path) override {
    if (auto failed = failure("read", path)) return std::unexpected(*failed);
    return files_->read_file(path);
  }
  Result<std::vector<std::string>> list_folder(const std::string& path) override {
    if (auto failed = failure("list", path)) return std::unexpected(*failed);
    return files_->list_folder(path);
  }
  Result<std::string> read_link(const std::string& path) override {
    if (auto failed = failure("link", path)) return std::unexpected(*failed);
    return files_->read_link(path);
  }
  Result<std::string> real_path(const std::string& path) override {
    if (auto failed = failure("real", path)) return std::unexpected(*failed);
    return files_->real_path(path);
  }
  Result<FileInfo> info(const std::string& path, bool follow) override {
    if (auto failed = failure("info", path)) return std::unexpected(*failed);
    return files_->info(path, follow);
  }
  Result<bool> is_locked(const std::string& path) override {
    if (auto failed = failure("lock", path)) return std::unexpected(*failed);
    const auto found = taken_.locks.find(path);
    return found != taken_.locks.end() && found->second;
  }
  Result<CommandEnd> run(const Command& command) override {
    const auto found = std::ranges::find(taken_.answers, command.argv, &TakenAnswer::argv);
    if (found == taken_.answers.end()) return unchangeable(command.argv.front());
    if (!found->error.empty()) return std::unexpected(Error{found->error, found->error_code});
    return found->end;
  }
  Instant now() override { return instant_from_ns(taken_.now_ns); }
  void wait(Duration) override {}
  std::string wall_clock() override { return taken_.wall_clock; }
  bool rooted() const override { return true; }

  Result<void> replace_file(const std::string& path, std::string_view, mode_t, Durability) override {
    return unchangeable(path);
  }
  Result<void> append_file(const std::string& path, std::string_view) override { return unchangeable(path); }
  Result<void> write_control(const std::string& path, std::string_view) override {
    return unchangeable(path);
  }
  Result<void> remove_file(const std::string& path) override { return unchangeable(path); }
  Result<void> make_folder(const std::string& path, mode_t) override { return unchangeable(path); }
  Result<void> sync_file(const std::string& path) override { return unchangeable(path); }
  Result<std::unique_ptr<HeldLock>> lock(const std::string& path, Duration) override {
    return unchangeable(path);
  }
  Result<void> signal(const ProcessId&, int) override { return unchangeable("a process"); }

 private:
  std::optional<Error> failure(const char* how, const std::string& path) const {
    const auto found = taken_.errors.find(fmt::format("{} {}", how, path));
    if (found == taken_.errors.end()) return std::nullopt;
    return fail_errno(found->second, "cannot " + std::string(how) + " " + path).error();
  }
  static std::unexpected<Error> unchangeable(const std::string& what) {
    return fail_errno(EROFS, "this is a snapshot of a host, in which nothing is changed or run: " + what);
  }

  std::unique_ptr<Host> files_;
  Taken taken_;
};

}  // namespace

Result<std::unique_ptr<Host>> as_it_was(std::unique_ptr<Host> host) {
  if (!host->rooted()) return host;
  const auto text = host->read_file(kBesideFiles);
  if (!text && is_missing(text.error())) return host;
  if (!text) return std::unexpected(text.error());
  auto taken = in_context(from_beside_files(*text), std::string("snapshot.json cannot be used"));
  if (!taken) return std::unexpected(taken.error());
  return std::make_unique<SnapshotHost>(std::move(host), *std::move(taken));
}

}  // namespace interlock::cli
