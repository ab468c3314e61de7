"""Where the library is looked for, and what is said when it is not there or is another."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from support import CC, ROOT, abut, unittest

from abut import _declarations

PACKAGE = ROOT / "python" / "abut"


def imported(place: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """`import abut` from a folder, with nothing of the caller's environment that leads to a library."""
    kept = {k: v for k, v in os.environ.items() if k not in ("ABUT_LIBRARY", "PYTHONPATH", "LD_LIBRARY_PATH")}
    code = "import abut; print(abut.library_path)"
    return subprocess.run(
        [sys.executable, "-B", "-c", code],
        env={**kept, "PYTHONPATH": str(place), **environment},
        capture_output=True,
        text=True,
    )


class TestLoading(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        shutil.copytree(PACKAGE, self.folder / "abut", ignore=shutil.ignore_patterns("__pycache__", "_lib"))
        shutil.copy(_declarations.__file__, self.folder / "abut")

    def library(self, source: str) -> Path:
        path = self.folder / "libother.so"
        subprocess.run([CC, "-shared", "-fPIC", "-x", "c", "-", "-o", str(path)], input=source, text=True, check=True)
        return path

    def test_nowhere(self) -> None:
        said = imported(self.folder).stderr
        self.assertIn("LibraryError: the shared library of Abut was not found. Searched for:", said)
        self.assertIn(str(self.folder / "abut" / "_lib"), said)
        self.assertIn("make build", said)
        self.assertIn("ABUT_LIBRARY", said)

    def test_sources_that_were_not_built(self) -> None:
        (self.folder / "abut" / "_declarations.py").unlink()
        said = imported(self.folder).stderr
        self.assertIn("abut/_declarations.py was not found: `make build` in the sources generates it", said)
        real = Path(abut.library_path).resolve()
        used = imported(self.folder, ABUT_LIBRARY=str(real))
        self.assertEqual(used.stdout.strip(), str(real), used.stderr)

    def test_each_place(self) -> None:
        real = Path(abut.library_path).resolve()
        name = f"libabut.so.{'.'.join(abut.__version__.split('.')[:2])}"
        by_name = imported(self.folder, ABUT_LIBRARY=str(real))
        self.assertEqual(by_name.stdout.strip(), str(real), by_name.stderr)
        loader = imported(self.folder, LD_LIBRARY_PATH=str(real.parent))
        self.assertEqual(loader.stdout.strip(), name, loader.stderr)
        (self.folder / "abut" / "_built_in.txt").write_text(f"{real.parent}\n")
        hint = imported(self.folder)
        self.assertEqual(hint.stdout.strip(), str(real.parent / name), hint.stderr)
        (self.folder / "abut" / "_lib").mkdir()
        shutil.copy(real, self.folder / "abut" / "_lib" / name)
        beside = imported(self.folder)
        self.assertEqual(beside.stdout.strip(), str(self.folder / "abut" / "_lib" / name), beside.stderr)

    def test_a_name_that_is_wrong_is_not_passed_over(self) -> None:
        said = imported(self.folder, ABUT_LIBRARY="/nowhere/libabut.so").stderr
        self.assertIn("/nowhere/libabut.so: no such file", said)
        self.assertNotIn("_lib", said.split("Searched for:")[1])

    def test_another_library(self) -> None:
        path = self.library("int other;")
        self.assertIn("is not a library of Abut", imported(self.folder, ABUT_LIBRARY=str(path)).stderr)
        path = self.library('const char *abut_version(void) { return "9.8.7"; }')
        said = imported(self.folder, ABUT_LIBRARY=str(path)).stderr
        self.assertIn(f"is version 9.8.7, but this package needs {abut.__version__}", said)

    def test_other_structs(self) -> None:
        """The package's declarations are changed, as of headers that the library was not built from."""
        file = self.folder / "abut" / "_declarations.py"
        text = file.read_text()
        field = '("iterations", c_int),\n    ("finish'
        changed = text.replace(field, field.replace("c_int", "c_size_t"))
        self.assertNotEqual(changed, text)
        file.write_text(changed)
        said = imported(self.folder, ABUT_LIBRARY=abut.library_path).stderr
        self.assertRegex(said, r"has a AbutStepInfo of \d+ bytes, but this package one of \d+: build library and package")
        file.write_text(text.replace('    "abut_version": ', '    "abut_later": (c_int, []),\n    "abut_version": '))
        said = imported(self.folder, ABUT_LIBRARY=abut.library_path).stderr
        self.assertIn("has no abut_later", said)


if __name__ == "__main__":
    unittest.main()
