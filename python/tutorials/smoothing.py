"""Derivatives of a pushed box (`abut experiment smoothing`).

A box at rest is pushed for one step of 0.1 s; below mu m g it sticks. The exact derivative of its speed by the force is
zero there and dt / m above. It is correct, but useless to a descent that starts in the flat part. Two derivatives are
smoothed: on the central path, and averaged over random forces, for which a `Batch` takes all samples at once.
"""

import numpy as np
from common import FLOOR, arguments, picture, table

import abut
from abut import shapes

MASS, FRICTION, DT, SIGMA = 1.0, 0.5, 0.1, 1.0


def main() -> None:
    options = arguments(__doc__)
    forces = np.linspace(0, 10, 21 if options.quick else 81)
    box = {"name": "box", "mass": MASS, "shape": shapes.box([0.25] * 3), "position": [0, 0, 0.25]}
    model = abut.Model({"timestep": DT, "friction": FRICTION, "bodies": [FLOOR, box]})
    curves: "dict[str, list[float]]" = {}
    sim = abut.Simulation(model)
    for kappa in (0.0, 1e-4, 1e-6):
        gradient = abut.Gradient(model, kappa)
        curve = curves.setdefault("exact" if kappa == 0 else f"kappa {kappa:g}", [])
        for force in forces:
            sim.reset()
            sim.inputs[1, 0] = force
            gradient.step(sim)
            curve.append(float(gradient.by_input[6, 0]))
    samples = 256 if options.quick else 2048
    batch, start = abut.Batch(model, samples), abut.Batch(model, samples).states
    noise = np.random.default_rng(0).normal(size=samples)
    randomised = curves.setdefault(f"random, {samples} samples", [])
    for force in forces:
        batch.states = start
        batch.inputs[:, 1, 0] = force + SIGMA * noise
        batch.step()
        speed = batch.states[:, 1, 7]
        randomised.append(float(np.mean((speed - speed.mean()) * noise) / SIGMA))
    table(["force, N", *curves], [[float(f), *(c[i] for c in curves.values())] for i, f in enumerate(forces)])
    threshold = FRICTION * MASS * 9.81
    exact = np.array(curves["exact"])
    assert np.allclose(exact[forces < threshold - 0.1], 0, atol=1e-6)
    assert np.allclose(exact[forces > threshold + 0.1], DT / MASS, atol=1e-6)
    picture(options.plot, [(n, forces, c) for n, c in curves.items()], "force (N)", "d speed / d force (s / kg)")


if __name__ == "__main__":
    main()
