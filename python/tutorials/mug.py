"""A mug hanging by its handle (`abut experiment mug`).

Does a body of 17 convex parts come to rest on a thin stick? The scene is that of the experiment. The script compares
the force of the contacts with the weight, and measures the creep: the largest motion of a point at the end of the run.
"""

import numpy as np
from common import EXPERIMENTS, arguments

import abut


def main() -> None:
    options = arguments(__doc__)
    sim = abut.Simulation(EXPERIMENTS / "mug" / "hanging.json", overrides={"solver.kappa": 1e-8})
    mug, dt = sim.model.body("mug"), sim.model.timestep
    weight = 9.81 * sim.model.masses[mug]
    sim.steps(50 if options.quick else 300)
    before = sim.body(mug)
    sim.steps(50)
    after = sim.body(mug)
    moved = np.linalg.norm(after.position - before.position)
    turned = 2 * np.linalg.norm(after.orientation - before.orientation)
    creep = (moved + 0.15 * turned) / (50 * dt)  # no point of the mug is farther than 0.15 m from the stick
    contacts = sim.contacts
    impulse = contacts["normal_impulse"][:, None] * contacts["normal"] + contacts["friction_impulse"]
    sign = np.where(contacts["body_b"] == mug, 1, -1)[:, None]
    carried = (sign * impulse).sum(axis=0) / dt
    print(f"{len(contacts)} contacts carry {carried[2]:.6f} N of {weight:.6f} N; creep {creep:.2g} m/s")
    assert abs(carried[2] - weight) < 1e-6 * weight and creep < 1e-5, "the mug is not at rest"


if __name__ == "__main__":
    main()
