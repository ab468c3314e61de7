#!/bin/sh
# Tests the replay page in Debian's Chromium. Exit status 77, with the reason, if the tests were skipped. Usage: view_tests.sh BUILD
set -eu
build=$(cd "$1" && pwd)
skip() { printf 'view: skipped: %s\n' "$1"; exit 77; }

[ -e "$build/replay-page.html" ] || skip "the bundle is missing; scripts/view.sh $1 builds it"
command -v node >/dev/null 2>&1 || skip "node is missing; Debian has it in the package nodejs"
command -v chromium >/dev/null 2>&1 || skip "chromium is missing; Debian has it in the package chromium"
exec node "$(dirname "$0")/../tests/view/replay.mjs" "$build"
