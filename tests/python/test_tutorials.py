"""Each experiment has a tutorial, which runs in its quick form; its own assertions hold what it shows."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from support import ROOT, abut, unittest

TUTORIALS = ROOT / "python" / "tutorials"


def run(path: Path) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    return subprocess.run([sys.executable, str(path), "--quick"], env=environment, capture_output=True, text=True)


class TestTutorials(unittest.TestCase):
    def test_each_experiment_has_one(self) -> None:
        names = {path.stem.replace("_", "-") for path in TUTORIALS.glob("*.py")} - {"common"}
        self.assertEqual(names, set(abut.experiments()))

    @unittest.skipIf(os.environ.get("PYTHON_SANITIZE"), "in the build without sanitizers")
    def test_quick_forms(self) -> None:
        paths = sorted(path for path in TUTORIALS.glob("*.py") if path.stem != "common")
        with ThreadPoolExecutor(2) as pool:
            for path, done in zip(paths, pool.map(run, paths)):
                with self.subTest(tutorial=path.stem):
                    self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)
                    self.assertGreater(len(done.stdout), 50)


if __name__ == "__main__":
    unittest.main()
