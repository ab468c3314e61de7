#!/bin/sh
# Makes the replay page's bundle, BUILD_FOLDER/replay-page.html, of io/view with three.js and esbuild, which npm installs
# as io/view/package-lock.json says. Silent when it is up to date. Where it cannot be made, says why and what to do: Abut
# works without it, all but `abut view`, and so that is no failure. Usage: view.sh BUILD_FOLDER
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
command -v npm >/dev/null 2>&1 || give_up "npm is not there; in Debian it is the package npm"

# In the build folder: the sources stay as they are, and builds of one clone do not meet.
mkdir -p "$work"
cp -R .npmrc package.json package-lock.json build.mjs page.html page.css src "$work/"
cd "$work"
lock=$(cksum <package-lock.json)
if [ "$(cat installed 2>/dev/null || true)" != "$lock" ]; then
	npm ci --ignore-scripts --prefer-offline --no-audit --no-fund >npm.log 2>&1 ||
		give_up "npm could not install three.js and esbuild; its words are in $work/npm.log"
	printf '%s\n' "$lock" >installed
fi
node build.mjs "$out.part" >build.log 2>&1 || give_up "the bundle could not be made; see $work/build.log"
mv "$out.part" "$out"
