// /etc/pve/jobs.cfg, and the pools of /etc/pve/user.cfg.
#include "fuzz.h"
#include "pve/vzdump_jobs.h"

using namespace interlock;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const auto pools = pve::parse_pools(text);
  const auto jobs = pve::parse_vzdump_jobs(text);
  if (!jobs) return 0;
  for (const auto& job : *jobs) {
    for (const Vmid vmid : job.excluded) {
      fuzz::require(pve::takes(job, vmid, job.node, pools) == Truth::no, "what is excluded is not taken");
    }
  }
  return 0;
}
