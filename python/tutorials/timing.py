"""The time of a step, single-level and bilevel (`abut experiment timing`).

A cube falls from random starts. Both methods take the same steps, every one from cold; `Simulation.steps` takes many in
one call, so that what is timed is the library and not Python.
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
            {"solver.method": method, "solver.warm_start": False, "solver.retry": method == "bilevel"},
        )
        for method in ("single-level", "bilevel")
    }
    times = {method: 0.0 for method in model}
    iterations = {method: 0 for method in model}
    for _ in range(falls):
        orientation = random.normal(size=4)
        start = {
            "position": [0, 0, random.uniform(0.7, 1.5)],
            "orientation": orientation / np.linalg.norm(orientation),
            "linear_velocity": random.uniform([-1, -1, -2], [1, 1, 0]),
            "angular_velocity": random.uniform(-1, 1, 3),
        }
        for method in model:
            sim = abut.Simulation(model[method])
            sim.set_body("cube", **start)
            begin = time.perf_counter()
            sim.steps(150)
            times[method] += time.perf_counter() - begin
            iterations[method] += sim.info.iterations
    us = {method: 1e6 * total / (150 * falls) for method, total in times.items()}
    base = us["single-level"]
    table(["method", "us a step", "ratio"], [[method, value, value / base] for method, value in us.items()])


if __name__ == "__main__":
    main()
