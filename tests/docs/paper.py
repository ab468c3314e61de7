#!/usr/bin/env python3
"""docs/paper-to-code.md: every equation of the paper is there, every function is defined in a file of its row, and
every test exists. Usage: tests/docs/paper.py
"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mentions  # noqa: E402

EQUATIONS = range(1, 60)
PAGE = "docs/paper-to-code.md"


def rows(text):
    """The cells of each row whose first one names equations."""
    for line in text.split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| (") and len(cells) == 5:
            yield cells


def numbers(cell):
    """The equations of `(10), (11)` and `(30)-(32)`."""
    found = set()
    for first, last in re.findall(r"\((\d+)\)(?:-\((\d+)\))?", cell):
        found.update(range(int(first), int(last or first) + 1))
    return found


def names(cell):
    return re.findall(r"`([^`]+)`", cell)


def defines(path, function):
    with open(os.path.join(mentions.ROOT, path), encoding="utf-8") as file:
        return re.search(r"(?m)^\w[^;\n]*\b%s\([^;]*?\)\n{" % function, file.read())


def complaints():
    with open(os.path.join(mentions.ROOT, PAGE), encoding="utf-8") as file:
        text = file.read()
    tests = mentions.Repository("").tests
    seen = set()
    for equations, _, functions, files, checks in rows(text):
        seen |= numbers(equations)
        for cell, what in ((functions, "function"), (files, "file"), (checks, "test")):
            if not names(cell):
                yield "%s has no %s" % (equations, what)
        for path in names(files):
            if not os.path.exists(os.path.join(mentions.ROOT, path)):
                yield "%s: no file %s" % (equations, path)
        there = [path for path in names(files) if os.path.exists(os.path.join(mentions.ROOT, path))]
        for function in names(functions):
            if not any(defines(path, function) for path in there):
                yield "%s: %s is not defined in %s" % (equations, function, files)
        for test in names(checks):
            if test not in tests:
                yield "%s: no test %s" % (equations, test)
    for missing in sorted(set(EQUATIONS) - seen):
        yield "nothing of equation (%d)" % missing
    for unknown in sorted(seen - set(EQUATIONS)):
        yield "the paper has no equation (%d)" % unknown


if __name__ == "__main__":
    failures = list(complaints())
    for line in failures:
        print("%s: %s" % (PAGE, line), file=sys.stderr)
    sys.exit(1 if failures else 0)
