// One mocked host for a check, in memory or in a folder behind the real LinuxHost: the checks do not know
// which.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/host.h"
#include "mocks/machine.h"

namespace interlock::mocks {

class Bench {
 public:
  virtual ~Bench() = default;
  virtual Host& host() = 0;
  /// Changes the model from outside.
  virtual void poke(const std::function<void(Machine&)>& change) = 0;

  CommandEnd pct(std::vector<std::string> words, Duration deadline = std::chrono::seconds(20));
  CommandEnd exec(int vmid, std::vector<std::string> argv, Duration deadline = std::chrono::seconds(20));
  std::string read(const std::string& path);
  bool exists(const std::string& path);
  std::string config(int vmid);
  /// Edits a configuration as a person with an editor does.
  void edit(int vmid, const std::function<std::string(std::string)>& change);
  void control(const std::string& path, const std::string& value);
  bool runs(int vmid);
  /// A property of a unit in a container.
  std::string unit(int vmid, const std::string& name, const std::string& property);
  /// Asked again and again, no longer than five seconds of the host's time.
  bool eventually(const std::function<bool()>& seen);
};

enum class Form { memory, folder };
/// two-v620 with both servers loaded, quick.
std::unique_ptr<Bench> make_bench(Form form);

}  // namespace interlock::mocks
