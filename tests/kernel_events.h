// Device events in the network namespace of whoever makes this: the kernel sends on, as its own, what root
// gives it (kernel: lib/kobject_uevent.c, uevent_net_rcv). Only for a namespace of one's own, since every
// listener there takes it for true.
#pragma once

#include <linux/netlink.h>
#include <sys/socket.h>

#include <cstring>
#include <stdexcept>
#include <string>

#include "base/fd.h"

namespace interlock::tests {

class KernelEvents {
 public:
  KernelEvents() : socket_(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT)) {
    if (!socket_) throw std::runtime_error("no socket for device events");
  }

  /// `device` is a path below /sys.
  void tell(const std::string& action, const std::string& device, const std::string& subsystem) {
    const std::string event = action + "@" + device + '\0' + properties(action, device, subsystem);
    nlmsghdr header{};
    header.nlmsg_len = static_cast<unsigned>(sizeof header + event.size());
    header.nlmsg_type = NLMSG_MIN_TYPE;
    header.nlmsg_flags = NLM_F_REQUEST;
    send(std::string(reinterpret_cast<const char*>(&header), sizeof header) + event, 0);
  }

 protected:
  static std::string properties(const std::string& action, const std::string& device,
                                const std::string& subsystem) {
    return "ACTION=" + action + '\0' + "DEVPATH=" + device + '\0' + "SUBSYSTEM=" + subsystem + '\0';
  }

  /// Group 0: to the kernel itself.
  void send(const std::string& message, unsigned group) {
    sockaddr_nl to{};
    to.nl_family = AF_NETLINK;
    to.nl_groups = group;
    const auto sent = ::sendto(socket_.get(), message.data(), message.size(), 0,
                               reinterpret_cast<const sockaddr*>(&to), sizeof to);
    if (sent != static_cast<ssize_t>(message.size())) {
      throw std::runtime_error("a device event was not taken: " + std::string(std::strerror(errno)));
    }
  }

 private:
  Fd socket_;
};

}  // namespace interlock::tests
