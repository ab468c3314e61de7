"""Falling unions and Minkowski sums (`abut experiment convex-bundles`).

Bodies composed of convex shapes with `abut.shapes` fall onto a floor and onto each other, without restitution. No step
may fail, and no step may gain energy, except by rounding and by recovery from overlap.
"""

import numpy as np
from common import FLOOR, arguments, picture

import abut
from abut import shapes

ABOUT_X = [np.sqrt(0.5), np.sqrt(0.5), 0, 0]
JACK = shapes.union([
    shapes.capsule(0.09, 0.7),
    shapes.box([0.42, 0.09, 0.09]),
    shapes.cylinder(0.1, 0.8, orientation=ABOUT_X),
    shapes.sphere(0.16, position=[0.42, 0, 0]),
    shapes.ellipsoid([0.12, 0.2, 0.16], position=[-0.42, 0, 0]),
])  # fmt: skip
PILLOW = shapes.minkowski_sum([shapes.box([0.3, 0.16, 0.08]), shapes.sphere(0.06)])
LENS = shapes.intersection([shapes.sphere(0.5, position=[0, 0, 0.4]), shapes.sphere(0.5, position=[0, 0, -0.4])])


def main() -> None:
    options = arguments(__doc__)
    for name, shape in (("jack", JACK), ("pillow", PILLOW), ("lens", LENS)):
        print(f"{name}: {len(shape.parts)} parts, {shape.volume:.6f} m^3")
    bodies = [
        {"name": name, "density": 500, "shape": shape, "position": place, "orientation": turn}
        for name, shape, place, turn in (
            ("jack", JACK, [0, 0, 0.8], [0.9, 0.3, 0.1, 0.3]),
            ("pillow", PILLOW, [0.1, 0.1, 1.5], [0.8, 0, 0.6, 0]),
            ("lens", LENS, [-0.1, 0, 2.5], [0.6, 0.8, 0, 0]),
        )
        for turn in [np.array(turn) / np.linalg.norm(turn)]
    ]
    sim = abut.Simulation({"friction": 0.5, "bodies": [FLOOR, *bodies]})
    energies, steps = [sim.energy], 150 if options.quick else 400
    for _ in range(steps):
        sim.step()
        energies.append(sim.energy)
    gained = float(np.diff(energies).max())
    speed = np.linalg.norm(sim.motion[1:, 7:10], axis=1)
    print(f"after {sim.time:.2f} s: {len(sim.contacts)} contacts, speeds {np.round(speed, 6)} m/s")
    print(f"energy {energies[0]:.3f} J to {energies[-1]:.3f} J, most gained in a step {gained:.2g} J")
    assert gained < 1e-3 * energies[0], "energy out of nothing"
    times = sim.model.timestep * np.arange(steps + 1)
    picture(options.plot, [("energy", times, energies)], "time (s)", "energy (J)")


if __name__ == "__main__":
    main()
