"""A square peg into a square hole (`abut experiment peg-in-hole`).

Four walls and a floor are one static union. The clearance of the hole is 1e-2 to 1e-4 of its width. The peg is released
just inside the rim, slightly displaced and rotated, and pushed down gently.
"""

import numpy as np
from common import arguments, table

import abut
from abut import shapes

WIDTH, LENGTH, DEPTH, WALL = 0.1, 0.2, 0.15, 0.1


def block(clearance: float) -> shapes.Shape:
    """Returns the block; the floor of the hole is at z = 0, its rim at z = DEPTH."""
    hole, wall, high = WIDTH * (1 + clearance) / 2, WALL / 2, DEPTH / 2
    outer = hole + WALL
    walls = [shapes.box([wall, outer, high], position=[side * (hole + wall), 0, high]) for side in (-1, 1)]
    walls += [shapes.box([hole, wall, high], position=[0, side * (hole + wall), high]) for side in (-1, 1)]
    return shapes.union([shapes.box([outer, outer, wall], position=[0, 0, -wall]), *walls])


def insert(clearance: float, seed: int) -> "tuple[float, int]":
    """Returns the final distance of the peg from the floor (m), and the number of steps that needed a second try."""
    random = np.random.default_rng(seed)
    offset = 0.25 * clearance * WIDTH * random.uniform(-1, 1, 2)
    yaw = 0.25 * clearance * random.uniform(-1, 1)
    sim = abut.Simulation({
        "friction": 0.2,
        "bodies": [
            {"name": "block", "static": True, "shape": block(clearance)},
            {"name": "peg", "mass": 1, "shape": shapes.box([WIDTH / 2, WIDTH / 2, LENGTH / 2]),
             "position": [*offset, DEPTH - 0.002 + LENGTH / 2], "orientation": [np.cos(yaw / 2), 0, 0, np.sin(yaw / 2)],
             "input": {"force": [0, 0, -2]}},
        ],
    })  # fmt: skip
    retried = 0
    for _ in range(60):
        retried += sim.step().retried
    return float(sim.body("peg").position[2] - LENGTH / 2), retried


def main() -> None:
    options = arguments(__doc__)
    rows = []
    for clearance in (1e-2, 1e-3, 1e-4):
        ends = [insert(clearance, seed) for seed in range(2 if options.quick else 20)]
        height = max(abs(end[0]) for end in ends)
        rows.append([clearance, len(ends), height, sum(end[1] for end in ends)])
        assert height < 1e-6 * DEPTH, f"a peg of clearance {clearance} is {height} m from the floor"
    table(["clearance", "pegs", "from the floor, m", "steps retried"], rows)


if __name__ == "__main__":
    main()
