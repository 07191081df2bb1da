#include "policy_text.h"

using namespace interlock;
using namespace interlock::test;
using namespace std::chrono_literals;

namespace {
constexpr std::string_view kJunction = "{ warn: 95, trip: 102, resume: 85 }";
constexpr std::string_view kBothChannels =
    "  channels:\n"
    "    junction: { warn: 95, trip: 102, resume: 85 }\n"
    "    memory:   { warn: 93, trip: 101, resume: 85 }\n";
}  // namespace

TEST_CASE("every key of the guard is read") {
  const GuardPolicy guard =
      policy_of(changed("guard:\n",
                        "guard:\n"
                        "  poll: 1s\n"
                        "  poll_warm: 50ms\n"
                        "  confirm: 3\n"
                        "  blind_grace: 3s\n"
                        "  slew: 5\n"
                        "  shed: { freeze: 100ms, stop: 10s, kill: 2s, container: 1m }\n"
                        "  idle_memory: 32MiB\n"
                        "  idle_floor: 1GiB\n"
                        "  cool: { gpu1: [[/usr/local/sbin/blower, full]] }\n"
                        "  latch: until-cool\n"
                        "  last_resort: poweroff\n"
                        "  notify: [/usr/local/sbin/tell-me]\n"))
          .guard;
  CHECK(guard.poll == 1s);
  CHECK(guard.poll_warm == 50ms);
  CHECK(guard.confirm == 3);
  CHECK(guard.blind_grace == 3s);
  CHECK(guard.slew == 5);
  CHECK(guard.shed.freeze == 100ms);
  CHECK(guard.shed.stop == 10s);
  CHECK(guard.shed.kill == 2s);
  CHECK(guard.shed.container == 60s);
  CHECK(guard.idle_memory == 32 * kMiB);
  CHECK(guard.idle_floor == 1024 * kMiB);
  CHECK(guard.cool.at(*CardId::parse("gpu1")) == std::vector<Argv>{{"/usr/local/sbin/blower", "full"}});
  CHECK(guard.latch == LatchMode::until_cool);
  CHECK(guard.last_resort == LastResort::poweroff);
  CHECK(guard.notify == std::vector<Argv>{{"/usr/local/sbin/tell-me"}});
  CHECK(guard.limits(Channel::junction)->warn == Celsius::from_degrees(95));
  CHECK(guard.limits(Channel::memory)->resume == Celsius::from_degrees(85));
}

TEST_CASE("resume < warn < trip, or it is an error (11.5)") {
  for (const char* limits : {"{ warn: 102, trip: 102, resume: 85 }", "{ warn: 95, trip: 94, resume: 85 }",
                             "{ warn: 95, trip: 102, resume: 95 }", "{ warn: 95, trip: 102, resume: 99 }"}) {
    const std::string error = error_of(changed(kJunction, limits));
    INFO(error);
    CHECK(error.starts_with("7:15: guard.channels.junction: resume < warn < trip is wanted, but they are "));
  }
}

TEST_CASE("each limit is given: no other card's number stands in for it") {
  CHECK(error_of(changed(kJunction, "{ trip: 102, resume: 85 }")) ==
        "7:15: guard.channels.junction: warn is missing");
  CHECK(errors_of(changed(kJunction, "{}")).size() == 3);
}

TEST_CASE("a limit that no sensor could reach is refused") {
  CHECK(error_of(changed("trip: 102", "trip: 1020")) ==
        "7:33: guard.channels.junction.trip: 1020 is out of range; from 1 to 130 can be");
  CHECK(errors_of(changed("trip: 102", "trip: 102000")).size() == 1);
  CHECK(errors_of(changed("resume: 85 }\n    memory", "resume: -5 }\n    memory")).size() == 1);
}

TEST_CASE("a guard without a channel guards nothing, and is an error") {
  CHECK(error_of(changed(kBothChannels, "  channels: {}\n")) ==
        "6:13: guard.channels: no channel is named, so no temperature would be guarded; known: junction, "
        "memory");
  CHECK(error_of(changed(kBothChannels, "  poll: 500ms\n")) == "6:3: guard: channels is missing");
}

TEST_CASE("one channel is enough (amdgpu.md 1.3: not every card has all)") {
  const Policy policy =
      policy_of(changed(kBothChannels, "  channels: { junction: { warn: 9, trip: 10, resume: 8 } }\n"));
  CHECK(policy.guard.limits(Channel::junction));
  CHECK_FALSE(policy.guard.limits(Channel::memory));
}

TEST_CASE("edge is no channel to guard") {
  CHECK(error_of(changed("    memory:", "    edge:")) ==
        "8:5: unknown key 'edge' in guard.channels; known: junction, memory");
}

TEST_CASE("a warm card is never looked at less often than a cool one") {
  CHECK(error_of(guard_with("poll_warm: 600ms")) ==
        "6:14: guard.poll_warm: poll_warm is 600ms and poll 500ms: a warm card would be looked at less often "
        "than a "
        "cool one");
  CHECK(error_of(guard_with("poll: 50ms")).starts_with("6:9: guard.poll: poll_warm is 100ms and poll 50ms"));
}

TEST_CASE("a grace in which a glitch cannot be told from blindness is refused (11.5)") {
  CHECK(policy_of(guard_with("blind_grace: 400ms")).guard.blind_grace == 400ms);
  CHECK(error_of(guard_with("blind_grace: 399ms")) ==
        "6:16: guard.blind_grace: blind_grace is 399ms, but with poll_warm 100ms and confirm 2 it takes "
        "400ms to tell "
        "a glitch from blindness");
  CHECK(error_of(guard_with("confirm: 10\n  poll_warm: 250ms")) ==
        "7:14: guard.poll_warm: blind_grace is 2s, but with poll_warm 250ms and confirm 10 it takes 2700ms "
        "to tell a "
        "glitch from blindness");
}

TEST_CASE("times that no guard can keep are out of range") {
  for (const char* line : {"poll: 0s", "poll: 1ms", "poll: 1h", "poll_warm: 0s", "blind_grace: 1h",
                           "shed: { freeze: 1m }", "shed: { stop: 0s }", "shed: { kill: 2m }",
                           "shed: { container: 1h }", "slew: 0", "slew: 31", "confirm: 11"}) {
    const std::string error = error_of(guard_with(line));
    INFO(error);
    CHECK(error.find("is out of range") != std::string::npos);
  }
}

TEST_CASE("cool is by card, and knows which cards there are") {
  CHECK(error_of(guard_with("cool: { gpu3: [[/bin/blower]] }")) ==
        "6:17: guard.cool.gpu3: no card is called 'gpu3'; known: gpu1, gpu2");
}

TEST_CASE("a command of the host is words with an absolute path first, never a line for a shell") {
  CHECK(error_of(guard_with("notify: /bin/tell me")) ==
        "6:11: guard.notify: a list is wanted here, not '/bin/tell me'");
  CHECK(error_of(guard_with("notify: [tell-me]")) ==
        "6:11: guard.notify: a command of the host begins with an absolute path, not 'tell-me'");
  CHECK(error_of(guard_with("notify: [[]]")) == "6:12: guard.notify[1]: the command is empty");
  CHECK(error_of(guard_with("notify: [[/bin/a], /bin/b]")) ==
        "6:22: guard.notify[2]: a command is a list of words: [/usr/bin/curl, -fsS, ...]; no shell takes it "
        "apart");
  const auto two = policy_of(guard_with("notify: [[/bin/a, b], [/bin/c]]")).guard.notify;
  CHECK(two == std::vector<Argv>{{"/bin/a", "b"}, {"/bin/c"}});
  CHECK(policy_of(guard_with("notify: []")).guard.notify.empty());
}

TEST_CASE("latch and last_resort are one of their words") {
  CHECK(error_of(guard_with("latch: never")) ==
        "6:10: guard.latch: 'never' is not known here; write until-reset or until-cool");
  CHECK(error_of(guard_with("last_resort: reboot")) ==
        "6:16: guard.last_resort: 'reboot' is not known here; write none or poweroff");
}
