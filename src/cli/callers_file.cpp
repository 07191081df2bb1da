#include "cli/callers_file.h"

#include <filesystem>

#include "host/files.h"

namespace interlock::cli {
namespace {

Result<std::string> absolute(const std::string& path) {
  std::error_code error;
  const auto whole = std::filesystem::absolute(path, error);
  if (error) return fail_errno(error.value(), path);
  return whole.string();
}

}  // namespace

Result<std::string> read_callers_file(const std::string& path) {
  const std::string whole = TRY(absolute(path));
  return files::read_file(TRY(RootFolder::open_root("/")), whole);
}

Result<void> create_callers_file(const std::string& path, std::string_view text) {
  constexpr mode_t kMode = 0644;
  const std::string whole = TRY(absolute(path));
  return files::create_file(TRY(RootFolder::open_root("/")), whole, text, kMode, Durability::synced);
}

}  // namespace interlock::cli
