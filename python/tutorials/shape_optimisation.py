"""A cam for a given lift (`abut experiment shape-optimisation`).

A cam, the union of an ellipsoid about its axis and a ball, rotates on a plane and lifts its axis. Gradient descent
finds its five sizes: `Rollout.backward` computes the derivative of the squared error by all of them for the cost of one
run. The given lift is that of known sizes, so the optimum is known. """

import numpy as np
from common import arguments, picture, table

import abut
from abut import shapes

WANTED = np.array([0.1, 0.08, 0.04, 0.03, -0.09])
GUESS = np.array([0.09, 0.09, 0.05, 0, -0.06])
FALLING, COUNTED, DT, RATE = 30, 100, 0.01, 2 * np.pi
PARAMETERS = [
    abut.Parameter("size", body=1, part=0, index=0),
    abut.Parameter("size", body=1, part=0, index=2),
    abut.Parameter("size", body=1, part=1, index=0),
    abut.Parameter("part_position", body=1, part=1, index=0),
    abut.Parameter("part_position", body=1, part=1, index=2),
]


def cam(sizes: np.ndarray) -> abut.Model:
    a, c, radius, x, z = sizes
    body = {
        "name": "cam", "mass": 1, "planar": "xz", "centre_of_mass": [0, 0, 0], "inertia": [1e4, 1e4, 1e4],
        "position": [0, 0, float(np.abs(sizes).sum())], "angular_velocity": [0, RATE, 0],
        "shape": shapes.union([shapes.ellipsoid([a, 0.05, c]), shapes.sphere(radius, position=[x, 0, z])]),
    }  # fmt: skip
    follower = {"name": "follower", "static": True, "shape": shapes.halfspace([0, 0, 1])}
    return abut.Model({"timestep": DT, "friction": 0, "bodies": [follower, body]})


def lift(sizes: np.ndarray, by_cost: bool = True) -> "tuple[float, np.ndarray, np.ndarray]":
    """Mean squared error of the lift, its derivative by the sizes, and the lift itself."""
    model = cam(sizes)
    sim, rollout = abut.Simulation(model), abut.Rollout(model, FALLING + COUNTED, kappa=0, parameters=PARAMETERS)
    heights = np.empty(FALLING + COUNTED)
    for step in range(FALLING + COUNTED):
        rollout.step(sim)
        heights[step] = sim.motion[1, 2]
    angle = 2 * np.arcsin(0.5 * RATE * DT) * np.arange(FALLING + 1, FALLING + COUNTED + 1)
    s, c = np.sin(angle), np.cos(angle)
    wanted = np.maximum(np.hypot(WANTED[0] * s, WANTED[1] * c), WANTED[2] + WANTED[3] * s - WANTED[4] * c)
    off = heights[FALLING:] - wanted
    by_states = np.zeros((FALLING + COUNTED + 1, 1, 12))
    by_states[FALLING + 1 :, 0, 2] = 2 * off / COUNTED
    return float(np.mean(off**2)), rollout.backward(by_states).by_parameters, heights[FALLING:]


def main() -> None:
    options = arguments(__doc__)
    sizes, (cost, slope, first), inverse = GUESS.copy(), lift(GUESS), 0.005 * np.eye(5)
    inverse /= np.linalg.norm(slope)
    rows, gauge = [[0, cost, *sizes]], np.eye(5)
    for iteration in range(1, 25 if options.quick else 60):
        change, share = -inverse @ slope, 1.0
        while True:  # halved until the cost falls
            new_cost, new_slope, heights = lift(sizes + share * change)
            if new_cost <= cost + 1e-4 * share * slope @ change or share < 1e-6:
                break
            share /= 2
        s, y = share * change, new_slope - slope
        sizes, cost, slope = sizes + s, new_cost, new_slope
        rows.append([iteration, cost, *sizes])
        if s @ y > 0:  # the update of Broyden, Fletcher, Goldfarb and Shanno
            turn = gauge - np.outer(s, y) / (s @ y)
            inverse = turn @ inverse @ turn.T + np.outer(s, s) / (s @ y)
        if cost < 1e-9:
            break
    table(["iteration", "cost, m^2", "a", "c", "radius", "x", "z"], [*rows[::5], rows[-1]])
    print("wanted:", WANTED)
    assert cost < 1e-3 * rows[0][1], "the cost has not fallen a thousandfold"
    angles = 360 * np.arange(COUNTED) / COUNTED
    picture(options.plot, [("guess", angles, first), ("found", angles, heights)], "turn (degrees)", "lift (m)")


if __name__ == "__main__":
    main()
