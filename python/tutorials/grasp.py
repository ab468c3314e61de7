"""A planned grasp (`abut experiment grasp`).

Two spherical fingertips are to lift a box from the floor to a given place. The scene is quasi-static: every step begins
at rest, and a fingertip follows its command `d` by a force m / dt^2 d. Rollouts consist of exact steps. Derivatives are
taken on the central path at kappa 0.01 and multiplied along the rollout. Gauss-Newton with a bound on the change of the
commands finds when to touch, how hard to press and where to move.
"""

from typing import Optional

import numpy as np
from common import EXPERIMENTS, arguments, picture, table

import abut

STEPS, DT, KAPPA = 20, 0.05, 0.01
Rollout = tuple[np.ndarray, np.ndarray, np.ndarray]
GOAL = np.array([0.05, 0, 0.25])
TURNS, EFFORT, LARGEST = 0.1, 1e-4, 0.05  # weights of rotation (m) and commands; largest change, m


def rollout(model: abut.Model, commands: np.ndarray, gradient: Optional[abut.Gradient] = None) -> Rollout:
    """Returns the errors of the object's last position (3, m) and rotation (3, weighted), their derivative by the
    commands (if a gradient is given), and the object's path."""
    sim = abut.Simulation(model)
    holding = sim.inputs.copy()  # the fingertips' weight
    jacobian, way = np.zeros((36, 0)), [sim.body("object").position]
    for command in commands.reshape(STEPS, 2, 3):
        sim.inputs = holding
        sim.inputs[2:, :3] += command / DT**2
        if gradient:
            gradient.step(sim)
            by_commands = gradient.by_input.reshape(36, 3, 6)[:, 1:, :3].reshape(36, 6) / DT**2
            jacobian = np.hstack([gradient.by_state @ jacobian, by_commands])
        else:
            sim.step()
        way.append(sim.body("object").position)
    target = sim.states
    target[1] = [*GOAL, 1, 0, 0, 0, *[0] * 6]
    scale = np.array([1, 1, 1, TURNS, TURNS, TURNS])
    error = scale * abut.difference(model, target, sim.states)[0, :6]
    return error, scale[:, None] * jacobian[:6], np.array(way)


def plan(model: abut.Model, rounds: int) -> "tuple[np.ndarray, list[float]]":
    """Commands (6 STEPS), and the object's error by rounds, m."""
    gradient = abut.Gradient(model, KAPPA)
    commands = np.tile([0.01, 0, 0, -0.01, 0, 0], STEPS)  # the fingertips go towards each other
    damping, history = 1e-2, []  # type: float, list[float]

    def cost(error: np.ndarray, u: np.ndarray) -> float:
        return float(error @ error + EFFORT * u @ u / STEPS)

    error, jacobian, _ = rollout(model, commands, gradient)
    for _ in range(rounds):
        history.append(float(np.linalg.norm(error)))
        weights = (EFFORT / STEPS + damping) * np.eye(6 * STEPS)
        slope = jacobian.T @ error + EFFORT / STEPS * commands
        new = np.clip(commands - np.linalg.solve(jacobian.T @ jacobian + weights, slope), -LARGEST, LARGEST)
        if cost(rollout(model, new)[0], new) < cost(error, commands):
            commands, damping = new, max(damping / 3, 1e-6)
            error, jacobian, _ = rollout(model, commands, gradient)
        else:
            damping *= 4
        if history[-1] < 1e-3 or damping > 1e6:
            break
    return commands, history


def main() -> None:
    options = arguments(__doc__)
    # Each step is solved from cold: the path's derivative then depends on nothing but the state.
    model = abut.Model(EXPERIMENTS / "grasp" / "grasp.json", {"solver.warm_start": False})
    commands, history = plan(model, 40 if options.quick else 200)
    error, _, way = rollout(model, commands)
    table(["step", "x, m", "z, m"], [[k, *map(float, way[k, [0, 2]])] for k in range(0, STEPS + 1, 2)])
    print(f"from the goal: {1e3 * np.linalg.norm(way[-1] - GOAL):.1f} mm after {len(history)} rounds")
    assert np.linalg.norm(error) < 0.01, "the object was not lifted to its goal"
    picture(options.plot, [("object", way[:, 0], way[:, 2])], "x (m)", "z (m)")


if __name__ == "__main__":
    main()
