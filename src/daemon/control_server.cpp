#include "daemon/control_server.h"

#include <sys/socket.h>
#include <unistd.h>

#include "daemon/control_path.h"

namespace interlock::daemon {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostPeers = 32;
constexpr Duration kRejoinAfter = 10s;

/// Root, or in rooted mode whoever runs this daemon.
bool may_ask(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  return peer.uid == 0 || peer.uid == ::geteuid();
}

}  // namespace

Result<std::unique_ptr<ControlServer>> ControlServer::open(EventLoop& loop, const std::string& root,
                                                           bool rooted, ControlMethods& methods) {
  Fd socket = TRY(listen_for_control(root));
  return std::unique_ptr<ControlServer>(new ControlServer(loop, std::move(socket), rooted, methods));
}

ControlServer::ControlServer(EventLoop& loop, Fd socket, bool rooted, ControlMethods& methods)
    : loop_(loop),
      socket_(std::move(socket)),
      methods_(methods),
      connecting_(loop.readable(socket_.get(), [this] { accept_peer(); })),
      sweep_(loop.timer([this] { gone_.clear(); })),
      rejoin_(loop.timer([this] { join_system(); })) {
  if (!rooted) join_system();
}

void ControlServer::accept_peer() {
  Fd peer(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!peer || peers_.size() >= kMostPeers || !may_ask(peer.get())) return;
  peers_.emplace_front();
  const auto place = peers_.begin();
  auto bus = Bus::serve_peer(loop_, std::move(peer), methods_, [this, place] {
    gone_.splice(gone_.begin(), peers_, place);
    sweep_.at(loop_.now());
  });
  if (!bus) {
    peers_.erase(place);  // it sees its connection closed
    return;
  }
  place->bus = *std::move(bus);
}

/// There may be no such bus yet, or any more: that takes nothing from the private socket.
void ControlServer::join_system() {
  system_.reset();
  auto bus = Bus::join_system(loop_, methods_, [this] { rejoin_.at(loop_.now() + kRejoinAfter); });
  if (bus) {
    system_ = *std::move(bus);
  } else {
    rejoin_.at(loop_.now() + kRejoinAfter);
  }
}

}  // namespace interlock::daemon
