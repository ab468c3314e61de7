"""The contact point of a cube whose tilt passes through zero (`abut experiment point-jump`).

A cube lies on a plane with a tilt of up to 2 mrad. In an exact query of the two shapes the contact point jumps from
edge to edge. On the central path it moves smoothly, over a width that goes to zero with kappa. In a step the contact
point is a part of the solution and follows from mechanics:

    p = (I + m b^2) tilt / (m (g dt^2 - a |tilt|)),    half extents a across and b up.
"""

import numpy as np
from common import FLOOR, arguments, picture, table

import abut
from abut import shapes

HALF, MASS, G, DT = 0.5, 1.0, 9.81, 0.01


def pose(tilt: float) -> "tuple[list[float], list[float]]":
    """Returns the pose of the cube on its lower edge, rotated about y."""
    height = HALF * (np.cos(tilt) + abs(np.sin(tilt)))
    return [0, 0, height], [np.cos(tilt / 2), 0, np.sin(tilt / 2), 0]


def main() -> None:
    options = arguments(__doc__)
    tilts = np.linspace(-0.002, 0.002, 17 if options.quick else 201)
    floor, cube = shapes.halfspace([0, 0, 1]), shapes.box([HALF, HALF, HALF])
    pair = abut.Collision(floor, cube)
    sim = abut.Simulation({
        "friction": 0.5,
        "solver": {"warm_start": False},
        "bodies": [FLOOR, {"name": "cube", "mass": MASS, "shape": cube, "position": [0, 0, HALF]}],
    })  # fmt: skip
    curves = {"query": [], "query, kappa 1e-4": [], "query, kappa 1e-6": [], "step": []}  # type: dict[str, list[float]]
    for tilt in tilts:
        for kappa, name in ((0, "query"), (1e-4, "query, kappa 1e-4"), (1e-6, "query, kappa 1e-6")):
            curves[name].append(float(pair.solve([0, 0, 0], pose(tilt), kappa).point[0]))
        position, orientation = pose(tilt)
        sim.set_body("cube", position, orientation, [0, 0, 0], [0, 0, 0])
        sim.step()
        curves["step"].append(float(sim.contacts["point"][0, 0] - sim.body("cube").position[0]))

    inertia = MASS * (2 * HALF) ** 2 / 6
    with np.errstate(divide="ignore"):
        law = (inertia + MASS * HALF**2) * tilts / (MASS * (G * DT**2 - HALF * np.abs(tilts)))
    law = np.where(np.abs(tilts) * HALF < G * DT**2, np.clip(law, -HALF, HALF), np.sign(tilts) * HALF)
    table(["tilt", *curves, "law"], [[float(t), *(c[i] for c in curves.values()), float(law[i])]
                                     for i, t in list(enumerate(tilts))[:: max(1, len(tilts) // 16)]])  # fmt: skip
    # What tilts less than lands flat within the step follows the law.
    flat = np.abs(law) < 0.8 * HALF
    assert np.allclose(np.array(curves["step"])[flat], law[flat], atol=2e-3), "the step's point is off the law"
    assert np.abs(curves["query"])[tilts != 0].min() > 0.99 * HALF, "the query's point stays at the edges"
    picture(options.plot, [(n, tilts, c) for n, c in curves.items()], "tilt (rad)", "contact point (m)")


if __name__ == "__main__":
    main()
