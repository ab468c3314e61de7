"""Models, and the parameters by which their steps are differentiated."""

import ctypes
import sys
import warnings
from ctypes import byref
from dataclasses import dataclass
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from ._arguments import index_of, instance, kind_of, mapping, meant
from ._library import call, check, library, make
from ._memory import Array, Owner, at, doubles
from ._scene import Overrides, Scene, SceneLike, as_scene
from ._stop import Listener, in_main
from .errors import ArgumentError, SceneWarning, error_of

KINDS = [library.abut_parameter_kind_name(i).decode() for i in range(c.ABUT_PARAMETER_COUNT)]


@dataclass(frozen=True, order=True)
class Parameter:
    """A parameter of a model (include/abut/parameter.h lists all kinds, with units)."""

    kind: str
    """"timestep", "gravity", "mass", "inertia", "centre_of_mass", "friction", "torsional_radius", "size", "face",
    "part_position", "part_rotation"; "motor", "motor_stiffness", "motor_damping", "motor_limit", "joint_reference",
    "joint_stiffness", "joint_damping", "joint_friction", "joint_armature", "joint_lower" or "joint_upper\""""
    body: int = -1
    other: int = -1
    """friction and torsional radius: the other body, greater than `body`"""
    part: int = -1
    """sizes, faces and poses of parts: the part of `body`; kinds of joints and motors: the joint"""
    index: int = 0


def _raw(parameters: Sequence[Parameter]) -> Any:
    array = (c.AbutParameter * max(len(parameters), 1))()
    for entry, parameter in zip(array, parameters):
        if instance(parameter, Parameter, "each parameter").kind not in KINDS:
            near = meant(str(parameter.kind), KINDS)
            hint = f"; did you mean {near!r}? The" if near else "; the"
            raise ArgumentError(f"parameter {parameter.kind!r} does not exist{hint} kinds are {', '.join(KINDS)}")
        entry.kind = KINDS.index(parameter.kind)
        entry.body, entry.other = parameter.body, parameter.other
        entry.part, entry.index = parameter.part, parameter.index
    return array


def warn(text: str) -> None:
    """Warns where the package was called."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").startswith(__package__):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, SceneWarning, stacklevel=level)


def _review(definition: Any, pointer: Any, listener: Listener) -> list[str]:
    """Returns what is probably not meant in a scene, and warns of it."""
    count, found = ctypes.c_int(), (c.AbutError * c.ABUT_REVIEW_MAX)()
    status = library.abut_scene_review(byref(definition), pointer, byref(count), found)
    check(listener.end(status), "the review of the scene")
    texts = [f"{entry.where.decode()}: {entry.message.decode()}" for entry in found[: count.value]]
    for text in texts:
        warn(text)
    return texts


class Model(Owner):
    """A compiled scene, which never changes. Any number of simulations, batches and threads may share it. A scene that
    is probably not meant so (bodies that overlap at the start, lengths in millimetres) gives a `SceneWarning`."""

    def __init__(self, scene: SceneLike, overrides: Overrides = None) -> None:
        self.scene: Scene = as_scene(scene, overrides)
        out, error, listener = ctypes.c_void_p(), c.AbutError(), Listener()
        original = self.scene.definition
        definition = c.AbutSceneDef.from_buffer_copy(original)
        if in_main():
            definition.stop = ctypes.pointer(listener.stop)
        status = listener.end(library.abut_model_create(byref(definition), byref(out), byref(error)))
        if status != c.ABUT_OK:
            if self.scene.has_places:
                library.abut_scene_locate(self.scene.pointer, byref(error))
            raise error_of(status, error)
        self.kappa_gradient: float = definition.solver.kappa_gradient
        self._begin(out.value)
        self.warnings: list[str] = _review(definition, out.value, listener)
        del original

    def _begin(self, pointer: Any) -> None:
        super().__init__(pointer, library.abut_model_destroy)
        n = library.abut_model_body_count(pointer)
        self.n_bodies: int = n
        self.bodies: list[str] = [library.abut_model_body_name(pointer, i).decode() for i in range(n)]
        self.static: npt.NDArray[np.bool_] = np.array([library.abut_model_body_is_static(pointer, i) for i in range(n)])
        self.moving: npt.NDArray[np.intp] = np.flatnonzero(~self.static)
        self.masses: npt.NDArray[np.float64] = np.array([library.abut_model_body_mass(pointer, i) for i in range(n)])
        self.timestep: float = library.abut_model_timestep(pointer)
        n_joints = range(library.abut_model_joint_count(pointer))
        self.joints: list[str] = [library.abut_model_joint_name(pointer, i).decode() for i in n_joints]
        """names of the joints, in the order of all arrays"""
        self.couplings: list[tuple[str, str]] = self.scene.couplings
        """names of the two joints of each coupling, in the order of all arrays"""
        n_sites, n_sensors = range(library.abut_model_site_count(pointer)), range(library.abut_model_sensor_count(pointer))
        self.sites: list[str] = [library.abut_model_site_name(pointer, i).decode() for i in n_sites]
        """names of the sites"""
        self.sensors: dict[str, slice] = {
            library.abut_model_sensor_name(pointer, i).decode(): slice(first, first + library.abut_model_sensor_channels(pointer, i))
            for i in n_sensors for first in [library.abut_model_sensor_first(pointer, i)]}
        """for each sensor, by name, the columns of its values among those of all sensors"""
        self.n_sensor_values: int = library.abut_model_sensor_values(pointer)
        types = [library.abut_model_joint_type(pointer, i) for i in n_joints]
        self.joint_types: list[str] = [library.abut_joint_type_name(type).decode() for type in types]
        self.centres: npt.NDArray[np.float64] = np.zeros((n, 3))
        """(n_bodies, 3) m, body frame: centres of mass; 0 for static bodies"""
        for parameter in self.parameters("centre_of_mass"):
            self.centres[parameter.body, parameter.index] = self.value(parameter)

    def body(self, body: Union[int, str]) -> int:
        """Returns the index of a body, given by index or name."""
        return index_of(body, self.bodies, "body", "bodies")

    def sensor_channels(self, sensor: str) -> list[str]:
        """Returns the names of the values of a sensor, such as "px"."""
        index = index_of(sensor, list(self.sensors), "sensor", "sensors")
        n = range(library.abut_model_sensor_channels(self.pointer, index))
        return [library.abut_model_sensor_channel(self.pointer, index, i).decode() for i in n]

    def joint(self, joint: Union[int, str]) -> int:
        """Returns the index of a joint, given by index or name."""
        return index_of(joint, self.joints, "joint", "joints")

    def states_at(
        self, positions: Optional[Mapping[str, Any]] = None, velocities: Optional[Mapping[str, Any]] = None
    ) -> Array:
        """Returns (n_bodies, 13), the `states` of the scene's start with joints at these coordinates (rad or m) and
        rates (rad/s or m/s): a number for each name of a joint, a list for a joint of several freedoms. Other joints
        and bodies start as in the scene. Reads the scene again: fill a batch from a few calls."""
        given = {"joints": (positions, "positions"), "joint_velocities": (velocities, "velocities")}
        overrides = {
            f"initial.{key}.{self.joints[self.joint(name)]}": value
            for key, (of, argument) in given.items()
            for name, value in mapping(of or {}, argument, "numbers by names of joints").items()
        }
        start = Model(self.scene.changed(overrides))
        out = np.empty((len(self.bodies), 13))
        state = make("abut_state_create", start.pointer)
        check(library.abut_state_get_bodies(start.pointer, state, at(out)), "states")
        library.abut_state_destroy(state)
        return out

    def parameters(self, *kinds: str) -> list[Parameter]:
        """Returns all parameters of these kinds (none: of every kind), in the order of bodies, parts and indices."""
        found = []
        for kind in kinds or KINDS:
            number = _raw([Parameter(kind)])[0].kind
            count = library.abut_parameter_list(self.pointer, number, 0, None)
            array = (c.AbutParameter * max(count, 1))()
            library.abut_parameter_list(self.pointer, number, count, array)
            found += [Parameter(kind, p.body, p.other, p.part, p.index) for p in array[:count]]
        return found

    def describe(self, parameter: Parameter) -> str:
        """Returns a description, such as "friction of floor and cube"."""
        text = ctypes.create_string_buffer(512)
        library.abut_parameter_describe(self.pointer, _raw([parameter]), text, len(text))
        return text.value.decode()

    def value(self, parameter: Parameter) -> float:
        """Returns the value of a parameter in its unit; 0 for rotations."""
        value = ctypes.c_double()
        call("abut_parameter_get", self.pointer, _raw([parameter]), byref(value))
        return value.value

    def changed(self, values: Mapping[Parameter, float]) -> "Model":
        """Returns a copy with these values (abut_model_create_changed)."""
        mapping(values, "values", "numbers by Parameters")
        numbers = doubles(list(values.values()), (len(values),), "values")
        out = ctypes.c_void_p()
        call("abut_model_create_changed", self.pointer, len(values), _raw(list(values)), at(numbers), byref(out))
        model = Model.__new__(Model)
        model.scene, model.warnings, model.kappa_gradient = self.scene, [], self.kappa_gradient
        model._begin(out.value)
        return model

    def __repr__(self) -> str:
        return f"<abut.Model: {', '.join(self.bodies)}>"


ModelLike = Union[Model, SceneLike]


def as_model(model: ModelLike, overrides: Overrides = None) -> Model:
    """Returns a model, given as such or as a scene."""
    if isinstance(model, Model):
        if overrides:
            raise ArgumentError("a Model already exists; pass overrides when it is created")
        return model
    inner = getattr(model, "model", None)
    if isinstance(inner, Model):
        raise ArgumentError(f"model must be an abut.Model or a scene, is an {kind_of(model)}; pass its `model`")
    return Model(model, overrides)


def raw_parameters(model: Model, parameters: Sequence[Union[Parameter, str]]) -> tuple[list[Parameter], Any]:
    """Returns the parameters, with all parameters of each kind, and the library's array of them."""
    chosen: list[Parameter] = []
    if not isinstance(parameters, (str, Iterable)):
        raise ArgumentError(f"parameters must be a list of Parameters or kinds, is {parameters!r}")
    for entry in [parameters] if isinstance(parameters, str) else parameters:
        chosen += model.parameters(entry) if isinstance(entry, str) else [entry]
    return chosen, _raw(chosen)
