"""A stack at rest has no momentum (`abut experiment stacking`).

How much momentum does a solver add? On the central path as much as kappa allows; at the exact solution only rounding.
"""

import numpy as np
from common import EXPERIMENTS, arguments, picture, table

import abut


def momentum(kappa: float, finish: str, duration: float) -> float:
    """Returns the absolute total momentum, mean over steps and axes, kg m/s."""
    overrides = {"solver.kappa": kappa, "solver.finish": finish}
    sim = abut.Simulation(EXPERIMENTS / "stacking" / "tower_4.json", overrides=overrides)
    states = sim.steps(int(duration / sim.model.timestep), record=True)
    assert states is not None
    total = np.einsum("b,tbk->tk", sim.model.masses, states[:, :, 7:10])
    return float(np.abs(total).mean())


def main() -> None:
    options = arguments(__doc__)
    kappas = [1e-4, 1e-6, 1e-8] if options.quick else [10.0**-k for k in range(3, 10)]
    rows = [[kappa, *(momentum(kappa, finish, 0.3 if options.quick else 1) for finish in ("none", "exact"))]
            for kappa in kappas]  # fmt: skip
    print("tower of 4 blocks of 1 kg: mean momentum, kg m/s")
    table(["kappa", "on the path", "exact"], rows)
    assert all(row[2] < 1e-10 for row in rows), "a tower at rest has momentum"
    curves = [("on the path", kappas, [row[1] for row in rows]), ("exact", kappas, [row[2] for row in rows])]
    picture(options.plot, curves, "kappa", "momentum (kg m/s)", xscale="log", yscale="log")


if __name__ == "__main__":
    main()
