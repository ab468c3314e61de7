"""A box moved right by planned forces (`abut experiment box-moves`).

A box lies on a floor. Ten forces at its centre, one in each step of 0.1 s, are to move it one metre to the right, where
it must rest. Rollouts consist of exact steps. Their derivative by the forces is the product of the derivatives of the
steps. At the exact solution it is zero, since no small force moves the box. On the central path at a large kappa it
leads to a plan, by Gauss-Newton on the goal and the effort.
"""

import numpy as np
from common import FLOOR, arguments, picture, table

import abut
from abut import shapes

STEPS, SIDE, EFFORT = 10, 0.5, 0.01
GOAL = np.array([1, 0, SIDE / 2, *[0] * 9])


def scene() -> abut.Model:
    box = {"name": "box", "mass": 1, "shape": shapes.box([SIDE / 2] * 3), "position": [0, 0, SIDE / 2]}
    return abut.Model({"timestep": 0.1, "friction": 0.5, "bodies": [FLOOR, box]})


def rollout(model: abut.Model, forces: np.ndarray, kappa: float) -> "tuple[np.ndarray, np.ndarray]":
    """Returns the 12 errors of the last state, and their derivative by the forces, (12, 3 STEPS)."""
    sim, gradient = abut.Simulation(model), abut.Gradient(model, kappa)
    jacobian = np.zeros((12, 0))
    for force in forces.reshape(STEPS, 3):
        sim.inputs[1, :3] = force
        gradient.step(sim)
        jacobian = np.hstack([gradient.by_state @ jacobian, gradient.by_input[:, :3]])
    target = sim.states
    target[1] = [*GOAL[:3], 1, 0, 0, 0, *GOAL[6:]]
    return abut.difference(model, target, sim.states)[0], jacobian


def plan(model: abut.Model, kappa: float, rounds: int) -> "tuple[np.ndarray, list[float]]":
    """Forces (STEPS, 3), and the largest error of the last state by rounds."""
    forces, weight, history = np.zeros(3 * STEPS), 100.0, []  # type: np.ndarray, float, list[float]
    for _ in range(rounds):
        error, jacobian = rollout(model, forces, kappa)
        history.append(float(np.abs(error).max()))
        if history[-1] < 1e-3:
            break
        normal = weight * jacobian.T @ jacobian + EFFORT * np.eye(3 * STEPS)
        change = -np.linalg.solve(normal, weight * jacobian.T @ error + EFFORT * forces)
        costs = []
        for share in (1, 0.5, 0.25, 0.1):
            error, _ = rollout(model, forces + share * change, kappa)
            costs.append((weight * error @ error + EFFORT * np.sum((forces + share * change) ** 2), share))
        forces = forces + min(costs)[1] * change
        weight = min(3 * weight, 1e6)
    return forces.reshape(STEPS, 3), history


def main() -> None:
    options = arguments(__doc__)
    model = scene()
    rows, curves = [], []
    for kappa in (0.0, 0.1) if options.quick else (0.0, 0.01, 0.1, 0.3):
        forces, history = plan(model, kappa, 30)
        rows.append([kappa, len(history), history[0], history[-1], float(np.sum(forces**2))])
        curves.append((f"kappa {kappa:g}", range(len(history)), history))
    table(["kappa", "rounds", "error before", "error after", "squared force, N^2"], rows)
    assert rows[0][3] > 0.99 * rows[0][2], "at the exact solution no force is felt"
    assert min(row[3] for row in rows[1:]) < 1e-2, "no plan reaches the goal"
    picture(options.plot, curves, "round", "largest error of the last state", yscale="log")


if __name__ == "__main__":
    main()
