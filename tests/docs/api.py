#!/usr/bin/env python3
"""Every public function has a comment of its own, which names its parameters, but for those that mean the same
everywhere (docs/api.md); and docs/api.md names every header. Usage: tests/docs/api.py

Doxygen finds what has no comment at all; it does not read one.
"""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FUNCTION = re.compile(r"(?P<above>(?:/\*(?:(?!\*/).)*\*/\n)?)ABUT_API (?P<type>[\w ]+?[ *]+)(?P<name>abut_\w+)\("
                      r"(?P<parameters>[^;]*)\);[ \t]*(?P<behind>(?:/\*(?:(?!\*/).)*\*/)?)", re.S)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def parameter(text):
    """(type, name) of a declared parameter, without const: ("AbutShape **", "out")."""
    match = re.match(r"(\w[\w ]*?) ?((?:\* ?)*)\(?\*?(\w+)\)?(?:\[[^\]]*\])*$", re.sub(r"\bconst ?", "", text.strip()))
    return (match[1] + " " + match[2].replace(" ", "")).strip(), match[3]


def standing():
    """The parameters of the table of docs/api.md, with NAME for any type."""
    rows = re.findall(r"(?m)^\| `(\w[^`]*)` \|", read("docs/api.md").split("## Parameters that")[1])
    return {parameter(row) for row in rows}


def is_standing(table, kind, name):
    """In the table, also as a new object (`AbutShape **out`) or as that which a function is of (`AbutShape *shape`)."""
    own = re.match(r"Abut(\w+) (\*+)$", kind)
    if (kind, name) in table or not own:
        return (kind, name) in table
    words = re.findall("[A-Z][a-z]*", own[1])
    any_name = "NAME" if name in [word.lower() for word in words] + ["_".join(words).lower()] else name
    return ("AbutNAME " + own[2], any_name) in table


def complaints():
    table = standing()
    page = read("docs/api.md")
    for path in sorted(glob.glob(os.path.join(ROOT, "include/abut/*.h"))):
        header = os.path.basename(path)
        if header != "abut.h" and "[%s](../include/abut/%s)" % (header, header) not in page:
            yield "docs/api.md: nothing of %s" % header
        for match in FUNCTION.finditer(read(path)):
            comment = match["above"] + match["behind"]
            if not comment:
                yield "%s: %s has no comment of its own" % (header, match["name"])
                continue
            for text in ("" if match["parameters"] == "void" else " ".join(match["parameters"].split())).split(", "):
                kind, name = parameter(text) if text else ("", "")
                if name and not is_standing(table, kind, name) and not re.search(r"\b%s\b" % name, comment):
                    yield "%s: the comment of %s does not name `%s %s`" % (header, match["name"], kind, name)


if __name__ == "__main__":
    failures = list(complaints())
    for line in failures:
        print("api: " + line, file=sys.stderr)
    sys.exit(1 if failures else 0)
