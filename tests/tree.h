// A folder that stands for a host, written literally in a test and gone with it.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "host/linux_host.h"

namespace interlock::tests {

class Tree {
 public:
  Tree() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tree.XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder for the test");
    root_ = std::filesystem::canonical(pattern);
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  /// Where the host's `path` really is.
  std::filesystem::path real(std::string_view path) const {
    return root_ / std::filesystem::path(path).relative_path();
  }
  std::string root() const { return root_.string(); }

  Tree& file(std::string_view path, std::string_view content) {
    std::filesystem::create_directories(real(path).parent_path());
    std::ofstream(real(path), std::ios::binary | std::ios::trunc) << content;
    return *this;
  }
  Tree& folder(std::string_view path) {
    std::filesystem::create_directories(real(path));
    return *this;
  }
  Tree& link(std::string_view path, std::string_view target) {
    std::filesystem::create_directories(real(path).parent_path());
    std::filesystem::remove(real(path));
    std::filesystem::create_symlink(std::filesystem::path(target), real(path));
    return *this;
  }
  Tree& script(std::string_view path, std::string_view content) {
    file(path, content);
    std::filesystem::permissions(real(path), std::filesystem::perms::all);
    return *this;
  }
  Tree& remove(std::string_view path) {
    std::filesystem::remove_all(real(path));
    return *this;
  }
  bool has(std::string_view path) const { return std::filesystem::exists(real(path)); }
  std::string read(std::string_view path) const {
    std::ifstream in(real(path), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  /// The real LinuxHost below this folder.
  Host& host() {
    if (!host_) {
      auto made = make_linux_host(root());
      if (!made) throw std::runtime_error(made.error().message);
      host_ = *std::move(made);
    }
    return *host_;
  }

 private:
  std::filesystem::path root_;
  std::unique_ptr<Host> host_;
};

}  // namespace interlock::tests
