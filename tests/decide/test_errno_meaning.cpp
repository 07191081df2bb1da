#include <cerrno>

#include "catch.h"
#include "decide/errno_meaning.h"

using namespace interlock::decide;

TEST_CASE("each errno that a sensor is known to give has a sentence (amdgpu.md 1.6)") {
  struct Case {
    int code;
    const char* begin;
  };
  for (const Case& known :
       {Case{EPERM, "EPERM: the card is being reset or is suspended"},
        Case{EBUSY, "EBUSY: the card is being reset or is suspended"},
        Case{EOPNOTSUPP, "EOPNOTSUPP: the card's management processor gives no answer"},
        Case{EIO, "EIO: the card's management processor gives no answer"},
        Case{EINVAL, "EINVAL: the card failed to wake up"},
        Case{EACCES, "EACCES: power management of the card is off"},
        Case{ENODEV, "ENODEV: the driver let go of the card"}, Case{ENOENT, "ENOENT: the file is not there"},
        Case{ENOTDIR, "ENOTDIR: the file is not there"},
        Case{EHWPOISON, "EHWPOISON: the card's memory gives only ones"}, Case{EREMOTEIO, "EREMOTEIO: "},
        Case{ETIMEDOUT, "ETIMEDOUT: "}, Case{ENXIO, "ENXIO: "}, Case{ENODATA, "ENODATA: "},
        Case{EAGAIN, "EAGAIN: "}, Case{EINTR, "EINTR: "}, Case{EMFILE, "EMFILE: "}, Case{ENFILE, "ENFILE: "},
        Case{ENOMEM, "ENOMEM: "}}) {
    CHECK(errno_meaning(known.code).starts_with(known.begin));
  }
}

TEST_CASE("an errno that no driver is known to give keeps its number and the system's words") {
  CHECK(errno_meaning(EXDEV) == "errno 18: Invalid cross-device link");
}
