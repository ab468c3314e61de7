"""Energy and closure of mechanisms against the timestep (`abut experiment mechanisms`).

A chain of five links is released from horizontal, and a four-bar swings. Neither has damping, so the energy should stay.
"""

from typing import Any, Dict

import numpy as np
from common import EXPERIMENTS, arguments, picture, table

import abut

LENGTH, LINKS = 0.5, 5


def chain(timestep: float) -> Dict[str, Any]:
    """The scene of the chain: links along x, hinged about y."""
    names = [f"link {i}" for i in range(LINKS)]
    shape = {"type": "box", "half_extents": [LENGTH / 2, 0.02, 0.02]}
    return {
        "timestep": timestep,
        "bodies": [
            {"name": name, "mass": 1, "shape": shape, "position": [(i + 0.5) * LENGTH, 0, 0]}
            for i, name in enumerate(names)
        ],
        "joints": [
            {"name": f"hinge {i}", "type": "hinge", "parent": names[i - 1] if i else "world", "child": names[i],
             "anchor": [i * LENGTH, 0, 0], "axis": [0, 1, 0]}
            for i in range(LINKS)
        ],
        "contacts": [],
    }


def run(scene: Any, overrides: Dict[str, Any], steps: int) -> "tuple[float, float]":
    """Returns the largest change of energy (J), and the largest error of a joint (m or rad)."""
    sim = abut.Simulation(abut.Model(scene, overrides))
    start, energy, violation = sim.energy, 0.0, 0.0
    for _ in range(steps):
        violation = max(violation, sim.step().joint_violation)
        energy = max(energy, abs(sim.energy - start))
    return energy, violation


def main() -> None:
    options = arguments(__doc__)
    duration = 1.0 if options.quick else 10.0
    timesteps = [0.005, 0.01] if options.quick else [0.001, 0.002, 0.005, 0.01, 0.02, 0.05]
    swing = 9.81 * LENGTH * LINKS**2 / 2  # sum of m g r
    rows = []
    for timestep in timesteps:
        steps = round(duration / timestep)
        energy, opening = run(chain(timestep), {}, steps)
        _, four_bar = run(EXPERIMENTS / "scenes" / "four_bar.json", {"timestep": timestep}, steps)
        rows.append([timestep, energy / swing, opening, four_bar])
    table(["timestep (s)", "energy error of the chain", "error of its joints (m, rad)", "of the four-bar"], rows)
    across = np.array(rows)
    picture(options.plot, [("chain", across[:, 0], across[:, 1])], "timestep (s)", "energy error", xscale="log")
    assert across[:, 2:].max() < 1e-10, "a joint opened"


if __name__ == "__main__":
    main()
