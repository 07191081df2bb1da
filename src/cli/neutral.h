// Names and addresses made neutral, each always in the same way, so that what belongs together still does.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace interlock::cli {

class Neutral {
 public:
  /// `node`: the host's name in the cluster; empty: not known.
  explicit Neutral(std::string node) : node_(std::move(node)) {}

  /// The driver's unique_id of a card: from here on it is another one, in hexadecimal and in decimal.
  void hide_id(std::string_view hexadecimal);

  /// Addresses of networks and hardware, mail and users, cards' ids, and the host's name where a text means
  /// it.
  std::string text(std::string_view given);
  /// The same of a path.
  std::string path(std::string_view given);
  /// A container's configuration: its name, comments and the values of its environment, too.
  std::string container(std::string_view given, std::string_view vmid);
  /// A virtual machine's: the lines alone that say which cards it takes, and when.
  static std::string machine(std::string_view given);

 private:
  std::string of_kind(std::string_view kind, const std::string& found);
  std::string node_;
  std::map<std::string, std::string> words_;                                      // whole words
  std::map<std::string, std::map<std::string, std::string>, std::less<>> known_;  // by kind
};

}  // namespace interlock::cli
