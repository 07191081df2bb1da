#!/bin/sh
# check.sh PROGRAM TESTS: what runs the tests must not take an aborted one for a pass, and no test may be hidden
# but the nightly ones (two-v620 failure 13).
set -eu
program=$1 tests=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

result_of() {
  printf 'add_test(one "%s" "%s")\n' "$program" "$1" >"$folder/CTestTestfile.cmake"
  ctest --test-dir "$folder" >"$folder/log" 2>&1 && echo passed || echo failed
}

[ "$(result_of 'it passes')" = passed ] || { cat "$folder/log"; echo "a good test counts as failed"; exit 1; }
[ "$(result_of 'it aborts')" = failed ] || { cat "$folder/log"; echo "an aborted test counts as passed"; exit 1; }

hidden=$(grep -rnE '\[(\.|!mayfail|!shouldfail)' "$tests" --include='*.cpp' | grep -vF '[.nightly]' || true)
[ -z "$hidden" ] || { echo "$hidden"; echo "these tests do not run"; exit 1; }

# Their names go through CMake's lists, where a bracket without its other joins a test with the next one: neither runs.
names=$(grep -rnE 'TEST_CASE\("[^"]*[][][^"]*"' "$tests" --include='*.cpp' || true)
[ -z "$names" ] || { echo "$names"; echo "these names hold a bracket"; exit 1; }
