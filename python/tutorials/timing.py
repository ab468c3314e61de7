"""The time of a step, single-level and bilevel (`abut experiment timing`).

A cube falls from random starts. Both methods take the same steps in turn, each from a cold start and without a second
try. Python adds one microsecond to each step.
"""

import time

import numpy as np
from common import EXPERIMENTS, arguments, table

import abut


def main() -> None:
    options = arguments(__doc__)
    random = np.random.default_rng(0)
    falls = 5 if options.quick else 60
    model = {
        method: abut.Model(
            EXPERIMENTS / "face_to_face" / "cube.json",
            {"solver.method": method, "solver.warm_start": False, "solver.retry": False},
        )
        for method in ("single-level", "bilevel")
    }
    times, failed = ({method: 0.0 for method in model} for _ in range(2))
    for _ in range(falls):
        orientation, height = random.normal(size=4), random.uniform(0.7, 1.5)
        sims = {method: abut.Simulation(model[method]) for method in model}
        for sim in sims.values():
            sim.set_body("cube", [0, 0, height], orientation / np.linalg.norm(orientation))
        for _ in range(150):
            for method, sim in sims.items():
                begin = time.perf_counter()
                try:
                    sim.step()
                except abut.StepFailed:  # continue from the state of the other method
                    failed[method] += 1
                    sim.states = sims["single-level"].states
                times[method] += time.perf_counter() - begin
    us = {method: 1e6 * total / (150 * falls) for method, total in times.items()}
    rows = [[method, us[method], us[method] / us["single-level"], int(failed[method])] for method in model]
    table(["method", "us per step", "ratio", f"failed of {150 * falls}"], rows)
    assert failed["single-level"] <= 0.001 * 150 * falls, "more than a thousandth of the steps failed"


if __name__ == "__main__":
    main()
