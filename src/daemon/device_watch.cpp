#include "daemon/device_watch.h"

#include <libudev.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/text.h"

namespace interlock::daemon {
namespace {

constexpr std::array kSubsystems = {"pci", "drm", "hwmon"};

struct DeviceUnref {
  void operator()(udev_device* device) const { udev_device_unref(device); }
};

}  // namespace

std::optional<PciAddress> pci_of(std::string_view syspath) {
  std::optional<PciAddress> last;
  for (const std::string_view name : split(syspath, '/')) {
    if (auto pci = PciAddress::parse(name)) last = std::move(pci);
  }
  return last;
}

void DeviceWatch::Unref::operator()(udev* library) const {
  udev_unref(library);
}

void DeviceWatch::Unref::operator()(udev_monitor* monitor) const {
  udev_monitor_unref(monitor);
}

Result<std::unique_ptr<DeviceWatch>> DeviceWatch::begin(EventLoop& loop, OnChange on_change) {
  std::unique_ptr<DeviceWatch> watch(new DeviceWatch(std::move(on_change)));
  watch->library_.reset(udev_new());
  if (!watch->library_) return fail_errno(errno, "udev_new");
  const bool has_udevd = ::access("/run/udev/control", F_OK) == 0;
  watch->monitor_.reset(udev_monitor_new_from_netlink(watch->library_.get(), has_udevd ? "udev" : "kernel"));
  if (!watch->monitor_) return fail_errno(errno, "listening for device events");
  for (const char* subsystem : kSubsystems) {
    const int added =
        udev_monitor_filter_add_match_subsystem_devtype(watch->monitor_.get(), subsystem, nullptr);
    if (added < 0) return fail_errno(-added, "listening for device events");
  }
  if (const int enabled = udev_monitor_enable_receiving(watch->monitor_.get()); enabled < 0) {
    return fail_errno(-enabled, "listening for device events");
  }
  watch->readable_ =
      loop.readable(udev_monitor_get_fd(watch->monitor_.get()), [watch = watch.get()] { watch->take(); });
  return watch;
}

void DeviceWatch::take() {
  errno = 0;
  const std::unique_ptr<udev_device, DeviceUnref> device(udev_monitor_receive_device(monitor_.get()));
  if (!device && errno == ENOBUFS) return on_change_(std::nullopt);
  if (!device) return;  // for another subsystem, or none that we can read: the clock will tell
  const char* path = udev_device_get_syspath(device.get());
  if (path == nullptr) return;
  if (const auto pci = pci_of(path)) on_change_(pci);
}

}  // namespace interlock::daemon
