// Which container and unit a process belongs to, from its cgroup (pct.md, section 4; cases/serving.md).
#include "catch.h"
#include "pve/cgroup_path.h"

using namespace interlock;
using namespace interlock::pve;

namespace {

struct Row {
  const char* reason;
  const char* text;
  const char* place;  // "120 unit whole", "host -", "unknown"
};

const char* const kHex = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

std::string described(const Place& place) {
  if (!place.known) return "unknown";
  std::string text = place.container ? place.container->text() : "host";
  text += place.unit ? " " + place.unit->text() : " -";
  if (place.whole) text += " whole";
  return text;
}

const Row kRows[] = {
    // pct.md, section 4, in its order
    {"the container's init", "0::/lxc/120/ns/init.scope\n", "120 init.scope"},
    {"init, hybrid: the unified line says it",
     "4:memory:/lxc/120/ns\n1:name=systemd:/lxc/120/ns/init.scope\n0::/lxc/120/ns/init.scope\n",
     "120 init.scope"},
    {"init, version 1: systemd's own line says it",
     "4:memory:/lxc/120/ns\n1:name=systemd:/lxc/120/ns/init.scope\n0::/\n", "120 init.scope"},
    {"a system unit", "0::/lxc/120/ns/system.slice/llamacpp.service\n", "120 llamacpp.service whole"},
    {"a system unit, version 1",
     "12:devices:/lxc/120/ns/system.slice\n1:name=systemd:/lxc/120/ns/system.slice/llamacpp.service\n",
     "120 llamacpp.service whole"},
    {"a template's instance, escaped in its slice and name",
     "0::/lxc/120/ns/system.slice/system-llama.slice/llama@qwen\\x2d36.service\n",
     "120 llama@qwen\\x2d36.service whole"},
    {"a delegated group below a unit: the unit, but not the whole of it",
     "0::/lxc/120/ns/system.slice/foo.service/sub/deeper\n", "120 foo.service"},
    {"S05: a user's unit",
     "0::/lxc/120/ns/user.slice/user-1000.slice/user@1000.service/app.slice/llama.service\n",
     "120 llama.service whole"},
    {"a user's systemd itself", "0::/lxc/120/ns/user.slice/user-1000.slice/user@1000.service/init.scope\n",
     "120 init.scope"},
    {"a user's systemd, in its own group", "0::/lxc/120/ns/user.slice/user-1000.slice/user@1000.service\n",
     "120 user@1000.service"},
    {"a login session", "0::/lxc/120/ns/user.slice/user-0.slice/session-c1.scope\n", "120 session-c1.scope"},
    {"S11: pct exec", "0::/lxc/120/ns/.lxc\n", "120 -"},
    {"S11: a second pct exec", "0::/lxc/120/ns/.lxc-1\n", "120 -"},
    {"pct exec, version 1", "1:name=systemd:/lxc/120/ns\n0::/\n", "120 -"},
    {"S04: docker by systemd",
     "0::/lxc/120/ns/system.slice/"
     "docker-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.scope\n",
     "120 docker-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.scope whole"},
    {"S04: docker by cgroupfs: no unit, yet a group of its own",
     "0::/lxc/120/ns/docker/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n",
     "120 - whole"},
    {"podman", "0::/lxc/120/ns/machine.slice/libpod-abc123.scope\n", "120 libpod-abc123.scope whole"},
    {"podman's inner group", "0::/lxc/120/ns/machine.slice/libpod-abc123.scope/container\n",
     "120 libpod-abc123.scope whole"},
    {"podman without root",
     "0::/lxc/120/ns/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-abc.scope/container\n",
     "120 libpod-abc.scope whole"},
    {"a nested LXC: the unit inside is not this container's",
     "0::/lxc/120/ns/lxc.payload.web/system.slice/llamacpp.service\n", "120 -"},
    {"a nested LXC's monitor", "0::/lxc/120/ns/lxc.monitor.web\n", "120 -"},
    {"no systemd inside", "0::/lxc/120/ns\n", "120 -"},
    {"OpenRC", "0::/lxc/120/ns/openrc.llamacpp\n", "120 -"},
    {"lxc's monitor runs on the host", "0::/lxc.monitor/120\n", "host -"},
    {"a virtual machine is no container", "0::/qemu.slice/120.scope\n", "host 120.scope"},
    {"plain LXC: not Proxmox's container 120", "0::/lxc.payload.120/init.scope\n", "host -"},

    // Others
    {"a group that is gone", "0::/lxc/120/ns/system.slice/llamacpp.service (deleted)\n",
     "120 llamacpp.service whole"},
    {"told from inside a namespace", "0::/../../lxc/120/ns/init.scope\n", "unknown"},
    {"told from inside, deeper", "0::/lxc/120/../../x.service\n", "unknown"},
    {"a host's unit", "0::/system.slice/ollama.service\n", "host ollama.service whole"},
    {"the host's first process", "0::/init.scope\n", "host init.scope"},
    {"the host's root group", "0::/\n", "host -"},
    {"a host session", "0::/user.slice/user-0.slice/session-3.scope\n", "host session-3.scope"},
    {"without the inner group", "0::/lxc/120/system.slice/llamacpp.service\n", "120 llamacpp.service whole"},
    {"nsx is not ns", "0::/lxc/120/nsx.service\n", "120 nsx.service whole"},
    {"the container's outer group", "0::/lxc/120\n", "120 -"},
    {"the folder of all containers", "0::/lxc\n", "host -"},
    {"a name that is no number", "0::/lxc/web/init.scope\n", "unknown"},
    {"a leading zero", "0::/lxc/0120/ns\n", "unknown"},
    {"too small a number", "0::/lxc/99/ns\n", "unknown"},
    {"too large a number", "0::/lxc/99999999999/ns\n", "unknown"},
    {"the largest number", "0::/lxc/999999999/ns\n", "999999999 -"},
    {"systemd's '_' before a name that the kernel could use", "0::/lxc/120/ns/system.slice/_cgroup.service\n",
     "120 cgroup.service whole"},
    {"a unit in a unit: the outer one", "0::/lxc/120/ns/system.slice/k3s.service/pod.service\n",
     "120 k3s.service whole"},
    {"docker with a systemd inside: the scope, not the whole",
     "0::/lxc/120/ns/system.slice/docker-abc.scope/init.scope\n", "120 docker-abc.scope"},
    {"a group named docker with something else in it", "0::/lxc/120/ns/docker/buildkit\n", "120 -"},
    {"a unit in no slice", "0::/lxc/120/ns/dev-hugepages.mount\n", "120 -"},
    {"a name that systemd would not take", "0::/lxc/120/ns/system.slice/a b.service\n", "120 -"},
    {"only .service", "0::/lxc/120/ns/system.slice/.service\n", "120 -"},
    {"two slashes", "0::/lxc//120/ns//system.slice/llamacpp.service\n", "120 llamacpp.service whole"},
    {"no line at all", "", "unknown"},
    {"no line to trust", "4:memory:/lxc/120/ns\n", "unknown"},
    {"a relative path", "0::lxc/120/ns\n", "unknown"},
    {"garbage", "what is this\n", "unknown"},
    {"no LF at the end", "0::/lxc/121/ns/init.scope", "121 init.scope"},
    {"a unit name with colons", "0::/lxc/120/ns/system.slice/a:b.service\n", "120 a:b.service whole"},
};

}  // namespace

TEST_CASE("every form of cgroup path gives the right container and unit (pct.md 4)") {
  for (const Row& row : kRows) {
    INFO(row.reason << "\n" << row.text);
    CHECK(described(place_of(row.text)) == row.place);
  }
}

TEST_CASE("the table of cgroup paths has at least forty rows") {
  CHECK(std::size(kRows) >= 40);
}

TEST_CASE("the path is kept as the host sees it, so that it can be frozen or killed") {
  CHECK(place_of("0::/lxc/120/ns/system.slice/llamacpp.service\n").cgroup ==
        "/lxc/120/ns/system.slice/llamacpp.service");
  CHECK(place_of("0::/lxc/120/ns/system.slice/llamacpp.service (deleted)\n").cgroup ==
        "/lxc/120/ns/system.slice/llamacpp.service");
  CHECK(place_of_path(std::string("/lxc/120/ns/docker/") + kHex).whole);
}
