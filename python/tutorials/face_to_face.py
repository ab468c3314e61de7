"""Drops that end face to face, for several rates and kappas (`abut experiment face-to-face`).

A body that falls on a floor comes to rest on a face. How often does a step of this motion fail? For each rate and
kappa, a `Batch` drops a cube from many random starts at once, on all cores, without second tries.
"""

import numpy as np
from common import EXPERIMENTS, arguments, table

import abut


def starts(batch: abut.Batch, seed: int) -> None:
    """Gives every world its own random start."""
    random, states = np.random.default_rng(seed), batch.states
    cube = batch.model.body("cube")
    orientation = random.normal(size=(batch.worlds, 4))
    states[:, cube, 2] = random.uniform(0.7, 1.5, batch.worlds)
    states[:, cube, 3:7] = orientation / np.linalg.norm(orientation, axis=1, keepdims=True)
    states[:, cube, 7:10] = random.uniform([-1, -1, -2], [1, 1, 0], (batch.worlds, 3))
    states[:, cube, 10:] = random.uniform(-1, 1, (batch.worlds, 3))
    batch.states = states


def main() -> None:
    options = arguments(__doc__)
    worlds, duration = (16, 1.5) if options.quick else (200, 1.5)
    rates, kappas = ((20, 100), (1e-4, 1e-8)) if options.quick else ((10, 20, 50, 100, 200), (1e-3, 1e-5, 1e-7, 1e-9))
    rows = []
    for rate in rates:
        for kappa in kappas:
            overrides = {"timestep": 1 / rate, "solver.kappa": kappa, "solver.retry": False}
            batch = abut.Batch(EXPERIMENTS / "face_to_face" / "cube.json", worlds, overrides=overrides)
            starts(batch, seed=1)
            batch.step(int(duration * rate))
            bottom = batch.states[:, 1, 2] - 0.4
            alive = np.setdiff1d(np.arange(worlds), batch.failed)
            rows.append([rate, kappa, len(batch.failed), float(np.abs(bottom[alive]).max() if len(alive) else np.nan)])
    table(["Hz", "kappa", f"failed of {worlds}", "cube's height above its rest, at most, m"], rows)
    assert sum(int(row[2]) for row in rows) <= 0.02 * worlds * len(rows), "more than 2 % failed"


if __name__ == "__main__":
    main()
