#!/usr/bin/env bash
# Prints what each row of the cascade and each part of the warm start earns: the studies with it, and without it.
# Usage: scripts/ablation.sh BUILD_FOLDER [--quick] [NAME...]
#
# NAME is a row of dynamics/solve/cascade.c, or turning, slide or landing, or several of them with commas between; without
# names, each of them runs. The script makes the build folder if it is missing, and compiles it with
# -DABUT_WITHOUT=NAME for one name after the other.
# --quick takes a small part of each study. One line a study and name: failed steps, steps that are not exact, steps in
# halves, retried steps, iterations a step, and microseconds a step. Studies of `abut bench` do not count halved steps.
set -euo pipefail

cd "$(dirname "$0")/.."
[ $# -ge 1 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
build=$1
shift
seeds=200 pairs=5 part=1/30 piles="pile_20 pile_100"
if [ "${1:-}" = --quick ]; then
	seeds=20 pairs=1 part=1/600 piles=pile_20
	shift
fi
names=("$@")
[ $# -gt 0 ] || names=(turning slide landing alone last flight chain smoothed cold load friction sticking)
export OPENBLAS_NUM_THREADS=1

known=$(sed -nE 's/.*\{ROW\((\w+),.*/\1/p; s/.*abut_has\("(\w+)"\).*/\1/p' dynamics/solve/*.c)
for name in $(printf '%s ' "${names[@]}" | tr , ' '); do
	printf '%s\n' "$known" | grep -qx "$name" ||
		{ echo "ablation: no row and no part of the warm start is named $name; there are" $known >&2; exit 2; }
done

compile() { # NAME: empty for all rows
	cmake -S . -B "$build" --preset release -DABUT_WITHOUT="$1" >/dev/null
	cmake --build "$build" --parallel 2 --target abut abut_reliability >/dev/null
}

# Both programs fail when a step fails, or a bound does not hold: that is what is looked for.
# The last row of a study's table, "NAME STUDY failed inexact halved retried it/step us/step".
line() { # NAME STUDY ARGUMENTS...
	local name=$1 study=$2
	shift 2
	{ "$build"/abut_reliability "$@" 2>/dev/null || true; } | awk -v name="$name" -v study="$study" '
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

# The same of cases of `abut bench`, and of one scene.
bench_line() { # NAME STUDY CASE [PATTERN]
	{ "$build"/abut bench "$3" --json 2>/dev/null || true; } | python3 -c '
import json, re, sys
name, study, pattern = sys.argv[1:]
cases = [c for c in json.load(sys.stdin)["cases"] if re.search(pattern, c["name"])]
n = sum(c["steps"] for c in cases)
mean = lambda key: sum(c["steps"] * c[key] for c in cases) / n
print("%-10s %-22s %6d %8.0f %7s %8d %8.3f %8.2f" % (name, study, sum(c["failed_steps"] for c in cases),
      n * (1.0 - mean("exact_share")), "-", sum(c["retried_steps"] for c in cases), mean("iterations_mean"),
      mean("step_time_us_mean")))' "$1" "$2" "${4:-.}"
}

run_line() { # NAME STUDY SCENE
	{ "$build"/abut run "$3" 2>/dev/null || true; } | awk -v name="$1" -v study="$2" '
		$1 == "steps" { n = $2 }
		$1 == "exact" { exact = $2 }
		$1 == "retried" { retried = $2 }
		$1 == "half" { halved = $3 }
		$1 == "failed" { failed = $2 }
		$1 == "iterations" { it = $2 }
		$1 == "step" && $2 == "time" { us = $6 }
		END { printf "%-10s %-22s %6d %8d %7d %8d %8.3f %8.2f\n", name, study, failed, n - exact, halved, retried, it, us }'
}

studies() { # NAME
	line "$1" shapes shapes --seeds "$seeds"
	line "$1" drops drops --seeds "$seeds"
	line "$1" pairs pairs --seeds "$pairs"
	line "$1" sizes pairs --sizes --seeds "$pairs"
	line "$1" masses pairs --mass-ratios --seeds "$pairs"
	line "$1" stacks stacks
	line "$1" sliding incline
	line "$1" robustness robustness --part "$part"
	bench_line "$1" landing drop_
	bench_line "$1" "towers shaken" tower_ shaken
	bench_line "$1" "towers kicked" tower_ kicked
	for pile in $piles; do
		bench_line "$1" "pile of ${pile#pile_}" "$pile"
	done
	run_line "$1" "rolling cylinder" experiments/scenes/cylinder_rolling.json
	run_line "$1" "sliding block" experiments/scenes/incline_above.json
}

printf '%-10s %-22s %6s %8s %7s %8s %8s %8s\n' without study failed inexact halved retried it/step us/step
for name in "" "${names[@]}"; do
	compile "$name"
	studies "${name:-nothing}"
done
compile ""
