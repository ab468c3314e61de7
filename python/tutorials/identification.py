"""Friction of a tossed box (`abut experiment identification`, which also finds its corners).

A box is thrown onto a floor, and its positions are recorded with noise. Gauss-Newton finds the friction coefficient: a
`Rollout` records the toss of the model, and `forward` computes how the last position changes with the parameter.
"""

import numpy as np
from common import FLOOR, arguments, table

import abut
from abut import shapes

TRUTH, GUESS, NOISE, DT = 0.18, 0.35, 2e-4, 1 / 148


def tosses(count: int, friction: float) -> "list[tuple[abut.Model, abut.Simulation]]":
    """Makes random falling boxes that land on a face and slide."""
    random, out = np.random.default_rng(7), []
    for _ in range(count):
        half, yaw = 0.0524, random.uniform(0, np.pi)
        body = {
            "name": "box", "mass": 0.37, "shape": shapes.box([half] * 3), "position": [0, 0, half + 0.002],
            "orientation": [np.cos(yaw / 2), 0, 0, np.sin(yaw / 2)],
            "linear_velocity": [*random.uniform(0.5, 1, 2), -0.1],
        }  # fmt: skip
        model = abut.Model({"timestep": DT, "friction": friction, "bodies": [FLOOR, body]})
        out.append((model, abut.Simulation(model)))
    return out


def main() -> None:
    options = arguments(__doc__)
    count, frames = (4, 40) if options.quick else (20, 60)
    random = np.random.default_rng(1)
    recorded = []
    for _, sim in tosses(count, TRUTH):
        states = sim.steps(frames, record=True)
        assert states is not None
        recorded.append(states[:, 1, :2] + NOISE * random.normal(size=(frames, 2)))
    friction, rows = GUESS, []
    for round_ in range(8):
        normal = right = cost = 0.0
        for (model, sim), seen in zip(tosses(count, friction), recorded):
            rollout = abut.Rollout(model, frames, kappa=0, parameters=["friction"])
            for frame in range(frames):
                rollout.step(sim)
                if frame % 10 == 9:
                    slope = rollout.forward(np.zeros((1, 12)), parameters=[1.0])[0, :2]
                    residual = sim.states[1, :2] - seen[frame]
                    normal, right = normal + slope @ slope, right + slope @ residual
                    cost += residual @ residual / NOISE**2
        data = count * (frames // 10) * 2
        rows.append([round_, friction, cost / data])
        if abs(right / normal) < 1e-6:
            break
        friction = max(friction - right / normal, 0.0)
    table(["round", "friction", "cost a datum (1: noise)"], rows)
    deviation = NOISE / np.sqrt(normal)
    print(f"friction {friction:.5f} +- {deviation:.5f}, in truth {TRUTH}")
    assert abs(friction - TRUTH) < 5 * deviation, "friction was not found"


if __name__ == "__main__":
    main()
