"""What a step reports: its outcome, and contacts, joints and couplings after it."""

import ctypes
from typing import Any, NamedTuple, NoReturn, Optional

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from ._library import check, library
from ._memory import Array, at
from .errors import ArgumentError

OUTCOMES = [library.abut_outcome_name(i).decode() for i in range(c.ABUT_OUTCOME_COUNT)]

CONTACT: "np.dtype[Any]" = np.dtype(c.AbutContact)
"""The type of `Simulation.contacts`: body_a, body_b, part_a, part_b; scaling; gap (m); point (3; m, world); normal (3;
unit, world, from a to b); normal_impulse (N s, on b); friction_impulse (3; N s, on b, world); torsional_impulse (N m
s)."""

JOINT: "np.dtype[Any]" = np.dtype(c.AbutJointState)
"""The type of `Simulation.joints`. For each joint: n_axes, its number of freedoms; for each of its freedoms, and 0 for
those that it does not have: position (3; rad or m, angles not wrapped), velocity (3; rad/s or m/s), limit_effort,
friction_effort, motor_effort (3 each; N m or N, on the coordinate); of the constraints on the child, in world axes
about the child's anchor: force (3; N), torque (3; N m); violation_m, violation_rad, the largest errors of the held
freedoms; limit_violation (rad or m). Forces and efforts are means over the last step. The order of the freedoms is that
of docs/interface.md, "Joints"."""

COUPLING: "np.dtype[Any]" = np.dtype(c.AbutCouplingState)
"""The type of `Simulation.couplings`. For each coupling q_a = ratio q_b + offset: effort (N m or N, on q_a; -ratio
times as large on q_b; mean over the last step); violation (rad or m), |q_a - ratio q_b - offset|."""

ITERATION: "np.dtype[Any]" = np.dtype(c.AbutIteration)
"""The type of `Simulation.log`: phase (0 interior point, 1 semismooth Newton), kappa, residual, complementarity,
step_length."""


class Body(NamedTuple):
    """The state of a body."""

    position: Array
    """(3,) m, world: origin of the body frame"""
    orientation: Array
    """(4,) unit quaternion [w, x, y, z], body to world"""
    linear_velocity: Array
    """(3,) m/s, world: velocity of the centre of mass"""
    angular_velocity: Array
    """(3,) rad/s, body axes"""


class Joint(NamedTuple):
    """The state of a joint after a step, with its number of freedoms, n. Forces and efforts are means over the step."""

    position: Array
    """(n,) rad or m: coordinates; angles are not wrapped"""
    velocity: Array
    """(n,) rad/s or m/s"""
    limit_effort: Array
    """(n,) N m or N, on the coordinate"""
    friction_effort: Array
    """(n,) N m or N, on the coordinate"""
    motor_effort: Array
    """(n,) N m or N, on the coordinate"""
    force: Array
    """(3,) N, world: of the constraints on the child, at its anchor"""
    torque: Array
    """(3,) N m, world: of the constraints on the child, about its anchor"""


def joints_at(out: npt.NDArray[Any]) -> Any:
    """Returns the pointer to an array of joints."""
    return ctypes.cast(at(out), ctypes.POINTER(c.AbutJointState))


def couplings_of(model: Any, state: Any, out: npt.NDArray[Any]) -> None:
    """Writes the couplings of a state to `out` (n_couplings,) of dtype COUPLING."""
    rows = ctypes.cast(at(out), ctypes.POINTER(c.AbutCouplingState))
    for i in range(len(out)):
        check(library.abut_coupling_get(model, state, i, ctypes.byref(rows[i])), "couplings")


def refuse_freedoms(name: str) -> NoReturn:
    """Refuses to set coordinates or rates of joints, which follow from the states of the bodies."""
    raise ArgumentError(
        f"{name} follow from the states of the bodies and cannot be set; "
        "set states = model.states_at({NAME: position}, {NAME: velocity}), or q and qdot of abut.Robot(simulation)"
    )


def freedoms(joints: npt.NDArray[Any], field: str) -> Array:
    """Returns a field of (..., n_joints) joints for their freedoms alone, (..., n_freedoms)."""
    has = np.arange(c.ABUT_JOINT_FREEDOMS) < joints[(0,) * (joints.ndim - 1)]["n_axes"][:, None]
    out: Array = joints[field][..., has]
    return out


class StepInfo:
    """The outcome of a step. The next step of the simulation overwrites it; `as_dict()` makes a copy."""

    def __init__(self, raw: Optional[c.AbutStepInfo] = None) -> None:
        self.raw = c.AbutStepInfo() if raw is None else raw

    @property
    def outcome(self) -> str:
        """One of `abut.OUTCOMES`: "exact", "relaxed" (solved at the requested kappa), "raised-kappa" (solved only at a
        larger kappa, which is a failure), "failed"."""
        return str(OUTCOMES[self.raw.outcome])

    @property
    def solved(self) -> bool:
        """Whether the outcome is exact or relaxed."""
        return bool(self.raw.outcome <= c.ABUT_OUTCOME_RELAXED)

    @property
    def exact(self) -> bool:
        """Whether the step was refined to the exact solution."""
        return bool(self.raw.exact)

    @property
    def retried(self) -> bool:
        """Whether the first starts failed, so that other starts or half steps were used."""
        return bool(self.raw.retried)

    @property
    def halvings(self) -> int:
        """Number of times the step was halved."""
        return int(self.raw.halvings)

    @property
    def iterations(self) -> int:
        """Newton factorisations of all tries, including the refinement."""
        return int(self.raw.iterations)

    @property
    def kappa(self) -> float:
        """kappa at the end of the solve; 0 if exact."""
        return float(self.raw.kappa)

    @property
    def residual(self) -> float:
        """Maximum norm of the equations at the end, dimensionless."""
        return float(self.raw.residual)

    @property
    def complementarity(self) -> float:
        """Maximum norm of z o s - kappa e, dimensionless."""
        return float(self.raw.complementarity)

    @property
    def max_penetration(self) -> float:
        """Largest penetration of a contact, m; 0 if none overlaps."""
        return float(self.raw.max_penetration)

    @property
    def active_contacts(self) -> int:
        """Number of pairs of parts in the equations."""
        return int(self.raw.active_contacts)

    @property
    def joint_violation(self) -> float:
        """Largest error of a freedom that a joint holds, in m or rad; 0 without joints."""
        return float(max(self.raw.joint_violation_m, self.raw.joint_violation_rad))

    @property
    def limit_violation(self) -> float:
        """Largest overshoot of a joint's limit, in m or rad; 0 if there is none."""
        return float(self.raw.limit_violation)

    def as_dict(self) -> dict[str, Any]:
        """Returns all fields of AbutStepInfo except the log."""
        values = {name: getattr(self.raw, name) for name, *_ in c.AbutStepInfo._fields_ if name != "log"}
        return {**values, "outcome": self.outcome}

    def __repr__(self) -> str:
        return f"<abut.StepInfo {self.outcome}, {self.iterations} iterations, {self.active_contacts} contacts>"
