"""`pip install ./python` in a new environment, without any index."""

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from support import ROOT, abut, unittest

PACKAGE = ROOT / "python"


def run(*command: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    kept = {k: v for k, v in os.environ.items() if k not in ("ABUT_LIBRARY", "PYTHONPATH")}
    return subprocess.run(command, env={**kept, **environment}, capture_output=True, text=True)


class TestPackaging(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    @unittest.skipIf(os.environ.get("PYTHON_SANITIZE"), "in the build without sanitizers")
    def test_pip_install(self) -> None:
        env = self.folder / "env"
        made = run(sys.executable, "-m", "venv", "--system-site-packages", str(env))
        if made.returncode:
            self.skipTest("no venv (Debian: python3-venv)")
        python, library = str(env / "bin" / "python"), str(Path(abut.library_path).resolve())
        offline = {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "ABUT_LIBRARY": library}
        done = run(python, "-m", "pip", "install", str(PACKAGE), **offline)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        code = "import abut; s = abut.Simulation({'bodies': []} if 0 else {'bodies': [{'name': 'a', 'mass': 1, \
'shape': abut.shapes.sphere(1)}]}); s.step(); print(abut.library_path); print(s.states[0, 9])"
        used = run(python, "-c", code)
        self.assertEqual(used.returncode, 0, used.stderr)
        path, speed = used.stdout.split()
        self.assertTrue(path.startswith(str(env)), path)
        self.assertAlmostEqual(float(speed), -0.0981)
        listed = run(python, "-m", "pip", "show", "-f", "abut").stdout
        self.assertIn(f"Version: {abut.__version__}", listed)
        self.assertIn("abut/py.typed", listed)
        removed = run(python, "-m", "pip", "uninstall", "-y", "abut")
        self.assertEqual(removed.returncode, 0, removed.stderr)
        self.assertNotEqual(run(python, "-c", "import abut").returncode, 0)
        editable = run(python, "-m", "pip", "install", "-e", str(PACKAGE), **offline)
        self.assertEqual(editable.returncode, 0, editable.stdout + editable.stderr)
        where = run(python, "-c", "import abut; print(abut.__file__)", ABUT_LIBRARY=library).stdout.strip()
        self.assertEqual(where, str(PACKAGE / "abut" / "__init__.py"))

    def test_the_builder_alone(self) -> None:
        code = (
            "import sys; sys.path.insert(0, 'backend'); import abut_backend as b; "
            f"print(b.build_wheel({str(self.folder)!r})); print(b.build_sdist({str(self.folder)!r}))"
        )
        names = []
        for library in (str(Path(abut.library_path).resolve()), "/nowhere"):
            done = subprocess.run(
                [sys.executable, "-c", code],
                cwd=PACKAGE,
                env={**os.environ, "ABUT_LIBRARY": library},
                capture_output=True,
                text=True,
                check=True,
            )
            names.append(done.stdout.split())
        self.assertIn("linux", names[0][0])
        self.assertTrue(names[1][0].endswith("py3-none-any.whl"))
        with zipfile.ZipFile(self.folder / names[1][0]) as wheel:
            self.assertIsNone(wheel.testzip())
            inside = set(wheel.namelist())
            record = wheel.read(f"abut-{abut.__version__}.dist-info/RECORD").decode().split()
        self.assertEqual(inside, {line.split(",")[0] for line in record})
        self.assertFalse([name for name in inside if "_lib/" in name])
        self.assertTrue((self.folder / names[0][1]).exists())


if __name__ == "__main__":
    unittest.main()
