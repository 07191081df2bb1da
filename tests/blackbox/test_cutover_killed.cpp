// kill -9 of a real cutover at random moments, with and without a loss of power behind it: it is recovered to
// the beginning, the target or a safe hold (verification.md, section 3, item 9).
#include <fmt/format.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <random>
#include <thread>

#include "catch.h"
#include "cutover_bench.h"

using namespace interlock::tests;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

const std::vector<std::string> kFiles = {"/etc/pve/lxc/120.conf", "/etc/pve/lxc/121.conf",
                                         "/etc/pve/lxc/123.conf"};

/// INTERLOCK_SEED, to have the same choices again; the moments themselves are the machine's.
std::uint64_t seed() {
  const char* given = std::getenv("INTERLOCK_SEED");
  const std::uint64_t number = given != nullptr ? std::stoull(given) : std::random_device{}();
  std::cout << "INTERLOCK_SEED=" << number << std::endl;
  return number;
}

double children_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// How a controller comes to its end.
struct Death {
  bool at_a_moment = true;  // else in the middle of one of its pct calls
  bool power_lost = false;  // and the host boots before anybody recovers
  bool forward = false;     // which way the recovery goes
};

class Killing {
 public:
  explicit Killing(const Death& death) : death_(death), random_(seed()) {
    if (death.power_lost) REQUIRE(bench_.host.cli({"gate", "install"}).exit == 0);
    measure("to-qwen38fn");  // Proxmox's own rewriting of the files is over with it
    far_ = bench_.picture();
    measure("to-qwen36");
    near_ = bench_.picture();
    REQUIRE(near_ != far_);
    for (const std::string& file : kFiles) not_ours_.push_back(not_ours(bench_.host.read(file)));
  }

  void kill_one() {
    const bool from_near = bench_.picture() == near_;
    REQUIRE((from_near || bench_.picture() == far_));
    end_it(from_near ? "to-qwen38fn" : "to-qwen36");
    const std::string left = bench_.result();
    ++(left == "none" ? before_ : left == "open" ? within_ : behind_);
    if (death_.power_lost) {
      REQUIRE(
          eventually([&] { return !bench_.pct_at_work(); }));  // a worker does not outlive the host either
      bench_.host.mock("boot", {"--recover"});
      check_kept();
    }
    const std::string result = recover(death_.forward ? "--forward" : "--back");
    check_kept();
    const bool near = is_near();
    if (left == "open" && result == "done-back") CHECK(near == from_near);
    if (left == "open" && result == "done-forward") CHECK(near != from_near);
    ++(near == from_near ? beginning_ : target_);
    if (++kills_ % 10 == 0) CHECK(bench_.violations() == "");  // an open cutover with nobody at it is one
  }

  /// To where the other cutover begins.
  void turn_round() { REQUIRE(bench_.cut_over(is_near() ? "to-qwen38fn" : "to-qwen36").exit == 0); }

  std::string tally() const {
    return fmt::format(
        "killed before the first record {}, within {}, behind the last {}; came to the beginning {}, to the "
        "target "
        "{}, over a hold {}; {:.0f} s of processor time",
        before_, within_, behind_, beginning_, target_, held_, children_seconds() - spent_before_);
  }

 private:
  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }

  void measure(const std::string& name) {
    const int calls = pct_calls();
    const auto begin = Clock::now();
    const Ran ran = bench_.cut_over(name);
    INFO(ran.out << ran.err);
    REQUIRE(ran.exit == 0);
    length_[name] = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
    calls_[name] = pct_calls() - calls;
  }

  int pct_calls() const {
    const std::string log = bench_.host.mock("log").out;
    const auto last = log.find(" pct calls, ");
    return std::stoi(log.substr(log.rfind('\n', last) + 1));
  }

  void end_it(const std::string& name) {
    if (!death_.at_a_moment) {
      static const Words kKinds = {"killed", "killed-half", "killed-after"};
      bench_.host.mock(
          "fault", {std::to_string(1 + pick(calls_[name])), kKinds.at(static_cast<std::size_t>(pick(3)))});
    }
    const auto running = bench_.begin(name);
    if (death_.at_a_moment) {
      const auto longest = length_[name].count() * 21 / 20;
      std::this_thread::sleep_for(
          std::chrono::microseconds(std::uniform_int_distribution<std::int64_t>(0, longest)(random_)));
      running->signal(SIGKILL);
    }
    REQUIRE(eventually([&] { return running->ended(); }));
  }

  /// Till it is closed. Every fifth recovery is killed too, and every hold is led back.
  std::string recover(std::string direction) {
    if (pick(5) == 0) {
      Running killed({"gpu-interlock", "--root", bench_.host.root(), "recover", "--yes", direction},
                     bench_.host.root() + "/../killed.log");
      std::this_thread::sleep_for(
          std::chrono::microseconds(pick(static_cast<int>(length_.begin()->second.count()))));
      killed.signal(SIGKILL);
      REQUIRE(eventually([&] { return killed.ended(); }));
      check_kept();
    }
    for (int tries = 0; tries < 3; ++tries) {
      const Ran ran = bench_.host.cli({"recover", "--yes", direction}, 120s);
      INFO(ran.out << ran.err);
      check_kept();
      const std::string result = ran.json().at("result");
      const std::map<std::string, int> exits = {
          {"done", 0}, {"unchanged", 0}, {"rolled-back", 4}, {"held", 5}, {"refused", 3}};
      REQUIRE(exits.contains(result));
      CHECK(ran.exit == exits.at(result));
      if (result != "held" && result != "refused") {
        CHECK(bench_.result() != "open");
        return result == "done" ? "done" + direction.substr(1) : result;
      }
      CHECK(bench_.result() == "open");
      ++held_;
      direction = "--back";
    }
    FAIL("no recovery came to an end");
    return "";
  }

  bool is_near() {
    // What a boot or a start set going may still be on its way.
    CHECK(eventually([&] {
      const std::string now = bench_.picture();
      if (now == near_ || now == far_) return true;
      bench_.host.mock("log");
      return false;
    }));
    const std::string now = bench_.picture();
    INFO(now << "\nis neither\n" << near_ << "\nnor\n" << far_);
    REQUIRE((now == near_ || now == far_));
    return now == near_;
  }

  void check_kept() {
    CHECK(bench_.breaches() == "");
    for (std::size_t i = 0; i < kFiles.size(); ++i)
      CHECK(not_ours(bench_.host.read(kFiles[i])) == not_ours_[i]);
  }

  Death death_;
  std::mt19937_64 random_;
  CutoverBench bench_;
  std::map<std::string, std::chrono::microseconds> length_;  // of a cutover that nobody disturbs
  std::map<std::string, int> calls_;
  std::string near_;  // where it begins
  std::string far_;
  std::vector<std::string> not_ours_;
  double spent_before_ = children_seconds();
  int kills_ = 0;
  int before_ = 0;
  int within_ = 0;
  int behind_ = 0;
  int beginning_ = 0;
  int target_ = 0;
  int held_ = 0;
};

void kill_again_and_again(int times, const Death& death) {
  Killing killing(death);
  for (int i = 0; i < times; ++i) {
    INFO("kill " << i + 1);
    if (i == times / 2) killing.turn_round();
    killing.kill_one();
  }
  WARN(times << " kills: " << killing.tally());
}

const std::vector<Death> kDeaths = {{},
                                    {.forward = true},
                                    {.power_lost = true},
                                    {.power_lost = true, .forward = true},
                                    {.at_a_moment = false}};

}  // namespace

TEST_CASE("killed at a random moment a cutover is recovered to its beginning") {
  kill_again_and_again(20, kDeaths[0]);
}

TEST_CASE("killed at a random moment a cutover is recovered to its target") {
  kill_again_and_again(20, kDeaths[1]);
}

TEST_CASE("killed at a random moment before the power goes it is made safe at boot and led back behind it") {
  kill_again_and_again(20, kDeaths[2]);
}

TEST_CASE("killed at a random moment before the power goes it is made safe at boot and led on behind it") {
  kill_again_and_again(20, kDeaths[3]);
}

TEST_CASE("killed in the middle of a random pct call a cutover is recovered to its beginning") {
  kill_again_and_again(20, kDeaths[4]);
}

// A thousand kills, in five parts, so that as many processors can share them.
TEST_CASE("a thousand kills: led back", "[.nightly]") {
  kill_again_and_again(200, kDeaths[0]);
}

TEST_CASE("a thousand kills: led on", "[.nightly]") {
  kill_again_and_again(200, kDeaths[1]);
}

TEST_CASE("a thousand kills: without power and led back", "[.nightly]") {
  kill_again_and_again(200, kDeaths[2]);
}

TEST_CASE("a thousand kills: without power and led on", "[.nightly]") {
  kill_again_and_again(200, kDeaths[3]);
}

TEST_CASE("a thousand kills: in the middle of a pct call", "[.nightly]") {
  kill_again_and_again(200, kDeaths[4]);
}
