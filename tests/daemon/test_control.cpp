// The control socket, both sides: a server in a child process, the client here.
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "catch.h"
#include "daemon/control_client.h"
#include "daemon/control_path.h"
#include "daemon/control_server.h"
#include "host/forked_child.h"
#include "host/paths.h"
#include "host/pipe.h"

using namespace interlock;
using namespace interlock::daemon;
using namespace std::chrono_literals;

namespace {

namespace fs = std::filesystem;

/// A root folder whose control socket's path is `length` bytes long.
class Root {
 public:
  explicit Root(std::size_t length) {
    std::string pattern = (fs::temp_directory_path() / "control.XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    folder_ = fs::canonical(pattern).string();
    path_ = folder_;
    while (path_.size() + std::string(paths::kControlSocket).size() < length)
      path_ += "/a-long-name-of-a-folder";
    fs::create_directories(path_ + paths::kRun);
  }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;
  ~Root() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  const std::string& path() const { return path_; }
  std::string socket() const { return path_ + paths::kControlSocket; }

 private:
  std::string folder_;
  std::string path_;
};

class Answers final : public ControlMethods {
 public:
  explicit Answers(EventLoop& loop) : later_(loop.timer([this] { reply_({}); })), loop_(loop) {}
  std::string status() override { return R"({"schema":1,"odd":"\u00e4"})"; }
  void reset(const std::string& card, bool force, const std::string& reason, Reply reply) override {
    if (card != "gpu1") return reply(fail("no card of the policy is called {}", card));
    if (!force) return reply(fail("junction is at 103.0 C"));
    if (reason != "blower replaced") return reply(fail("{}", reason));
    reply_ = std::move(reply);  // answered from a later turn of the loop
    later_.at(loop_.now() + 20ms);
  }
  void reload(Reply reply) override { reply({}); }

 private:
  Reply reply_;
  Timer later_;
  EventLoop& loop_;
};

/// A server in a child; killed with this object.
class Server {
 public:
  explicit Server(const std::string& root) {
    auto ready = make_pipe();
    REQUIRE(ready);
    ForkOptions options;
    options.output = ready->write.get();
    auto child = fork_child(options, [&root] {
      const auto loop = *EventLoop::make();
      Answers answers(*loop);
      const auto server = ControlServer::open(*loop, root, true, answers);
      static_cast<void>(::write(STDOUT_FILENO, server ? "+" : "-", 1));
      return server ? loop->run() : 1;
    });
    REQUIRE(child);
    child_.emplace(*std::move(child));
    ready->write.reset();
    char answer = 0;
    while (::read(ready->read.get(), &answer, 1) < 0 && errno == EAGAIN) ::usleep(1000);
    REQUIRE(answer == '+');
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() { stop(); }
  void stop() {
    if (!child_) return;
    child_->kill();
    while (!child_->reap()) ::usleep(1000);
    child_.reset();
  }

 private:
  std::optional<ChildProcess> child_;
};

}  // namespace

TEST_CASE("the control socket works at any length of path (design, section 2)") {
  const std::size_t length = GENERATE(std::size_t{60}, std::size_t{107}, std::size_t{108}, std::size_t{300});
  const Root root(length);
  INFO(root.socket());
  const Server server(root.path());
  const auto status = control_status(root.path());
  REQUIRE(status);
  CHECK(*status == R"({"schema":1,"odd":"\u00e4"})");
}

TEST_CASE("nobody but us may use the control socket") {
  const Root root(50);
  const Server server(root.path());
  struct stat info{};
  REQUIRE(::stat(root.socket().c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
}

TEST_CASE("a refused reset comes with the daemon's own sentence, and code EPERM") {
  const Root root(50);
  const Server server(root.path());
  const auto refused = control_reset(root.path(), "gpu1", false, "");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "junction is at 103.0 C");
  CHECK(refused.error().code == EPERM);
  CHECK_FALSE(no_daemon(refused.error()));
  CHECK_FALSE(control_reset(root.path(), "gpu9", true, "blower replaced"));
}

TEST_CASE("a reset that the daemon answers later is waited for") {
  const Root root(50);
  const Server server(root.path());
  CHECK(control_reset(root.path(), "gpu1", true, "blower replaced"));
  CHECK(control_reload(root.path()));
}

TEST_CASE("without a daemon the caller is told so: no folder, no socket, or one that nobody listens on") {
  const Root root(50);
  SECTION("no folder") {
    fs::remove_all(root.path() + "/run");
  }
  SECTION("no socket") {}
  SECTION("the socket of a daemon that was killed") {
    Server server(root.path());
    server.stop();
    REQUIRE(fs::exists(root.socket()));
  }
  const auto status = control_status(root.path());
  REQUIRE_FALSE(status);
  CHECK(no_daemon(status.error()));

  SECTION("and the next daemon takes its place") {
    const Server server(root.path());
    CHECK(control_status(root.path()));
  }
}

TEST_CASE("a socket that the caller may not open tells neither that a daemon runs nor that none does") {
  if (::geteuid() != 0) return;  // only root can be somebody else
  const Root root(50);
  fs::permissions(root.path(), fs::perms(0755));
  Server server(root.path());
  SECTION("one listens") {}
  SECTION("it was killed") {
    server.stop();
  }
  constexpr uid_t kSomebody = 65534;
  REQUIRE(::seteuid(kSomebody) == 0);
  const auto reset = control_reset(root.path(), "gpu1", true, "blower replaced");
  REQUIRE(::seteuid(0) == 0);
  REQUIRE_FALSE(reset);
  CHECK(reset.error().code == EACCES);
  CHECK_FALSE(no_daemon(reset.error()));
}

TEST_CASE("many callers, one after the other and leaving at once, use nothing up") {
  const Root root(50);
  const Server server(root.path());
  for (int i = 0; i < 100; ++i) REQUIRE(control_status(root.path()));
}
