"""Collision of two shapes at given poses."""

import ctypes
from ctypes import byref
from typing import Any, NamedTuple, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from ._library import call, library, make
from ._memory import Array, Owner, doubles
from ._simulation import OUTCOMES
from .errors import ArgumentError
from .shapes import Shape

POSE: "np.dtype[Any]" = np.dtype(c.AbutPose)
"""Of poses: position (3; m, world) and orientation (4; [w, x, y, z], shape to world)."""

COLLISION: "np.dtype[Any]" = np.dtype(c.AbutCollisionResult)
"""Of `Collision.solve_all`: the fields of `CollisionResult`, `outcome` as an index into `abut.OUTCOMES`."""

PoseLike = Union[Sequence[float], "tuple[Any, Any]", Array]


class CollisionResult(NamedTuple):
    """How two shapes meet."""

    outcome: str
    """ "exact", "relaxed" at the kappa asked for or where exactness was missed, "failed" (all values 0) """
    scaling: float
    """min alpha such that both shapes, scaled by it about their centres, share a point: 1 when they touch"""
    gap: float
    """m, along the normal; negative when they overlap"""
    point: Array
    """(3,) m, world: in both shapes scaled"""
    normal: Array
    """(3,) unit, world, from a to b"""
    error: float
    """of the scaling: to the bound that the normal proves, or the duality gap"""
    iterations: int


class CollisionGradient(NamedTuple):
    """First derivatives. Columns: position of a (3; m, world), rotation of a (3; rad, a's own axes), those of b, sizes
    of a (3; m), sizes of b."""

    scaling: Array
    """(18,)"""
    point: Array
    """(3, 18) m"""
    normal: Array
    """(3, 18)"""


def _pose(pose: PoseLike) -> c.AbutPose:
    """A position (3), or a pair of position (3) and orientation (4)."""
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


class Collision(Owner):
    """Two convex shapes made ready for each other, for many queries: memory, and the last solution, from which the next
    query starts. One thread at a time uses it. A pose is a position (3,; m, world) or a pair of it and an orientation
    (4,; [w, x, y, z])."""

    def __init__(self, a: Shape, b: Shape) -> None:
        for shape in (a, b):
            if len(shape.pointers) != 1:
                raise ArgumentError(f"a collision is of convex shapes; this union has {len(shape.pointers)} `parts`")
        pointer = make("abut_collision_create", a.pointers[0], b.pointers[0])
        super().__init__(pointer, library.abut_collision_destroy)
        self.rows = (a.raw.n_rows, b.raw.n_rows)

    def solve(self, pose_a: PoseLike, pose_b: PoseLike, kappa: float = 0.0) -> CollisionResult:
        """At these poses; `kappa` 0: exact; 1e-12 to 1e-2: on the central path, where the result is smooth in them."""
        raw = c.AbutCollisionResult()
        call("abut_collision_solve", self.pointer, byref(_pose(pose_a)), byref(_pose(pose_b)), kappa, byref(raw))
        return _result(raw)

    def solve_all(self, poses_a: Any, poses_b: Any, kappa: float = 0.0) -> npt.NDArray[Any]:
        """(n,) of dtype `abut.COLLISION`: n queries in one call. Poses are arrays (n,) of dtype `abut.POSE`, or (n, 7)
        of position and orientation."""
        a, b = (_poses(poses) for poses in (poses_a, poses_b))
        if a.shape != b.shape:
            raise ArgumentError(f"poses_b must have as many poses as poses_a, {len(a)}, has {len(b)}")
        out = np.zeros(len(a), dtype=COLLISION)
        pointers = (ctypes.c_void_p * max(len(a), 1))(*[self.pointer] * len(a))
        call(
            "abut_collision_solve_all",
            len(a),
            pointers,
            ctypes.cast(a.ctypes.data, ctypes.POINTER(c.AbutPose)),
            ctypes.cast(b.ctypes.data, ctypes.POINTER(c.AbutPose)),
            kappa,
            ctypes.cast(out.ctypes.data, ctypes.POINTER(c.AbutCollisionResult)),
        )
        return out

    def gradient(self) -> CollisionGradient:
        """Of the last query, which must have been one with kappa > 0."""
        raw = c.AbutCollisionGradient()
        call("abut_collision_gradient", self.pointer, byref(raw))
        return CollisionGradient(np.array(raw.scaling), np.array(raw.point), np.array(raw.normal))

    def gradient_rows(self, which: str) -> CollisionGradient:
        """The same by the rows a . p <= b of a box or polytope, `which` "a" or "b": scaling (rows, 4), point and normal
        (rows, 3, 4), by the three entries of a row's a and by its b (per m)."""
        if which not in ("a", "b"):
            raise ArgumentError(f'which must be "a" or "b", is {which!r}')
        index = "ab".index(which)
        raw = (c.AbutCollisionRowGradient * self.rows[index])()
        call("abut_collision_gradient_rows", self.pointer, index, raw)
        out: Any = np.frombuffer(raw, dtype=np.dtype(c.AbutCollisionRowGradient))
        return CollisionGradient(out["scaling"], out["point"], out["normal"])

    def forget(self) -> None:
        """The next query starts from cold: its result depends on nothing but its arguments."""
        library.abut_collision_forget(self.pointer)


def _poses(poses: Any) -> npt.NDArray[Any]:
    array = np.asarray(poses)
    if array.dtype != POSE:
        array = doubles(array, (len(array), 7), "poses").view(POSE).reshape(-1)
    return np.ascontiguousarray(array)


def collide(
    shape_a: Shape, pose_a: PoseLike, shape_b: Shape, pose_b: PoseLike, kappa: float = 0.0
) -> CollisionResult:
    """One query; for many of the same pair make a `Collision`. Of unions, the pair of parts with the smallest gap."""
    results = (
        Collision(a, b).solve(pose_a, pose_b, kappa) for a in shape_a.parts for b in shape_b.parts
    )
    return min(results, key=lambda result: (result.outcome == "failed", result.gap))
