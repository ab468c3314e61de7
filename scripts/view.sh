#!/bin/sh
# Builds the bundle of the replay page, BUILD_FOLDER/replay-page.html, from io/view with three.js and esbuild, which npm
# installs by io/view/package-lock.json. Prints nothing if it is up to date. If it cannot be built, reports why and what
# to do, without failing: Abut works without it, except for `abut view`. Usage: view.sh BUILD_FOLDER
set -eu
build=$(cd "${1:?usage: view.sh BUILD_FOLDER}" && pwd)
cd "$(dirname "$0")/../io/view"

give_up() {
	printf 'view: no replay page: %s\n' "$1" >&2
	printf 'view: everything else works; `scripts/view.sh %s` tries again\n' "$build" >&2
	exit 0
}

out=$build/replay-page.html
work=$build/view
if [ -e "$out" ] && [ -z "$(find . -path ./node_modules -prune -o -type f -newer "$out" -print | head -n 1)" ]; then
	exit 0
fi
command -v npm >/dev/null 2>&1 || give_up "npm is missing; Debian has it in the package npm"

# Works in the build folder, so that sources stay unchanged and several builds do not interfere.
mkdir -p "$work"
cp -R .npmrc package.json package-lock.json build.mjs page.html page.css src "$work/"
cd "$work"
lock=$(cksum <package-lock.json)
if [ "$(cat installed 2>/dev/null || true)" != "$lock" ]; then
	npm ci --ignore-scripts --prefer-offline --no-audit --no-fund >npm.log 2>&1 ||
		give_up "npm could not install three.js and esbuild; see $work/npm.log"
	printf '%s\n' "$lock" >installed
fi
node build.mjs "$out.part" >build.log 2>&1 || give_up "the bundle could not be built; see $work/build.log"
mv "$out.part" "$out"
