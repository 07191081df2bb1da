// File operations below a root folder; `Host` in host.h says what each promises.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/host.h"
#include "host/root_folder.h"

namespace interlock::files {

/// `most`: bytes that are wanted; a longer file is cut there.
Result<std::string> read_start(const RootFolder& root, const std::string& path, std::size_t most);
Result<std::string> read_file(const RootFolder& root, const std::string& path);
Result<std::vector<std::string>> list_folder(const RootFolder& root, const std::string& path);
Result<std::vector<std::string>> list_subfolders(const RootFolder& root, const std::string& path);
Result<std::vector<FolderEntry>> list_with_info(const RootFolder& root, const std::string& path);
Result<std::vector<FolderText>> list_links(const RootFolder& root, const std::string& path);
Result<std::vector<FolderText>> read_folder(const RootFolder& root, const std::string& path,
                                            const std::vector<std::string>& passed_over);
Result<std::string> read_link(const RootFolder& root, const std::string& path);
Result<FileInfo> info(const RootFolder& root, const std::string& path, bool follow);

Result<void> replace_file(const RootFolder& root, const std::string& path, std::string_view content,
                          mode_t mode, Durability durability);
/// The same for a file that is not there yet; EEXIST when it is, also when it came meanwhile.
Result<void> create_file(const RootFolder& root, const std::string& path, std::string_view content,
                         mode_t mode, Durability durability);
Result<void> append_file(const RootFolder& root, const std::string& path, std::string_view content);
Result<void> write_control(const RootFolder& root, const std::string& path, std::string_view content);
Result<void> remove_file(const RootFolder& root, const std::string& path);
Result<void> make_folder(const RootFolder& root, const std::string& path, mode_t mode);
Result<void> sync_file(const RootFolder& root, const std::string& path);

}  // namespace interlock::files
