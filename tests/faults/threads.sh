#!/bin/sh
# Runs everything that uses threads under ThreadSanitizer, in build-tsan/. Prints one line for each call.
set -eu
cd "$(dirname "$0")/../.."
build=build-tsan
export OPENBLAS_NUM_THREADS=1 TSAN_OPTIONS=halt_on_error=0:exitcode=66
cmake --preset tsan >/dev/null
cmake --build $build --target abut >/dev/null
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

# check NAME COMMAND...
check() {
	name=$1
	shift
	status=0
	"$@" >"$scratch/log" 2>&1 || status=$?
	reports=$(grep -c 'WARNING: ThreadSanitizer' "$scratch/log" || :)
	printf '%-32s tsan    status %2d  reports %2d\n' "$name" "$status" "$reports"
	if [ "$status" != 0 ] || [ "$reports" != 0 ]; then
		failed=1
		cat "$scratch/log"
	fi
}

scenes=experiments/scenes
for method in single-level lcp convex; do
	check "run $method --threads 4" $build/abut run $scenes/pile_10.json --set duration=0.5 --threads 4 \
		--method $method --quiet
done
check "run --threads 4 --resume" sh -c "$build/abut run $scenes/pile_10.json --set duration=0.3 --threads 4 --quiet \
	--no-view --save-every 10 --out $scratch/run && $build/abut run --resume $scratch/run --until 0.5 --threads 4 --quiet"
check "sweep --threads 4" $build/abut sweep experiments/sweep/quick.json --threads 4 --quiet --out "$scratch/sweep"
check "batch of 64 worlds" $build/abut bench batch_64_cubes_2_threads
check "batch of 1024 worlds" $build/abut bench batch_1024_cubes_2_threads
exit $failed
