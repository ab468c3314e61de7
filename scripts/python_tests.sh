#!/bin/sh
# Tests the Python package with the library of a build, its tutorials with --quick, and the code of its pages.
# Usage: scripts/python_tests.sh BUILD [PYTHON]
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
python=${2:-python3}
export ABUT_LIBRARY="$build/libabut.so" ABUT_COMMAND="$build/abut" OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1

# A library with sanitizers needs a preload in Python. Memory that Python itself never frees is ignored. The tests of
# installation and tutorials, which start many processes, are then left out.
if [ -n "${PYTHON_SANITIZE:-}" ]; then
	LD_PRELOAD=$("${CC:-cc}" -print-file-name=libasan.so)
	export LD_PRELOAD ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
fi

cd "$root/tests/python"
"$python" -m unittest discover -q 2>&1
