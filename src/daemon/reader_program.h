// The program gpu-interlock-reader: asked for a sample by a byte, it answers with a record.
#pragma once

#include <string>

#include "daemon/asked_child.h"
#include "model/identity.h"

namespace interlock::daemon {

/// Kept open, so that readers stay of the daemon's own build when a package is upgraded under it.
class ReaderProgram {
 public:
  /// `gpu-interlock-reader` in the folder of the running program.
  static Result<ReaderProgram> beside_ourselves(std::string root);

  Result<AskedChild::Started> start(const PciAddress& card) const;

 private:
  ReaderProgram(Fd program, std::string root) : program_(std::move(program)), root_(std::move(root)) {}
  Fd program_;
  std::string root_;
};

}  // namespace interlock::daemon
