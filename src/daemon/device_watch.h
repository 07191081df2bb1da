// The kernel's own word that a device came, went or was reset: a hint to look again at once. Looking at the
// clock stays the ground truth, since a failed reset sends nothing (amdgpu.md, 2.7).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "daemon/event_loop.h"
#include "model/identity.h"

struct udev;
struct udev_monitor;

namespace interlock::daemon {

/// The PCI device that a device below it belongs to: the last address in its path below /sys.
std::optional<PciAddress> pci_of(std::string_view syspath);

class DeviceWatch {
 public:
  /// Nothing: more happened than the kernel kept for us, to any of the cards.
  using OnChange = std::function<void(const std::optional<PciAddress>& card)>;
  /// Where no udevd runs, the kernel's messages are taken as they come (amdgpu.md, 4.13).
  static Result<std::unique_ptr<DeviceWatch>> begin(EventLoop& loop, OnChange on_change);
  DeviceWatch(const DeviceWatch&) = delete;
  DeviceWatch& operator=(const DeviceWatch&) = delete;

 private:
  struct Unref {
    void operator()(udev* library) const;
    void operator()(udev_monitor* monitor) const;
  };
  explicit DeviceWatch(OnChange on_change) : on_change_(std::move(on_change)) {}
  void take();

  OnChange on_change_;
  std::unique_ptr<udev, Unref> library_;
  std::unique_ptr<udev_monitor, Unref> monitor_;
  Watch readable_;
};

}  // namespace interlock::daemon
