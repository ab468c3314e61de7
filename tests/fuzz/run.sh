#!/bin/sh
# Runs the fuzz harnesses with libFuzzer: run.sh BUILD_FOLDER SECONDS [HARNESS ...]. Prints a line for each. Stops
# at the first input that crashes, leaks, or takes more than 20 s or 1 GB, with its path. The corpus grows in
# BUILD_FOLDER/corpus (or FUZZ_CORPUS).
set -eu

cd "$(dirname "$0")/../.."
build=$1 seconds=$2
shift 2
[ $# -gt 0 ] || set -- $(sed -n 's/^\tX(\([a-z_]*\)).*/\1/p' tests/fuzz/fuzz.h)
corpus=${FUZZ_CORPUS:-$build/corpus}
mkdir -p "$corpus" "$build/artefacts"
shm=/dev/shm
[ -w $shm ] || shm=/tmp
TMPDIR=$(mktemp -d $shm/abut_fuzz_XXXXXX)
export TMPDIR OPENBLAS_NUM_THREADS=1
trap 'rm -rf "$TMPDIR"' EXIT

printf '%-12s %10s %10s %8s %8s %8s\n' harness inputs 'inputs/s' edges 'time s' stops
for harness; do
	log=$build/artefacts/$harness.log
	mkdir -p "$corpus/$harness"
	crashes=0
	"$build/tests/fuzz/abut_fuzz" "--target=$harness" -max_total_time="$seconds" -max_len=16384 -timeout=20 \
		-rss_limit_mb=1024 -malloc_limit_mb=1024 -reload=0 -print_final_stats=1 -verbosity=1 \
		-dict="$build/seeds/words.dict" -artifact_prefix="$build/artefacts/$harness-" \
		"$corpus/$harness" "$build/seeds/$harness" >"$log" 2>&1 || crashes=1
	awk -v harness="$harness" -v crashes="$crashes" '
		/^stat::number_of_executed_units/ { inputs = $2 }
		/^stat::average_exec_per_sec/ { rate = $2 }
		/ cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1) }
		/^Done / { time = $(NF - 1) }
		END { printf "%-12s %10d %10d %8d %8d %8d\n", harness, inputs, rate, edges, time, crashes }' "$log"
	if [ "$crashes" -ne 0 ]; then
		grep -m 3 -E 'ERROR|SUMMARY|runtime error|does not hold' "$log" || tail -n 5 "$log"
		sed -n 's/.*Test unit written to /input: /p' "$log"
		exit 1
	fi
done
