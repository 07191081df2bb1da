#include "catch.h"
#include "observe/fdinfo.h"

using namespace interlock;
using namespace interlock::observe;

TEST_CASE("fdinfo of kernel 6.1 names card, client, memory and engine time (amdgpu.md 3.3)") {
  const FdInfo info = parse_fdinfo(
      "pos:\t0\nflags:\t02100002\nmnt_id:\t25\nino:\t1234\npasid:\t32770\ndrm-driver:\tamdgpu\n"
      "drm-pdev:\t0000:03:00.0\ndrm-client-id:\t22\ndrm-memory-vram:\t26600000 KiB\ndrm-memory-gtt: \t20480 "
      "KiB\n"
      "drm-memory-cpu: \t999 KiB\ndrm-engine-gfx:\t1000 ns\ndrm-engine-compute:\t234 ns\n");
  CHECK(info.card == PciAddress::parse("0000:03:00.0"));
  CHECK(info.driver == "amdgpu");
  CHECK(info.client == 22u);
  CHECK(info.memory == (26600000 + 20480) * kKiB);
  CHECK(info.engine_ns == 1234u);
}

TEST_CASE(
    "memory that newer kernels give under several names is counted once (amdgpu.md 3.3: 6.13 and later)") {
  const FdInfo info = parse_fdinfo(
      "drm-driver:\tamdgpu\ndrm-client-id:\t22\ndrm-pdev:\t0000:03:00.0\n"
      "drm-total-vram:\t3000 KiB\ndrm-shared-vram:\t100 KiB\ndrm-resident-vram:\t2000 KiB\n"
      "drm-purgeable-vram:\t7 KiB\ndrm-active-vram:\t7 KiB\ndrm-memory-vram:\t2000 KiB\n"
      "amd-memory-visible-vram:\t2000 KiB\namd-evicted-vram:\t50 KiB\namd-requested-vram:\t3000 KiB\n"
      "drm-memory-gtt:\t5 KiB\ndrm-total-gtt:\t5 KiB\n");
  CHECK(info.memory == 2005 * kKiB);
}

TEST_CASE("sizes have a unit or none") {
  const auto memory = [](const std::string& size) {
    return parse_fdinfo("drm-memory-vram:" + size + "\n").memory;
  };
  CHECK(memory("\t4096") == 4096u);
  CHECK(memory(" 4096 B") == 4096u);
  CHECK(memory("\t3 KiB") == 3 * kKiB);
  CHECK(memory("3 MiB  ") == 3 * kMiB);
  CHECK(memory("0") == 0u);
}

TEST_CASE("a size that cannot be understood is unknown, never zero") {
  for (const std::string size : {"", " KiB", "x KiB", "-1 KiB", "5 GB", "5 KiB more", "99999999999999999999",
                                 "18446744073709551615 KiB"}) {
    INFO(size);
    CHECK(!parse_fdinfo("drm-memory-vram:\t" + size + "\ndrm-memory-gtt:\t4 KiB\n").memory);
  }
}

TEST_CASE(
    "a client that tells no memory has an unknown amount, and one that never submitted has no engine line") {
  const FdInfo info = parse_fdinfo("drm-driver:\tamdgpu\ndrm-pdev:\t0000:83:00.0\ndrm-client-id:\t3\n");
  CHECK(info.card);
  CHECK(!info.memory);
  CHECK(!info.engine_ns);
}

TEST_CASE("engine times come with and without their unit; a capacity is no time") {
  CHECK(
      parse_fdinfo("drm-engine-gfx: 10\ndrm-engine-enc_1:\t5 ns\ndrm-engine-capacity-gfx:\t4\n").engine_ns ==
      15u);
  CHECK(!parse_fdinfo("drm-engine-capacity-gfx:\t4\n").engine_ns);
  CHECK(!parse_fdinfo("drm-engine-gfx:\t10 ms\n").engine_ns);
}

TEST_CASE(
    "what is no DRM client of a PCI card has no card (amdgpu.md 3.3: unplugged; a pipe; a platform device)") {
  CHECK(!parse_fdinfo("pos:\t0\nflags:\t02\nmnt_id:\t9\nino:\t5\n").card);
  CHECK(!parse_fdinfo("").card);
  CHECK(!parse_fdinfo("drm-driver:\tsimpledrm\ndrm-pdev:\tplatform\n").card);
}
