"""Collision queries of two shapes at given poses."""

import ctypes
from ctypes import byref
from typing import Any, NamedTuple, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from ._arguments import instance, kind_of, number
from ._library import call, library, make
from ._memory import Array, OneThread, doubles
from ._records import OUTCOMES
from .errors import ArgumentError
from .shapes import Shape

POSE: "np.dtype[Any]" = np.dtype(c.AbutPose)
"""The type of poses: position (3; m, world) and orientation (4; [w, x, y, z], shape to world)."""

COLLISION: "np.dtype[Any]" = np.dtype(c.AbutCollisionResult)
"""The type of `Collision.solve_all`: the fields of `CollisionResult`, with `outcome` as an index into
`abut.OUTCOMES`."""

PoseLike = Union[Sequence[float], "tuple[Any, Any]", Array]


class CollisionResult(NamedTuple):
    """The result of a query."""

    outcome: str
    """ "exact"; "relaxed" at the requested kappa, or if the exact solution was missed; "failed" (all values 0) """
    scaling: float
    """smallest factor such that both shapes, scaled by it about their centres, share a point: 1 if they touch"""
    gap: float
    """m, along the normal; negative if they overlap"""
    point: Array
    """(3,) m, world: the common point of the scaled shapes"""
    normal: Array
    """(3,) unit, world, from a to b"""
    error: float
    """error of the scaling: distance to the bound that the normal proves, or the duality gap"""
    iterations: int


class CollisionGradient(NamedTuple):
    """First derivatives of a query. Columns: position of a (3; m, world), rotation of a (3; rad, a's own axes), the
    same of b, sizes of a (3; m), sizes of b."""

    scaling: Array
    """(18,)"""
    point: Array
    """(3, 18) m"""
    normal: Array
    """(3, 18)"""


def _pose(pose: PoseLike) -> c.AbutPose:
    """Converts a position (3), or a pair of position (3) and orientation (4)."""
    if not hasattr(pose, "__len__"):
        raise ArgumentError(f"a pose must be a position, or a pair of position and orientation, is {kind_of(pose)}")
    if len(pose) == 2:
        position, orientation = doubles(pose[0], (3,), "position"), doubles(pose[1], (4,), "orientation")
    else:
        position, orientation = doubles(pose, (3,), "a pose's position"), np.array([1.0, 0.0, 0.0, 0.0])
    return c.AbutPose((ctypes.c_double * 3)(*position), (ctypes.c_double * 4)(*orientation))


def _result(raw: c.AbutCollisionResult) -> CollisionResult:
    return CollisionResult(
        OUTCOMES[raw.outcome],
        raw.scaling,
        raw.gap,
        np.array(raw.point),
        np.array(raw.normal),
        raw.error,
        raw.iterations,
    )


class Collision(OneThread):
    """Two convex shapes prepared for many queries, each of which starts from the last solution. Only one thread at a
    time may use it. A pose is a position (3,; m, world), or a pair of a position and an orientation (4,; [w, x, y,
    z])."""

    def __init__(self, a: Shape, b: Shape) -> None:
        for name, shape in (("a", a), ("b", b)):
            if len(instance(shape, Shape, name).pointers) != 1:
                raise ArgumentError(f"a shape is a union of {len(shape.pointers)} parts, not convex: use its `parts`")
        pointer = make("abut_collision_create", a.pointers[0], b.pointers[0])
        super().__init__(pointer, library.abut_collision_destroy)
        self.rows = (a.raw.n_rows, b.raw.n_rows)

    def solve(self, pose_a: PoseLike, pose_b: PoseLike, kappa: float = 0.0) -> CollisionResult:
        """Solves the query at these poses. `kappa` 0 is exact; 1e-12 to 1e-2 is on the central path, where the result
        is smooth in the poses."""
        raw = c.AbutCollisionResult()
        self.call("abut_collision_solve", byref(_pose(pose_a)), byref(_pose(pose_b)), number(kappa, "kappa"), byref(raw))
        return _result(raw)

    def solve_all(self, poses_a: Any, poses_b: Any, kappa: float = 0.0) -> npt.NDArray[Any]:
        """Solves n queries in one call; returns (n,) of dtype `abut.COLLISION`. Poses are arrays (n,) of dtype
        `abut.POSE`, or (n, 7) of position and orientation."""
        a, b = (_poses(poses) for poses in (poses_a, poses_b))
        if a.shape != b.shape:
            raise ArgumentError(f"poses_b has {len(b)} poses; it must have as many as poses_a, {len(a)}")
        out = np.zeros(len(a), dtype=COLLISION)
        handle = self.handle  # another thread may close the object meanwhile
        pointers = (ctypes.c_void_p * max(len(a), 1))(*[handle.pointer] * len(a))
        poses = (ctypes.cast(array.ctypes.data, ctypes.POINTER(c.AbutPose)) for array in (a, b))
        results = ctypes.cast(out.ctypes.data, ctypes.POINTER(c.AbutCollisionResult))
        with self.seat:
            call("abut_collision_solve_all", len(a), pointers, *poses, number(kappa, "kappa"), results)
        return out

    def gradient(self) -> CollisionGradient:
        """Returns the derivatives of the last query, which must have had kappa > 0."""
        raw = c.AbutCollisionGradient()
        self.call("abut_collision_gradient", byref(raw))
        return CollisionGradient(np.array(raw.scaling), np.array(raw.point), np.array(raw.normal))

    def gradient_rows(self, which: str) -> CollisionGradient:
        """Returns the derivatives by the rows a . p <= b of a box or polytope, `which` is "a" or "b": scaling (rows,
        4), point and normal (rows, 3, 4), by the three entries of a and by b (per m)."""
        if which not in ("a", "b"):
            raise ArgumentError(f'which is {which!r}; it must be "a" or "b"')
        index = "ab".index(which)
        raw = (c.AbutCollisionRowGradient * self.rows[index])()
        self.call("abut_collision_gradient_rows", index, raw)
        out: Any = np.frombuffer(raw, dtype=np.dtype(c.AbutCollisionRowGradient))
        return CollisionGradient(out["scaling"], out["point"], out["normal"])

    def forget(self) -> None:
        """Makes the next query start cold, so that its result depends only on its arguments."""
        with self.seat:
            library.abut_collision_forget(self.pointer)


def _poses(poses: Any) -> npt.NDArray[Any]:
    array = np.asarray(poses)
    if array.dtype != POSE:
        array = doubles(array, (len(array), 7), "poses").view(POSE).reshape(-1)
    return np.ascontiguousarray(array)


def collide(
    shape_a: Shape, pose_a: PoseLike, shape_b: Shape, pose_b: PoseLike, kappa: float = 0.0
) -> CollisionResult:
    """Solves one query; for many queries of one pair create a `Collision`. For unions, returns the result of the two
    parts with the smallest gap."""
    parts_a, parts_b = (instance(shape, Shape, name).parts for name, shape in (("shape_a", shape_a), ("shape_b", shape_b)))
    results = (Collision(a, b).solve(pose_a, pose_b, kappa) for a in parts_a for b in parts_b)
    return min(results, key=lambda result: (result.outcome == "failed", result.gap))
