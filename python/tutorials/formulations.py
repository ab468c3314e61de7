"""Comparison of all methods (`abut experiment formulations`).

A flat box slides with 2 m/s at 30 degrees. Coulomb's law in implicit steps, v_k = v - k mu g dt, gives its path, a
straight line. How close is each method, and how long does a step take?
"""

import time

import numpy as np
from common import FLOOR, arguments, table

import abut
from abut import shapes

SPEED, FRICTION, G, DT = 2.0, 0.5, 9.81, 0.01


def main() -> None:
    arguments(__doc__)
    along = np.array([np.cos(np.pi / 6), np.sin(np.pi / 6), 0])
    body = {"name": "box", "mass": 1, "shape": shapes.box([0.25, 0.25, 0.1]), "position": [0, 0, 0.1],
            "linear_velocity": SPEED * along}  # fmt: skip
    steps = int(1.5 * SPEED / (FRICTION * G * DT))
    law = float(np.maximum(SPEED - FRICTION * G * DT * np.arange(1, steps + 1), 0).sum() * DT)
    rows = []
    for method in ("single-level", "bilevel", "lcp", "point-ncp", "convex"):
        for cone in ("soc", "pyramid"):
            solver = {"method": method, "friction_cone": cone}
            try:
                sim = abut.Simulation({"timestep": DT, "friction": FRICTION, "solver": solver, "bodies": [FLOOR, body]})
            except abut.Error as refused:
                rows.append([method, cone, "-", "-", str(refused)[:60]])
                continue
            begin = time.perf_counter()
            sim.steps(steps)
            us = 1e6 * (time.perf_counter() - begin) / steps
            place = sim.body("box").position
            off = float(np.linalg.norm(place[:2] - (place @ along) * along[:2]))
            rows.append([method, cone, float(place @ along) / law, off, f"{us:.1f}"])
    table(["method", "cone", "distance / law", "off the line, m", "us per step"], rows)
    exact = [row for row in rows if row[:2] in (["single-level", "soc"], ["point-ncp", "soc"])]
    assert all(abs(float(row[2]) - 1) < 1e-5 and float(row[3]) < 1e-6 for row in exact), "off the law of friction"


if __name__ == "__main__":
    main()
