#include "base/digest.h"
#include "policy/load.h"
#include "policy_text.h"

using namespace interlock;
using namespace interlock::test;
using namespace std::chrono_literals;

TEST_CASE("a sound policy loads, with its text and digest for the journal") {
  const Policy policy = policy_of(kSound);
  CHECK(policy.file == "p");
  CHECK(policy.text == kSound);
  CHECK(policy.digest == sha256_hex(kSound));
  CHECK(policy.cards.size() == 2);
  CHECK(policy.containers.size() == 2);
  CHECK(policy.cutovers.size() == 1);
}

TEST_CASE("what a policy leaves out has the values of the design, section 3") {
  const Policy policy = policy_of(kSound);
  const GuardPolicy& guard = policy.guard;
  CHECK(guard.poll == 500ms);
  CHECK(guard.poll_warm == 100ms);
  CHECK(guard.confirm == 2);
  CHECK(guard.blind_grace == 2s);
  CHECK(guard.slew == 10);
  CHECK(guard.shed.freeze == 200ms);
  CHECK(guard.shed.stop == 20s);
  CHECK(guard.shed.kill == 5s);
  CHECK(guard.shed.container == 40s);
  CHECK(guard.idle_memory == 64 * kMiB);
  CHECK(guard.idle_floor == 256 * kMiB);
  CHECK(guard.cool.empty());
  CHECK(guard.latch == LatchMode::until_reset);
  CHECK(guard.last_resort == LastResort::none);
  CHECK(guard.notify.empty());
  CHECK(policy.timing.command == 30s);
  CHECK(policy.timing.stop == 90s);
  CHECK(policy.timing.start == 60s);
  CHECK(policy.timing.serve == 20min);
  CHECK(policy.timing.settle == 10s);
}

TEST_CASE("a policy needs its version, its cards and its guard, and hears of all that are missing at once") {
  CHECK(errors_of("timing: {}\n") == std::vector<std::string>{"1:1: the policy: version is missing",
                                                              "1:1: the policy: cards is missing",
                                                              "1:1: the policy: guard is missing"});
}

TEST_CASE("another version than ours is refused, not guessed at") {
  CHECK(error_of(changed("version: 1", "version: 2")) ==
        "1:10: version: this program understands version 1, and the policy is of version 2");
  CHECK(error_of(changed("version: 1", "version: \"1\"")) ==
        "1:10: version: a whole number is wanted here, not '1' in quotes");
}

TEST_CASE("an unknown section is named, with those that are known") {
  CHECK(error_of(and_also("cutover: {}\n")) ==
        "16:1: unknown key 'cutover' in the policy; known: version, cards, guard, timing, containers, "
        "cutovers");
}

TEST_CASE("one pass finds every error, and tells them in the file's order") {
  const auto errors = errors_of(
      "version: 1\n"
      "cutovers: { to-x: { 120: { srve: a } } }\n"
      "cards: { gpu1: { pci: here } }\n"
      "guard: { poll: fast, channels: { junction: { warn: 95, trip: 90, resume: 85 } } }\n"
      "containers: { 120: { bind: magic } }\n");
  REQUIRE(errors.size() == 5);
  CHECK(errors[0].starts_with("2:28: unknown key 'srve' in cutovers.to-x.120"));
  CHECK(errors[1].starts_with("3:23: cards.gpu1.pci: 'here' is no PCI address"));
  CHECK(errors[2].starts_with("4:16: guard.poll: a duration is wanted here, not 'fast'"));
  CHECK(errors[3].starts_with("4:44: guard.channels.junction: resume < warn < trip"));
  CHECK(errors[4].starts_with(
      "5:28: containers.120.bind: 'magic' is not known here; write mount-entry or dev"));
}

TEST_CASE("an error reads FILE:LINE:COLUMN: sentence, and FILE: sentence where there is no place") {
  CHECK(PolicyError{"/etc/p.yaml", 3, 7, "no"}.text() == "/etc/p.yaml:3:7: no");
  CHECK(PolicyError{"/etc/p.yaml", 0, 0, "no"}.text() == "/etc/p.yaml: no");
}

TEST_CASE("timing is read, and a time that cannot be is refused") {
  const Policy policy =
      policy_of(and_also("timing: { command: 5s, stop: 2m, start: 30s, serve: 1h, settle: 0s }\n"));
  CHECK(policy.timing.command == 5s);
  CHECK(policy.timing.stop == 2min);
  CHECK(policy.timing.start == 30s);
  CHECK(policy.timing.serve == 1h);
  CHECK(policy.timing.settle == 0s);
  CHECK(error_of(and_also("timing: { command: 0s }\n")) ==
        "16:20: timing.command: 0ms is out of range; from 1s to 10m can be");
  CHECK(error_of(and_also("timing: { patience: 1s }\n")) ==
        "16:11: unknown key 'patience' in timing; known: command, stop, start, serve, settle");
}
