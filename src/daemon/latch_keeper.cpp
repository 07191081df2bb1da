#include "daemon/latch_keeper.h"

#include "act/latch_file.h"
#include "act/record.h"
#include "host/linux_host.h"

namespace interlock::daemon {
namespace {

constexpr Duration kWriteDeadline = std::chrono::seconds(30);

}  // namespace

LatchKeeper::LatchKeeper(EventLoop& loop, LeftBehind& left_behind, std::string root, PciAddress card)
    : loop_(loop), left_behind_(left_behind), root_(std::move(root)), card_(std::move(card)) {}

void LatchKeeper::set(Latch latch, Done done) {
  jobs_.push_back(
      {[card = card_, latch = std::move(latch)](Host& host) { return act::set_latch(host, card, latch); },
       std::move(done)});
  if (!task_) next();
}

void LatchKeeper::clear(std::string what, std::string reason, Done done) {
  jobs_.push_back(
      {[card = card_, what = std::move(what), reason = std::move(reason)](Host& host) -> Result<void> {
         if (!reason.empty()) TRY(act::record(host, what, reason));
         return act::clear_latch(host, card);
       },
       std::move(done)});
  if (!task_) next();
}

void LatchKeeper::next() {
  if (jobs_.empty()) return;
  Job job = std::move(jobs_.front());
  jobs_.erase(jobs_.begin());
  trouble_.clear();
  auto task = ChildTask::start(
      loop_, left_behind_,
      {.what = "latch writer of " + card_.text(),
       .deadline = loop_.now() + kWriteDeadline,
       .dies_with_us = false},
      [this, &job] {
        const auto host = make_linux_host(root_);
        const auto written = host ? job.work(**host) : Result<void>(std::unexpected(host.error()));
        if (written) return 0;
        static_cast<void>(answer_line(written.error().message));  // the exit status says that it failed
        return 1;
      },
      [this](std::string_view line) { trouble_ = line; },
      [this, done = job.done](const std::string& trouble) {
        task_.reset();
        const std::string why = trouble_.empty() ? trouble : trouble_;
        done(trouble.empty() ? Result<void>{} : fail("{}", why));
        next();
      });
  if (task) {
    task_ = *std::move(task);
  } else {
    job.done(std::unexpected(task.error()));
    next();
  }
}

}  // namespace interlock::daemon
