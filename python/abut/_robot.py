"""The joint space of a model: coordinates of a spanning tree, and what follows from them."""

import ctypes
from ctypes import byref
from dataclasses import dataclass
from typing import Any, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _declarations as c
from ._arguments import index_of, kind_of, number
from ._library import call, check, library, make
from ._linear import Linear, LinearSystem, output_names
from ._memory import INT_MAX, Array, Handle, OneThread, at, doubles, snapshot_numbers, whole
from ._model import ModelLike, warn
from ._scene import Overrides
from ._simulation import STATE, Simulation
from .errors import ArgumentError, error_of

FREEDOMS = c.ABUT_JOINT_FREEDOMS
OPEN = 1e-6  # m or rad: what of loops and couplings gives a warning


@dataclass(frozen=True)
class Target:
    """Where a frame on a body, or a site, shall be (inverse kinematics)."""

    on: Union[int, str]
    """a body, by index or name, or the name of a site"""
    position: Any = None
    """(3,) m, world; None: any"""
    orientation: Any = None
    """(4,) quaternion [w, x, y, z], world; None: any"""
    point: Any = (0.0, 0.0, 0.0)
    """(3,) m: the place of the frame on the body or site, whose axes it has"""


class Reach(NamedTuple):
    """The result of inverse kinematics."""

    q: Array
    """coordinates; if not reached, the nearest that were found"""
    reached: bool
    """all targets are reached to 1e-9, and loops are closed to 1e-10 (m, rad)"""
    message: str
    """what is missed; empty if reached"""
    error_m: float
    error_rad: float
    """largest distance and angle of a frame from its target"""
    violation: float
    """m or rad: largest error of loops and couplings"""
    iterations: int
    start: int
    """the start that was taken: 0 is the hint, the others are random"""


class Inverse(NamedTuple):
    """The result of inverse dynamics."""

    efforts: Array
    """(n_v,) N m or N for each entry of `Robot.qdot`; without a motor, what the motion lacks"""
    motors: Array
    """(n_motors,) the efforts of `Robot.motor_names`"""
    residual: float
    """N and N m: largest effort on a freedom without a motor"""
    exact: bool
    """the efforts make the step to rounding; where forces were found, a step with these efforts may end elsewhere, as in
    collisions"""
    found: bool
    """forces of contacts were found by a step with held rates; otherwise they are those of the step"""
    violation: float
    """m or rad: largest error of joints, loops and couplings at the end of the motion; more than 1e-9 is impossible"""
    internal: int
    """number of independent efforts of motors that only load loops and couplings, of which the smallest were chosen; 0:
    the efforts are unique, or those of the step"""


class Robot(OneThread):
    """A robot: a simulation, seen in the coordinates of its joints.

        robot = abut.Robot("experiments/scenes/double_pendulum.json")
        robot.q = [0.3, -0.2]
        robot.mass_matrix(), robot.bias(), robot.jacobian("lower", point=[0, 0, -0.5])
        robot.simulation.step()

    The spanning tree of the joints is found (include/abut/robot.h): `names` lists the coordinates, joints first, then
    the bases of trees that float. A base has the position of its body's origin and a quaternion in `q`, and the linear
    velocity of its centre of mass (world) and the angular velocity (body axes) in `qdot`. Functions that take `q` or
    `qdot` use those of the simulation if they are None. Only one thread at a time may use a robot.

    `scene` may be a simulation, with which the robot then shares its state.
    """

    def __init__(self, scene: Union[ModelLike, Simulation], overrides: Overrides = None) -> None:
        if isinstance(scene, Simulation) and overrides:
            raise ArgumentError("a Simulation already exists; pass overrides when it is created")
        if isinstance(scene, Robot):
            raise ArgumentError("a Robot already exists; pass its `simulation` to share the state, or its `model`")
        self.simulation: Simulation = scene if isinstance(scene, Simulation) else Simulation(scene, overrides=overrides)
        self.model = self.simulation.model
        super().__init__(
            make("abut_robot_create", self.model.pointer), library.abut_robot_destroy, self.model.handle
        )
        own, model = self.pointer, self.model.pointer
        n_q, n_v = library.abut_robot_coordinate_count(own), library.abut_robot_velocity_count(own)
        self.names: list[str] = [library.abut_robot_coordinate_name(own, i).decode() for i in range(n_q)]
        """names of the entries of `q`, such as "knee", "hip.0" or "torso.x\""""
        self.velocity_names: list[str] = [library.abut_robot_velocity_name(own, i).decode() for i in range(n_v)]
        """names of the entries of `qdot`"""
        self.n_loops: int = library.abut_robot_loop_count(own)
        """number of joints that close loops, whose coordinates are not in `q`"""
        self._states = [
            Handle(make("abut_state_create", model), library.abut_state_destroy, self.model.handle) for _ in range(2)
        ]
        self._motors = [
            (joint, axis)
            for joint in range(len(self.model.joints))
            for axis in range(FREEDOMS)
            if library.abut_state_get_motor(model, self._states[0].pointer, joint, axis, byref(ctypes.c_double())) == 0
        ]
        several = {joint for joint, axis in self._motors if axis > 0}
        self.motor_names: list[str] = [
            self.model.joints[joint] + (f".{axis}" if joint in several else "") for joint, axis in self._motors
        ]
        """names of the motors, in the order of `motors`"""
        self.limits: Array = np.empty((n_q, 2))
        """(n_q, 2): lower and upper limit of each entry of `q`; infinite where there is none"""
        lower, upper = np.empty(n_q), np.empty(n_q)
        check(library.abut_robot_limits(own, at(lower), at(upper)), "limits")
        self.limits[:, 0], self.limits[:, 1] = lower, upper
        self.limits.flags.writeable = False

    def _call(self, name: str, *arguments: Any) -> None:
        """Calls a function of the robot that has no AbutError argument."""
        status = getattr(library, name)(self.pointer, *arguments)
        if status != c.ABUT_OK:
            raise error_of(status, library.abut_robot_error(self.pointer).contents)

    # --- state ---

    def _read(self) -> tuple[Array, Array]:
        q, qdot = np.empty(len(self.names)), np.empty(len(self.velocity_names))
        with self.seat, self.simulation.seat:
            self._call("abut_robot_get_state", self.simulation.pointer, at(q), at(qdot))
        return q, qdot

    @property
    def q(self) -> Array:
        """(n_q,), a new array: the coordinates (rad, m, and quaternions of bases). After setting it, the next step
        starts cold."""
        return self._read()[0]

    @q.setter
    def q(self, values: Any) -> None:
        self.set(q=doubles(values, (len(self.names),), "q"))

    @property
    def qdot(self) -> Array:
        """(n_v,), a new array: the rates of the coordinates (rad/s, m/s). After setting it, the next step starts
        cold."""
        return self._read()[1]

    @qdot.setter
    def qdot(self, values: Any) -> None:
        self.set(qdot=doubles(values, (len(self.velocity_names),), "qdot"))

    def set(self, q: Any = None, qdot: Any = None) -> None:
        """Sets `q` and `qdot`, of which None stays. The velocities of the bodies are those of a step that ends with
        these rates. Coordinates that leave loops or couplings open, and coordinates beyond their limits, are set with
        a warning, because the next step closes and returns them at once: see `close_loops` and `violation`."""
        given = q is not None
        q, qdot = self._given(q, qdot)
        with self.seat, self.simulation.seat:
            self._call("abut_robot_set_state", at(q), at(qdot), self.simulation.pointer)
        outside = self.outside(q) if given else {}
        if outside:
            listed = ", ".join(f"{name} is {value:.6g}, limits {low:.6g} to {high:.6g}"
                               for name, (value, low, high) in outside.items())  # fmt: skip
            warn(f"q is beyond limits, to which the next step returns: {listed}")
        open_by = self.violation(q) if given and (self.n_loops or self.model.couplings) else 0.0
        if open_by > OPEN:
            warn(f"q leaves loops or couplings open by {open_by:.3g} m or rad, which the next step closes; "
                 "set robot.q = robot.close_loops(q).q")  # fmt: skip

    def outside(self, q: Any = None, tolerance: float = 1e-6) -> dict[str, tuple[float, float, float]]:
        """Returns the coordinates that are beyond their limits by more than the tolerance (rad, m): value, lower and
        upper limit by name. All functions accept such coordinates; inverse kinematics starts from their limits."""
        values, (lower, upper), tolerance = self._given(q)[0], self.limits.T, number(tolerance, "tolerance")
        found = np.flatnonzero((values < lower - tolerance) | (values > upper + tolerance))
        return {self.names[i]: (float(values[i]), float(lower[i]), float(upper[i])) for i in found}

    def _given(self, q: Any, qdot: Any = None) -> tuple[Array, Array]:
        """Returns q and qdot, of which those that are None are the simulation's."""
        own = self._read() if q is None or qdot is None else (None, None)
        return (
            own[0] if q is None else doubles(q, (len(self.names),), "q"),
            own[1] if qdot is None else doubles(qdot, (len(self.velocity_names),), "qdot"),
        )  # type: ignore[return-value]

    @property
    def motors(self) -> Array:
        """(n_motors,), a new array: the targets of the motors (N m, N; rad, m; or rad/s, m/s, by the type of motor)."""
        return np.array([self.simulation.motors[entry] for entry in self._motors])

    @motors.setter
    def motors(self, values: Any) -> None:
        for entry, value in zip(self._motors, doubles(values, (len(self._motors),), "motors")):
            self.simulation.motors[entry] = value

    # --- kinematics ---

    def integrate(self, qdot: Any, time: float, q: Any = None) -> Array:
        """Returns q moved by the velocities `qdot` for a time in s, as a step moves it."""
        q, qdot = self._given(q, qdot)
        out, time = np.empty(len(self.names)), number(time, "time")
        with self.seat:
            self._call("abut_robot_integrate", at(q), at(qdot), time, at(out))
        return out

    def difference(self, start: Any, end: Any) -> Array:
        """Returns (n_v,): the velocities with which `integrate` moves the coordinates `start` to `end` in 1 s."""
        first, last = (doubles(q, (len(self.names),), name) for q, name in ((start, "start"), (end, "end")))
        out = np.empty(len(self.velocity_names))
        with self.seat:
            self._call("abut_robot_difference", at(first), at(last), at(out))
        return out

    def linearise(self, kappa: Optional[float] = None) -> LinearSystem:
        """Returns the next step as a linear system x+ = A x + B u, y = C x + D u (abut.Linear). A copy takes the step;
        the simulation does not move."""
        q, qdot = self._read()
        u = self.motors
        copy = self.simulation.copy()
        linear = Linear(self.model, kappa)
        linear.step(copy)
        A, B, _ = linear.matrices()
        C, D = linear.outputs()
        q_next, qdot_next = np.empty(len(q)), np.empty(len(qdot))
        with self.seat, copy.seat:
            self._call("abut_robot_get_state", copy.pointer, at(q_next), at(qdot_next))
        return LinearSystem(A, B, C, D, q, qdot, u, q_next, qdot_next, linear.state_names, linear.input_names,
                            output_names(self.model), self.model.timestep)  # fmt: skip

    def forward(self, q: Any = None, qdot: Any = None) -> Array:
        """Returns (n_bodies, 13), with the columns of `Simulation.states`: poses of all bodies at q, and velocities by
        the derivatives of the poses."""
        q, qdot = self._given(q, qdot)
        out = np.empty((len(self.model.bodies), STATE))
        bodies = ctypes.cast(at(out), ctypes.POINTER(c.AbutBodyState))
        with self.seat:
            self._call("abut_robot_forward", at(q), at(qdot), bodies)
        return out

    def _frame(self, on: Union[int, str], point: Any) -> tuple[int, Array, Array]:
        """Returns the body of a body or site, and the place and orientation of its frame on the body."""
        place = doubles(point, (3,), "point")
        if not np.isfinite(place).all():
            raise ArgumentError(f"point must be finite, is {place.tolist()}")
        if not isinstance(on, str) or on in self.model.bodies or on not in self.model.sites:
            names = self.model.bodies + self.model.sites
            body = index_of(on, names, "body or site", "bodies and sites") if isinstance(on, str) else self.model.body(on)
            return body, place, np.array([1.0, 0.0, 0.0, 0.0])
        definition = self.model.scene.definition
        sites = ctypes.cast(definition.sites, ctypes.POINTER(c.AbutSiteDef))
        found = sites[self.model.sites.index(on)]
        if found.body < 0:
            raise ArgumentError(f"site {on!r} is fixed in the world, not on a body")
        q = np.array(found.frame.orientation)
        turned = place + 2 * np.cross(q[1:], q[0] * place + np.cross(q[1:], place))
        return found.body, np.array(found.frame.position) + turned, q

    def jacobian(self, on: Union[int, str], point: Any = (0.0, 0.0, 0.0), q: Any = None) -> Array:
        """Returns (6, n_v): the linear velocity (3) of a point, and the angular velocity (3) of its body, both in world
        axes, are this times qdot. `on` is a body or the name of a site, and `point` (m) is in its frame."""
        body, place, _ = self._frame(on, point)
        q = self._given(q)[0]
        out = np.empty((6, len(self.velocity_names)))
        with self.seat:
            self._call("abut_robot_jacobian", at(q), body, at(place), at(out))
        return out

    def inverse_kinematics(
        self, targets: Union[Target, Sequence[Target]], q: Any = None, starts: int = 20, seed: int = 0
    ) -> Reach:
        """Moves `q`, or the simulation's, to where frames are at their targets, with loops closed and limits kept. Does
        not change the simulation: `robot.q = reach.q`. Bases move too, unless a target holds them.

        If the targets are not reached from q, tries random coordinates of the joints within their limits, up to
        `starts` starts in all; the same `seed` gives the same ones. With `starts=1`, the result is always near q."""
        listed = [targets] if isinstance(targets, Target) else targets
        if not isinstance(listed, (list, tuple)) or not all(isinstance(target, Target) for target in listed):
            raise ArgumentError(f"targets must be an abut.Target or a list of them, is {targets!r}")
        starts, seed = whole(starts, 1, INT_MAX, "starts"), whole(seed, -INT_MAX - 1, INT_MAX, "seed")
        if not listed:
            raise ArgumentError("targets is empty; give at least one Target, or use close_loops() to close loops only")
        raw = (c.AbutRobotTarget * len(listed))()
        for i, (entry, target) in enumerate(zip(raw, listed)):
            if target.position is None and target.orientation is None:
                raise ArgumentError(f"target {i} ({target.on}) asks for nothing; give position, orientation or both")
            entry.body, place, turn = self._frame(target.on, target.point)
            entry.name = str(target.on).encode() if target.on in self.model.sites else None
            entry.frame.position[:], entry.frame.orientation[:] = place, turn
            entry.place, entry.turn = target.position is not None, target.orientation is not None
            entry.position[:] = doubles((0, 0, 0) if target.position is None else target.position, (3,), "position")
            given = (1, 0, 0, 0) if target.orientation is None else target.orientation
            entry.orientation[:] = doubles(given, (4,), "orientation")
        return self._reach("abut_robot_search", q, len(listed), raw, starts, seed)

    def close_loops(self, q: Any = None) -> Reach:
        """Returns the nearest q with loops and couplings closed. Does not change the simulation."""
        return self._reach("abut_robot_close", q)

    def violation(self, q: Any = None) -> float:
        """Returns the largest error of loops and couplings at q, in m or rad; 0 without any."""
        q, out = self._given(q)[0], ctypes.c_double()
        with self.seat:
            call("abut_robot_violation", self.pointer, at(q), byref(out))
        return out.value

    def _reach(self, name: str, q: Any, *arguments: Any) -> Reach:
        out, info, error = self._given(q)[0].copy(), c.AbutRobotReach(), c.AbutError()
        with self.seat:
            status = getattr(library, name)(self.pointer, *arguments, at(out), byref(info), byref(error))
        if status not in (c.ABUT_OK, c.ABUT_ERROR_NUMERICAL):
            raise error_of(status, error)
        message = "" if status == c.ABUT_OK else error.message.decode()
        return Reach(out, not message, message, info.error_m, info.error_rad, info.violation, info.iterations, info.start)

    # --- dynamics ---

    def mass_matrix(self, q: Any = None) -> Array:
        """Returns (n_v, n_v): the mass matrix, armature included."""
        q = self._given(q)[0]
        out = np.empty((len(self.velocity_names),) * 2)
        with self.seat:
            self._call("abut_robot_mass_matrix", at(q), at(out))
        return out

    def bias(self, q: Any = None, qdot: Any = None) -> Array:
        """Returns (n_v,): the efforts of Coriolis and centrifugal forces and against gravity (N m, N). Springs and
        dampers of joints are not included."""
        q, qdot = self._given(q, qdot)
        out = np.empty(len(self.velocity_names))
        with self.seat:
            self._call("abut_robot_bias", at(q), at(qdot), at(out))
        return out

    def inverse_dynamics(self, qdot: Any = None, before: Any = None) -> Inverse:
        """Returns the efforts that make a step, exactly in discrete time, also on the ground.

        With `before`, a snapshot taken before the last step: those of the step to the simulation's state. With `qdot`:
        those of a step from the simulation's state that ends with these rates; forces of contacts that the motion
        leaves open are then found by a step (include/abut/robot.h)."""
        if (qdot is None) == (before is None):
            raise ArgumentError("give either qdot, wanted at the end of a step, or before, a snapshot")
        model, states = self.model.pointer, [handle.pointer for handle in self._states]
        out, info = np.empty(len(self.velocity_names)), c.AbutRobotInverse()
        motors = np.zeros((len(self.model.joints), FREEDOMS))
        with self.seat, self.simulation.seat:
            if before is None:
                first, last = self.simulation.pointer, states[1]
                wanted = doubles(qdot, out.shape, "qdot")
                self._call("abut_robot_advance", first, at(wanted), last)
            else:
                first, last = states[0], self.simulation.pointer
                numbers = snapshot_numbers(before, "before")
                call("abut_state_restore", model, first, len(numbers), at(numbers))
            call("abut_robot_inverse_motors", self.pointer, first, last, at(out), at(motors), byref(info))
        listed = np.array([motors[entry] for entry in self._motors])
        return Inverse(out, listed, info.residual, info.exact, info.found, info.violation, info.internal)

    def __repr__(self) -> str:
        return f"<abut.Robot: {', '.join(self.names)}>"
