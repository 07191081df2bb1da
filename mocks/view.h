// What a program can read of the model, computed when it is asked for: /sys, /proc, /dev and the stored
// files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mocks/model.h"

namespace interlock::mocks {

struct Node {
  enum class Kind : std::uint8_t { missing, file, folder, link, device };
  Kind kind = Kind::missing;
  std::string text;                // of a file, when asked for
  std::vector<std::string> names;  // in a folder, sorted, when asked for
  std::string target;              // of a link
  unsigned mode = 0;
  unsigned major = 0;
  unsigned minor = 0;
  std::uint64_t inode = 0;
  int error = 0;       // what a read of it gives instead: an errno
  bool hangs = false;  // a read of it does not return
};

enum class Ask : std::uint8_t { kind, content };

/// What is there; the last name is not followed. `path` is absolute and goes through no link.
Node node_at(const Model& model, const std::string& path, Ask ask);

/// The path without links in its folders, and in its last name if `follow`. Nothing: a link is missing, or a
/// loop. What it leads to need not be there.
std::optional<std::string> resolved(const Model& model, const std::string& path, bool follow);

namespace views {
/// Each answers for its own part of the tree, with Kind::missing for what is not there.
Node sys(const Model& model, std::string_view path, Ask ask);
Node cgroup(const Model& model, std::string_view path, Ask ask);  // below /sys/fs/cgroup; "" is its top
Node kfd(const Model& model, std::string_view path, Ask ask);     // below /sys/class/kfd/kfd
Node proc(const Model& model, std::string_view path, Ask ask);
Node dev(const Model& model, std::string_view path, Ask ask);
Node card_folder(const Model& model, const Card& card, std::string_view path,
                 Ask ask);  // below its PCI folder

Node file(std::string text, unsigned mode = 0444);
Node folder(std::vector<std::string> names);
Node link(std::string target);
/// "a" and "b/c" of "a/b/c"; the second is empty when there is none.
std::pair<std::string_view, std::string_view> first_name(std::string_view path);
}  // namespace views

}  // namespace interlock::mocks
