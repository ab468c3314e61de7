"""Triangle meshes: read, checked, measured, and made into shapes."""

import ctypes
import os
from ctypes import POINTER, byref
from typing import Any, Callable, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from ._library import call, library, make
from ._memory import Array, Handle, Owner, at, doubles, view
from ._scene import PathLike
from .errors import ArgumentError, StoppedError
from .shapes import MassProperties, Shape, from_library, mass_of

Progress = Callable[[str, float], Optional[bool]]
"""Called now and then with what is being done and the part of it that is, 0 to 1 (negative: not known). Returning False
ends the work with `abut.StoppedError`."""

UP = {None: c.ABUT_MESH_UP_DECLARED, "x": c.ABUT_MESH_UP_X, "y": c.ABUT_MESH_UP_Y, "z": c.ABUT_MESH_UP_Z}
FIT = {"outer": c.ABUT_MESH_FIT_OUTER, "inner": c.ABUT_MESH_FIT_INNER}
_Callback = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double)


class _Watch:
    """A progress function as the library calls it. What it raises, such as KeyboardInterrupt, is raised after the call
    that it ended."""

    def __init__(self, progress: Optional[Progress]) -> None:
        self.raised: Optional[BaseException] = None

        def callback(_: Any, stage: bytes, part: float) -> bool:
            try:
                return progress is None or progress(stage.decode(), part) is not False
            except BaseException as problem:
                self.raised = problem
                return False

        self.callback = _Callback(callback)
        self.address = ctypes.cast(self.callback, ctypes.c_void_p)

    def make(self, name: str, *arguments: Any, kind: Any) -> Any:
        try:
            return make(name, *arguments, kind=kind)
        except StoppedError:
            if self.raised is not None:
                raise self.raised from None
            raise

    def make_and_report(self, name: str, *arguments: Any, kind: Any, report: Any) -> Any:
        out = kind()
        try:
            call(name, *arguments, byref(out), byref(report))
        except StoppedError:
            if self.raised is not None:
                raise self.raised from None
            raise
        return out


def _report(raw: ctypes.Structure) -> dict[str, Any]:
    """A struct of numbers as a dictionary; masses and points as what they are elsewhere."""

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
            raise ArgumentError(f"unit must be one of {(known.value or b'').decode()}, is {unit!r}")
        options.unit = metres.value
    if up not in UP:
        raise ArgumentError(f'up must be "x", "y", "z" or None, is {up!r}')
    options.scale, options.up = scale, UP[up]
    options.weld = options.weld if weld is None else weld
    options.progress = watch.address
    return options


class Mesh(Owner):
    """A triangle mesh, metres. From arrays: `vertices` (n, 3) and `triangles` (m, 3) of indices, counterclockwise seen
    from outside; from a file: `Mesh.load`. Read-only."""

    def __init__(self, vertices: Any, triangles: Any) -> None:
        points = doubles(vertices, (len(vertices), 3), "vertices")
        try:
            corners = np.asarray(triangles).astype(np.intc, order="C", casting="same_kind")
        except TypeError as problem:
            raise ArgumentError(f"triangles must be integers: {problem}") from None
        if corners.ndim != 2 or corners.shape[1] != 3:
            raise ArgumentError(f"triangles must have the shape (m, 3), have {corners.shape}")
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
        """Reads a file (STL, OBJ, PLY, glTF, COLLADA, ...) and repairs it. `unit`: "mm", "m", "in", ...; None: what the
        format declares, else metres. `up`: the axis of the file that is turned to +z. `weld`: vertices closer than this
        part of the box's diagonal are one."""
        watch, report = _Watch(progress), c.AbutMeshReport()
        options = _options(unit, scale, up, weld, watch)
        file = os.fsencode(os.fspath(path))
        pointer = ctypes.POINTER(c.AbutMesh)()
        try:
            call("abut_mesh_load", file, byref(options), byref(pointer), byref(report))
        except StoppedError:
            if watch.raised is not None:
                raise watch.raised from None
            raise
        return cls._of(pointer, report)

    def repaired(self, weld: Optional[float] = None) -> "Mesh":
        """Vertices welded, triangles that are none or there twice dropped, the others turned to agree and face
        outwards."""
        report, pointer = c.AbutMeshReport(), ctypes.POINTER(c.AbutMesh)()
        options = _options(None, 1.0, None, weld, _Watch(None))
        call("abut_mesh_repair", self.pointer, byref(options), byref(pointer), byref(report))
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
        """What reading and repair found and did: the fields of AbutMeshReport (include/abut/mesh.h). Of a mesh that was
        neither read nor repaired all zero."""
        return _report(self._report)

    @property
    def warnings(self) -> list[str]:
        """What the report has to say to a person."""
        texts = (ctypes.c_char * c.ABUT_MESH_WARNING_SIZE * c.ABUT_MESH_WARNINGS_MAX)()
        count = library.abut_mesh_warnings(byref(self._report), texts)
        return [texts[i].value.decode() for i in range(count)]

    @property
    def mass(self) -> MassProperties:
        """Of what a closed mesh encloses, at density 1, exact. Raises where that has no meaning."""
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
        """The convex hull as a polytope, of at most `max_faces` faces (0: all; else at least 4), which contains the
        hull (fit "outer") or lies within it ("inner"). Its mass is its own, or with mass_of "mesh" that of the mesh,
        which must be closed."""
        if fit not in FIT:
            raise ArgumentError(f'fit must be "outer" or "inner", is {fit!r}')
        if mass_of not in ("hull", "mesh"):
            raise ArgumentError(f'mass_of must be "hull" or "mesh", is {mass_of!r}')
        watch, report = _Watch(progress), c.AbutMeshHullReport()
        arguments = (self.pointer, max_faces, FIT[fit], watch.address, None)
        pointer = watch.make_and_report(
            "abut_mesh_hull_with_progress", *arguments, kind=POINTER(c.AbutShape), report=report
        )
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
        """A closed mesh as convex polytopes that contain it together. `concavity` (default 0.02) bounds how far they
        are from it, as a part of its longest side; `max_parts` (default 32) goes before that."""
        watch = _Watch(progress)
        options = c.AbutDecomposeOptions(concavity, max_parts, max_faces, watch.address, None)
        raw = watch.make("abut_mesh_decompose", self.pointer, byref(options), kind=POINTER(c.AbutDecomposition))
        return _decomposition(self, raw)

    def __repr__(self) -> str:
        raw = self.pointer.contents
        return f"<abut.Mesh of {raw.n_vertices} vertices, {raw.n_triangles} triangles>"


class Hull(NamedTuple):
    """A mesh's hull, or less of it."""

    shape: Shape
    report: dict[str, Any]
    """faces, vertices, reduced_faces, reduced_vertices, hull and reduced (`MassProperties`), hausdorff (m)"""


class Decomposition(NamedTuple):
    """A mesh in convex parts."""

    shape: Shape
    """the union of the parts, with the mass of the mesh"""
    report: dict[str, Any]
    """n_parts, size (m), volume, hull_volume, overlap_volume (m^3), depth, distance (m), within_bound, n_components,
    n_nested, n_flat"""
    part_volumes: Array
    """(n_parts,) m^3, of the pieces; those of their hulls are those of `shape.parts`"""
    part_depths: Array
    """(n_parts,) m: of the mesh's surface in each hull"""
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
    """`Mesh.load`."""
    return Mesh.load(path, **options)
