#!/bin/sh
# Checks the C sources: clang-format, clang-tidy and cppcheck; and the types of the Python package: mypy.
# Needs a configured build folder (default: build) for its compile_commands.json. A missing tool is reported and counts as
# a failure.
set -eu

cd "$(dirname "$0")/.."
build=${1:-build}
jobs=${2:-$(nproc)}
failed=

say() { printf 'lint: %s\n' "$*"; }

# have TOOL: tests whether it is installed; reports if it is not.
have() {
	command -v "$1" >/dev/null 2>&1 && return 0
	say "$1 is missing (scripts/setup.sh scripts/packages-ci.txt installs it)"
	failed="$failed $1"
	return 1
}

# Tracked files, and new files that are not ignored.
sources() {
	git ls-files --cached --others --exclude-standard -- "$@" |
		while read -r file; do [ ! -e "$file" ] || printf '%s\n' "$file"; done
}

if [ ! -e "$build/compile_commands.json" ]; then
	say "$build/compile_commands.json is missing: configure first, with make build"
	exit 1
fi
build_absolute=$(cd "$build" && pwd)

if have clang-format; then
	say "clang-format"
	sources '*.c' '*.h' | xargs -P "$jobs" -n 40 clang-format --dry-run -Werror || failed="$failed clang-format"
fi

if have cppcheck; then
	say "cppcheck"
	# objectIndex: cppcheck 2.10 takes &array[i] for the address of a single object.
	sources '*.c' | grep -v '^tests/' |
		xargs cppcheck --quiet --std=c11 --language=c --error-exitcode=1 --inline-suppr -j "$jobs" \
			--enable=warning,performance,portability --suppress=missingIncludeSystem --suppress=objectIndex -I . -I include ||
		failed="$failed cppcheck"
fi

if have clang-tidy; then
	say "clang-tidy"
	# Flags of code generation are specific to gcc and do not matter here. stderr only counts findings in system headers.
	mkdir -p "$build/lint"
	sed 's/ -[fm][a-z][a-z-]*\(=[^ ]*\)\{0,1\}//g' "$build/compile_commands.json" >"$build/lint/compile_commands.json"
	# A source that this build leaves out (of an engine that is not installed) has no compile flags.
	sources '*.c' | grep -v '^tests/' |
		while read -r file; do grep -qF "/$file\"" "$build/compile_commands.json" && echo "$file"; done |
		xargs -P "$jobs" -n 1 clang-tidy --quiet -p "$build/lint" 2>"$build/lint/clang-tidy.log" ||
		failed="$failed clang-tidy"
fi

if have mypy; then
	say "mypy"
	cmake --build "$build" --target python_declarations || failed="$failed declarations"
	(cd python && MYPYPATH="$build_absolute/python" mypy --no-error-summary --cache-dir "$build_absolute/lint/mypy") ||
		failed="$failed mypy"
fi

if [ -n "$failed" ]; then
	say "failed:$failed"
	exit 1
fi
say "clean"
