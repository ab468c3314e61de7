#!/usr/bin/env bash
# Extracts the code of docs/tutorial_primitive.md, compiles it with the libraries of a build, and runs its scenes.
# Usage: scripts/tutorial.sh BUILD
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
page=$root/docs/tutorial_primitive.md
work=$build/tutorial
rm -rf "$work"
mkdir -p "$work"

# block LANGUAGE: prints the lines of every block in that language
block() {
  awk -v start="\`\`\`$1" '$0 == start {on = 1; next} /^```/ {on = 0} on' "$page"
}
block c >"$work/lens.c"
block "json by scripts/tutorial.sh" >"$work/lens.json"
block "json conic.json" >"$work/conic.json"
for file in lens.c lens.json conic.json; do
  [ -s "$work/$file" ] || { echo "the tutorial has no $file"; exit 1; }
done

# shellcheck disable=SC2206
compile=(${CC:-cc} -std=c17 -D_DEFAULT_SOURCE -Wall -Wextra -Werror ${TUTORIAL_FLAGS:-} -I"$root/include")
# shellcheck disable=SC2207
link=("$build/libabut.a" $(pkg-config --libs assimp libcjson expat qhull_r lapacke openblas) -lamd -lm -pthread)
"${compile[@]}" "$work/lens.c" -o "$work/lens" "${link[@]}"

"$work/lens" "$work/lens.json" | tee "$work/lens.out"
# The body must lie on its face, half its thickness above the floor, as the page says.
grep -qx 'the lens lies at height 0.200000 m' "$work/lens.out"
grep -qx 'the lens lies at height 0.200000 m' "$page"

# A mistake must be reported with its place.
sed 's/"thickness": 0.4/"thickness": 4/' "$work/lens.json" >"$work/wrong.json"
if "$work/lens" "$work/wrong.json" 2>"$work/wrong.err"; then
  echo "a wrong scene was accepted"
  exit 1
fi
grep -q 'wrong.json:[0-9]*:[0-9]*: bodies\[1\].shape.thickness: .*at most twice the radius' "$work/wrong.err"

# So must a wrong function (here a gradient) and a call without a scene.
sed 's/lens_pull(lens, i, v, &G\[4 \* i\]);/& G[4 * i] = -G[4 * i];/' "$work/lens.c" >"$work/lying.c"
"${compile[@]}" "$work/lying.c" -o "$work/lying" "${link[@]}"
if "$work/lying" "$work/lens.json" 2>"$work/lying.err"; then
  echo "a wrong gradient was accepted"
  exit 1
fi
grep -q 'lens.json:[0-9]*:[0-9]*: bodies\[1\].shape: .*gradient: row 0 by x' "$work/lying.err"
! "$work/lens" 2>/dev/null

# The shape as data must move in the same way.
"$build/abut" run "$work/conic.json" >"$work/conic.out"
"$build/abut" validate "$work/conic.json"
lens=$(awk '{print $6}' "$work/lens.out")
awk -v lens="$lens" '$1 == "lens" {d = $4 - lens; found = 1; exit !(d < 1e-5 && d > -1e-5)} END {if (!found) exit 1}' \
  "$work/conic.out"
