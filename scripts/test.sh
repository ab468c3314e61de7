#!/bin/sh
# Runs the tests of a build folder (default: build). Ends with the number of test cases and ctest's closing line.
set -eu

cd "$(dirname "$0")/.."
build=${1:-build}
jobs=${2:-$(nproc)}
# One thread per process: results do not depend on the number of cores, and test programs run in parallel.
export OPENBLAS_NUM_THREADS=1 UBSAN_OPTIONS=print_stacktrace=1

log=$build/tests.log
status=0
rm -f "$log.failed"
{ ctest --test-dir "$build" --output-on-failure --no-tests=error -j "$jobs" || : >"$log.failed"; } | tee "$log"
[ ! -e "$log.failed" ] || status=1
rm -f "$log.failed"

# Counts of each Criterion program, "Tested: 12 | Passing: 12 | Failing: 0 | Crashing: 0", colours removed, and
# Python's unittest: "Ran 12 tests in 0.1s", "FAILED (failures=1, errors=1)".
printf '\n'
esc=$(printf '\033')
sed "s/$esc\[[0-9;]*m//g" "$build/Testing/Temporary/LastTest.log" | awk '
	/Synthesis:/ {
		for (i = 1; i < NF; i++) {
			if ($i ~ /(Tested|Failing|Crashing):$/) count[$i] += $(i + 1)
		}
	}
	/^Ran [0-9]+ tests? in / { count["Tested:"] += $2 }
	/^FAILED \(/ {
		gsub(/skipped=[0-9]+/, "")
		gsub(/[^0-9]+/, " ")
		for (i = 1; i <= NF; i++) count["Failing:"] += $i
	}
	END { printf "%d cases run, %d failed, %d crashed\n", count["Tested:"], count["Failing:"], count["Crashing:"] }'
grep 'tests passed' "$log" | tail -n 1
exit $status
