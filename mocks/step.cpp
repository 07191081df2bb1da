#include "mocks/step.h"

#include <utility>

#include "mocks/memory.h"

namespace interlock::mocks {

MockHost::Step::Step(MockHost& host, OperationKind kind, std::string text, bool mutating,
                     std::string_view content)
    : host_(host) {
  dead_ = host_.dead_;
  counted_ = host_.depth_ == 0 && !dead_;
  ++host_.depth_;
  if (!counted_) return;
  operation_ = {++host_.model().operations, kind, std::move(text), mutating, content};
  if (host_.choose) {
    try {
      fault_ = host_.choose(operation_);
    } catch (...) {
      --host_.depth_;  // the destructor of what was never made does not run
      throw;
    }
  }
  if (fault_.kind == Fault::Kind::killed || fault_.kind == Fault::Kind::power_cut) {
    --host_.depth_;
    if (fault_.kind == Fault::Kind::killed) die();
    lose_power();
  }
  if (mutating && host_.keep_old && host_.choose) host_.before_change_ = host_.model();
}

void MockHost::Step::die() {
  host_.dead_ = true;
  throw Killed{};
}

void MockHost::Step::lose_power() {
  host_.dead_ = true;
  host_.next_boot_ = {.lost_writes = fault_.lost_writes, .renumber = fault_.renumber};
  throw PowerCut{};
}

void MockHost::Step::finish() {
  if (operation_.mutating || operation_.kind == OperationKind::wait) host_.machine_->judge_changes();
  if (!counted_) return;
  if (fault_.kind == Fault::Kind::killed_after) die();
  if (fault_.kind == Fault::Kind::power_cut_after) lose_power();
  if (host_.after) host_.after(operation_);
}

std::string_view to_string(OperationKind kind) {
  switch (kind) {
    case OperationKind::read_file:
      return "read_file";
    case OperationKind::list_folder:
      return "list_folder";
    case OperationKind::read_link:
      return "read_link";
    case OperationKind::real_path:
      return "real_path";
    case OperationKind::info:
      return "info";
    case OperationKind::is_locked:
      return "is_locked";
    case OperationKind::replace_file:
      return "replace_file";
    case OperationKind::append_file:
      return "append_file";
    case OperationKind::write_control:
      return "write_control";
    case OperationKind::remove_file:
      return "remove_file";
    case OperationKind::make_folder:
      return "make_folder";
    case OperationKind::sync_file:
      return "sync_file";
    case OperationKind::lock:
      return "lock";
    case OperationKind::run:
      return "run";
    case OperationKind::signal:
      return "signal";
    case OperationKind::wait:
      return "wait";
  }
  return "?";
}

}  // namespace interlock::mocks
