// The built programs against a mocked host in a folder, as a person or a script would run them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace interlock::tests {

using Words = std::vector<std::string>;

/// How a program ended. 128 + N: by signal N. Tests fail by an exception when it does not end in time.
struct Ran {
  int exit = -1;
  std::string out;
  std::string err;
  /// Its standard output as exactly one JSON object; anything else throws.
  nlohmann::json json() const;
};

/// `words[0]` is a path, or the name of one of our programs. Standard input is empty; no terminal.
Ran run(const Words& words, std::chrono::seconds limit = std::chrono::seconds(60));

/// A program of ours in the background; ended and waited for with this object.
class Running {
 public:
  /// What it says goes to the end of `log`; `errors`: standard error has a file of its own.
  Running(const Words& words, const std::string& log, const std::string& errors = "");
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running();
  pid_t pid() const { return pid_; }
  /// SIGTERM, and SIGKILL when that is not enough; its exit code as in Ran.
  int end(std::chrono::seconds patience = std::chrono::seconds(5));
  void signal(int number);
  bool ended();

 private:
  pid_t pid_ = -1;
  int exit_ = -1;
};

/// Asks again and again, until it is so (true) or the time is over (false).
bool eventually(const std::function<bool()>& so, std::chrono::seconds limit = std::chrono::seconds(30));

/// Two cards, containers 120, 121 and 123, all at work: `mock-host make` in a folder of its own.
class MockedHost {
 public:
  MockedHost();
  MockedHost(const MockedHost&) = delete;
  MockedHost& operator=(const MockedHost&) = delete;
  ~MockedHost();

  const std::string& root() const { return root_; }
  std::string path(const std::string& on_host) const { return root_ + on_host; }
  /// gpu-interlock --root DIR --json WORDS...
  Ran cli(Words words, std::chrono::seconds limit = std::chrono::seconds(60)) const;
  /// gpu-interlock --root DIR WORDS...
  Ran text(Words words) const;
  /// mock-host VERB DIR WORDS...
  Ran mock(const std::string& verb, Words words = {}) const;
  Ran gate(const std::string& vmid) const;
  Ran pct(Words words) const;

  std::string read(const std::string& on_host) const;
  void write(const std::string& on_host, const std::string& text) const;
  void remove(const std::string& on_host) const;
  /// Every path below the folder with its kind, mode and content: before and after are the same, or they are
  /// not.
  std::map<std::string, std::string> everything() const;

  /// The guard, when it has judged every card; its log is `guard_log()`.
  std::unique_ptr<Running> guard() const;
  std::string guard_log() const;
  bool guard_is_fresh() const;

 private:
  std::string folder_;  // removed with everything in it
  std::string root_;
};

/// A file's bytes; none: it is not there.
std::string content_of(const std::string& path);

/// An object of `list` whose `key` is `value`; throws when there is none.
nlohmann::json one_of(const nlohmann::json& list, const std::string& key, const nlohmann::json& value);

}  // namespace interlock::tests
