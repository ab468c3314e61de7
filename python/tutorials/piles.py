"""Rocks in a tray (`abut experiment piles`).

The script reads meshes, converts them to hulls (`abut.Mesh`), and pours them into a tray of boxes. Steps have many
contacts. No step may fail, and no rock may leave the tray.
"""

import time

import numpy as np
from common import EXPERIMENTS, FLOOR, arguments

import abut
from abut import shapes

TRAY = shapes.union([
    *(shapes.box([0.02, 0.2, 0.06], position=[side * 0.18, 0, 0.06]) for side in (-1, 1)),
    *(shapes.box([0.2, 0.02, 0.06], position=[0, side * 0.18, 0.06]) for side in (-1, 1)),
])  # fmt: skip


def main() -> None:
    options = arguments(__doc__)
    count, steps = (6, 60) if options.quick else (20, 300)
    random = np.random.default_rng(4)
    rocks = []
    for i in range(count):
        mesh = abut.mesh(EXPERIMENTS / "meshes" / f"rock_{i:02}.ply")
        hull = mesh.hull(max_faces=24)
        orientation = random.normal(size=4)
        place = [0.09 * (i % 3 - 1), 0.09 * (i // 3 % 3 - 1), 0.1 + 0.12 * (i // 9)]
        rocks.append({"name": f"rock {i}", "density": 2000, "shape": hull.shape, "position": place,
                      "orientation": orientation / np.linalg.norm(orientation)})  # fmt: skip
        if i == 0:
            print(f"{mesh}: {hull.report['faces']} faces, cut to {hull.report['reduced_faces']}, which are "
                  f"{1e3 * hull.report['hausdorff']:.2f} mm outside at most")  # fmt: skip
    sim = abut.Simulation(
        {"friction": 0.6, "bodies": [FLOOR, {"name": "tray", "static": True, "shape": TRAY}, *rocks]}, threads=0
    )
    begin, solved, contacts = time.perf_counter(), 0, 0
    for _ in range(steps):
        info = sim.step()
        solved += info.solved
        contacts = max(contacts, info.active_contacts)
    us = 1e6 * (time.perf_counter() - begin) / steps
    speeds = np.linalg.norm(sim.motion[2:, 7:10], axis=1)
    print(f"{count} rocks, up to {contacts} contacts: {us:.0f} us per step, {solved} of {steps} solved; "
          f"fastest rock at the end {speeds.max():.2g} m/s")  # fmt: skip
    assert solved == steps, "a step was solved at a raised kappa alone"
    assert np.abs(sim.states[2:, :2]).max() < 0.2 and sim.states[2:, 2].min() > 0, "a rock has left the tray"


if __name__ == "__main__":
    main()
