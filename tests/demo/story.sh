#!/bin/sh
# The demo: one mocked Proxmox host, two cards, two model servers, and the real programs. Every command is shown
# before its output; nothing outside a temporary folder is touched.
# Usage: tests/demo/story.sh FOLDER_OF_PROGRAMS
set -eu

programs=$(cd "$1" && pwd)
folder=$(mktemp -d)
PATH=$programs:$PATH
GPU_INTERLOCK_ROOT=$folder/host
export PATH GPU_INTERLOCK_ROOT
guard='' kernel=''

clean_up() {
  for process in $guard $kernel; do kill "$process" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); else bold='' plain=''; fi

tell() { printf '\n%s\n' "$*"; }

# run CODE COMMAND...: shows the command line and its output, and insists on its exit code.
run() {
  wanted=$1
  shift
  printf '\n%s$ %s%s\n' "$bold" "$*" "$plain"
  code=0
  "$@" || code=$?
  [ "$code" -eq "$wanted" ] || { echo "it exited $code where the story wants $wanted" >&2; exit 1; }
}

# until_so SECONDS COMMAND...: asks again until it succeeds.
until_so() {
  end=$(($(date +%s) + $1))
  shift
  until "$@"; do
    [ "$(date +%s)" -lt "$end" ] || { echo "this did not come about in time: $*" >&2; cat "$folder/guard.log" >&2; exit 1; }
    sleep 0.1
  done
}
guard_is_fresh() { gpu-interlock status --json | grep -q '"fresh": true'; }
gpu1_is_cool() { gpu-interlock status --json | grep -q '"celsius": 60.0'; }
gpu1_is_latched() { gpu-interlock status --json | grep -q '"state": "latched"'; }

start_guard() {
  printf '\n%s$ gpu-interlockd &%s\n' "$bold" "$plain"
  gpu-interlockd >>"$folder/guard.log" 2>&1 &
  guard=$!
  until_so 20 guard_is_fresh
}

stop_guard() {
  kill "$guard"
  wait "$guard" || true
  guard=
}

mock-host make "$GPU_INTERLOCK_ROOT" --settle 300ms >/dev/null
# The mocked kernel, while no pct runs: memory and engine times that grow, and cgroup.freeze and cgroup.kill.
mock-host serve "$GPU_INTERLOCK_ROOT" --for 600 &
kernel=$!

tell "A Proxmox host with two cards. Container 120 serves one model on gpu1, container 123 another on gpu2."
start_guard
run 0 gpu-interlock status

tell "A large model needs both cards. What would have to happen, and is it safe?"
run 0 gpu-interlock plan to-qwen38fn

tell "Then do it: all the way, or all the way back."
run 0 gpu-interlock to-qwen38fn --yes
run 0 gpu-interlock audit

tell "The host loses power and boots again. Nothing comes back that should not: container 123 stays down."
stop_guard
run 0 mock-host boot "$GPU_INTERLOCK_ROOT"
start_guard
run 0 gpu-interlock status
run 0 gpu-interlock audit

tell "gpu1 gets hot: 103 C, and the guard trips at 102."
run 0 mock-host heat "$GPU_INTERLOCK_ROOT" gpu1 103 90
until_so 20 gpu1_is_latched
tell "The guard took down what was really using it, saw it gone, and latched the card:"
run 0 gpu-interlock status

tell "While it is hot nobody gets it back."
run 3 gpu-interlock reset gpu1
run 0 mock-host heat "$GPU_INTERLOCK_ROOT" gpu1 60 58
until_so 20 gpu1_is_cool
tell "It has cooled, and somebody has looked at the blower."
run 0 gpu-interlock reset gpu1

tell "Back to one model for each card."
run 0 gpu-interlock to-qwen36 --yes
run 0 gpu-interlock audit
run 0 gpu-interlock history
tell "That was it. On a real host it is the same commands without a mocked root."
