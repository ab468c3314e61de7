#!/bin/sh
# Makes allocations and system calls of every verb fail, one by one, kills runs, and judges the rest (docs/faults.md).
# Prints one line for each call and kind of fault, and one for each wrong point.
#
# Usage: scripts/faults.sh BUILD_FOLDER [--short] [--call NAME] [--kind KIND]... [--points N]
#        scripts/faults.sh --threads       ThreadSanitizer over islands, batch and sweep, in build-tsan/
#
# Without options every point of every call is made (about two hours). --short makes a few points (some seconds).
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
if [ "$1" = --threads ]; then
	exec tests/faults/threads.sh
fi
exec "${PYTHON:-python3}" tests/faults/campaign.py "$@"
