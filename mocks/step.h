// One operation of the mocked host, from the question how it shall go to the word that it is over.
#pragma once

#include <string>

#include "mocks/mock_host.h"

namespace interlock::mocks {

class MockHost::Step {
 public:
  /// Counts the operation and asks for its fault; throws Killed or PowerCut where that is before it.
  Step(MockHost& host, OperationKind kind, std::string text, bool mutating, std::string_view content = {});
  ~Step() { --host_.depth_; }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

  /// The controller was killed before, and this is its ghost (a destructor): nothing may happen.
  bool dead() const { return dead_; }
  Fault::Kind fault() const { return fault_.kind; }
  [[noreturn]] void die();
  /// Its effect is there: judges it, throws what strikes after it, tells the hook.
  void finish();

 private:
  [[noreturn]] void lose_power();

  MockHost& host_;
  Operation operation_;
  Fault fault_;
  bool counted_ = false;
  bool dead_ = false;
};

}  // namespace interlock::mocks
