"""Shapes: the kinds of a scene file as functions, each of which returns a `Shape`.

Sizes are metres. Axes of revolution lie along the shape's own z. `position` (3, m) and `orientation` (quaternion
[w, x, y, z]) place the shape's own frame in that of the body that it becomes a part of. What is not allowed raises
`abut.ArgumentError` with the library's message.

    table = shapes.union([shapes.box([0.5, 0.3, 0.02], position=[0, 0, 0.4]), shapes.cylinder(0.03, 0.4)])
    table.volume, table.support([1, 0, 0])
"""

import ctypes
import json
import tempfile
from ctypes import POINTER, byref, cast
from pathlib import Path
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from ._library import call, check, library, make
from ._memory import Array, Handle, at, doubles, view
from ._scene import PathLike, Scene
from .errors import ArgumentError, Error, ParseError

ArrayLike = Any
_ShapePointer = POINTER(c.AbutShape)


class MassProperties(NamedTuple):
    """Of a solid of density 1: multiply volume and inertia by the density (kg/m^3)."""

    volume: float
    """m^3"""
    centre_of_mass: Array
    """(3,) m, in the shape's frame"""
    inertia: Array
    """(3, 3) m^5, about the centre of mass, axes of the shape's frame"""


def mass_of(raw: c.AbutMassProperties) -> MassProperties:
    """The library's struct as numbers and arrays of their own."""
    return MassProperties(raw.volume, np.array(raw.centre_of_mass), np.array(raw.inertia).reshape(3, 3))


class Shape:
    """One convex shape, or a union of several. Made by the functions of this module; read-only.

    In a scene of dictionaries it may stand wherever a shape may: `{"name": "ball", "mass": 1, "shape": sphere(0.1)}`.
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
        """As in scene files: "box", "sphere", ...; "union" of several parts."""
        return "union" if len(self.pointers) != 1 else str(library.abut_shape_kind_name(self.raw.kind).decode())

    @property
    def raw(self) -> c.AbutShape:
        """The library's own struct (include/abut/shape.h), of a shape of one part."""
        if len(self.pointers) != 1:
            raise ArgumentError(f"a union of {len(self.pointers)} parts: take one of its `parts`")
        raw: c.AbutShape = self.pointers[0].contents
        return raw

    @property
    def parts(self) -> list["Shape"]:
        """The convex parts of a union, in its frame; of any other shape itself."""
        return [Shape(self.owner, [pointer]) for pointer in self.pointers] if len(self.pointers) != 1 else [self]

    @property
    def mass(self) -> MassProperties:
        """At density 1. What several parts of a union hold counts once. A halfspace has none (volume 0)."""
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
        """m^3."""
        return self.mass.volume

    @property
    def centre(self) -> Array:
        """(3,) m: to what the shape shrinks as its scaling goes to 0."""
        return np.array(self.raw.centre)

    @property
    def outer_radius(self) -> float:
        """m, of the sphere about `centre` that holds the shape; 0 of a halfspace."""
        return float(self.raw.outer_radius)

    @property
    def vertices(self) -> npt.NDArray[Any]:
        """(n, 3) m, in the shape's own frame, read-only view: of a polytope, or the core of a padded one; n = 0 of
        others."""
        return view(self.owner, self.raw.vertices, (self.raw.n_vertices, 3))

    @property
    def rows(self) -> tuple[npt.NDArray[Any], ...]:
        """(A (m, 3), B (m, n_eps), d (m), h (m)), read-only views: s = h + alpha d - A p - B eps lies in a product of
        cones when the point p is in the shape scaled by alpha (docs/formulation.md 1). m."""
        raw = self.raw
        m = raw.n_rows
        return tuple(
            view(self.owner, pointer, shape)
            for pointer, shape in ((raw.A, (m, 3)), (raw.B, (m, raw.n_eps)), (raw.d, (m,)), (raw.h, (m,)))
        )

    def support(self, direction: ArrayLike) -> tuple[float, Array]:
        """(value, point): the largest `direction . p` over the shape, and a point (3,) where it is reached."""
        along = doubles(direction, (3,), "direction")
        best, where = -np.inf, np.zeros(3)
        for pointer in self.pointers:
            point = np.zeros(3)
            value = library.abut_shape_support(pointer, at(along), at(point))
            if value > best:
                best, where = value, point
        return float(best), where

    def check(self) -> str:
        """Sampled tests of conic data and of anything else; empty when all passed, else what failed and where."""
        for pointer in self.pointers:
            report = c.AbutShapeReport()
            check(library.abut_shape_check(pointer, byref(report)), "check")
            if not report.passed:
                return str(report.message.decode())
        return ""

    def to_dict(self) -> dict[str, Any]:
        """As in a scene file. A hull or decomposition is written as its polytopes, with its mass."""
        if self._spec is None:
            self._spec = _written(self)
        return self._spec

    def __repr__(self) -> str:
        return f"<abut.shapes.Shape {self.kind}>"


def _written(shape: Shape) -> dict[str, Any]:
    """The library writes a scene of this shape, of which the shape is read."""
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
    """A shape from its object in a scene file. Mesh files are found from `folder`."""
    try:
        scene = Scene.from_dict({"bodies": [{"name": "shape", "static": True, "shape": spec}]}, folder)
    except Error as problem:
        where = problem.where.replace("bodies[0].shape", "").lstrip(".") or "shape"
        if isinstance(problem, ParseError):
            raise ArgumentError(problem.message, where) from None
        raise type(problem)(problem.message, where) from None
    body = cast(scene.definition.bodies, POINTER(c.AbutBodyDef))[0]
    pointers = cast(body.parts, POINTER(_ShapePointer))
    given = body.parts_mass.contents if body.parts_mass else None
    resolved = json.loads(scene.text or "")["bodies"][0]["shape"]
    return Shape(scene.handle, [pointers[i] for i in range(body.n_parts)], resolved, given)


def from_library(pointer: Any) -> Shape:
    """A shape that the library has made and this object now owns."""
    return Shape(Handle(pointer, library.abut_shape_destroy), [pointer])


def _shape(
    kind: str, position: Optional[ArrayLike], orientation: Optional[ArrayLike], **keys: Any
) -> Shape:
    spec = {"type": kind, **keys, "position": position, "orientation": orientation}
    return from_dict({key: value for key, value in spec.items() if value is not None})


def halfspace(normal: ArrayLike, offset: float = 0.0) -> Shape:
    """The solid normal . p <= offset; `normal` (3) of any length > 0. For static bodies."""
    return _shape("halfspace", None, None, normal=normal, offset=offset)


def box(
    half_extents: ArrayLike, position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None
) -> Shape:
    """`half_extents` (3)."""
    return _shape("box", position, orientation, half_extents=half_extents)


def polytope(
    vertices: Optional[ArrayLike] = None,
    A: Optional[ArrayLike] = None,
    b: Optional[ArrayLike] = None,
    position: Optional[ArrayLike] = None,
    orientation: Optional[ArrayLike] = None,
) -> Shape:
    """The hull of `vertices` (n, 3), or the solid A p <= b with `A` (m, 3) and `b` (m)."""
    return _shape("polytope", position, orientation, vertices=vertices, A=A, b=b)


def padded_polytope(
    radius: float,
    vertices: Optional[ArrayLike] = None,
    A: Optional[ArrayLike] = None,
    b: Optional[ArrayLike] = None,
    position: Optional[ArrayLike] = None,
    orientation: Optional[ArrayLike] = None,
) -> Shape:
    """A polytope's sum with a ball."""
    return _shape("padded_polytope", position, orientation, radius=radius, vertices=vertices, A=A, b=b)


def sphere(radius: float, position: Optional[ArrayLike] = None) -> Shape:
    """A ball."""
    return _shape("sphere", position, None, radius=radius)


def ellipsoid(
    radii: ArrayLike, position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None
) -> Shape:
    """`radii` (3) along the shape's axes."""
    return _shape("ellipsoid", position, orientation, radii=radii)


def capsule(
    radius: float, length: float, position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None
) -> Shape:
    """`length` is that of the core segment."""
    return _shape("capsule", position, orientation, radius=radius, length=length)


def cylinder(
    radius: float, length: float, position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None
) -> Shape:
    """Along z."""
    return _shape("cylinder", position, orientation, radius=radius, length=length)


def cone(
    height: float, radius: float, position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None
) -> Shape:
    """Apex towards +z; the origin is the centre of mass, height / 4 above the base."""
    return _shape("cone", position, orientation, height=height, radius=radius)


def superellipsoid(
    radii: ArrayLike,
    exponents: ArrayLike,
    position: Optional[ArrayLike] = None,
    orientation: Optional[ArrayLike] = None,
) -> Shape:
    """(|x/r_x|^a + |y/r_y|^a)^(b/a) + |z/r_z|^b <= 1 with `radii` (3) and `exponents` (a, b), each from 2 to 20."""
    return _shape("superellipsoid", position, orientation, radii=radii, exponents=exponents)


ShapeLike = Union[Shape, Mapping[str, Any]]


def _several(
    kind: str, parts: Sequence[ShapeLike], position: Optional[ArrayLike], orientation: Optional[ArrayLike]
) -> Shape:
    return _shape(kind, position, orientation, parts=list(parts))


def minkowski_sum(
    parts: Sequence[ShapeLike], position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None
) -> Shape:
    """All sums of a point of each part."""
    return _several("minkowski_sum", parts, position, orientation)


def intersection(
    parts: Sequence[ShapeLike], position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None
) -> Shape:
    """What lies in all parts, halfspaces among them."""
    return _several("intersection", parts, position, orientation)


def union(
    parts: Sequence[ShapeLike], position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None
) -> Shape:
    """One solid of several convex parts, which may overlap."""
    return _several("union", parts, position, orientation)


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
    """Rows of your own: s = h + alpha d - A p - B eps, `orthant` of them nonnegative and then the second-order cones
    of `soc` rows each."""
    cones = {"orthant": orthant, "soc": list(soc)}
    return _shape("conic", position, orientation, A=A, B=B, d=d, h=h, cones=cones)


def mesh(file: PathLike, **keys: Any) -> Shape:
    """A mesh file as its hull, or with mode="decompose" as a union of hulls. Further keys are those of a scene file:
    unit, up, scale, max_faces, fit, concavity, max_parts, mass_of, position, orientation. `abut.Mesh` does the same
    step by step."""
    return from_dict({"type": "mesh", "file": str(Path(file).absolute()), **keys})
