"""A push of a hopper's leg that lifts its body to a height (`abut experiment hopper` plans a whole hop).

The leg pushes with a constant force for some steps and then with none. The derivative of the height at the end by this
force is a product of the steps' A and B (`abut.Linear`), with which Newton's method finds the force.
"""

import numpy as np
from common import EXPERIMENTS, arguments, table

import abut

STEPS, PUSHED = 8, 4


def height(model: abut.Model, force: float) -> "tuple[float, float]":
    """Height of the body after the push, m, and its derivative by the force."""
    sim, linear = abut.Simulation(model), abut.Linear(model)
    robot = abut.Robot(sim)
    up, leg = robot.names.index("body.z"), robot.motor_names.index("leg")
    change = np.zeros(linear.n_x)
    for step in range(STEPS):
        robot.motors = [force if step < PUSHED and i == leg else 0.0 for i in range(len(robot.motor_names))]
        linear.step(sim)
        change = linear.A @ change + (linear.B[:, leg] if step < PUSHED else 0.0)
    return float(robot.q[up]), float(change[linear.state_names.index("body.z")])


def main() -> None:
    options = arguments(__doc__)
    model = abut.Model(abut.Scene.load(EXPERIMENTS / "hopper" / "hopper.json"))
    rows = []
    for target in (0.6,) if options.quick else (0.58, 0.6, 0.62):
        force = 60.0
        for _ in range(20):
            reached, slope = height(model, force)
            if abs(reached - target) < 1e-9:
                break
            force += (target - reached) / slope
        rows.append([target, force, reached, slope])
    table(["height wanted, m", "force, N", "height, m", "m per N"], rows)
    assert all(abs(row[2] - row[0]) < 1e-6 for row in rows), "a height is not reached"


if __name__ == "__main__":
    main()
