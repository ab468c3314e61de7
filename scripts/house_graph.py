#!/usr/bin/env python3
"""The plan of the house: files and rooms, and what they use of each other, by includes and by calls.

Usage: scripts/house_graph.py [--list]

A source and its header of the same name are one file; a folder with sources is a room. A file uses another one when it
includes its header, or uses a function or an object that is defined in it. Checked, against scripts/house_limits.txt:

    circle           files in the largest circle of files
    room-circles     rooms that use each other in a circle
    upward           uses from a lower room to a higher one (CMake names what each room may use)
    crowded          rooms with more than 25 sources
    unused           external functions that no other file uses; tests and public headers do not count
    homeless         external functions that neither their own source's header nor a public one declares
    asks             places outside dynamics/methods that ask which method a model has, instead of its row
    long             functions of more than 60 lines
    parameters       functions of more than 8 parameters
    fields           structs of more than 25 fields

Each measure may be at most its limit, and a limit that is not reached any more is to be lowered: limits only fall.
--list prints the offenders. Python's standard library, and universal ctags.
"""
import collections
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOPS = ("base", "shapes", "solver", "collision", "dynamics", "io", "experiments", "cli")
MOST_SOURCES, MOST_LINES, MOST_PARAMETERS, MOST_FIELDS = 25, 60, 8, 25
# Functions whose parameters a library dictates: expat's XML_EntityDeclHandler has nine.
DICTATED = {("io/xml/xml_tree.c", "on_entity")}

# The file that names the method of a scene that names none.
DEFAULT_METHOD = "dynamics/model/scene_def.c"

# What a room may use is what CMake names: `abut_add_room(ROOM DEPENDS ROOMS...)` in a CMakeLists.txt. Rooms that CMake
# does not name (of experiments and cli) may use these folders.
BELOW = {"base": "", "shapes": "base", "solver": "base", "collision": "base shapes solver",
         "dynamics": "base shapes solver collision", "io": "base shapes solver collision dynamics",
         "experiments": "base shapes solver collision dynamics io",
         "cli": "base shapes solver collision dynamics io experiments"}


def sources():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", *TOPS],
                            text=True, stdout=subprocess.PIPE, check=True).stdout.split("\n")
    return [path for path in listed if path.endswith((".c", ".h")) and os.path.exists(os.path.join(ROOT, path))]


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def code_of(text):
    """The text without comments, strings and includes; lines stay where they are."""
    pattern = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
    return pattern.sub(lambda match: " " + "\n" * match.group().count("\n"), text)


def tags(paths):
    """Functions and members as ctags sees them."""
    done = subprocess.run(["ctags", "--output-format=json", "--languages=C", "--langmap=C:+.h", "--kinds-C=fmstv",
                           "--fields=+neSKs", "-f", "-", "-L", "-"], cwd=ROOT, input="\n".join(paths), text=True,
                          stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def stem(path):
    return path[:-2]


def room(path):
    return os.path.dirname(path)


def reached(graph, start):
    """Nodes at the ends of paths from `start`."""
    found, ahead = set(), [start]
    while ahead:
        new = graph.get(ahead.pop(), set()) - found
        found |= new
        ahead += new
    return found


def components(graph):
    """Groups of nodes that reach each other, the largest first."""
    graph = {node: set(to) for node, to in graph.items()}
    reach = {node: reached(graph, node) for node in graph}
    groups = {tuple(sorted(other for other in reach[node] if node in reach.get(other, ()))) for node in graph}
    return sorted((group for group in groups if len(group) > 1), key=lambda group: (-len(group), group))


def named_rooms():
    """Room: the rooms that it names in its abut_add_room."""
    found = {}
    for top in TOPS:
        lists = os.path.join(top, "CMakeLists.txt")
        if os.path.exists(os.path.join(ROOT, lists)):
            for call in re.findall(r"^ *abut_add_room\(([^)]*)\)", read(lists), re.MULTILINE):
                words = re.sub(r"\b(LIBRARIES|WITHOUT)\b[^A-Z]*", "", call).split()
                found[words[0]] = set(words[1:]) - {"DEPENDS"}
    return found


def goes_up(low, high, named):
    """Whether room `low` may not use room `high`; `named` as named_rooms returns it."""
    if low == high:
        return False
    if low in named:
        return high not in named[low] and not (high not in named and high.split("/")[0] in named[low])
    tops = low.split("/")[0], high.split("/")[0]
    return tops[0] != tops[1] and tops[1] not in BELOW[tops[0]].split()


class House:
    def __init__(self):
        self.paths = sources()
        self.text = {path: read(path) for path in self.paths}
        self.code = {path: code_of(text) for path, text in self.text.items()}
        self.tags = tags(self.paths)
        self.functions = [tag for tag in self.tags if tag["kind"] == "function"]
        self.defined = {}  # external function: file
        for tag in self.functions:
            if tag["path"].endswith(".c") and not tag.get("file") and tag["name"].startswith("abut_"):
                self.defined.setdefault(tag["name"], stem(tag["path"]))
        self.objects = {tag["name"]: stem(tag["path"]) for tag in self.tags if tag["kind"] == "variable"
                        and tag["path"].endswith(".c") and not tag.get("file") and tag["name"].startswith("abut_")}
        self.uses = {stem(path): {} for path in self.paths}  # file: {file: reason}
        self.users = {name: set() for name in self.defined}
        headers = {path for path in self.paths if path.endswith(".h")}
        for path in self.paths:
            own = stem(path)
            for included in re.findall(r'^ *# *include *"([^"]+)"', self.text[path], re.MULTILINE):
                if included in headers and stem(included) != own:
                    self.uses[own].setdefault(stem(included), "includes " + included)
            if path.endswith(".h"):  # declarations are no uses, bodies of inline functions are
                bodies = "\n".join(self.body(tag) for tag in self.functions if tag["path"] == path)
            else:
                bodies = self.code[path]
            for name in set(re.findall(r"\babut_\w+", bodies)):
                if self.objects.get(name, own) != own:
                    self.uses[own].setdefault(self.objects[name], "uses " + name)
                if name in self.defined and self.defined[name] != own:
                    self.uses[own].setdefault(self.defined[name], "uses " + name)
                    self.users[name].add(own)

    def body(self, tag):
        lines = self.code[tag["path"]].split("\n")
        return "\n".join(lines[tag["line"] - 1:tag.get("end", tag["line"])])

    def circles(self):
        return [" ".join(members) for members in components(self.uses)]

    def rooms(self):
        graph = {}
        for own, used in self.uses.items():
            graph.setdefault(room(own), set()).update(room(other) for other in used)
        return graph

    def upward(self):
        named = named_rooms()
        return [f"{own} {why} ({other})" for own, used in sorted(self.uses.items()) for other, why in
                sorted(used.items()) if goes_up(room(own), room(other), named)]

    def crowded(self):
        count = collections.Counter(room(path) for path in self.paths if path.endswith(".c"))
        return [f"{name}: {n} sources" for name, n in sorted(count.items()) if n > MOST_SOURCES]

    def public(self):
        """Names in the public headers."""
        folder = os.path.join(ROOT, "include/abut")
        return {name for header in sorted(os.listdir(folder))
                for name in re.findall(r"\babut_\w+", code_of(read(os.path.join(folder, header))))}

    def homeless(self):
        declared = {path: set(re.findall(r"\babut_\w+", code)) for path, code in self.code.items()
                    if path.endswith(".h")}
        public = self.public()
        return [f"{path}.c: {name}" for name, path in sorted(self.defined.items(), key=lambda item: item[1])
                if name not in public and name not in declared.get(path + ".h", ())]

    def asks(self):
        asking = re.compile(r"\bmethod *[!=]= *ABUT_\w+|\bABUT_METHOD_(?!LIST\b|COUNT\b)\w+")
        return [f"{path}:{number}: {found.group()}" for path, code in sorted(self.code.items())
                if path.startswith(("dynamics/", "io/", "cli/")) and not path.startswith("dynamics/methods/")
                and path != DEFAULT_METHOD
                for number, line in enumerate(code.split("\n"), 1) for found in asking.finditer(line)]

    def unused(self):
        declared = self.public()
        return [f"{path}: {name}" for name, path in sorted(self.defined.items(), key=lambda item: item[1])
                if not self.users[name] and name not in declared]

    def long(self):
        return [f'{tag["path"]}:{tag["line"]}: {tag["name"]}, {tag["end"] - tag["line"] + 1} lines'
                for tag in self.functions if tag.get("end", 0) - tag["line"] + 1 > MOST_LINES]

    def parameters(self):
        found = []
        for tag in self.functions:
            depth, count = 0, 1
            for letter in tag.get("signature", "")[1:-1]:
                depth += (letter == "(") - (letter == ")")
                count += letter == "," and depth == 0
            if count > MOST_PARAMETERS and (tag["path"], tag["name"]) not in DICTATED:
                found.append(f'{tag["path"]}:{tag["line"]}: {tag["name"]}, {count} parameters')
        return found

    def fields(self):
        count = collections.Counter((tag["path"], tag["scope"]) for tag in self.tags
                                    if tag["kind"] == "member" and tag.get("scopeKind") == "struct")
        return [f"{path}: {name}, {n} fields" for (path, name), n in sorted(count.items()) if n > MOST_FIELDS]

    def measures(self):
        circles = self.circles()
        room_circles = [" ".join(members) for members in components(self.rooms())]
        return {"circle": (max((len(circle.split()) for circle in circles), default=1), circles),
                "room-circles": (sum(len(circle.split()) for circle in room_circles), room_circles),
                **{name: (len(found), found) for name, found in (
                    ("upward", self.upward()), ("crowded", self.crowded()), ("unused", self.unused()),
                    ("homeless", self.homeless()), ("asks", self.asks()),
                    ("long", self.long()), ("parameters", self.parameters()), ("fields", self.fields()))}}


def limits():
    rows = (line.split() for line in read("scripts/house_limits.txt").split("\n") if line and not line.startswith("#"))
    return {name: int(value) for name, value in rows}


def main():
    listed = "--list" in sys.argv[1:]
    allowed, failed = limits(), False
    for name, (value, found) in House().measures().items():
        if listed:
            print(f"{name}: {value} (limit {allowed[name]})")
            print("".join(f"    {line}\n" for line in found), end="")
        if value > allowed[name]:
            failed = True
            print(f"house: {name} is {value}, at most {allowed[name]} is allowed; --list says where", file=sys.stderr)
        elif value < allowed[name]:
            failed = True
            print(f"house: {name} is {value}: lower its limit of {allowed[name]} in scripts/house_limits.txt",
                  file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
