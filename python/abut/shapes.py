"""Shapes: a function for each kind of a scene file, which returns a `Shape`.

Sizes are in metres. The axis of revolution is the shape's z axis. `position` (3, m) and `orientation` (quaternion
[w, x, y, z]) place the frame of the shape in the frame of its body. A value that is not allowed raises
`abut.ArgumentError` with the library's message.

    table = shapes.union([shapes.box([0.5, 0.3, 0.02], position=[0, 0, 0.4]), shapes.cylinder(0.03, 0.4)])
    table.volume, table.support([1, 0, 0])
"""

import ctypes
import json
import tempfile
from ctypes import POINTER, byref, cast
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from ._arguments import no_attribute
from ._library import call, check, library, make
from ._memory import Array, Handle, at, doubles, view
from ._scene import PathLike, Scene
from .errors import ArgumentError, Error, ParseError

ArrayLike = Any
_ShapePointer = POINTER(c.AbutShape)


class MassProperties(NamedTuple):
    """Mass properties at density 1: multiply volume and inertia by the density (kg/m^3)."""

    volume: float
    """m^3"""
    centre_of_mass: Array
    """(3,) m, in the frame of the shape"""
    inertia: Array
    """(3, 3) m^5, about the centre of mass, in the axes of the shape's frame"""


def mass_of(raw: c.AbutMassProperties) -> MassProperties:
    """Copies the library's struct to numbers and arrays."""
    return MassProperties(raw.volume, np.array(raw.centre_of_mass), np.array(raw.inertia).reshape(3, 3))


class Shape:
    """A convex shape or a union of several, read-only. The functions of this module create it.

    It can be used as a shape in the dictionary of a scene: `{"name": "ball", "mass": 1, "shape": sphere(0.1)}`.
    """

    def __init__(
        self,
        owner: Any,
        pointers: Sequence[Any],
        spec: Optional[Mapping[str, Any]] = None,
        given_mass: Optional[c.AbutMassProperties] = None,
    ) -> None:
        self.owner, self.pointers, self._given_mass = owner, list(pointers), given_mass
        self._spec = None if spec is None else dict(spec)

    @property
    def kind(self) -> str:
        """The kind as in scene files: "box", "sphere", ...; "union" if there are several parts."""
        return "union" if len(self.pointers) != 1 else str(library.abut_shape_kind_name(self.raw.kind).decode())

    @property
    def raw(self) -> c.AbutShape:
        """The library's struct (include/abut/shape.h) of a shape with one part."""
        if len(self.pointers) != 1:
            raise ArgumentError(f"this is a union of {len(self.pointers)} parts: use one of its `parts`")
        raw: c.AbutShape = self.pointers[0].contents
        raw.keeps = self.owner
        return raw

    @property
    def parts(self) -> list["Shape"]:
        """The convex parts of a union, in its frame; for any other shape the shape itself."""
        return [Shape(self.owner, [pointer]) for pointer in self.pointers] if len(self.pointers) != 1 else [self]

    @property
    def mass(self) -> MassProperties:
        """Mass properties at density 1. Overlaps of parts count once. A halfspace has volume 0."""
        if self._given_mass is not None:
            return mass_of(self._given_mass)
        if len(self.pointers) == 1:
            return mass_of(self.raw.mass)
        array = (_ShapePointer * len(self.pointers))(*self.pointers)
        bundle = make("abut_bundle_create", len(self.pointers), array, kind=POINTER(c.AbutBundle))
        try:
            mass = c.AbutMassProperties()
            call("abut_bundle_mass", bundle, byref(mass), None)
        finally:
            library.abut_bundle_destroy(bundle)
        return mass_of(mass)

    @property
    def volume(self) -> float:
        """Volume, m^3."""
        return self.mass.volume

    @property
    def centre(self) -> Array:
        """(3,) m: the point to which the shape shrinks as its scaling goes to 0."""
        return np.array(self.raw.centre)

    @property
    def outer_radius(self) -> float:
        """Radius of the sphere about `centre` that contains the shape, m; 0 for a halfspace."""
        return float(self.raw.outer_radius)

    @property
    def vertices(self) -> npt.NDArray[Any]:
        """(n, 3) m, in the frame of the shape, read-only view: vertices of a polytope, or of the core of a padded one;
        n = 0 for other shapes."""
        return view(self.owner, self.raw.vertices, (self.raw.n_vertices, 3))

    @property
    def rows(self) -> tuple[npt.NDArray[Any], ...]:
        """(A (m, 3), B (m, n_eps), d (m), h (m)), read-only views, in metres: s = h + alpha d - A p - B eps lies in a
        product of cones if the point p is in the shape scaled by alpha (docs/formulation.md 1)."""
        raw = self.raw
        m = raw.n_rows
        return tuple(
            view(self.owner, pointer, shape)
            for pointer, shape in ((raw.A, (m, 3)), (raw.B, (m, raw.n_eps)), (raw.d, (m,)), (raw.h, (m,)))
        )

    def support(self, direction: ArrayLike) -> tuple[float, Array]:
        """Returns (value, point): the largest `direction . p` over the shape, and a point (3,) where it is reached."""
        along = doubles(direction, (3,), "direction")
        if not np.isfinite(along).all():
            raise ArgumentError(f"direction must be finite, is {along}")
        best, where = -np.inf, np.zeros(3)
        for pointer in self.pointers:
            point = np.zeros(3)
            value = library.abut_shape_support(pointer, at(along), at(point))
            if value > best:
                best, where = value, point
        return float(best), where

    def check(self) -> str:
        """Tests the shape at random samples. Returns "" if all tests pass, else a description of the failure."""
        for pointer in self.pointers:
            report = c.AbutShapeReport()
            check(library.abut_shape_check(pointer, byref(report)), "check")
            if not report.passed:
                return str(report.message.decode())
        return ""

    def to_dict(self) -> dict[str, Any]:
        """Returns the shape as in a scene file. Hulls and decompositions become polytopes with a mass."""
        if self._spec is None:
            self._spec = _written(self)
        return self._spec

    def __repr__(self) -> str:
        return f"<abut.shapes.Shape {self.kind}>"


def _written(shape: Shape) -> dict[str, Any]:
    """Lets the library write a scene with this shape, and reads the shape from it."""
    body, scene = library.abut_body_def_default(), library.abut_scene_def_default()
    parts = (_ShapePointer * len(shape.pointers))(*shape.pointers)
    body.name, body.is_static, body.n_parts, body.parts = b"shape", True, len(parts), ctypes.addressof(parts)
    if shape._given_mass is not None:
        body.parts_mass = ctypes.pointer(shape._given_mass)
    scene.name, scene.n_bodies, scene.bodies = b"shape", 1, ctypes.pointer(body)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shape.json"
        call("abut_scene_save", byref(scene), str(path).encode())
        tree = json.loads(path.read_text(encoding="utf-8"))
    spec = tree["bodies"][0]["shape"]
    out: dict[str, Any] = tree["shapes"][spec] if isinstance(spec, str) else spec
    return out


def from_dict(spec: Mapping[str, Any], folder: Optional[PathLike] = None) -> Shape:
    """Returns a shape from its object in a scene file. Mesh files are relative to `folder`."""
    try:
        scene = Scene.from_dict({"bodies": [{"name": "shape", "static": True, "shape": spec}]}, folder)
    except Error as problem:
        where = problem.where.replace("bodies[0].shape", "").lstrip(".") or "shape"
        if isinstance(problem, ParseError):
            raise ArgumentError(problem.message, where) from None
        raise type(problem)(problem.message, where) from None
    definition = scene.definition
    body = cast(definition.bodies, POINTER(c.AbutBodyDef))[0]
    pointers = cast(body.parts, POINTER(_ShapePointer))
    given = body.parts_mass.contents if body.parts_mass else None
    resolved = json.loads(scene.text or "")["bodies"][0]["shape"]
    return Shape(scene.handle, [pointers[i] for i in range(body.n_parts)], resolved, given)


def from_library(pointer: Any) -> Shape:
    """Returns a shape that owns an object of the library."""
    return Shape(Handle(pointer, library.abut_shape_destroy), [pointer])


def _shape(
    kind: str, position: Optional[ArrayLike], orientation: Optional[ArrayLike], **keys: Any
) -> Shape:
    spec = {"type": kind, **keys, "position": position, "orientation": orientation}
    return from_dict({key: value for key, value in spec.items() if value is not None})


def halfspace(normal: ArrayLike, offset: float = 0.0) -> Shape:
    """The halfspace normal . p <= offset; `normal` (3) may have any length > 0. Only for static bodies."""
    return _shape("halfspace", None, None, normal=normal, offset=offset)


def box(
    half_extents: ArrayLike, position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None
) -> Shape:
    """A box with `half_extents` (3)."""
    return _shape("box", position, orientation, half_extents=half_extents)


def polytope(
    vertices: Optional[ArrayLike] = None,
    A: Optional[ArrayLike] = None,
    b: Optional[ArrayLike] = None,
    position: Optional[ArrayLike] = None,
    orientation: Optional[ArrayLike] = None,
) -> Shape:
    """The convex hull of `vertices` (n, 3), or the polytope A p <= b with `A` (m, 3) and `b` (m)."""
    return _shape("polytope", position, orientation, vertices=vertices, A=A, b=b)


def padded_polytope(
    radius: float,
    vertices: Optional[ArrayLike] = None,
    A: Optional[ArrayLike] = None,
    b: Optional[ArrayLike] = None,
    position: Optional[ArrayLike] = None,
    orientation: Optional[ArrayLike] = None,
) -> Shape:
    """The sum of a polytope and a ball of `radius`."""
    return _shape("padded_polytope", position, orientation, radius=radius, vertices=vertices, A=A, b=b)


def sphere(radius: float, position: Optional[ArrayLike] = None) -> Shape:
    """A ball."""
    return _shape("sphere", position, None, radius=radius)


def ellipsoid(
    radii: ArrayLike, position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None
) -> Shape:
    """An ellipsoid with `radii` (3) along its axes."""
    return _shape("ellipsoid", position, orientation, radii=radii)


def capsule(
    radius: float, length: float, position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None
) -> Shape:
    """A capsule; `length` is the length of its core segment."""
    return _shape("capsule", position, orientation, radius=radius, length=length)


def cylinder(
    radius: float, length: float, position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None
) -> Shape:
    """A cylinder along z."""
    return _shape("cylinder", position, orientation, radius=radius, length=length)


def cone(
    height: float, radius: float, position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None
) -> Shape:
    """A cone with its apex towards +z. The origin is the centre of mass, height / 4 above the base."""
    return _shape("cone", position, orientation, height=height, radius=radius)


def superellipsoid(
    radii: ArrayLike,
    exponents: ArrayLike,
    position: Optional[ArrayLike] = None,
    orientation: Optional[ArrayLike] = None,
) -> Shape:
    """The superellipsoid (|x/r_x|^a + |y/r_y|^a)^(b/a) + |z/r_z|^b <= 1 with `radii` (3) and `exponents`
    (a, b), each from 2 to 20."""
    return _shape("superellipsoid", position, orientation, radii=radii, exponents=exponents)


ShapeLike = Union[Shape, Mapping[str, Any]]


def minkowski_sum(
    parts: Sequence[ShapeLike], position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None
) -> Shape:
    """The Minkowski sum: all sums of one point of each part."""
    return _shape("minkowski_sum", position, orientation, parts=list(parts))


def intersection(
    parts: Sequence[ShapeLike], position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None
) -> Shape:
    """The points that lie in all parts, which may be halfspaces."""
    return _shape("intersection", position, orientation, parts=list(parts))


def union(
    parts: Sequence[ShapeLike], position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None
) -> Shape:
    """The union of several convex parts, which may overlap."""
    return _shape("union", position, orientation, parts=list(parts))


def conic(
    A: ArrayLike,
    d: ArrayLike,
    h: ArrayLike,
    B: Optional[ArrayLike] = None,
    orthant: int = 0,
    soc: Sequence[int] = (),
    position: Optional[ArrayLike] = None,
    orientation: Optional[ArrayLike] = None,
) -> Shape:
    """A shape given by its rows s = h + alpha d - A p - B eps: the first `orthant` rows are nonnegative, then follow
    second-order cones of the sizes `soc`."""
    cones = {"orthant": orthant, "soc": list(soc)}
    return _shape("conic", position, orientation, A=A, B=B, d=d, h=h, cones=cones)


def mesh(file: PathLike, **keys: Any) -> Shape:
    """The hull of a mesh file; with mode="decompose" a union of hulls. Further keys are those of a scene file: unit,
    up, scale, max_faces, fit, concavity, max_parts, mass_of, position, orientation. `abut.Mesh` does this in single
    steps."""
    return from_dict({"type": "mesh", "file": str(Path(file).absolute()), **keys})


if not TYPE_CHECKING:  # type checkers would accept every name

    def __getattr__(name: str) -> Any:
        own = [known for known, value in globals().items() if getattr(value, "__module__", None) == __name__]
        raise no_attribute(f"module {__name__!r}", name, own)
