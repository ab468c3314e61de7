"""A pole on a cart, balanced by a linear controller (`abut experiment swing-up` plans how to swing it up).

The step at rest upright is a linear system x+ = A x + B u in joint coordinates, computed by `abut.Linear`. Riccati's
recursion turns it into a gain. With this gain, the cart holds the pole from an angle at which it would fall.
"""

import numpy as np
from common import EXPERIMENTS, arguments, picture, table

import abut

UPRIGHT = np.array([0.0, np.pi])


def system(model: abut.Model) -> "tuple[np.ndarray, np.ndarray]":
    """A and B at rest upright."""
    sim = abut.Simulation(model)
    abut.Robot(sim).q = UPRIGHT
    linear = abut.Linear(model)
    linear.step(sim)
    return linear.A, linear.B


def gain(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """K of u = -K x that minimises the sum of |x|^2 + 0.01 |u|^2."""
    P = np.eye(len(A))
    for _ in range(1000):
        K = np.linalg.solve(0.01 * np.eye(B.shape[1]) + B.T @ P @ B, B.T @ P @ A)
        P = np.eye(len(A)) + A.T @ P @ (A - B @ K)
    return K


def run(model: abut.Model, K: np.ndarray, angle: float, steps: int) -> "list[float]":
    """Angles from upright, by steps."""
    sim = abut.Simulation(model)
    robot = abut.Robot(sim)
    robot.q = UPRIGHT + [0.0, angle]
    angles = []
    for _ in range(steps):
        robot.motors = -K @ np.concatenate([robot.q - UPRIGHT, robot.qdot])
        sim.step()
        angles.append(float(robot.q[1] - np.pi))
    return angles


def main() -> None:
    options = arguments(__doc__)
    model = abut.Model(abut.Scene.load(EXPERIMENTS / "swing_up" / "cart_pole.json"))
    A, B = system(model)
    K = gain(A, B)
    rows, curves = [], []
    for label, own in (("falls", 0 * K), ("balanced", K)):
        angles = run(model, own, 0.1, 40 if options.quick else 100)
        rows.append([label, float(np.abs(np.linalg.eigvals(A - B @ own)).max()), angles[-1]])
        curves.append((label, range(len(angles)), angles))
    table(["controller", "largest eigenvalue", "angle at the end, rad"], rows)
    assert rows[0][1] > 1 and abs(rows[0][2]) > 1, "the pole does not fall by itself"
    assert rows[1][1] < 1 and abs(rows[1][2]) < 0.02, "the controller does not hold the pole"
    picture(options.plot, curves, "step", "angle from upright, rad")


if __name__ == "__main__":
    main()
