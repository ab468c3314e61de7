"""The code of the guide and of the README runs."""

import os
import re
import subprocess
import sys

from support import ROOT, unittest


class TestDocs(unittest.TestCase):
    def test_blocks_run(self) -> None:
        for page in ("docs/python.md", "docs/environments.md", "python/README.md", "README.md"):
            blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.M | re.S)
            with self.subTest(page=page):
                self.assertGreater(len(blocks), 0)
                environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
                done = subprocess.run(
                    [sys.executable, "-W", "error", "-c", "\n".join(blocks)],
                    cwd=ROOT, env=environment, capture_output=True, text=True,
                )  # fmt: skip
                self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
