#!/bin/sh
# The rules of the house that a compiler does not check (CONTRIBUTING.md). Usage: check_house.sh BUILD_FOLDER
#
#   1. a folder includes only folders below it
#   2. a heavy header is included by one file
#   3. every public header compiles alone, as C17 and as C++17, and includes only public headers
#   4. every external symbol of the libraries starts with abut_
#   5. the libraries do not print, exit or abort, and their clones for wider machines hold no fused operation
#   6. the test files that comments of the sources name are there
#   7. the replay page makes elements from text nodes, never from HTML in a string
#   8. no line is marked DBG
#   9. files and rooms use each other one way, and stay small (house_graph.py, house_limits.txt)
#
# What pages say is checked by tests/docs.
set -eu

cd "$(dirname "$0")/.."
build=$1
CC=${CC:-cc}
CXX=${CXX:-c++}
scratch=$(mktemp -d)
failures=$scratch/failures
trap 'rm -rf "$scratch"' EXIT
: >"$failures"

fail() { printf 'house: %s\n' "$*" | tee -a "$failures" >&2; }

# --- 1. who may include whom ---
# allowed FOLDER FOLDERS...: `abut` is the public interface, which everyone sees.
allowed() {
	folder=$1
	shift
	[ -d "$folder" ] || return 0
	find "$folder" -name '*.[ch]' -exec grep -Hn '^ *# *include *"[^"/]*/' {} + | sort |
		while IFS= read -r line; do
			included=$(printf '%s\n' "$line" | sed 's/.*include *"\([^"/]*\)\/.*/\1/')
			case " $folder abut $* " in
			*" $included "*) ;;
			*) fail "$folder may not include $included: $line" ;;
			esac
		done
}
allowed include
allowed base
allowed shapes base
allowed solver base
allowed collision base shapes solver
allowed dynamics base shapes solver collision
allowed io base shapes solver collision dynamics
allowed experiments base shapes solver collision dynamics io
allowed cli base shapes solver collision dynamics io experiments

# --- 2. one file per heavy header ---
# only_in HEADER FILES...: in the sources, not in the tests.
only_in() {
	header=$1
	shift
	grep -rlE "# *include *[<\"]([a-z_]+/)*$header[>\"]" --include='*.[ch]' \
		include base shapes solver collision dynamics io experiments cli |
		while IFS= read -r file; do
			case " $* " in
			*" $file "*) ;;
			*) fail "$file includes $header, which only $* may" ;;
			esac
		done
}
only_in lapacke.h base/lapack.c
only_in cblas.h base/lapack.c
only_in amd.h solver/blocks/pattern.c
only_in libqhull_r.h shapes/hull/hull.c
only_in qhull_ra.h shapes/hull/hull.c
only_in cimport.h shapes/mesh/assimp.c
only_in cJSON.h io/json/tree.c
only_in expat.h io/xml/xml_tree.c
only_in mujoco.h experiments/peers/mujoco_peer.c
only_in ode.h experiments/peers/ode_peer.c
only_in World.hpp experiments/peers/dart_bridge.cpp
only_in ccd.h experiments/queries/ccd_peer.c
only_in mpi.h experiments/sweep/ranks.c

# --- 3. public headers ---
alone() {
	for header in include/abut/*.h; do
		printf '#include "abut/%s"\nint alone;\n' "${header##*/}" |
			"$@" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I include - ||
			fail "$header does not compile alone: $*"
	done
}
alone "$CC" -x c -std=c17
if command -v "$CXX" >/dev/null 2>&1; then
	alone "$CXX" -x c++ -std=c++17
fi

# --- 4. and 5. symbols of the libraries ---
for library in "$build"/libabut_*.a; do
	[ -e "$library" ] || fail "no libraries in $build"
	# Sanitizers add symbols of their own, all starting with two underscores.
	nm -g --defined-only "$library" | awk 'NF == 3 && $3 !~ /^(abut_|__)/ { print $3 }' | sort -u |
		while IFS= read -r symbol; do
			fail "${library##*/}: external symbol $symbol does not start with abut_"
		done
	nm -u "$library" | awk '{ print $NF }' | sort -u |
		grep -xE '(v?printf|puts|putchar|perror|stdout|stderr|exit|_exit|_Exit|quick_exit|abort|raise)' |
		while IFS= read -r symbol; do
			fail "${library##*/}: uses $symbol"
		done
	# gcc 12 makes a vfmaddsub of x y +- z in spite of -ffp-contract=off: such a clone has other bits (base/clones.h)
	objdump -d --no-show-raw-insn "$library" 2>/dev/null |
		awk '/^[0-9a-f]+ <.*>:$/ { name = $2 } $2 ~ /^vfn?m(add|sub)/ { print name }' | sort -u |
		while IFS= read -r name; do
			fail "${library##*/}: $name fuses a product and a sum"
		done
done

# --- 6. test files that comments name ---
grep -rnoE 'tests/[A-Za-z0-9_/]+\.[ch]\b' --include='*.[ch]' \
	include base shapes solver collision dynamics io experiments cli | sort |
	while IFS=: read -r file line named; do
		[ -e "$named" ] || fail "$file:$line: no file $named"
	done

# --- 7. HTML in strings ---
grep -rnE 'innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser' io/view/src |
	while IFS= read -r line; do
		fail "make elements with io/view/src/dom.js: $line"
	done

# --- 8. lines for debugging ---
grep -rnE '(//|/\*|#) *DBG' --include='*.[ch]' --include='*.cpp' --include='*.py' --include='*.sh' --include='*.js' \
	include base shapes solver collision dynamics io experiments cli tests python scripts |
	grep -v '^scripts/check_house.sh:' |
	while IFS= read -r line; do
		fail "a line for debugging is left: $line"
	done

# --- 9. circles, arrows and sizes ---
scripts/house_graph.py || fail "scripts/house_graph.py --list names the places"

if [ -s "$failures" ]; then
	exit 1
fi
