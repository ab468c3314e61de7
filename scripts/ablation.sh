#!/usr/bin/env bash
# Prints what each row of the cascade and each part of the warm start earns: the studies with it, and without it.
# Usage: scripts/ablation.sh BUILD_FOLDER [--quick] [NAME...]
#
# NAME is a row of dynamics/solve/cascade.c, or turning, slide or landing; without names, all of them run. The build
# folder is made where it is missing, and holds the source compiled with -DABUT_WITHOUT=NAME, one name after the other.
# --quick takes a small part of each study. One line a study and name: failed steps, steps that are not exact, steps in
# halves, retried steps, iterations a step, and microseconds a step.
set -euo pipefail

cd "$(dirname "$0")/.."
[ $# -ge 1 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
build=$1
shift
seeds=200 pairs=5 part=1/30
if [ "${1:-}" = --quick ]; then
	seeds=20 pairs=1 part=1/600
	shift
fi
names=("$@")
[ $# -gt 0 ] || names=(turning slide landing alone last flight chain smoothed short still cold load friction sticking)
export OPENBLAS_NUM_THREADS=1

compile() { # NAME: empty for all rows
	cmake -S . -B "$build" --preset release -DCMAKE_C_FLAGS="-DABUT_WITHOUT=\\\"$1\\\"" >/dev/null
	cmake --build "$build" --parallel 2 --target abut_reliability >/dev/null
}

# The last row of a study's table, "NAME STUDY failed inexact halved retried it/step us/step".
line() { # NAME STUDY ARGUMENTS...
	local name=$1 study=$2
	shift 2
	"$build"/abut_reliability "$@" 2>/dev/null | awk -v name="$name" -v study="$study" '
		/^kind /  { sweep = 1 }
		/^study / { table = 1; next }
		sweep && $1 == "all" { printf "%-10s %-22s %6d %8d %7d %8d %8.3f %8.2f\n", name, study, $5, $7, $8, $9, $12, $16 }
		table && NF >= 13 {
			steps = $(NF - 10)
			if ($1 == "all") { n = failed = halved = retried = it = us = exact = 0 }
			n += steps; failed += $(NF - 9); halved += $(NF - 7); retried += $(NF - 6)
			exact += steps * $(NF - 5); it += steps * $(NF - 4); us += steps * $NF
		}
		END { if (table) printf "%-10s %-22s %6d %8.0f %7d %8d %8.3f %8.2f\n", name, study, failed, n - exact, halved, retried, it / n, us / n }'
}

studies() { # NAME
	line "$1" shapes shapes --seeds "$seeds"
	line "$1" drops drops --seeds "$seeds"
	line "$1" pairs pairs --seeds "$pairs"
	line "$1" sizes pairs --sizes --seeds "$pairs"
	line "$1" masses pairs --mass-ratios --seeds "$pairs"
	line "$1" stacks stacks
	line "$1" robustness robustness --part "$part"
}

printf '%-10s %-22s %6s %8s %7s %8s %8s %8s\n' without study failed inexact halved retried it/step us/step
for name in "" "${names[@]}"; do
	compile "$name"
	studies "${name:-nothing}"
done
