// Backup jobs, and which containers they would stop and start (pct.md, 5.5).
#include "catch.h"
#include "pve/vzdump_jobs.h"

using namespace interlock;
using namespace interlock::pve;

namespace {
const Vmid k120 = *Vmid::parse("120");
const Vmid k121 = *Vmid::parse("121");
}  // namespace

TEST_CASE("a job's mode, guests and whether it is enabled") {
  const auto jobs = parse_vzdump_jobs(
      "vzdump: backup-1\n\tschedule sun 01:00\n\tenabled 0\n\tmode stop\n\tvmid 120,121;122\n\tstorage "
      "local\n\n"
      "vzdump: backup-2\n\tall 1\n\texclude 121\n\tnode pve2\n\nrealm-sync: x\n\tenabled 1\n");
  REQUIRE(jobs);
  REQUIRE(jobs->size() == 2);
  CHECK((*jobs)[0].id == "backup-1");
  CHECK_FALSE((*jobs)[0].enabled);
  CHECK((*jobs)[0].mode == "stop");
  CHECK((*jobs)[0].guests.size() == 3);
  CHECK((*jobs)[1].enabled);
  CHECK((*jobs)[1].mode == "snapshot");
  CHECK((*jobs)[1].all);
}

TEST_CASE("whether a job takes a container; of a pool that nobody knows, unknown") {
  const Pools pools = {{"models", {k120}}, {"other/deep", {k121}}};
  VzdumpJob job;
  CHECK(takes(job, k120, "pve", pools) == Truth::no);
  job.guests = {k120};
  CHECK(takes(job, k120, "pve", pools) == Truth::yes);
  CHECK(takes(job, k121, "pve", pools) == Truth::no);
  job.pool = "models";
  CHECK(takes(job, k121, "pve", pools) == Truth::no);
  CHECK(takes(job, k121, "pve", {}) == Truth::unknown);
  CHECK(takes(job, k120, "pve", {}) == Truth::yes);
  job.pool = "other";
  CHECK(takes(job, k121, "pve", {{"other", {}}, {"other/deep", {k121}}}) == Truth::yes);
  CHECK(takes(job, k121, "pve", {{"other", {}}, {"otherwise", {k121}}}) == Truth::no);
  job.all = true;
  CHECK(takes(job, k121, "pve", pools) == Truth::yes);
  job.excluded = {k121};
  CHECK(takes(job, k121, "pve", pools) == Truth::no);
  job.node = "pve2";
  CHECK(takes(job, k120, "pve", pools) == Truth::no);
  CHECK(takes(job, k120, "pve2", pools) == Truth::yes);
}

TEST_CASE("pools and their guests stand in user.cfg among much else") {
  const auto pools = parse_pools(
      "user:root@pam:1:0:::a@b::\n\npool:models:a "
      "remark:120,121,x:local-lvm:\npool:empty::::\npool\npool::::\nacl:1:/:a:b:\n");
  CHECK(pools == Pools{{"models", {k120, k121}}, {"empty", {}}});
}

TEST_CASE("numbers that are no guest's are passed over, text is an error") {
  CHECK(parse_vzdump_jobs("vzdump: a\n\tvmid 0, 120\n")->front().guests == std::set<Vmid>{k120});
  const auto broken = parse_vzdump_jobs("vzdump: a\n\tvmid web\n");
  REQUIRE_FALSE(broken);
  CHECK(broken.error().message.find("backup job a") == 0);
  CHECK_FALSE(parse_vzdump_jobs("vzdump\n"));
  CHECK(parse_vzdump_jobs("")->empty());
}
