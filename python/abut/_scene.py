"""Scenes from files, text or dictionaries."""

import ctypes
import json
import os
from ctypes import POINTER, byref, cast
from pathlib import Path
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from ._arguments import kind_of, mapping, path as path_of
from ._library import call, library, make
from ._memory import Array, Owner
from ._stop import Listener
from .errors import ArgumentError, Error, ParseError, StoppedError

PathLike = Union[str, "os.PathLike[str]"]
Overrides = Union[Mapping[str, Any], Sequence[str], None]


def to_json(value: Any) -> str:
    """Returns JSON of dictionaries, lists, NumPy arrays and numbers, and shapes. Numbers keep their bits."""

    def plain(thing: Any) -> Any:
        if isinstance(thing, (np.ndarray, np.generic)):
            return thing.tolist()
        if hasattr(thing, "to_dict"):
            return thing.to_dict()
        allowed = "numbers, strings, lists, arrays, shapes, dictionaries"
        raise ArgumentError(f"a scene cannot hold {thing!r}; allowed: {allowed}")

    return json.dumps(value, default=plain)


def override_list(overrides: Overrides) -> list[str]:
    """Returns overrides, `{"timestep": 0.02}` or `["timestep=0.02"]`, as a list of "path=value"."""
    if overrides is None:
        return []
    if isinstance(overrides, str):
        raise ArgumentError(f'overrides must be a dictionary or a list, such as ["{overrides}"]')
    if isinstance(overrides, Mapping):
        return [f"{path}={to_json(value)}" for path, value in overrides.items()]
    listed: list[Any] = list(overrides) if isinstance(overrides, Iterable) else [None]
    if not all(isinstance(entry, str) for entry in listed):
        raise ArgumentError(f'overrides must be a dictionary or a list, such as ["timestep=0.02"], is {overrides!r}')
    return listed


def _texts(values: Sequence[str]) -> Any:
    return (ctypes.c_char_p * max(len(values), 1))(*(value.encode() for value in values))


def _resolved(value: Any, folder: Path) -> Any:
    """Returns a copy in which the files of meshes are relative to `folder`."""
    if isinstance(value, Mapping):
        out = {key: _resolved(item, folder) for key, item in value.items()}
        if out.get("type") == "mesh" and isinstance(out.get("file"), str):
            out["file"] = str(folder / out["file"])
        return out
    if isinstance(value, (list, tuple)):
        return [_resolved(item, folder) for item in value]
    return value


def _read(function: str, *arguments: Any, changes: list[str]) -> Any:
    """Reads a scene with overrides. Signals end the reading, which may decompose meshes."""
    listener, types = Listener(), ctypes.c_void_p()
    call("abut_shape_types_create", byref(types))
    try:
        library.abut_shape_types_set_stop(types, listener.pointer())
        return make(function, *arguments, types, len(changes), _texts(changes))
    except ParseError as problem:
        if problem.file != "--set":  # the option of the command
            raise
        raise ParseError(problem.message, problem.where, "overrides") from None
    except StoppedError:
        listener.end(c.ABUT_ERROR_STOPPED)
        raise
    finally:
        library.abut_shape_types_destroy(types)


class Scene(Owner):
    """A scene that has been read and checked, read-only.

    Keys, units and defaults are those of scene files (docs/interface.md): SI, radians, quaternions [w, x, y, z], z up.
    `overrides` is a dictionary such as `{"solver.kappa": 1e-8, "bodies.cube.mass": 2}`, or a list of "path=value".
    """

    def __init__(self, pointer: int, path: Optional[str], text: Optional[str], overrides: Sequence[str]) -> None:
        super().__init__(pointer, library.abut_scene_destroy)
        self.path, self.text, self.overrides = path, text, tuple(overrides)
        self.has_places = True  # the user knows its lines and columns

    @property
    def definition(self) -> c.AbutSceneDef:
        """The library's struct, which keeps the scene alive."""
        handle = self.handle
        out: c.AbutSceneDef = library.abut_scene_def(handle.pointer).contents
        out.keeps = handle
        return out

    @classmethod
    def load(cls, path: PathLike, overrides: Overrides = None) -> "Scene":
        """Reads a scene file."""
        changes = override_list(overrides)
        name = path_of(path, "scene")
        return cls(_read("abut_scene_load_with", os.fsencode(name), changes=changes), name, None, changes)

    @classmethod
    def from_string(cls, text: str, name: str = "scene", overrides: Overrides = None) -> "Scene":
        """Reads JSON. `name` is used in errors instead of a file name, and for a scene without a name."""
        changes = override_list(overrides)
        if not isinstance(text, str):
            raise ArgumentError(f"text must be a string of JSON, is {kind_of(text)}")
        data = text.encode()
        return cls(_read("abut_scene_parse_with", data, len(data), name.encode(), changes=changes), None, text, changes)

    @classmethod
    def from_dict(
        cls, scene: Mapping[str, Any], folder: Optional[PathLike] = None, overrides: Overrides = None
    ) -> "Scene":
        """Reads a dictionary with the form of a scene file. It may contain NumPy arrays and `abut.shapes`, and the
        version ("abut": 1) may be left out. Mesh files are relative to `folder`."""
        tree = {"abut": 1, **mapping(scene, "scene", "with the keys of a scene file")}
        if folder is not None:
            tree = _resolved(tree, Path(folder).absolute())
        try:
            read = cls.from_string(to_json(tree), overrides=overrides)
        except Error as problem:  # without line and column, which the user does not know
            raise type(problem)(problem.message, problem.where) from None
        read.has_places = False
        return read

    def changed(self, overrides: Overrides) -> "Scene":
        """Reads the scene again, with these overrides after its own."""
        changes = [*self.overrides, *override_list(overrides)]
        if self.text is None:
            return Scene.load(self.path or "", changes)
        read = Scene.from_string(self.text, overrides=changes)
        read.has_places = self.has_places
        return read

    def save(self, path: PathLike) -> None:
        """Saves the scene with its overrides to a file, which is complete or not written at all."""
        call("abut_scene_save", byref(self.definition), os.fsencode(path_of(path, "path")))

    @property
    def name(self) -> str:
        """Name of the scene."""
        return str(self.definition.name.decode())

    @property
    def timestep(self) -> float:
        """Timestep, s."""
        return float(self.definition.timestep)

    @property
    def duration(self) -> float:
        """Duration, s."""
        return float(self.definition.duration)

    @property
    def steps(self) -> int:
        """Number of steps of `abut run`: duration / timestep, rounded, at least 1."""
        return max(1, int(np.floor(self.duration / self.timestep + 0.5)))

    @property
    def gravity(self) -> Array:
        """(3,) m/s^2, world."""
        return np.array(self.definition.gravity)

    @property
    def method(self) -> str:
        """Name of the method, such as "single-level"."""
        return str(library.abut_method_name(self.definition.solver.method).decode())

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies, in the order of all arrays."""
        definition = self.definition
        bodies = cast(definition.bodies, POINTER(c.AbutBodyDef))
        return [bodies[i].name.decode() for i in range(definition.n_bodies)]

    @property
    def joints(self) -> list[str]:
        """Names of the joints, in the order of all arrays."""
        definition = self.definition
        joints = cast(definition.joints, POINTER(c.AbutJointDef))
        return [joints[i].name.decode() for i in range(definition.n_joints)]

    @property
    def couplings(self) -> list[tuple[str, str]]:
        """Names of the two joints of each coupling, in the order of all arrays."""
        definition, joints = self.definition, self.joints
        couplings = cast(definition.couplings, POINTER(c.AbutCouplingDef))
        pairs = (couplings[i].joint for i in range(definition.n_couplings))
        return [(joints[a], joints[b]) for a, b in pairs]

    @property
    def warnings(self) -> list[str]:
        """Warnings about a valid scene, for example that a mesh is open."""
        found: list[str] = []
        pointer = self.pointer
        while warning := library.abut_scene_warning(pointer, len(found)):
            error = warning.contents
            found.append(f"{error.where.decode()}: {error.message.decode()}" if error.where else error.message.decode())
        return found

    def __repr__(self) -> str:
        return f"<abut.Scene {self.name!r}: {', '.join(self.bodies)}>"


SceneLike = Union[Scene, Mapping[str, Any], PathLike]


def as_scene(scene: SceneLike, overrides: Overrides = None) -> Scene:
    """Returns a scene, given as such, as a dictionary, or as the path of a file."""
    if isinstance(scene, Scene):
        if overrides:
            raise ArgumentError("a Scene already exists; pass overrides when it is read")
        return scene
    if isinstance(scene, Mapping):
        return Scene.from_dict(scene, overrides=overrides)
    if not isinstance(scene, (str, bytes, os.PathLike)):
        raise ArgumentError(f"a scene must be an abut.Scene, a dictionary or a path, is {kind_of(scene)}")
    return Scene.load(scene, overrides)


def version() -> str:
    """Returns the version of the loaded library."""
    return str(library.abut_version().decode())


IntArray = npt.NDArray[np.int32]
