"""Abut: contact between convex rigid bodies, for Python. Uses ctypes and NumPy; nothing is compiled.

    import abut
    from abut import shapes

    sim = abut.Simulation({
        "friction": 0.5,
        "bodies": [
            {"name": "floor", "static": True, "shape": shapes.halfspace([0, 0, 1])},
            {"name": "cube", "mass": 1, "position": [0, 0, 1], "shape": shapes.box([0.5, 0.5, 0.5])},
        ],
    })
    sim.steps(100)
    sim.body("cube").position, sim.contacts["normal_impulse"]

Units are SI and radians, z is up, quaternions are [w, x, y, z]. docs/python.md is the guide, tutorials/ has a script
for each experiment. Errors of the library raise `abut.Error` or a subclass, with the library's message.
"""

import sys as _sys

try:
    import numpy as _numpy  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "numpy":
        raise
    raise ModuleNotFoundError(
        "abut needs NumPy, which this Python (%s) lacks: install Debian's python3-numpy and run /usr/bin/python3, "
        "or install numpy here" % _sys.executable, name="numpy") from None

from ._places import generated_folders as _generated_folders

__path__ += _generated_folders()
try:
    from ._declarations import FUNCTIONS as _FUNCTIONS  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "abut._declarations":
        raise
    raise ModuleNotFoundError(
        "abut/_declarations.py was not found: `make build` in the sources generates it. For a build folder other than "
        "`build/`, set ABUT_LIBRARY to the path of its libabut.so.", name=error.name) from None

from typing import Any as _Any

from . import shapes
from ._batch import Batch
from ._collision import COLLISION, POSE, Collision, CollisionGradient, CollisionResult, collide
from ._command import command, command_path, experiment, experiments, run
from ._gradients import Gradient, difference, gradient
from ._library import VERSION as __version__
from ._library import library_path
from ._linear import Linear, LinearSystem
from ._meshes import Decomposition, Hull, Mesh, mesh
from ._model import Model, Parameter
from ._records import CONTACT, COUPLING, ITERATION, JOINT, OUTCOMES, Body, Joint, StepInfo
from ._robot import Inverse, Reach, Robot, Target
from ._rollout import Adjoint, Rollout
from ._scene import Scene, version
from ._simulation import Simulation
from .errors import (
    ArgumentError,
    CommandError,
    Error,
    InputOutputError,
    LibraryError,
    NumericalError,
    OutOfMemoryError,
    ParseError,
    SceneWarning,
    StepFailed,
    StoppedError,
    UnsupportedError,
)
from .shapes import MassProperties, Shape



def __getattr__(name: str) -> _Any:
    """Imports `abut.env` when it is first used, since that imports Gymnasium if it is installed."""
    if name == "env":
        import importlib

        return importlib.import_module(".env", __name__)
    from ._arguments import no_attribute

    raise no_attribute(f"module {__name__!r}", name, [*__all__, "env"])


__all__ = [
    "COLLISION",
    "CONTACT",
    "COUPLING",
    "ITERATION",
    "JOINT",
    "OUTCOMES",
    "POSE",
    "Adjoint",
    "ArgumentError",
    "Batch",
    "Body",
    "Collision",
    "CollisionGradient",
    "CollisionResult",
    "CommandError",
    "Decomposition",
    "Error",
    "Gradient",
    "Hull",
    "InputOutputError",
    "Inverse",
    "Joint",
    "LibraryError",
    "Linear",
    "LinearSystem",
    "MassProperties",
    "Mesh",
    "Model",
    "NumericalError",
    "OutOfMemoryError",
    "Parameter",
    "ParseError",
    "Reach",
    "Robot",
    "Rollout",
    "Scene",
    "SceneWarning",
    "Shape",
    "Simulation",
    "StepFailed",
    "StepInfo",
    "StoppedError",
    "Target",
    "UnsupportedError",
    "__version__",
    "collide",
    "command",
    "command_path",
    "difference",
    "experiment",
    "experiments",
    "gradient",
    "library_path",
    "mesh",
    "run",
    "shapes",
    "version",
]
