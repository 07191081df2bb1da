// One gpu-interlock-reader: asked for a sample by a byte, it answers with a record.
#pragma once

#include <memory>

#include "daemon/left_behind.h"
#include "model/identity.h"
#include "model/sample.h"

namespace interlock::daemon {

/// The reader's program, kept open, so that readers stay of the daemon's own build when a package is upgraded
/// under it.
class ReaderProgram {
 public:
  /// `gpu-interlock-reader` in the folder of the running program.
  static Result<ReaderProgram> beside_ourselves(std::string root);

  struct Pipes {
    Fd ask;     // write a byte here
    Fd answer;  // records come here; never blocks
  };
  struct Started {
    ChildProcess child;
    Pipes pipes;
  };
  Result<Started> start(const PciAddress& card) const;

 private:
  ReaderProgram(Fd program, std::string root) : program_(std::move(program)), root_(std::move(root)) {}
  Fd program_;
  std::string root_;
};

class ReaderProcess {
 public:
  using OnSample = std::function<void(CardSample)>;
  /// It has ended, or writes what is no record: `why`. The owner drops it.
  using OnEnd = std::function<void(const std::string& why)>;

  ReaderProcess(EventLoop& loop, ReaderProgram::Started started, OnSample on_sample, OnEnd on_end);
  ReaderProcess(const ReaderProcess&) = delete;
  ReaderProcess& operator=(const ReaderProcess&) = delete;

  /// Never blocks. False: it does not listen any more.
  bool ask();
  pid_t pid() const { return child_.pid(); }
  /// For LeftBehind; this object then listens no more.
  ChildProcess release() &&;

 private:
  void take_answer();
  void end(const std::string& why);

  ChildProcess child_;
  ReaderProgram::Pipes pipes_;
  std::string bytes_;
  OnSample on_sample_;
  OnEnd on_end_;
  Watch readable_;
};

}  // namespace interlock::daemon
