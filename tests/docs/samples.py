#!/usr/bin/env python3
"""Runs the code of the documentation: every block of C, JSON, shell and Python of README.md, CONTRIBUTING.md, docs/*.md
and the README of every experiment.

Usage: tests/docs/samples.py BUILD_FOLDER [PAGE...]

A block says behind its language what it is:

    ```c                          all such blocks of a page, one after the other, are a program: compiled, linked, and
                                  there as ./program for the shell after its `main`
    ```c from PATH                its lines stand in that file of the repository, in this order
    ```json NAME.json             a scene or a sweep, validated; NAME.json in the page's folder for the blocks after it
    ```json body                  a body of a scene: validated in one with a floor
    ```json from PATH             as of C
    ```sh                         run; must exit with 0
    ```sh release: WHY            and this, except in a build with sanitizers
    ```console                    run, too: lines that start with `$ `; what stands under them is what they print,
                                  numbers to 1e-3 and but for times, and a line `...` any lines
    ```python                     all such blocks of a page are one program, where the package python/abut and NumPy are
    ```python needs MODULE...     and these, run after the others of the page
    ```LANGUAGE by SCRIPT         run by that script of the repository, which names the page
    ```LANGUAGE fragment: WHY     not run; shell is still read by the shell, and the options of `abut` are checked

Blocks of no language are formulas, layouts and output; a command among them is an error. A page has a folder of its own
that looks like the root of the repository, with the build in `build/`, and its blocks run in their order. Python's
standard library only.
"""
import glob
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "docs/site"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import calls  # noqa: E402
import markdown  # noqa: E402

LANGUAGES = ("c", "json", "sh", "console", "python")
SECONDS = 60
FLOOR = '{ "name": "floor", "static": true, "shape": { "type": "halfspace", "normal": [0, 0, 1], "offset": 0 } }'


class Failure(Exception):
    """A sample that is not what the page says."""


class Block:
    """A block of code: its language, what it says behind it, its lines, and the line it starts at."""

    def __init__(self, text, line):
        first, *rest = text.split("\n")
        words = markdown.FENCE.match(first).group(2).strip()
        self.language, _, self.says = words.partition(" ")
        self.code = "\n".join(rest[:-1]) + "\n"
        self.line = line


def blocks(text):
    line = 1
    for is_code, part in markdown.split(text):
        if is_code:
            yield Block(part, line)
        line += part.count("\n") + 1


class Page:
    """Runs the blocks of one page in a folder of its own."""

    def __init__(self, path, build):
        self.path = path
        self.build = build
        self.folder = os.path.join(build, "samples", re.sub(r"\W", "_", os.path.splitext(path)[0]))
        self.program = {"c": "", "python": ""}
        self.compiled = ""
        self.counts = {"run": 0, "fragments": 0, "skipped": 0}

    def make_folder(self):
        """Like the root of the repository, but for what is built and written."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        for name in os.listdir(ROOT):
            if not re.match(r"build|out$|\.", name):
                os.symlink(os.path.join(ROOT, name), os.path.join(self.folder, name))
        os.symlink(self.build, os.path.join(self.folder, "build"))

    def command(self, words, text=None):
        """Runs a command in the folder; returns what it printed."""
        environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", PYTHONPATH=os.path.join(ROOT, "python"),
                           ABUT_LIBRARY=os.path.join(self.build, "libabut.so"), PYTHONDONTWRITEBYTECODE="1",
                           PATH=self.build + os.pathsep + os.environ["PATH"])
        with subprocess.Popen(words, cwd=self.folder, env=environment, text=True, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True) as process:
            try:
                printed, _ = process.communicate(text, timeout=SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise Failure("not done after %d s" % SECONDS) from None
        if process.returncode != 0:
            raise Failure("exit status %d:\n%s" % (process.returncode, printed))
        return printed

    def run(self, block):
        """What the block asks for."""
        counted = "run"
        if block.says.startswith("fragment:"):
            self.fragment(block)
            counted = "fragments"
        elif block.says.startswith("release:") and sanitized():
            print("samples: %s:%d: not run: %s" % (self.path, block.line, block.says[len("release:"):].strip()))
            counted = "skipped"
        elif block.says.startswith("from "):
            stands_in(block.code, block.says[5:])
        elif block.says.startswith("by "):
            by_script(block.says[3:], self.path)
        else:
            counted = getattr(self, "run_" + block.language)(block) or counted
        self.counts[counted] += 1

    def fragment(self, block):
        if not block.says[len("fragment:"):].strip():
            raise Failure("a fragment without a reason")
        if block.language == "sh":
            self.command(["bash", "-n"], block.code)
            for complaint in calls.complaints(block.code, self.build):
                raise Failure(complaint)

    def run_c(self, block):
        self.program["c"] += block.code

    def run_python(self, block):
        missing = missing_modules(re.sub("^needs ", "", block.says).split())
        if missing:
            print("samples: %s:%d: not run, no %s" % (self.path, block.line, ", ".join(missing)))
            return "skipped"
        if block.says:
            self.command([python(), "-"], self.program["python"] + block.code)
        else:
            self.program["python"] += block.code
        return "run"

    def run_json(self, block):
        if block.says == "body":
            name = "body.json"
            text = '{ "abut": 1, "bodies": [ %s, %s ] }' % (FLOOR, block.code)
        elif re.fullmatch(r"\w+\.json", block.says):
            name, text = block.says, block.code
        else:
            raise Failure("a scene needs a name: ```json NAME.json")
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        if '"abut_sweep"' in text:
            self.command(["build/abut", "sweep", name, "--show", "0"])
        else:
            self.command(["build/abut", "validate", "--quiet", name])

    def run_sh(self, block):
        if block.says and not block.says.startswith("release:"):
            raise Failure("not known: ```sh %s" % block.says)
        if re.search(r"(?m)^\s*(make|cmake|scripts/setup)\b", block.code):
            raise Failure("what builds or installs is a fragment: the build is the one that is tested")
        self.compile()
        self.command(["bash", "-e"], block.code)

    def run_console(self, block):
        self.compile()
        for call, expected in dialogue(block.code):
            compare(call, expected, self.command(["bash", "-e"], call).rstrip("\n").split("\n"))

    def compile(self):
        """The program of the blocks of C so far, if they are one and not compiled yet."""
        if "int main(" not in self.program["c"] or self.program["c"] == self.compiled:
            return
        self.compiled = self.program["c"]
        source = os.path.join(self.folder, "program.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(self.program["c"])
        self.command([os.environ.get("CC", "cc"), "-std=c17", "-D_DEFAULT_SOURCE", "-Wall", "-Wextra", "-Werror",
                      "-I", os.path.join(ROOT, "include"), source, "-o", "program", "-L", self.build, "-labut", "-lm",
                      "-Wl,-rpath," + self.build] + os.environ.get("SAMPLES_FLAGS", "").split())

    def finish(self):
        """The programs that the page's blocks are together."""
        self.compile()
        if self.program["c"] != self.compiled:
            raise Failure("C without a main")
        if self.program["python"]:
            self.command([python(), "-"], self.program["python"])


def python():
    """The interpreter for samples: that of the system where NumPy is installed for it and not for this one."""
    return sys.executable if importlib.util.find_spec("numpy") else "/usr/bin/python3"


def sanitized():
    return "sanitize" in os.environ.get("SAMPLES_FLAGS", "")


def missing_modules(names):
    """What a sample of Python needs and does not find: the package of this repository, NumPy, and `names`."""
    if sanitized():
        return ["sanitizers in Python"]
    there = os.path.exists(os.path.join(ROOT, "python/abut/__init__.py"))
    found = "import importlib.util, sys; print(*[m for m in sys.argv[1:] if not importlib.util.find_spec(m)])"
    done = subprocess.run([python(), "-c", found, "numpy"] + names, text=True, stdout=subprocess.PIPE, check=False)
    return ([] if there else ["python/abut"]) + (done.stdout.split() if done.returncode == 0 else ["python3"])


def stands_in(code, path):
    """Each line stands in the file, in this order."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        lines = iter(file.read().split("\n"))
    for line in code.rstrip("\n").split("\n"):
        if line not in lines:
            raise Failure("%s has no line, or not in this place: %s" % (path, line))


def by_script(path, page):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        if page not in file.read():
            raise Failure("%s does not name %s" % (path, page))


def dialogue(code):
    """[(call, printed lines)] of a block of a terminal."""
    found = []
    for line in code.rstrip("\n").split("\n"):
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
        else:
            raise Failure("a line before the first `$ `: " + line)
    return found


def number(word):
    try:
        return float(word)
    except ValueError:
        return None


def same(expected, printed, timed):
    """Whether two words are: numbers to 1e-3, and any two of them where they are times of the clock."""
    a, b = number(expected), number(printed)
    if a is None or b is None:
        return expected == printed
    return timed or abs(a - b) <= 1e-3 * max(abs(a), abs(b)) + 1e-9


def same_line(expected, printed):
    a, b = expected.split(), printed.split()
    return len(a) == len(b) and all(same(x, y, "us" in a) for x, y in zip(a, b))


def compare(call, expected, printed):
    """What the page shows against what came; `...` on the page stands for any lines."""
    at = 0
    for place, line in enumerate(expected):
        if line == "...":
            rest = expected[place + 1:]
            while at < len(printed) and rest and not same_line(rest[0], printed[at]):
                at += 1
            at = at if rest else len(printed)
        elif at < len(printed) and same_line(line, printed[at]):
            at += 1
        else:
            raise Failure("%s\nthe page says: %s\nit printed: %s" % (call, line, "\n".join(printed)))
    if at < len(printed) and expected:
        raise Failure("%s\nit printed more: %s" % (call, printed[at]))


def looks_like_commands(block):
    return re.search(r"(?m)^(\$ |make |build/|scripts/|OPENBLAS_|mpirun |abut [a-z]+ [\w./-]+)", block.code)


def check(page, text):
    """Runs a page's samples; returns what failed, as sentences."""
    failures = []
    page.make_folder()
    found = list(blocks(text))
    for block in found:
        try:
            if block.language in LANGUAGES:
                page.run(block)
            elif block.language or looks_like_commands(block):
                raise Failure("say what this is: ```sh, ```console .. (tests/docs/samples.py)")
        except (Failure, OSError) as problem:
            failures.append("%s:%d: %s" % (page.path, block.line, problem))
    try:
        page.finish()
    except Failure as problem:
        failures.append("%s: its program: %s" % (page.path, problem))
    return failures


def main():
    build = os.path.abspath(sys.argv[1])
    pages = sys.argv[2:] or ["README.md", "CONTRIBUTING.md"] + sorted(
        os.path.relpath(path, ROOT) for pattern in ("docs/*.md", "experiments/*/README.md")
        for path in glob.glob(os.path.join(ROOT, pattern)))
    total, failures = {"run": 0, "fragments": 0, "skipped": 0}, []
    for path in pages:
        page = Page(path, build)
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            failures += check(page, file.read())
        for key, value in page.counts.items():
            total[key] += value
    for failure in failures:
        print("samples: " + failure, file=sys.stderr)
    print("samples: %(run)d run, %(fragments)d fragments, %(skipped)d skipped" % total)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
