#include "act/prepare.h"

#include "act/place_files.h"
#include "base/text.h"

namespace interlock::act {
namespace {

const CutoverContainer* asked_of(const Run& run, Vmid vmid) {
  if (run.cutover == nullptr) return nullptr;
  const auto found = run.cutover->containers.find(vmid);
  return found == run.cutover->containers.end() ? nullptr : &found->second;
}

/// Nothing: it holds.
std::optional<Unmet> ask(Run& run, Vmid vmid, const Requirement& requirement) {
  const Argv argv = requirement.file ? Argv{"test", "-e", *requirement.file} : *requirement.command;
  const std::string what = requirement.file ? "file " + *requirement.file : joined(argv, " ");
  const auto call = run.pct.execute(vmid, argv, run.policy.timing.command);
  if (call && call->success()) return std::nullopt;
  // pct and lxc-attach fail with exit status 1 too (pct.md, 1.9); but they say why.
  const bool answered = call && call->how == CommandEnd::How::exited && call->errors.empty();
  const std::string said = answered && requirement.file ? "it is not there" : hint_of(call);
  return Unmet{"requires", vmid.text(), fmt::format("container {} requires {}: {}", vmid.text(), what, said),
               fmt::format("look with `pct exec {} -- {}`", vmid.text(), joined(argv, " "))};
}

}  // namespace

std::vector<Unmet> unmet_requirements(Run& run, Vmid vmid) {
  std::vector<Unmet> unmet;
  const CutoverContainer* container = asked_of(run, vmid);
  if (container == nullptr) return unmet;
  for (const Requirement& requirement : container->requires_) {
    if (auto missing = ask(run, vmid, requirement)) unmet.push_back(*std::move(missing));
  }
  if (unmet.empty()) run.asked.insert(vmid);
  return unmet;
}

Outcome prepare(Run& run, Vmid vmid) {
  if (run.back) return give_files_back(run, vmid);
  if (run.prepared.contains(vmid)) return done("all that is required is there");
  if (Outcome placed = place_files(run, vmid); !placed.done) return placed;
  if (!run.asked.contains(vmid)) {
    const auto unmet = unmet_requirements(run, vmid);
    if (!unmet.empty()) return failed(unmet.front().message);
  }
  run.prepared.insert(vmid);
  return done("all that is required is there");
}

}  // namespace interlock::act
