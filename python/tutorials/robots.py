"""Drops and stands of robots against the timestep (`abut experiment robots`).

The shipped quadruped and biped stand on their servos. Their height, and how far their feet sink in, should not depend on
the timestep.
"""

import numpy as np
from common import EXPERIMENTS, arguments, picture, table

import abut

ROBOTS = ("quadruped", "biped")


def stand(name: str, timestep: float, duration: float) -> "tuple[float, float, bool]":
    """Returns the height of the highest body (m), the deepest penetration (m), and whether all steps
    were exact."""
    model = abut.Model(EXPERIMENTS / "scenes" / f"{name}.json", {"timestep": timestep})
    sim = abut.Simulation(model)
    depth, exact = 0.0, True
    for _ in range(round(duration / timestep)):
        info = sim.step()
        depth = max(depth, info.max_penetration)
        exact = exact and info.exact
    return float(sim.states[:, 2].max()), depth, exact


def main() -> None:
    options = arguments(__doc__)
    duration = 0.5 if options.quick else 2.0
    timesteps = [0.005, 0.01] if options.quick else [0.002, 0.005, 0.01, 0.02]
    rows, curves = [], []
    for name in ROBOTS:
        results = [stand(name, timestep, duration) for timestep in timesteps]
        rows += [[name, timestep, *result] for timestep, result in zip(timesteps, results)]
        curves.append((name, timesteps, [height for height, _, _ in results]))
        heights = np.array(curves[-1][2])
        assert heights.max() - heights.min() < 0.02, f"the height of the {name} depends on the timestep"
    table(["robot", "timestep (s)", "height (m)", "penetration (m)", "all exact"], rows)
    assert max(row[3] for row in rows) < 1e-8, "a foot sank in"
    picture(options.plot, curves, "timestep (s)", "height (m)", xscale="log")


if __name__ == "__main__":
    main()
