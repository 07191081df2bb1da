#include "decide/errno_meaning.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

namespace interlock::decide {
namespace {

struct Meaning {
  int code;
  std::string_view name;
  std::string_view sentence;
};

constexpr auto kMeanings = std::to_array<Meaning>({
    {EPERM, "EPERM", "the card is being reset or is suspended, and the driver lets nobody at its sensors"},
    {EBUSY, "EBUSY", "the card is being reset or is suspended, and the driver lets nobody at its sensors"},
    {EOPNOTSUPP, "EOPNOTSUPP",
     "the card's management processor gives no answer: it hangs, or the bus failed"},
    {EIO, "EIO", "the card's management processor gives no answer"},
    {EINVAL, "EINVAL", "the card failed to wake up and stays unreadable until the driver is loaded anew"},
    {EACCES, "EACCES", "power management of the card is off, or its driver has met a fatal memory error"},
    {ENODEV, "ENODEV", "the driver let go of the card: unbound, removed or reset"},
    {ENXIO, "ENXIO", "the device behind the file is gone"},
    {ENOENT, "ENOENT", "the file is not there: the card has no such sensor, or its driver is not loaded"},
    {ENOTDIR, "ENOTDIR", "the file is not there: the card has no such sensor, or its driver is not loaded"},
    {ENODATA, "ENODATA", "the driver has no value for this sensor"},
    {ETIMEDOUT, "ETIMEDOUT", "the card did not answer in time"},
    {EREMOTEIO, "EREMOTEIO", "the card's firmware refused to answer"},
    {EHWPOISON, "EHWPOISON", "the card's memory gives only ones: it is lost, or its memory is"},
    {EAGAIN, "EAGAIN", "the read was put off"},
    {EINTR, "EINTR", "the read was interrupted"},
    {EMFILE, "EMFILE", "the reader has too many files open"},
    {ENFILE, "ENFILE", "the host has too many files open"},
    {ENOMEM, "ENOMEM", "the host has no memory left for the read"},
});

}  // namespace

std::string errno_meaning(int code) {
  const auto known = std::ranges::find(kMeanings, code, &Meaning::code);
  if (known == kMeanings.end())
    return fmt::format("errno {}: {}", code, std::generic_category().message(code));
  return fmt::format("{}: {}", known->name, known->sentence);
}

}  // namespace interlock::decide
