"""The structs, constants and functions that Python declares agree with the headers and with the compiler."""

import ctypes
import os
import subprocess
import tempfile
from typing import Any

from support import CC, ROOT, abut, unittest

from abut import _declarations as c
from abut._library import library


def compiled(source: str) -> list[str]:
    """What a C program with the public headers prints, by lines."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program")
        command = [CC, "-x", "c", "-std=c17", "-Wall", "-Wextra", "-Werror", "-I", str(ROOT / "include"), "-", "-o", program]
        subprocess.run(command, input=source, text=True, check=True)
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()


class TestDeclarations(unittest.TestCase):
    def test_sizes_and_offsets_are_those_of_the_compiler(self) -> None:
        lines, expected = [], []
        for struct in c.STRUCTS:
            name = struct.__name__
            lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
            expected.append(f"{name} {ctypes.sizeof(struct)}")
            for field, *_ in struct._fields_:
                place = f"offsetof({name}, {field}), sizeof((({name} *)0)->{field})"
                lines.append(f'printf("{name}.{field} %zu %zu\\n", {place});')
                at = getattr(struct, field)
                expected.append(f"{name}.{field} {at.offset} {at.size}")
        body = "\n".join(lines)
        source = f'#include <stddef.h>\n#include <stdio.h>\n#include "abut/abut.h"\nint main(void) {{\n{body}\nreturn 0;\n}}\n'
        self.assertEqual(compiled(source), expected)
        self.assertGreater(len(expected), 250)

    def test_constants_are_those_of_the_compiler(self) -> None:
        values = {name: getattr(c, name) for name in dir(c) if name.startswith("ABUT_")}
        lines = "\n".join(f'printf("{name} %.17g\\n", (double){name});' for name in values)
        source = f'#include <stdio.h>\n#include "abut/abut.h"\nint main(void) {{\n{lines}\nreturn 0;\n}}\n'
        printed = dict(line.split() for line in compiled(source))
        self.assertEqual({name: float(text) for name, text in printed.items()}, values)

    def test_prototypes_are_those_of_the_compiler(self) -> None:
        """Each function is called, in code that never runs, with a value of each argument's type and no cast: a wrong
        number, a pointer for a number or a struct for another does not compile."""
        names = {
            ctypes.c_int: "int", ctypes.c_double: "double", ctypes.c_bool: "bool", ctypes.c_size_t: "size_t",
            ctypes.c_char_p: "char *", ctypes.c_void_p: "void *", None: "void",
        }  # fmt: skip

        def c_type(kind: Any) -> str:
            if kind in names:
                return names[kind]
            inner = getattr(kind, "_type_", None)
            return f"{inner.__name__} *" if inner else str(kind.__name__)

        lines = []
        for name, (result, arguments) in c.FUNCTIONS.items():
            given = ", ".join(f"*({c_type(kind)} *)p" for kind in arguments)
            keep = "" if result is None else f"{'const ' if '*' in c_type(result) else ''}{c_type(result)} r = "
            used = "" if result is None else "(void)r;"
            lines.append(f"{{ {keep}{name}({given}); {used} }}")
        with tempfile.TemporaryDirectory() as folder:
            command = [CC, "-x", "c", "-std=c17", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-Wno-discarded-qualifiers",
                       "-I", str(ROOT / "include"), "-c", "-", "-o", os.path.join(folder, "object")]  # fmt: skip
            source = '#include "abut/abut.h"\nvoid all(void *p);\nvoid all(void *p) {\n' + "\n".join(lines) + "\n}\n"
            done = subprocess.run(command, input=source, text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_library_has_every_struct_and_function(self) -> None:
        for struct in c.STRUCTS:
            self.assertEqual(library.abut_struct_size(struct.__name__.encode()), ctypes.sizeof(struct))
        self.assertGreater(len(c.FUNCTIONS), 100)
        self.assertEqual(abut.version(), abut.__version__)


if __name__ == "__main__":
    unittest.main()
