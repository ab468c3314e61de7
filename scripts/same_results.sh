#!/usr/bin/env bash
# Compares the results of two builds bit for bit: the guard of a change that must not change any.
# Usage: scripts/same_results.sh BUILD_FOLDER OTHER_BUILD_FOLDER [--quick] [--no-messages]
#
# Both commands run this checkout's scenes, meshes and models: every scene with every method (a refusal is a result too),
# collide, grad of each method, exports, meshes, decompositions, a sweep, import, validate and random scenes. --quick
# takes a part of them (half a minute). Scenes that one of the builds is too old to read are named and left out. Times
# are removed before the comparison, and with --no-messages, for a change of their wording, what is on stderr and in
# "warnings". Exit status 1 names each call whose results differ.
set -euo pipefail

cd "$(dirname "$0")/.."
[ $# -ge 2 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
first=$(cd "$1" && pwd) second=$(cd "$2" && pwd) quick= reworded=() unread=()
shift 2
for option in "$@"; do
	case "$option" in
	--quick) quick=yes ;;
	--no-messages) reworded=(-e 's/(, )?"warnings": \[[^]]*\]//') unread=(! -name stderr) ;;
	*) echo "same_results: unknown option $option" >&2 && exit 2 ;;
	esac
done
export OPENBLAS_NUM_THREADS=1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Scenes that both commands can read.
scenes=()
for scene in experiments/scenes/*.json; do
	if "$first/abut" validate "$scene" --quiet 2>/dev/null && "$second/abut" validate "$scene" --quiet 2>/dev/null; then
		scenes+=("$scene")
	else
		echo "not compared: $scene" >&2
	fi
done

# One call a line, for `sh -c` in a folder of its own: $abut, $reliability and $source are set, files land in out/.
calls() {
	local scene method name
	for scene in "${scenes[@]}"; do
		for method in single-level bilevel lcp point-ncp convex; do
			echo "\$abut run \$source/$scene --method $method --out out --no-view"
			[ "$quick" ] && continue
			echo "\$abut run \$source/$scene --method $method --set timestep=0.05 --json"
			echo "\$abut grad \$source/$scene --method $method --step 12 --json"
		done
		echo "\$abut collide \$source/$scene --json"
		echo "\$abut validate \$source/$scene --json"
		echo "\$abut grad \$source/$scene --step 20 --json"
		[ "$quick" ] && continue
		echo "\$abut run \$source/$scene --set solver.finish=none --json"
		echo "\$abut run \$source/$scene --set solver.friction_cone=pyramid --json"
		echo "\$abut run \$source/$scene --set solver.warm_start=false --json"
		echo "\$abut run \$source/$scene --set solver.linear_solver=dense --set duration=0.3 --json"
		echo "\$abut run \$source/$scene --set solver.preset=paper --json"
		echo "\$abut run \$source/$scene --threads 2 --set friction=0.1 --log out.log --json"
		echo "\$abut grad \$source/$scene --step 20 --kappa-gradient 1e-4 --json"
	done
	for name in csv npz glb mcap; do
		echo "\$abut run \$source/experiments/scenes/pile_10.json --set duration=0.2 --no-view --quiet --out run && \$abut export run --format $name -o out.$name --quiet"
	done
	for name in experiments/meshes/*; do
		echo "\$abut mesh \$source/$name --out out.json --json"
		echo "\$abut mesh \$source/$name --faces 12 --json"
	done
	echo "\$abut mesh \$source/experiments/meshes/mug.obj --decompose --no-cache --out out.json --json"
	echo "\$abut mesh \$source/experiments/meshes/bracket.stl --decompose --no-cache --json"
	echo "\$abut import \$source/tests/io/models/cube.urdf -o out.json"
	echo "\$abut sweep \$source/experiments/sweep/quick.json --out out --quiet"
	echo "\$reliability pairs --seeds 1"
	[ "$quick" ] && return
	echo "\$reliability pairs --sizes --mass-ratios --seeds 1"
	echo "\$reliability robustness --part 1/600"
}

# What differs from call to call of one build: times, and the folder of the call.
strip_times() {
	sed -E -e 's/"[a-z_]*(time_us|time_s|seconds|_us|_ms)[a-z_]*": *[-+0-9.e]+,?//g' "${reworded[@]}" -e "s#$scratch/[ab]##g" -e "s#$PWD##g"
}

# run_all LETTER BUILD: one line a call, `DIGEST CALL`.
run_all() {
	local here=$scratch/$1 build=$2 call
	calls | while IFS= read -r call; do
		rm -rf "$here" && mkdir "$here"
		(
			cd "$here"
			status=0
			abut=$build/abut reliability=$build/abut_reliability source=$OLDPWD sh -c "$call" >stdout 2>stderr </dev/null || status=$?
			echo "$status" >status
		)
		# The table of `abut_reliability` ends with a column of times, `times.csv` and run tables hold nothing else.
		case "$call" in *reliability*) sed -i -E 's/ +[0-9.]+$//' "$here/stdout" ;; *--quiet* | *--json*) ;; *) : >"$here/stdout" ;; esac
		digest=$(cd "$here" && find . -type f ! -name times.csv "${unread[@]}" -print | sort | while read -r file; do
			echo "$file"
			strip_times <"$file"
		done | sha256sum | cut -c1-16)
		printf '%s %s\n' "$digest" "$call"
	done
}

run_all a "$first" >"$scratch/first" &
run_all b "$second" >"$scratch/second"
wait $!
total=$(wc -l <"$scratch/first")
differing=$({ diff "$scratch/first" "$scratch/second" || :; } | sed -n 's/^> [0-9a-f]* /differs: /p')
if [ "$differing" ]; then
	printf '%s\n' "$differing" >&2
	printf '%d calls, %d differ\n' "$total" "$(printf '%s\n' "$differing" | wc -l)"
	exit 1
fi
printf '%d calls, the same bits\n' "$total"
