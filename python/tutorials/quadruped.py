"""Servo targets of a standing quadruped that lean its trunk (`abut experiment quadruped` plans a trot).

The place of the trunk after some steps depends on constant targets of the servos through products of the steps' A and B
(`abut.Linear`) on the path at a small kappa. Gauss-Newton with the least change of the targets moves the trunk.
"""

import numpy as np
from common import EXPERIMENTS, arguments, table

import abut

STEPS = 20


def lean(model: abut.Model, targets: np.ndarray) -> "tuple[np.ndarray, np.ndarray]":
    """Place of the trunk after the steps, m, and its derivative by the targets."""
    sim, linear = abut.Simulation(model), abut.Linear(model, 1e-3)
    robot = abut.Robot(sim)
    at = robot.names.index("trunk.x")
    change = np.zeros((linear.n_x, len(targets)))
    robot.motors = targets
    for _ in range(STEPS):
        linear.step(sim)
        change = linear.A @ change + linear.B
    row = linear.state_names.index("trunk.x")
    return robot.q[at : at + 3], change[row : row + 3]


def main() -> None:
    options = arguments(__doc__)
    model = abut.Model(abut.Scene.load(EXPERIMENTS / "quadruped" / "quadruped.json", {"timestep": 0.01}))
    robot = abut.Robot(abut.Simulation(model))
    start = np.array([robot.q[robot.names.index(name)] for name in robot.motor_names])
    place, _ = lean(model, start)
    rows = []
    for way in ([0.01, 0.0, 0.0],) if options.quick else ([0.01, 0.0, 0.0], [0.0, 0.0, -0.02], [0.01, 0.005, 0.0]):
        targets, wanted = start.copy(), place + way
        for _ in range(15):
            reached, jacobian = lean(model, targets)
            targets += np.linalg.lstsq(jacobian, wanted - reached, rcond=None)[0]
        error = float(np.abs(lean(model, targets)[0] - wanted).max())
        rows.append([str(way), float(np.abs(targets - start).max()), error])
    table(["way, m", "largest change of a target, rad", "error, m"], rows)
    assert all(row[2] < 1e-3 for row in rows), "the trunk does not lean as wanted"


if __name__ == "__main__":
    main()
