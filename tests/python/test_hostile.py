"""Hostile calls: wrong types and sizes, threads, forks, signals, closed objects. None may end the process, hang, or return
a number that is not finite as if it were a result.

They run in child processes, so that a crash is seen. Freed memory is overwritten there (MALLOC_PERTURB_).
"""

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import hostile_values
from hostile_processes import PROCESS, PROCESSES
from support import unittest

VALUES = str(hostile_values.__file__)


class TestHostile(unittest.TestCase):
    def run_apart(self, *arguments: str) -> str:
        path = os.pathsep.join(path for path in sys.path if path)
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, "-X", "faulthandler", *arguments],
                env={**os.environ, "PYTHONPATH": path, "HOSTILE_FOLDER": folder, "MALLOC_PERTURB_": "85"},
                stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=120,
            )  # fmt: skip
        last = done.stdout.strip().splitlines()[-1:]
        self.assertEqual(done.returncode, 0, f"{arguments[-1][-200:]}: last call {last}: {done.stderr[-2000:]}")
        return done.stdout

    def in_parallel(self, calls: dict[str, tuple[str, ...]]) -> dict[str, str]:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = {name: pool.submit(self.run_apart, *arguments) for name, arguments in calls.items()}
        out = {}
        for name, job in jobs.items():
            with self.subTest(name):
                out[name] = job.result()
        return out

    def test_values(self) -> None:
        printed = self.in_parallel({group: (VALUES, group) for group in hostile_values.GROUPS})
        made = sum(int(text.split()[-2]) for text in printed.values())
        self.assertGreater(made, 2000)

    def test_processes(self) -> None:
        self.in_parallel({name: ("-c", PROCESS + code) for name, code in PROCESSES.items()})
