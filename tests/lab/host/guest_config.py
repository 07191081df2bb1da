"""/etc/pve/lxc/<vmid>.conf as Proxmox's own parser and writer treat it: what is dropped, what is kept, in which order it
comes back, and what becomes of changes that wait for a stop."""
import os
import re
import sys

CONFIGS = "/etc/pve/lxc"
FALSE = {"0", "off", "no", "false"}


class Section:
    def __init__(self):
        self.description, self.keys, self.raw = [], {}, []


class Config:
    def __init__(self):
        self.main, self.pending, self.snapshots, self.warnings = Section(), Section(), [], []

    def lock(self):
        return self.main.keys.get("lock", "")

    def deleted(self):
        return [key for key in self.pending.keys.get("delete", "").split(",") if key]


def path(vmid):
    return f"{CONFIGS}/{vmid}.conf"


def decoded(text):
    return re.sub("%([0-9A-Fa-f]{2})", lambda code: chr(int(code[1], 16)), text)


def encoded(text):
    return re.sub("[^ -~]|[%:]", lambda char: f"%{ord(char[0]):02X}", text)


def parse(text):
    config = Config()
    section = config.main
    for line in text.split("\n"):
        line = line.rstrip("\r")
        if not line.strip():
            continue
        if re.fullmatch(r"\[pve:pending\]\s*", line, re.I):
            section = config.pending = Section()
        elif header := re.fullmatch(r"\[([a-z][a-z0-9_-]+)\]\s*", line, re.I):
            section = Section()
            config.snapshots.append((header[1], section))
        elif line.startswith("#"):
            section.description.append(decoded(line[1:]))
        elif raw := re.fullmatch(r"(lxc\.[a-z0-9_.-]+)(?::|\s*=)\s*(.*?)\s*", line):
            section.raw.append((raw[1], raw[2]))
        elif key := re.fullmatch(r"([a-z][a-z_]*\d*):\s*(.+?)\s*", line):
            section.keys[key[1]] = key[2]
        else:
            config.warnings.append(line)
    return config


def section_text(section):
    lines = [f"#{encoded(line)}" for line in section.description]
    lines += [f"{key}: {section.keys[key]}" for key in sorted(section.keys)]
    lines += [f"{key}: {value}" for key, value in section.raw]
    return "".join(line + "\n" for line in lines)


def print_config(config):
    text = section_text(config.main)
    if config.pending.keys or config.pending.raw:
        text += "\n[pve:pending]\n" + section_text(config.pending)
    for name, section in sorted(config.snapshots, key=lambda pair: pair[0]):
        text += f"\n[{name}]\n" + section_text(section)
    return text


def load(vmid):
    with open(path(vmid), encoding="utf-8") as file:
        config = parse(file.read())
    for line in config.warnings:
        print(f"vm {vmid} - unable to parse config: {line}", file=sys.stderr)
    return config


def store(vmid, config):
    beside = f"{path(vmid)}.tmp.{os.getpid()}"
    with open(beside, "w", encoding="utf-8") as file:
        file.write(print_config(config))
    os.chmod(beside, 0o640)
    os.rename(beside, path(vmid))


def with_pending(config):
    """The main section as the next start takes it; the pending one is then empty."""
    for key in config.deleted():
        config.main.keys.pop(key, None)
    for key, value in config.pending.keys.items():
        if key != "delete":
            config.main.keys[key] = value
    config.pending = Section()
    return config


def regenerate(vmid, config):
    """/var/lib/lxc/<vmid>/config: only `set` and Proxmox's own starts write it."""
    for key, value in config.main.keys.items():
        device = value.split(",")[0].removeprefix("path=")
        if re.fullmatch(r"dev\d+", key) and not os.path.exists(device):
            raise OSError(f"Device {device} does not exist")
    folder = f"/var/lib/lxc/{vmid}"
    os.makedirs(f"{folder}/rootfs", exist_ok=True)
    lines = ["lxc.include = /usr/share/lxc/config/common.conf",
             "lxc.hook.pre-start = /usr/share/lxc/hooks/lxc-pve-prestart-hook",
             "lxc.hook.post-stop = /usr/share/lxc/hooks/lxc-pve-poststop-hook",
             f"lxc.uts.name = {config.main.keys.get('hostname', f'CT{vmid}')}",
             f"lxc.rootfs.path = {folder}/rootfs",
             "lxc.net.0.type = empty", "lxc.tty.max = 0", "lxc.autodev = 1",
             "lxc.mount.auto = proc:rw sys:ro cgroup:rw",
             "lxc.apparmor.profile = unconfined",
             # A boot that waits for what the laboratory's base has on its disk takes twelve seconds.
             "lxc.mount.entry = tmpfs tmp tmpfs mode=1777 0 0", "lxc.mount.entry = tmpfs var/tmp tmpfs mode=1777 0 0",
             "lxc.cgroup.relative = 0", f"lxc.cgroup.dir.monitor = lxc.monitor/{vmid}",
             f"lxc.cgroup.dir.container = lxc/{vmid}", "lxc.cgroup.dir.container.inner = ns"]
    lines += [f"{key} = {value}" for key, value in config.main.raw]
    beside = f"{folder}/config.tmp.{os.getpid()}"
    with open(beside, "w", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))
    os.rename(beside, f"{folder}/config")
