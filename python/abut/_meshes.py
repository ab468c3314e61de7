"""Triangle meshes: reading, repair, mass, hulls and decomposition."""

import ctypes
import functools
import os
from ctypes import POINTER, byref
from typing import Any, Callable, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from ._arguments import path as path_of
from ._library import call, library, make
from ._memory import Array, Handle, Owner, at, doubles, view
from ._scene import PathLike
from ._stop import WANTED, answers, in_main
from .errors import ArgumentError, StoppedError
from .shapes import MassProperties, Shape, from_library, mass_of

Progress = Callable[[str, float], Optional[bool]]
"""Called repeatedly with the name of the stage and the fraction done, 0 to 1 (negative: unknown). Returning False stops
the work with `abut.StoppedError`."""

UP = {None: c.ABUT_MESH_UP_DECLARED, "x": c.ABUT_MESH_UP_X, "y": c.ABUT_MESH_UP_Y, "z": c.ABUT_MESH_UP_Z}
FIT = {"outer": c.ABUT_MESH_FIT_OUTER, "inner": c.ABUT_MESH_FIT_INNER}


class _Part(ctypes.c_double):
    """A double that ctypes passes to a callback as an object, which is true if its value is not 0."""


_Callback = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_char_p, _Part)


class _Watch:
    """A progress function in the form that the library calls. An exception in it, or in a signal handler, stops the
    library and is raised again after the call."""

    def __init__(self, progress: Optional[Progress]) -> None:
        self.raised: list[BaseException] = []
        stages: list[bytes] = []

        def ask(question: Any) -> bool:
            if progress is None:
                return True
            if isinstance(question, _Part):
                part, question.value = question.value, 1.0
                return progress(stages.pop().decode(), part) is not False and not self.raised
            if question is not None:
                stages[:] = [question]
            return False

        questions = answers(self.raised, True, ask)
        next(questions)
        # `max` asks for each of context (None), stage and part, and returns the context unless the last answer is True.
        # It is no Python function, before whose first line a signal handler could raise.
        self.callback: Any = (
            WANTED(questions.send) if progress is None else _Callback(functools.partial(max, key=questions.send))
        )
        called = progress is not None or in_main()
        self.address = ctypes.cast(self.callback, ctypes.c_void_p) if called else None

    def make(self, name: str, *arguments: Any, kind: Any, report: Any = None) -> Any:
        """Calls a constructor, whose last arguments are `out`, the report if there is one, and an AbutError."""
        out = kind()
        try:
            call(name, *arguments, byref(out), *([] if report is None else [byref(report)]))
        except StoppedError:
            if self.raised:
                raise self.raised.pop() from None
            raise
        return out


def _report(raw: ctypes.Structure) -> dict[str, Any]:
    """Returns a struct of numbers as a dictionary, with `MassProperties` and arrays."""

    def plain(value: Any) -> Any:
        if isinstance(value, c.AbutMassProperties):
            return mass_of(value)
        if isinstance(value, bytes):
            return value.decode()
        return np.array(value) if isinstance(value, ctypes.Array) else value

    return {name: plain(getattr(raw, name)) for name, *_ in raw._fields_}


def _options(
    unit: Optional[str], scale: float, up: Optional[str], weld: Optional[float], watch: _Watch
) -> c.AbutMeshOptions:
    options: c.AbutMeshOptions = library.abut_mesh_options_default()
    if unit is not None:
        metres, known = ctypes.c_double(), ctypes.c_char_p()
        if not library.abut_mesh_unit(unit.encode(), byref(metres), byref(known)):
            raise ArgumentError(f"unit is {unit!r}; it must be one of {(known.value or b'').decode()}")
        options.unit = metres.value
    if up not in UP:
        raise ArgumentError(f'up is {up!r}; it must be "x", "y", "z" or None')
    options.scale, options.up = scale, UP[up]
    options.weld = options.weld if weld is None else weld
    options.progress = watch.address
    return options


class Mesh(Owner):
    """A triangle mesh in metres, read-only. Created from `vertices` (n, 3) and `triangles` (m, 3), indices
    counterclockwise seen from outside; or from a file by `Mesh.load`."""

    def __init__(self, vertices: Any, triangles: Any) -> None:
        points = doubles(vertices, (len(vertices), 3), "vertices")
        try:
            given = np.asarray(triangles)
            wide = given.astype(np.int64, casting="same_kind") if given.size else given
            corners = wide.astype(np.intc, order="C")
        except (TypeError, ValueError, OverflowError) as problem:
            raise ArgumentError(f"triangles must be integers: {problem}") from None
        if not np.array_equal(corners, wide):
            raise ArgumentError(f"triangles hold {wide[corners != wide][0]}, which is no index of a vertex")
        if corners.ndim != 2 or corners.shape[1] != 3:
            raise ArgumentError(f"triangles have the shape {corners.shape}; it must be (m, 3)")
        pointer = make(
            "abut_mesh_create", len(points), at(points), len(corners), at(corners), kind=POINTER(c.AbutMesh)
        )
        self._begin(pointer, c.AbutMeshReport())

    def _begin(self, pointer: Any, report: c.AbutMeshReport) -> None:
        super().__init__(pointer, library.abut_mesh_destroy)
        self._report = report

    @classmethod
    def _of(cls, pointer: Any, report: c.AbutMeshReport) -> "Mesh":
        mesh = cls.__new__(cls)
        mesh._begin(pointer, report)
        return mesh

    @classmethod
    def load(
        cls,
        path: PathLike,
        unit: Optional[str] = None,
        scale: float = 1.0,
        up: Optional[str] = None,
        weld: Optional[float] = None,
        progress: Optional[Progress] = None,
    ) -> "Mesh":
        """Reads a file (STL, OBJ, PLY, glTF, COLLADA, ...) and repairs the mesh. `unit`: "mm", "m", "in", ...; None:
        the unit that the format declares, else metres. `up`: the axis of the file that is turned to +z. `weld`:
        vertices closer than this fraction of the bounding box's diagonal are merged."""
        watch, report = _Watch(progress), c.AbutMeshReport()
        options = _options(unit, scale, up, weld, watch)
        file = os.fsencode(path_of(path, "path"))
        pointer = watch.make("abut_mesh_load", file, byref(options), kind=POINTER(c.AbutMesh), report=report)
        return cls._of(pointer, report)

    def repaired(self, weld: Optional[float] = None) -> "Mesh":
        """Returns a repaired copy: merges vertices, removes degenerate and duplicate triangles, and turns the others to
        face outwards."""
        watch, report = _Watch(None), c.AbutMeshReport()
        options = _options(None, 1.0, None, weld, watch)
        pointer = watch.make("abut_mesh_repair", self.pointer, byref(options), kind=POINTER(c.AbutMesh), report=report)
        return Mesh._of(pointer, report)

    @property
    def vertices(self) -> npt.NDArray[Any]:
        """(n, 3) m, read-only view."""
        raw = self.pointer.contents
        return view(self.handle, raw.vertices, (raw.n_vertices, 3))

    @property
    def triangles(self) -> npt.NDArray[Any]:
        """(m, 3) indices, read-only view."""
        raw = self.pointer.contents
        return view(self.handle, raw.triangles, (raw.n_triangles, 3), "<i4")

    @property
    def report(self) -> dict[str, Any]:
        """What reading and repair found and did: the fields of AbutMeshReport (include/abut/mesh.h). All zero for a
        mesh from arrays."""
        return _report(self._report)

    @property
    def warnings(self) -> list[str]:
        """Warnings that follow from the report."""
        texts = (ctypes.c_char * c.ABUT_MESH_WARNING_SIZE * c.ABUT_MESH_WARNINGS_MAX)()
        count = library.abut_mesh_warnings(byref(self._report), texts)
        return [texts[i].value.decode() for i in range(count)]

    @property
    def mass(self) -> MassProperties:
        """Exact mass properties of the solid that a closed mesh encloses, at density 1. Raises if it encloses none."""
        raw = c.AbutMassProperties()
        call("abut_mesh_mass", self.pointer, byref(raw))
        return mass_of(raw)

    def hull(
        self,
        max_faces: int = 0,
        fit: str = "outer",
        mass_of: str = "hull",
        progress: Optional[Progress] = None,
    ) -> "Hull":
        """Returns the convex hull as a polytope. With at most `max_faces` faces (0: all; else at least 4) it contains
        the hull (fit "outer") or lies within it ("inner"). Its mass is its own; with mass_of "mesh" that of the mesh,
        which must be closed."""
        if fit not in FIT:
            raise ArgumentError(f'fit is {fit!r}; it must be "outer" or "inner"')
        if mass_of not in ("hull", "mesh"):
            raise ArgumentError(f'mass_of is {mass_of!r}; it must be "hull" or "mesh"')
        watch, report = _Watch(progress), c.AbutMeshHullReport()
        arguments = (self.pointer, max_faces, FIT[fit], watch.address, None)
        pointer = watch.make("abut_mesh_hull_with_progress", *arguments, kind=POINTER(c.AbutShape), report=report)
        shape = from_library(pointer)
        if mass_of == "mesh":
            mass = c.AbutMassProperties()
            call("abut_mesh_mass_in_hull", self.pointer, byref(report.hull), byref(mass))
            call("abut_shape_set_mass", pointer, byref(mass))
        return Hull(shape, _report(report))

    def decompose(
        self,
        concavity: float = 0.0,
        max_parts: int = 0,
        max_faces: int = 0,
        progress: Optional[Progress] = None,
    ) -> "Decomposition":
        """Returns convex polytopes that together contain the closed mesh. `concavity` (default 0.02) bounds their
        distance from it, as a fraction of its longest side; `max_parts` (default 32) takes precedence."""
        watch = _Watch(progress)
        options = c.AbutDecomposeOptions(concavity, max_parts, max_faces, watch.address, None)
        raw = watch.make("abut_mesh_decompose", self.pointer, byref(options), kind=POINTER(c.AbutDecomposition))
        return _decomposition(self, raw)

    def __repr__(self) -> str:
        raw = self.pointer.contents
        return f"<abut.Mesh of {raw.n_vertices} vertices, {raw.n_triangles} triangles>"


class Hull(NamedTuple):
    """The hull of a mesh, or a polytope with fewer faces."""

    shape: Shape
    report: dict[str, Any]
    """faces, vertices, reduced_faces, reduced_vertices, hull and reduced (`MassProperties`), hausdorff (m)"""


class Decomposition(NamedTuple):
    """A mesh as a union of convex parts."""

    shape: Shape
    """union of the parts, with the mass of the mesh"""
    report: dict[str, Any]
    """n_parts, size (m), volume, hull_volume, overlap_volume (m^3), depth, distance (m), within_bound, n_components,
    n_nested, n_flat"""
    part_volumes: Array
    """(n_parts,) m^3: volumes of the pieces; `shape.parts` has those of their hulls"""
    part_depths: Array
    """(n_parts,) m: depth of the mesh's surface in each hull"""
    warnings: list[str]


def _decomposition(mesh: Mesh, pointer: Any) -> Decomposition:
    handle = Handle(pointer, library.abut_decomposition_destroy)
    raw = pointer.contents
    parts = ctypes.cast(raw.parts, POINTER(c.AbutDecomposePart))
    texts = (ctypes.c_char * c.ABUT_MESH_WARNING_SIZE * c.ABUT_DECOMPOSITION_WARNINGS_MAX)()
    count = library.abut_decomposition_warnings(pointer, texts)
    mass = c.AbutMassProperties()
    call("abut_mesh_mass", mesh.pointer, byref(mass))
    report = _report(raw)
    del report["parts"]
    return Decomposition(
        Shape(handle, [parts[i].shape for i in range(raw.n_parts)], given_mass=mass),
        report,
        np.array([parts[i].volume for i in range(raw.n_parts)]),
        np.array([parts[i].depth for i in range(raw.n_parts)]),
        [texts[i].value.decode() for i in range(count)],
    )


def mesh(path: PathLike, **options: Any) -> Mesh:
    """Reads a mesh file; see `Mesh.load`."""
    return Mesh.load(path, **options)
