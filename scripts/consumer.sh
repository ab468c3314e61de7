#!/usr/bin/env bash
# Installs a build and uses it like a user: by find_package (shared, static, C++) and by pkg-config. Then checks what the
# library exports, the command, its man page and its completion. Usage: scripts/consumer.sh BUILD
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
work=$build/consumer
prefix=$work/prefix
drop=$root/docs/examples/drop.c
rm -rf "$work"
mkdir -p "$work"

fail() { printf 'consumer: %s\n' "$*" >&2; exit 1; }

cmake --install "$build" --prefix "$prefix" >"$work/install.log"
library=$(find "$prefix" -name libabut.so)
[ -n "$library" ] || fail "no libabut.so was installed"
folder=$(dirname "$library")
scene=$prefix/share/abut/scenes/cube_drop.json
export LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

# Every way of linking must print what the example of the build prints.
expected=$("$build/tests/example_drop" "$root/experiments/scenes/cube_drop.json")
expect() {
  local said
  said=$("$@") || fail "$* failed"
  [ "$said" = "$expected" ] || fail "$*: $said instead of $expected"
}

flags=${CONSUMER_FLAGS:-}
cmake -S "$root/tests/consumer" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DDROP="$drop" \
  -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" >"$work/cmake.log"
cmake --build "$work/cmake" >>"$work/cmake.log" || fail "see $work/cmake.log"
expect "$work/cmake/by_shared" "$scene"
expect "$work/cmake/by_static" "$scene"
"$work/cmake/by_cpp" >/dev/null || fail "the C++ program failed"
grep -q libabut.so <<<"$(ldd "$work/cmake/by_shared")" || fail "by_shared does not use the shared library"
! grep -q libabut.so <<<"$(ldd "$work/cmake/by_static")" || fail "by_static uses the shared library"

export PKG_CONFIG_PATH=$folder/pkgconfig
# shellcheck disable=SC2046,SC2086
${CC:-cc} -std=c17 $flags "$drop" -o "$work/by_pkg_config" $(pkg-config --cflags --libs abut)
expect "$work/by_pkg_config" "$scene"
# shellcheck disable=SC2046,SC2086
${CC:-cc} -std=c17 $flags "$drop" -o "$work/by_archive" \
  $(pkg-config --static --cflags --libs abut | sed 's/-labut/-l:libabut.a/')
expect "$work/by_archive" "$scene"
[ "$(pkg-config --modversion abut)" = "$("$prefix/bin/abut" --version | awk 'NR == 1 { print $2 }')" ] ||
  fail "pkg-config and the command differ on the version"

# The library exports the whole interface and nothing else, with a versioned name.
nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u >"$work/exported"
! grep -v '^abut_' "$work/exported" || fail "these symbols are not ours to export"
grep -ohE '^ABUT_API [^;]*' "$root"/include/abut/*.h | grep -oE 'abut_[a-z0-9_]+\(' | tr -d '(' | sort -u >"$work/declared"
diff "$work/declared" "$work/exported" >"$work/differ" || fail "declared and exported differ: $(cat "$work/differ")"
grep -q 'SONAME.*libabut.so.[0-9]' <<<"$(readelf -d "$library")" || fail "no version in the library's name"

# The Python package finds the library and the command of its own prefix.
python=$(PATH=/usr/bin:$PATH command -v python3 || true)
if [ -n "$python" ] && [ -z "$flags" ] && "$python" -c 'import numpy' 2>/dev/null; then
  found=$(env -u LD_LIBRARY_PATH -u ABUT_LIBRARY PYTHONDONTWRITEBYTECODE=1 \
    PYTHONPATH="$prefix/lib/python3/dist-packages" "$python" -c 'import abut; print(abut.library_path, abut.command_path())') || fail "the Python package does not load"
  [ "$found" = "$(echo "$folder"/libabut.so.[0-9].[0-9]) $prefix/bin/abut" ] || fail "Python loaded $found"
fi

"$prefix/bin/abut" validate "$scene" >/dev/null || fail "the installed command failed"
if [ -e "$build/replay-page.html" ]; then
	"$prefix/bin/abut" run "$scene" --quiet --view --out "$work/run" && [ -s "$work/run/replay.html" ] ||
		fail "the installed command wrote no replay page"
fi
page=$prefix/share/man/man1/abut.1
for verb in run grad sweep; do
  grep -q "^.SS abut $verb" "$page" || fail "the man page does not know $verb"
done
if command -v man >/dev/null; then
  man --warnings -l "$page" 2>&1 >"$work/page.txt" | tee "$work/page.err" >&2
  [ ! -s "$work/page.err" ] || fail "the man page has warnings"
fi

# complete WORDS...: prints the completions of the last word.
complete_words() {
  PATH=$prefix/bin:$PATH bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _abut; printf "%s\n" "${COMPREPLY[@]}"' \
    complete "$prefix/share/bash-completion/completions/abut" "$@" 2>/dev/null
}
[ "$(complete_words abut val)" = validate ] || fail "the completion does not know validate"
[ "$(complete_words abut run --met)" = --method ] || fail "the completion does not know --method"
[ "$(complete_words abut run --method bil)" = bilevel ] || fail "the completion does not know bilevel"
