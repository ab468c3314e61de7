#!/bin/sh
# The replay page's tests, in Debian's Chromium. Exit status 77, with a word: they were skipped. Usage: view_tests.sh BUILD
set -eu
build=$(cd "$1" && pwd)
skip() { printf 'view: skipped: %s\n' "$1"; exit 77; }

[ -e "$build/replay-page.html" ] || skip "the bundle is not there; scripts/view.sh $1 makes it"
command -v node >/dev/null 2>&1 || skip "node is not there; in Debian it is the package nodejs"
command -v chromium >/dev/null 2>&1 || skip "chromium is not there; in Debian it is the package chromium"
exec node "$(dirname "$0")/../tests/view/replay.mjs" "$build"
