#!/bin/sh
# Makes the seeds of the fuzz harnesses and calls each harness with its seeds: seeds.sh BUILD_FOLDER. No libFuzzer.
set -eu

here=$(dirname "$0")
python3 "$here/seeds.py" "$1/abut" "$1/seeds"
"$1/tests/fuzz/abut_fuzz" "$1/seeds"
