// What was read of a host: files by path, and all that a folder of files cannot say. A snapshot is made of
// it.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "host/host.h"

namespace interlock::cli {

struct TakenFile {
  FileInfo::Kind kind = FileInfo::Kind::file;
  std::string content;  // of a file
  std::string target;   // of a link
  bool read = false;    // a file whose content was read, not only its name
  unsigned device_major = 0;
  unsigned device_minor = 0;
};

/// The answer of a command.
struct TakenAnswer {
  std::vector<std::string> argv;
  CommandEnd end;
  std::string error;  // it could not be started: why
  int error_code = 0;
};

struct Taken {
  std::map<std::string, TakenFile> files;  // by absolute path, no link on the way to it
  std::map<std::string, int> errors;  // "read /path", "list /path", "info /path": errno, other than missing
  std::map<std::string, bool> locks;  // by path: held by somebody
  std::vector<TakenAnswer> answers;   // the last one of each command
  std::int64_t now_ns = 0;
  std::string wall_clock;

  void add(Taken more);
  void add_answer(TakenAnswer answer);
};

/// As bytes: from a child that read for us.
std::string packed(const Taken& taken);
Result<Taken> unpacked(std::string_view bytes);

/// The part that is no files, as snapshot.json has it.
nlohmann::json beside_files(const Taken& taken);
Result<Taken> from_beside_files(std::string_view text);

}  // namespace interlock::cli
