// Every page that is written from the code: the manual's parts, docs/policy.md and the completions. They are
// checked in, and test_pages.cpp says when one of them is not what the code says any more.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tree.h"

namespace interlock::pages {

struct Page {
  std::string path;  // below the project's folder
  std::string text;
};

std::vector<Page> all_pages();

// The manual.
std::string options_section(const Command& program);
std::string commands_section(const std::vector<Command>& all);
std::string exits_section();
std::string findings_section();
std::string refusals_section();

// The policy's keys, from its schema.
struct Key {
  std::string path;      // "guard.channels.junction.warn"; "NAME", "VMID" for names of the reader's choice
  std::string about;     // what the schema says of it
  std::string facts;     // "from 1 to 130; required"; may be empty
  bool section = false;  // it has keys below it
};
std::vector<Key> policy_keys();
std::string keys_section(const std::vector<Key>& keys);
std::string policy_document(const std::vector<Key>& keys);

// Completions.
std::string bash_completion(const std::vector<Command>& all);
std::string zsh_completion(const std::vector<Command>& all);
std::string fish_completion(const std::vector<Command>& all);
/// What `names` is asked for to complete a value called so; empty: files, folders, words or nothing.
std::string names_of(std::string_view value);

std::string project_file(const std::string& path);

}  // namespace interlock::pages
