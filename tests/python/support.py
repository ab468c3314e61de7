"""What the tests share."""

import os
import sys
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SCENES = ROOT / "experiments" / "scenes"
MESHES = ROOT / "experiments" / "meshes"
CC = os.environ.get("CC", "cc")

sys.path.insert(0, str(ROOT / "python"))

import abut  # noqa: E402
from abut import shapes  # noqa: E402

FLOOR = {"name": "floor", "static": True, "shape": shapes.halfspace([0, 0, 1])}


def one_body(shape: Any, **keys: Any) -> dict[str, Any]:
    """A scene of a floor and a body of 1 kg."""
    scene = {key: keys.pop(key) for key in ("timestep", "friction", "gravity", "solver", "restitution") if key in keys}
    return {**scene, "bodies": [FLOOR, {"name": "body", "mass": 1, "shape": shape, **keys}]}


__all__ = ["CC", "FLOOR", "MESHES", "ROOT", "SCENES", "abut", "one_body", "shapes", "unittest"]
