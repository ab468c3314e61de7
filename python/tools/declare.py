#!/usr/bin/env python3
"""Writes abut/_declarations.py: the structs, constants and functions of the public headers.

    tools/declare.py FILE

CMake runs it for a build, and the builder of wheels where there is no build. The C compiler expands the headers, since some lists are macros. What remains are declarations of a few forms; another
form is an error. tests/test_declarations.py compares the result with the headers and the compiler.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[2]
SCALARS = {"int": "c_int", "long": "c_long", "size_t": "c_size_t"}
SCALARS |= {"double": "c_double", "bool": "c_bool", "char": "c_char"}


class Declarations:
    """The declarations of the headers, in their order."""

    def __init__(self) -> None:
        self.constants: dict[str, float] = {}  # constants of enumerations, and macros that are numbers
        self.enums: list[str] = []  # names of types that are ints
        self.callbacks: list[str] = []  # function types
        self.opaque: set[str] = set()  # structs without a definition
        self.structs: dict[str, list[tuple[str, str]]] = {}  # name -> [(field, ctypes expression)]
        self.functions: dict[str, tuple[str, list[str]]] = {}  # name -> (result, [argument]), ctypes expressions


def expanded(headers: Path) -> str:
    """Returns the headers as the compiler sees them, without those of the system."""
    command = [os.environ.get("CC", "cc"), "-std=c17", "-E", "-I", str(headers.parent), str(headers / "abut.h")]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines, ours = [], False
    for line in text.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            ours = "/abut/" in marker.group(1)
        elif ours:
            lines.append(line)
    return " ".join(lines).replace("_Bool", "bool")


def split(text: str, separator: str) -> Iterator[str]:
    """Splits the text at separators outside of brackets; parts have single spaces, and empty ones are left out."""
    depth, part = 0, ""
    for char in text + separator:
        depth += (char in "({") - (char in ")}")
        if char == separator and depth == 0:
            if part.strip():
                yield " ".join(part.split())
            part = ""
        else:
            part += char


def type_of(text: str, found: Declarations) -> str:
    """Returns a type without names, such as `const AbutShape *const *`, as a ctypes expression."""
    words = re.sub(r"\b(const|struct)\b", " ", text)
    stars = words.count("*")
    name = words.replace("*", " ").strip()
    if name in found.callbacks:
        return "c_void_p"
    if name in found.enums:
        name = "int"
    if name == "void":
        return "None" if stars == 0 else "c_void_p"
    if name in SCALARS:
        if stars == 0:
            return SCALARS[name]
        return "c_char_p" if name == "char" and stars == 1 else "c_void_p"
    if name in found.structs:
        return name if stars == 0 else f"POINTER({name})" if stars == 1 else "c_void_p"
    if re.fullmatch(r"Abut\w+", name) and stars:
        found.opaque.add(name)
        return "c_void_p"
    raise ValueError(f"unknown type: {text}")


def value_of(text: str, found: Declarations) -> int:
    return int(eval(text, {"__builtins__": {}}, dict(found.constants)))


def declared(text: str, found: Declarations) -> tuple[str, str]:
    """Returns a declaration with a name as (name, ctypes expression)."""
    pointer = re.fullmatch(r".*\(\s*\*\s*(?:const)?\s*(\w+)\s*\).*", text)
    if pointer:  # of a function or of arrays
        return pointer.group(1), "c_void_p"
    match = re.fullmatch(r"(.*?)(\w+)\s*((?:\[[^\]]*\])*)", text)
    if match is None:
        raise ValueError(f"a declaration of an unknown form: {text}")
    name, sizes = match.group(2), re.findall(r"\[([^\]]*)\]", match.group(3))
    kind = type_of(match.group(1), found)
    for size in reversed(sizes):
        kind = f"{kind} * {value_of(size, found)}"
    return name, kind


def read_enum(body: str, found: Declarations) -> None:
    value = -1
    for entry in split(body, ","):
        name, _, given = (part.strip() for part in entry.partition("="))
        value = value_of(given, found) if given else value + 1
        found.constants[name] = value


def read_fields(body: str, found: Declarations) -> list[tuple[str, str]]:
    fields = []
    for statement in split(body, ";"):
        first, *others = split(statement, ",")
        name, kind = declared(first, found)
        fields.append((name, kind))
        kind_of_all = re.sub(r"\w+\s*(\[[^\]]*\])*$", "", first)
        fields += [declared(kind_of_all + other, found) for other in others]
    return fields


def read(headers: Path) -> Declarations:
    """Reads all declarations of the headers in a folder."""
    found = Declarations()
    read_macros(headers, found)
    for statement in split(expanded(headers), ";"):
        enum = re.fullmatch(r"(?:typedef )?enum (\w+ )?\{(.*)\}\s*(\w*)", statement)
        struct = re.fullmatch(r"(?:typedef )?struct (\w+) \{(.*)\}\s*\w*", statement)
        function = re.fullmatch(r"(?:__attribute__ ?\(\(.*?\)\) )?(.*?[ *])(abut_\w+)\((.*)\)", statement)
        if enum:
            read_enum(enum.group(2), found)
            found.enums += [enum.group(3)] if enum.group(3) else []
        elif struct:
            found.opaque.discard(struct.group(1))
            found.structs[struct.group(1)] = []  # a struct may point to its own kind
            found.structs[struct.group(1)] = read_fields(struct.group(2), found)
        elif function:
            arguments = ["c_void_p" if "[" in text else declared(text, found)[1]
                         for text in split(function.group(3), ",") if text != "void"]
            found.functions[function.group(2)] = (type_of(function.group(1), found), arguments)
        elif re.fullmatch(r"typedef struct (\w+) \1", statement):
            found.opaque.add(statement.split()[-1])
        elif callback := re.fullmatch(r"typedef \w+ (\w+)\(.*\)", statement):
            found.callbacks.append(callback.group(1))
        else:
            raise ValueError(f"a declaration of an unknown form: {statement}")
    return found


def read_macros(headers: Path, found: Declarations) -> None:
    """Reads each #define NAME number, which may contain other macros and sums."""
    for header in sorted(headers.glob("*.h")):
        for name, text in re.findall(r"^#define (ABUT_\w+) ([^/\n]+)", header.read_text(), re.MULTILINE):
            try:
                value = eval(text, {"__builtins__": {}}, dict(found.constants))
            except (NameError, SyntaxError):
                continue  # a list, or a word of the compiler
            found.constants[name] = value


def source() -> str:
    """Returns the text of the Python module."""
    found = read(ROOT / "include" / "abut")
    lines = ['"""Generated from include/abut/*.h by tools/declare.py; do not edit."""', ""]
    lines += [f"from ctypes import POINTER, Structure, c_char_p, c_void_p, {', '.join(SCALARS.values())}"]
    lines += ["from typing import Any", ""]
    lines += [f"{name} = {value!r}" for name, value in found.constants.items()]
    for name, fields in found.structs.items():
        lines += ["", "", f"class {name}(Structure):", "    pass", "", "", f"{name}._fields_ = ["]
        lines += [f'    ("{field}", {kind}),' for field, kind in fields] + ["]"]
    lines += ["", "", "STRUCTS = [value for name, value in list(globals().items()) if name.startswith(\"Abut\")]", ""]
    lines += ["# name: (result, arguments)", "FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {"]
    for name, (result, arguments) in found.functions.items():
        lines += [f'    "{name}": ({result}, [{", ".join(arguments)}]),']
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(source(), encoding="utf-8")
