// A host that is only looked at, through another one, and remembers all that was read of it.
#pragma once

#include "cli/taken.h"

namespace interlock::cli {

class RecordingHost final : public Host {
 public:
  explicit RecordingHost(Host& host) : host_(host) {}
  const Taken& taken() const { return taken_; }

  Result<std::string> read_file(const std::string& path) override;
  Result<std::string> read_start(const std::string& path, std::size_t most) override;
  Result<std::vector<std::string>> list_folder(const std::string& path) override;
  Result<std::vector<FolderEntry>> list_with_info(const std::string& path) override;
  Result<std::vector<std::string>> list_subfolders(const std::string& path) override;
  Result<std::string> read_link(const std::string& path) override;
  Result<std::string> real_path(const std::string& path) override;
  Result<FileInfo> info(const std::string& path, bool follow) override;
  Result<std::string> apart(const std::function<std::string()>& work, Duration deadline) override;
  Result<bool> is_locked(const std::string& path) override;
  Result<CommandEnd> run(const Command& command) override;
  Instant now() override { return host_.now(); }
  void wait(Duration duration) override { host_.wait(duration); }
  std::string wall_clock() override { return host_.wall_clock(); }
  bool rooted() const override { return host_.rooted(); }

  // Nothing is changed by somebody who looks: EROFS.
  Result<void> replace_file(const std::string& path, std::string_view, mode_t, Durability) override;
  Result<void> append_file(const std::string& path, std::string_view) override;
  Result<void> write_control(const std::string& path, std::string_view) override;
  Result<void> remove_file(const std::string& path) override;
  Result<void> make_folder(const std::string& path, mode_t) override;
  Result<void> sync_file(const std::string& path) override;
  Result<std::unique_ptr<HeldLock>> lock(const std::string& path, Duration) override;
  Result<void> signal(const ProcessId&, int) override;

  /// A file's text, as if it had been read there.
  void put(const std::string& path, std::string content);

 private:
  /// The path behind all links on the way, each of which is remembered.
  std::string placed(const std::string& path, int depth = 0);
  template <class T>
  Result<T> noted(const char* how, const std::string& path, Result<T> result);
  void note_names(const std::string& path, const std::vector<std::string>& names);
  void note_info(const std::string& path, const Result<FileInfo>& info);

  Host& host_;
  Taken taken_;
  std::map<std::string, std::string> placed_;  // folders that were placed already
};

}  // namespace interlock::cli
