#!/usr/bin/env python3
"""Fault campaigns over the calls of calls.py: an allocation or a system call fails, or the process is killed, at one
point after the other. Each point is judged by what the call left behind and by what the next call makes of it."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import calls
import order

KINDS = ["none", "malloc", "memory", "enospc", "eio", "eintr", "short", "emfile", "eagain", "kill", "int", "order"]
SHORT = ["malloc", "enospc", "eio", "kill"]
MEMORY = ("malloc", "memory")
FILE_KINDS = ("enospc", "kill")
# Files that a call may leave out, with a line on stderr.
LOSSES = {"warning: the parts are not kept": "abut-decomposition.json", "cannot draw": "report.html"}
ALLOWED_SIGNALS = {"kill": 9, "int": 2}
READER = "the process that reads"  # a mesh; a signal that ends only this process gives status 3
# Clock times, which differ from call to call.
CLOCK = re.compile(rb'(?<="wall_time_s": )[^,\n}]+|(?<="setup_time_s": )[^,\n}]+|(?<="step_time_us_median": )[^,\n}]+'
                   rb'|(?<="step_time_us_mean": )[^,\n}]+|step time .*|(?<=\n)\d+(,[\d.e-]+){4}(?=\n)')


class Server:
    """A call of the command that is made again and again without loading it again (server.c)."""

    def __init__(self, campaign, arguments: str):
        self.logs = campaign.scratch / "logs."
        environment = campaign.environment | {"LD_PRELOAD": str(campaign.library), "ABUT_FAULTS": "1"}
        self.process = subprocess.Popen([campaign.abut, *arguments.split()], env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, bufsize=1)

    def call(self, kind: str, point: int, folder: Path):
        """Returns exit status (negative: a signal), number of possible points, stdout and stderr."""
        self.process.stdin.write(f"{KINDS.index(kind)} {point} {folder} {self.logs}\n")
        answer = self.process.stdout.readline().split()
        if len(answer) != 2:
            sys.exit("faults: the preloaded library did not answer")
        out, err = (Path(f"{self.logs}{name}").read_bytes() for name in ("stdout", "stderr"))
        return os.waitstatus_to_exitcode(int(answer[0])), int(answer[1]), out, err.decode(errors="replace")

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def read_folder(folder: Path) -> dict:
    """All files with their bytes, clock times masked."""
    return {str(path.relative_to(folder)): mask(path.read_bytes())
            for path in sorted(folder.rglob("*")) if path.is_file()}


def mask(text: bytes, timed: bool = False) -> bytes:
    """Hides clock times; of an output of times, all numbers and the first line, which names the machine."""
    return re.sub(rb"\A.*|[\d.e+-]+| +", b" ", text) if timed else CLOCK.sub(b"...", text)


def is_litter(name: str) -> bool:
    return name.endswith(".tmp") or "/." in f"/{name}"


def is_whole(name: str, text: bytes) -> bool:
    """Whether a file of a call that stopped early is whole. The next call reads snapshots and their checksums."""
    if name.endswith(".json"):
        try:
            json.loads(text.replace(b"...", b"0"))  # masked times
        except ValueError:
            return False
        return True
    return name.endswith(".abut") or (name.endswith(".csv") and text.endswith(b"\n"))


def differences(found: dict, expected: dict) -> str:
    names = [name for name in sorted(found.keys() | expected.keys()) if found.get(name) != expected.get(name)]
    return ", ".join(names[:3])


class Case:
    """One call with its reference, the files and output of the undisturbed call."""

    def __init__(self, campaign, call):
        self.campaign, self.call = campaign, call
        self.folder = campaign.scratch / "point"
        self.server = Server(campaign, call.arguments)
        self.next = Server(campaign, call.resume or call.arguments)
        self.begin()
        self.start = read_folder(self.folder)
        self.status, self.allocations, self.out, err = self.server.call("none", 0, self.folder)
        self.files = read_folder(self.folder)
        self.begin()
        again = self.server.call("none", 0, self.folder)
        same = read_folder(self.folder) == self.files and self.is_same(again[2])
        if self.status != call.status or not same:
            sys.exit(f"faults: {call.name}: the undisturbed call ended with {self.status}, expected {call.status}; "
                     f"{'' if same else 'a second call differs: ' + differences(read_folder(self.folder), self.files)}"
                     f"\n{err}")

    def is_same(self, out: bytes) -> bool:
        timed = self.call.verb == "bench"
        return mask(out, timed) == mask(self.out, timed)

    def writes(self) -> bool:
        return self.files != self.start

    def begin(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.call.start:
            shutil.copytree(self.campaign.inputs / self.call.start, self.folder)
        else:
            self.folder.mkdir()

    def count(self, kind: str) -> int:
        self.begin()
        return self.server.call("malloc" if kind in MEMORY else kind, 0, self.folder)[1]

    def judge(self, kind: str, point: int):
        """Makes one point. Returns the exit status, whether everything was identical, and what is wrong."""
        self.begin()
        status, _, out, err = self.server.call(kind, point, self.folder)
        found = read_folder(self.folder)
        # A temporary file whose removal fails stays until the next call.
        lost = tuple(name for line, name in LOSSES.items() if line in err)
        expected = {name: text for name, text in self.files.items() if not name.endswith(lost)}
        kept = {name: text for name, text in found.items()
                if not name.endswith(lost) and (kind in MEMORY or not is_litter(name))}
        whole = kept == expected and self.is_same(out)
        wrong = self.judge_end(kind, status, whole, found, err)
        if not wrong and found not in (self.files, self.start):
            wrong = self.judge_next(found)
        return status, whole, f"{wrong} [{err.strip().splitlines()[0][:150] if err.strip() else ''}]" if wrong else ""

    def judge_end(self, kind, status, whole, found, err) -> str:
        lines = err.splitlines()
        if status == self.status:
            return "" if whole else f"status {status}, but different: {differences(found, self.files) or 'stdout'}"
        if status < 0:
            return "" if -status == ALLOWED_SIGNALS.get(kind) else f"signal {-status}"
        if status != 3 or (kind == "int" and READER not in err):
            return f"status {status}"
        if not any(line.startswith("abut: ") for line in lines):
            return "no message"
        litter = [name for name in found if is_litter(name)]
        if litter and kind in MEMORY:
            return f"litter {litter[0]}"
        return self.judge_parts(found)

    def judge_parts(self, found) -> str:
        """No file but whole ones: tables of a run or sweep end with a whole row, other files are whole."""
        for name, text in found.items():
            if is_litter(name) or text in (self.files.get(name), self.start.get(name)):
                continue
            if not self.call.resume or not is_whole(name, text):
                return f"an incomplete file {name}"
        return ""

    def judge_next(self, found) -> str:
        """The next call, which resumes the work or repeats it, must give what the undisturbed one gave."""
        record = found.get("out/run.json")
        begun = self.call.resume and (self.call.verb == "sweep" or record == self.files["out/run.json"])
        if begun:
            status, _, _, err = self.next.call("none", 0, self.folder)
        if not begun or status == 2:
            status, _, _, err = self.server.call("none", 0, self.folder)
        now = read_folder(self.folder)
        if status != self.status or now != self.files:
            return f"the next call: status {status}, {differences(now, self.files)} {err.strip()[:150]}"
        return ""

    def judge_order(self) -> int:
        """Prints what a power cut during the call could leave. Returns how many."""
        self.begin()
        self.server.call("order", 0, self.folder)
        wrong = order.find_wrong(Path(f"{self.server.logs}calls").read_text(), str(self.folder))
        print(f"{self.call.name:22} order   wrong {len(wrong):4}", *wrong, sep="\n    ", flush=True)
        return len(wrong)

    def close(self):
        self.server.close()
        self.next.close()


class Campaign:
    """The command, the preloaded library and the inputs."""

    def __init__(self, build: Path, scratch: Path):
        self.scratch, self.inputs = scratch, scratch / "inputs"
        self.abut, self.library = build / "abut", build / "tests/faults/abut_faults.so"
        self.environment = {"OPENBLAS_NUM_THREADS": "1",
                            "ABUT_VIEW_BUNDLE": str(self.inputs / "bundle.html")}
        calls.prepare(Path(__file__).resolve().parents[2], self.inputs, self.make)

    def make(self, arguments: str, folder: Path):
        done = subprocess.run([self.abut, *arguments.split()], cwd=folder, env=self.environment, capture_output=True,
                              text=True, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"faults: abut {arguments}: {done.stderr}")

    def run(self, case: Case, kind: str, most: int) -> int:
        """Makes the points of a kind, at most `most` of them, and prints their line. Returns how many are wrong."""
        total, begun = case.count(kind), time.monotonic()
        points = range(1, total + 1)
        if most and total > most:
            points = sorted({1 + (total - 1) * i // (most - 1) for i in range(most)}) if most > 1 else [total // 2]
        statuses, identical, wrong = Counter(), 0, []
        if total == 0 and kind in (*MEMORY, *(FILE_KINDS if case.writes() else ())):
            wrong.append("    the preloaded library saw nothing that can fail")
        for point in points:
            status, whole, problem = case.judge(kind, point)
            statuses["signal" if status < 0 else status] += 1
            identical += whole and status == case.status
            wrong += [f"    wrong at {kind} {point} of {total}: {problem}"] if problem else []
        ends = " ".join(f"{name}:{n}" for name, n in sorted(statuses.items(), key=str))
        print(f"{case.call.name:22} {kind:7} points {len(points):6} of {total:6}  exits {ends:28} "
              f"identical {identical:6}  wrong {len(wrong):4}  {time.monotonic() - begun:6.1f} s", flush=True)
        for line in wrong[:40]:
            print(line, flush=True)
        return len(wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--call", default="", help="only calls whose names start with this")
    parser.add_argument("--kind", choices=KINDS[1:-1], action="append", help="only this kind of fault; may be repeated")
    parser.add_argument("--points", type=int, default=0, help="at most so many points for each call and kind")
    parser.add_argument("--short", action="store_true", help="about one point of each call for four kinds")
    options = parser.parse_args()
    kinds = options.kind or (SHORT if options.short else KINDS[1:-1])
    wrong = 0
    # In memory, where it can be, fsync costs nothing.
    memory = "TMPDIR" not in os.environ and os.access("/dev/shm", os.W_OK)
    with tempfile.TemporaryDirectory(dir="/dev/shm" if memory else None) as scratch:
        campaign = Campaign(options.build.resolve(), Path(scratch))
        for call in calls.runs() + calls.others():
            if call.name.startswith(options.call) and (call.short or not options.short):
                case = Case(campaign, call)
                if call.verb == "run" and "out/run.json" in case.files:
                    wrong += case.judge_order()
                for kind in kinds:
                    dense = not options.short or (call.short < 0 and kind in MEMORY)
                    wrong += campaign.run(case, kind, options.points or (0 if dense else 1))
                case.close()
    print(f"{wrong} points are wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
