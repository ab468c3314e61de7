#!/usr/bin/env python3
"""Measures the overhead of Python: the same steps and batches from Python and from C, in turn.

    python3 benchmarks/step_overhead.py [--rounds N]

Compiles step_overhead.c (with CC, or cc) for the library that the package has loaded, so that both run the same machine
code. Prints the fastest round, which depends least on other work of the machine. The scenes are at rest after the
warm-up, where a step is cheapest and the overhead largest.
"""

import argparse
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Callable

import abut

ROOT = Path(__file__).resolve().parents[2]
SCENES = ROOT / "experiments" / "scenes"
STEPS, WARM_UP, WORLDS = 6400, 300, 64


def compiled(folder: str) -> str:
    """Compiles the C program; returns its path."""
    program = os.path.join(folder, "step_overhead")
    library = Path(abut.library_path).resolve()
    source = str(Path(__file__).with_suffix(".c"))
    flags = ["-O2", "-std=c17", "-D_DEFAULT_SOURCE", "-I", str(ROOT / "include"), f"-Wl,-rpath,{library.parent}"]
    subprocess.run([os.environ.get("CC", "cc"), *flags, source, str(library), "-o", program], check=True)
    return program


def in_c(program: str, *arguments: object) -> float:
    """Returns the time of a step in C, us."""
    return float(subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True).stdout)


def one_by_one(scene: Path) -> float:
    """Returns the time of a step, us, with one call per step."""
    sim = abut.Simulation(scene)
    sim.steps(WARM_UP)
    start = time.perf_counter()
    for _ in range(STEPS):
        sim.step()
    return 1e6 * (time.perf_counter() - start) / STEPS


def pushed(scene: Path) -> float:
    """Returns the same with inputs in each step, and states and contacts read after it."""
    sim = abut.Simulation(scene)
    sim.steps(WARM_UP)
    sim.inputs[...] = 0
    motion = sim.motion
    start = time.perf_counter()
    for _ in range(STEPS):
        sim.step()
        motion[-1, 2], sim.contacts
    return 1e6 * (time.perf_counter() - start) / STEPS


def many(scene: Path) -> float:
    """Returns the time of a step, us, with all steps in one call."""
    sim = abut.Simulation(scene)
    sim.steps(WARM_UP)
    start = time.perf_counter()
    sim.steps(STEPS)
    return 1e6 * (time.perf_counter() - start) / STEPS


def batch(scene: Path, threads: int) -> float:
    """Returns the time of a step of one world, us."""
    worlds = abut.Batch(scene, WORLDS, threads)
    worlds.step(WARM_UP)
    start = time.perf_counter()
    worlds.step(STEPS // WORLDS)
    return 1e6 * (time.perf_counter() - start) / (STEPS // WORLDS * WORLDS)


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description="overhead of Python for steps and batches")
    parser.add_argument("--rounds", type=int, default=30)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(folder)
        print(f"{'scene':10} {'call':32} {'Python us':>10} {'C us':>8} {'adds us':>8} {'ratio':>6}")
        for name in ("cube_drop", "stack_4", "pile_10"):
            scene = SCENES / f"{name}.json"
            alone: list[object] = [scene, STEPS, WARM_UP]
            both: list[object] = [scene, STEPS // WORLDS, WARM_UP, WORLDS]
            cases: list[tuple[str, Callable[[], float], list[object]]] = [
                ("step()", lambda: one_by_one(scene), alone),
                ("step(), inputs, contacts", lambda: pushed(scene), alone),
                (f"steps({STEPS})", lambda: many(scene), alone),
                (f"Batch of {WORLDS}, 1 thread", lambda: batch(scene, 1), [*both, 1]),
                (f"Batch of {WORLDS}, 2 threads", lambda: batch(scene, 2), [*both, 2]),
            ]
            for label, python, arguments in cases:
                pairs = [(python(), in_c(program, *arguments)) for _ in range(rounds)]
                here, there = (min(side) for side in zip(*pairs))
                print(f"{name:10} {label:32} {here:10.3f} {there:8.3f} {here - there:8.3f} {here / there:6.3f}")


if __name__ == "__main__":
    main()
