#!/bin/sh
# Installs the missing Debian packages of the given lists (default: scripts/packages.txt). Prints nothing and uses no
# network if none is missing.
set -eu

cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- scripts/packages.txt

say() { printf 'setup: %s\n' "$*" >&2; }

packages=$(sed 's/#.*//' "$@")
if ! command -v dpkg-query >/dev/null 2>&1; then
	say "not a Debian system: nothing is installed. Needed are the equivalents of:" $packages
	exit 0
fi

# Names that installed packages provide, one per line: nodejs of other archives also provides npm.
provided=$(dpkg-query -W -f='${db:Status-Status} ${Provides}\n' | sed -n 's/^installed //p' | tr ',' '\n' |
	sed 's/^ *//; s/[ (].*//')
missing=
for package in $packages; do
	status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
	[ "$status" = installed ] || printf '%s\n' "$provided" | grep -qx "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null 2>&1; then
		say "missing packages, and neither root nor sudo to install them. As root, run:"
		say "    apt-get install$missing"
		exit 1
	fi
	as_root=sudo
fi

say "installing$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# A stale package list is not an error: the installation decides.
$as_root apt-get update >"$log" 2>&1 || say "apt-get update failed; trying with the package lists at hand"
if ! $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing >"$log" 2>&1; then
	cat "$log" >&2
	say "could not install$missing (the output of apt-get is above)"
	exit 1
fi
