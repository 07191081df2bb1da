#include "host/host.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/text.h"

namespace interlock {
namespace {

/// What a command said of its failure, on one line: all of it where it is short.
std::string in_one_line(std::string_view text) {
  constexpr std::size_t kMost = 400;
  std::string line;
  for (const std::string_view piece : lines_of(text)) {
    if (trimmed(piece).empty()) continue;
    if (!line.empty()) line += "; ";
    line += printable(trimmed(piece));
  }
  // The last words of a long complaint are the error itself; what stands before is its progress.
  if (line.size() > kMost) line = "... " + line.substr(line.size() - kMost);
  return line;
}

std::string in_seconds(Duration duration) {
  return fmt::format("{:g} s", std::chrono::duration<double>(duration).count());
}

}  // namespace

std::string CommandEnd::text() const {
  std::string said = in_one_line(errors);
  if (said.empty()) said = in_one_line(output);
  const std::string_view before = said.empty() ? "" : ": ";
  switch (how) {
    case How::exited:
      return fmt::format("exit status {}{}{}", code, before, said);
    case How::signalled:
      return fmt::format("ended by signal {} ({}){}{}", code, ::strsignal(code), before, said);
    case How::timed_out:
      return fmt::format("no answer within {}{}{}", in_seconds(deadline), before, said);
  }
  return said;
}

Result<std::string> Host::read_start(const std::string& path, std::size_t most) {
  std::string content = TRY(read_file(path));
  if (content.size() > most) content.resize(most);
  return content;
}

Result<std::string> Host::apart(const std::function<std::string()>& work, Duration /*deadline*/) {
  return work();
}

Result<std::vector<FolderEntry>> Host::list_with_info(const std::string& path) {
  std::vector<FolderEntry> entries;
  for (std::string& name : TRY(list_folder(path))) {
    auto found = info(path + "/" + name, true);
    entries.push_back({std::move(name), std::move(found)});
  }
  return entries;
}

Result<std::vector<FolderText>> Host::list_links(const std::string& path) {
  std::vector<FolderText> links;
  for (std::string& name : TRY(list_folder(path))) {
    auto target = read_link(path + "/" + name);
    links.push_back({std::move(name), std::move(target)});
  }
  return links;
}

Result<std::vector<FolderText>> Host::read_folder(const std::string& path,
                                                  const std::vector<std::string>& passed_over) {
  std::vector<FolderText> texts;
  for (std::string& name : TRY(list_folder(path))) {
    if (std::ranges::binary_search(passed_over, name)) continue;
    auto text = read_file(path + "/" + name);
    if (!text && text.error().code == EISDIR) continue;
    texts.push_back({std::move(name), std::move(text)});
  }
  return texts;
}

Result<std::vector<std::string>> Host::list_subfolders(const std::string& path) {
  std::vector<std::string> names = TRY(list_folder(path));
  std::erase_if(names, [&](const std::string& name) {
    const auto found = info(path + "/" + name);
    return !found || found->kind != FileInfo::Kind::folder;
  });
  return names;
}

}  // namespace interlock
