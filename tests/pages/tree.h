// The command line as plain values, walked out of CLI11's own tree: what manual and completions are written
// from.
#pragma once

#include <string>
#include <vector>

#include "cli/app.h"

namespace interlock::pages {

struct Option {
  std::vector<std::string> names;  // "--help", "-h": long ones first
  std::string value;               // "FILE", "rollback|hold"; empty: a flag
  std::string about;
};

struct Argument {
  std::string name;  // "CARD"
  std::string about;
  bool required = false;
  bool many = false;
};

struct Command {
  std::string path;  // "policy check"; empty: the program itself
  std::string about;
  std::string at_length;  // paragraphs, an empty line between; may be empty
  std::vector<Option> options;
  std::vector<Argument> arguments;
  std::vector<std::string> commands;  // names of those below it
};

/// The program first, then each command before those below it. Hidden ones are not among them.
std::vector<Command> commands();

/// The one with that path.
const Command& command(const std::vector<Command>& all, const std::string& path);

}  // namespace interlock::pages
