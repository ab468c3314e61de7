"""One world, step by step."""

import ctypes
import os
from contextlib import nullcontext
from ctypes import byref
from threading import get_ident
from typing import TYPE_CHECKING, Any, Callable, NoReturn, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from ._arguments import instance, kind_of, path as path_of
from ._library import call, check, library, make
from ._memory import INT_MAX, THREADS_MAX, Array, Handle, OneThread, at, doubles, output, snapshot_numbers, view, whole
from ._model import Model, ModelLike, as_model
from ._records import CONTACT, COUPLING, ITERATION, JOINT, Body, Joint, StepInfo, couplings_of, freedoms, joints_at, refuse_freedoms
from ._scene import Overrides
from ._stop import Listener, in_main, main
from .errors import ArgumentError, StepFailed, error_of

if TYPE_CHECKING:
    from ._gradients import Gradient
    from ._linear import Linear
    from ._rollout import Rollout

STATE = c.ABUT_STATE_NUMBERS
INPUT = c.ABUT_INPUT_NUMBERS
FAILED = c.ABUT_OUTCOME_FAILED


class Simulation(OneThread):
    """The motion of one world: a state, and the scratch memory of its steps.

        sim = abut.Simulation("experiments/scenes/cube_drop.json")
        while sim.time < 1.5:
            sim.step()
        sim.states[sim.model.body("cube"), :3]

    `threads`: number of threads that solve the islands of a large scene (0: one per core); the bits do not depend on
    it. `log`: number of iterations per step that the log can hold. Only one thread at a time may use a simulation.
    Several simulations, also of one model, may run at the same time, since a step releases Python's lock.
    """

    def __init__(self, model: ModelLike, threads: int = 1, log: int = 0, overrides: Overrides = None) -> None:
        self.model: Model = as_model(model, overrides)
        threads, log = whole(threads, 0, THREADS_MAX, "threads"), whole(log, 0, INT_MAX, "log")
        pointer = self.model.handle.pointer
        super().__init__(make("abut_state_create", pointer), library.abut_state_destroy, self.model.handle)
        scratch = make("abut_workspace_create_threaded", pointer, threads)
        self._scratch: Optional[Handle] = Handle(scratch, library.abut_workspace_destroy, self.model.handle)
        self._start: Optional[Handle] = None
        self._start = self._copied()
        self.info = StepInfo()
        self._log = np.zeros(log, dtype=ITERATION)
        self.info.raw.log.entries = ctypes.cast(self._log.ctypes.data, ctypes.POINTER(c.AbutIteration)) if log else None
        self.info.raw.log.capacity = log
        self._inputs: Optional[Array] = None
        self._motors: Optional[Array] = None
        self._listener, self._attended = Listener(), False
        self._step: Callable[..., Any] = library.abut_step
        self._arguments = (pointer, self.handle.pointer, scratch, byref(self.info.raw))
        self._handles: tuple[Any, ...] = (self.model.handle, self.handle, self._scratch)
        self._free = self.seat.free
        self._attend()

    def close(self) -> None:
        """Releases state and scratch memory now."""
        self._step = _closed  # first: a step in another thread that finds no handles must not call the library
        super().close()
        self._scratch = self._start = self._inputs = self._motors = None
        self._handles = ()

    def _open_arguments(self) -> tuple[Any, ...]:
        """Returns model, state, scratch and info of a simulation that is not closed, and the handles that keep them
        alive: another thread may close the simulation meanwhile."""
        handles = self._handles
        self.handle
        return (*self._arguments, handles)

    def _copied(self) -> Handle:
        state = make("abut_state_create", self.model.pointer)
        handle = Handle(state, library.abut_state_destroy, self.model.handle)
        check(library.abut_state_copy(self.model.pointer, self.pointer, state), "state")
        return handle

    # --- stepping ---

    def step(self) -> StepInfo:
        """Takes one step with the model's timestep and `inputs`, and returns `info`. Raises `StepFailed` if it is not
        solved; the state is then unchanged."""
        free, handles = self._free, self._handles  # another thread may close the simulation meanwhile
        try:  # as `with self.seat`, but faster
            free.pop()
        except IndexError:
            self.seat.demand()
        try:
            if self._inputs is not None or self._motors is not None:
                self._push_inputs()
            if (get_ident() == main[0]) is not self._attended:  # as in_main(), but faster
                self._attend()
            status = self._step(*self._arguments)
        finally:
            free.append(True)
        del handles
        if status:
            check(self._listener.end(status), "step")
        info = self.info
        if info.raw.outcome == FAILED:
            self._fail()
        return info

    def _attend(self) -> None:
        """Lets signals end steps if this is the main thread."""
        attended = in_main()
        if attended != self._attended:
            library.abut_workspace_set_stop(self._arguments[2], self._listener.pointer())
            self._attended = attended

    def steps(self, n: int, record: bool = False) -> Optional[Array]:
        """Takes `n` steps in one call of the library. With `record`, returns the states after each step, (n, n_bodies,
        13), with the columns of `states`. Raises `StepFailed` at the first step that is not solved."""
        n = whole(n, 1, INT_MAX, "n")
        states = np.empty((n, self.model.n_bodies, STATE)) if record else None
        into, taken = None if states is None else at(states), ctypes.c_int()
        with self.seat:
            model, state, scratch, info, handles = self._open_arguments()
            self._begin()
            status = library.abut_step_many(model, state, scratch, n, into, byref(taken), info)
            del handles
        check(self._listener.end(status), f"{n} steps")
        self._checked()
        return states

    def _begin(self) -> None:
        """Prepares a call that takes steps."""
        self._push_inputs()
        self._attend()

    def differentiate(self, gradient: "Gradient") -> StepInfo:
        """Takes a step with the bits of `step`, and stores its derivative in `gradient`, which must have the same
        model."""
        self._check_model(gradient, "gradient")
        with self.seat, gradient.seat:
            model, state, scratch, info, handles = self._open_arguments()
            self._begin()
            status = library.abut_step_differentiate(model, state, scratch, gradient.pointer, info)
            del handles
        check(self._listener.end(status), "differentiate a step")
        return self._checked()

    def _linearise(self, linear: "Linear") -> StepInfo:
        """Takes a step with the bits of `step`, and stores its derivative in `linear` (abut.Linear.step)."""
        self._check_model(linear, "linear")
        with self.seat, linear.seat:
            _, state, scratch, info, handles = self._open_arguments()
            self._begin()
            status = library.abut_linear_step(linear.pointer, state, scratch, info)
            del handles
        check(self._listener.end(status), "linearise a step")
        return self._checked()

    def record(self, rollout: "Rollout") -> StepInfo:
        """Takes a step with the bits of `step`, and records it in `rollout`, which must have the same model."""
        self._check_model(rollout, "rollout")
        if len(rollout) == rollout.capacity:
            raise ArgumentError(
                f"the rollout is full: it holds {rollout.capacity} steps; begin() discards them"
            )
        with self.seat, rollout.seat:
            _, state, scratch, info, handles = self._open_arguments()
            self._begin()
            status = library.abut_rollout_step(rollout.pointer, state, scratch, info)
            del handles
        check(self._listener.end(status), "record a step")
        return self._checked()

    def _check_model(self, other: Union["Gradient", "Linear", "Rollout"], name: str) -> None:
        if not hasattr(other, "model"):
            raise ArgumentError(f"the {name} must be an abut.{name.capitalize()}, is {kind_of(other)}")
        if other.model.pointer != self.model.pointer:
            raise ArgumentError(
                f"the {type(other).__name__} has another Model than the simulation; create it from `simulation.model`"
            )

    def _checked(self) -> StepInfo:
        """Returns `info`, unless the step failed."""
        if self.info.raw.outcome == FAILED:
            self._fail()
        return self.info

    def _fail(self) -> NoReturn:
        text = ctypes.create_string_buffer(512)
        library.abut_step_explain(self.model.pointer, self.pointer, byref(self.info.raw), text, len(text))
        raw = c.AbutStepInfo.from_buffer_copy(self.info.raw)
        raise StepFailed(f"the step beginning at {self.time:g} s: {text.value.decode()}", StepInfo(raw))

    # --- state ---

    @property
    def time(self) -> float:
        """Time, s."""
        return float(library.abut_state_time(self.pointer))

    @property
    def energy(self) -> float:
        """Kinetic and potential energy of the moving bodies, and energy of the springs and rotors of joints, J."""
        with self.seat:
            return float(library.abut_state_energy(self.model.pointer, self.pointer))

    @property
    def motion(self) -> Array:
        """(n_bodies, 13): read-only view of the library's memory, which changes with every step. Columns of `states`,
        but with the position of the centre of mass."""
        handle = self.handle
        seen = library.abut_state_motion(handle.pointer)
        return view(handle, seen.first, (seen.n_bodies, STATE), strides=(8 * seen.stride, 8))

    @property
    def states(self) -> Array:
        """(n_bodies, 13), a new array: position of the body frame's origin (3; m, world), orientation (4; [w, x, y, z],
        body to world), linear velocity of the centre of mass (3; m/s, world), angular velocity (3; rad/s, body axes).
        After setting it, the next step starts cold."""
        return self.get_states()

    @states.setter
    def states(self, values: Any) -> None:
        array = doubles(values, (self.model.n_bodies, STATE), "states")
        with self.seat:
            call("abut_state_set_bodies", self.model.pointer, self.pointer, at(array))

    def get_states(self, out: Optional[Array] = None) -> Array:
        """Writes `states` to `out` (n_bodies, 13) and returns it."""
        out = output(out, (self.model.n_bodies, STATE))
        with self.seat:
            check(library.abut_state_get_bodies(self.model.pointer, self.pointer, at(out)), "states")
        return out

    def body(self, body: Union[int, str]) -> Body:
        """Returns the state of a body, given by index or name."""
        row = self.states[self.model.body(body)]
        return Body(row[:3], row[3:7], row[7:10], row[10:])

    def set_body(
        self,
        body: Union[int, str],
        position: Any = None,
        orientation: Any = None,
        linear_velocity: Any = None,
        angular_velocity: Any = None,
    ) -> None:
        """Sets the given parts of a body's state, with shapes and units of `Body`. The next step starts cold."""
        values, index = self.states, self.model.body(body)
        parts = (position, orientation, linear_velocity, angular_velocity)
        for name, part, start, stop in zip(Body._fields, parts, (0, 3, 7, 10), (3, 7, 10, 13)):
            if part is not None:
                values[index, start:stop] = doubles(part, (stop - start,), name)
        self.states = values

    @property
    def inputs(self) -> Array:
        """(n_bodies, 6), writable: force at the centre of mass (3; N, world) and torque (3; N m, body axes). Every step
        reads it. Rows of static bodies must stay zero."""
        if self._inputs is None:
            array = np.empty((self.model.n_bodies, INPUT))
            self._input_error = c.AbutError()
            self._input_arguments = (*self._arguments[:2], at(array), byref(self._input_error))
            self._inputs = array
            with self.seat:
                self._pull_inputs()
        return self._inputs

    @inputs.setter
    def inputs(self, values: Any) -> None:
        array = doubles(values, (self.model.n_bodies, INPUT), "inputs")
        self.inputs[...] = array

    @property
    def motors(self) -> Array:
        """(n_joints, 3), writable: the target of the motor on each freedom (N m or N of a force motor; rad or m of a
        position motor; rad/s or m/s of a velocity motor). They begin as those of the scene, and every step reads them.
        Entries without a motor must stay zero."""
        if self._motors is None:
            array = np.zeros((len(self.model.joints), c.ABUT_JOINT_FREEDOMS))
            self._motor_error = c.AbutError()
            self._motor_arguments = (*self._arguments[:2], at(array), byref(self._motor_error))
            self._motors = array
            with self.seat:
                self._pull_inputs()
        return self._motors

    @motors.setter
    def motors(self, values: Any) -> None:
        self.motors[...] = doubles(values, (len(self.model.joints), c.ABUT_JOINT_FREEDOMS), "motors")

    def _pull_inputs(self) -> None:
        pointers = self.model.pointer, self.pointer
        if self._inputs is not None:
            check(library.abut_state_get_inputs(*pointers, at(self._inputs)), "inputs")
        if self._motors is not None:
            check(library.abut_state_get_motors(*pointers, at(self._motors)), "motors")

    def _push_inputs(self) -> None:
        handles = self._handles
        self.handle
        if self._inputs is not None:
            status = library.abut_state_set_inputs(*self._input_arguments)
            if status:
                raise error_of(status, self._input_error)
        if self._motors is not None:
            status = library.abut_state_set_motors(*self._motor_arguments)
            if status:
                raise error_of(status, self._motor_error)
        del handles

    # --- contacts, joints, couplings, sensors and log ---

    @property
    def contacts(self) -> npt.NDArray[Any]:
        """(n,) of dtype `abut.CONTACT`, a new array: the contacts in the equations of the last step, in the order of
        their parts; empty after a failed step."""
        with self.seat:
            model, _, scratch, _, handles = self._open_arguments()
            n = library.abut_contact_count(scratch)
            raw = (c.AbutContact * n)()
            check(library.abut_contact_get_all(model, scratch, raw), "contacts")
        return np.frombuffer(raw, dtype=CONTACT) if n else np.empty(0, dtype=CONTACT)

    @property
    def joints(self) -> npt.NDArray[Any]:
        """(n_joints,) of dtype `abut.JOINT`, a new array: coordinates, rates, reactions and efforts of the joints, in
        the order of `model.joints`. Forces and efforts are 0 before the first step."""
        return self.get_joints()

    def get_joints(self, out: Optional[npt.NDArray[Any]] = None) -> npt.NDArray[Any]:
        """Writes `joints` to `out` (n_joints,) and returns it."""
        out = output(out, (len(self.model.joints),), dtype=JOINT)
        with self.seat:
            check(library.abut_joint_get_all(self.model.pointer, self.pointer, joints_at(out)), "joints")
        return out

    def joint(self, joint: Union[int, str]) -> Joint:
        """Returns the state of a joint, given by index or name."""
        row = self.joints[self.model.joint(joint)]
        of_freedoms = {name: row[name][: row["n_axes"]] for name in Joint._fields[:5]}
        return Joint(**of_freedoms, force=row["force"], torque=row["torque"])

    @property
    def joint_positions(self) -> Array:
        """(n_freedoms,), a new array: the coordinates of all joints (rad or m), in the order of joints and freedoms."""
        return freedoms(self.joints, "position")

    @joint_positions.setter
    def joint_positions(self, values: Any) -> None:
        refuse_freedoms("joint_positions")

    @property
    def joint_velocities(self) -> Array:
        """(n_freedoms,), a new array: the rates of `joint_positions` (rad/s or m/s)."""
        return freedoms(self.joints, "velocity")

    @joint_velocities.setter
    def joint_velocities(self, values: Any) -> None:
        refuse_freedoms("joint_velocities")

    @property
    def couplings(self) -> npt.NDArray[Any]:
        """(n_couplings,) of dtype `abut.COUPLING`, a new array: efforts and violations of the couplings in the last
        step, in the order of `model.couplings`; 0 before the first step."""
        out = np.zeros(len(self.model.couplings), COUPLING)
        with self.seat:
            couplings_of(self.model.pointer, self.pointer, out)
        return out

    @property
    def sensors(self) -> dict[str, Array]:
        """For each sensor, by name, an array of its values in SI units, all views of one new array. Poses, velocities
        and coordinates are those of the present state, other values means over the last step, 0 before the first one.
        `model.sensor_channels(name)` names them."""
        values = self.get_sensors()
        return {name: values[columns] for name, columns in self.model.sensors.items()}

    def get_sensors(self, out: Optional[Array] = None) -> Array:
        """Writes the values of all sensors to `out` (n_sensor_values,) and returns it; `model.sensors` has the columns
        of each sensor."""
        out = output(out, (self.model.n_sensor_values,))
        with self.seat:
            check(library.abut_sensor_get_all(self.model.pointer, self.pointer, at(out)), "sensors")
        return out

    @property
    def log(self) -> npt.NDArray[Any]:
        """(n,) of dtype `abut.ITERATION`: iterations of the last step, a view that the next step overwrites."""
        return self._log[: self.info.raw.log.count]

    # --- snapshots ---

    def snapshot(self) -> Array:
        """Returns the whole state as numbers, including warm start and inputs. A simulation continues from it bit for
        bit. docs/interface.md describes the layout."""
        with self.seat:
            self._push_inputs()
            out = np.empty(library.abut_state_snapshot_size(self.model.pointer, self.pointer))
            check(library.abut_state_snapshot(self.model.pointer, self.pointer, at(out)), "snapshot")
        return out

    def restore(self, snapshot: Any) -> None:
        """Restores a snapshot of this model, or of another model made from the same scene: the numbers of `snapshot()`,
        or the bytes of `snapshot_bytes()` or of a file of `save_snapshot()`. For bytes of another model, the error
        names what differs."""
        if not isinstance(snapshot, (bytes, bytearray, memoryview)):
            self._restore("abut_state_restore", snapshot)
            return
        raw = np.frombuffer(snapshot, dtype=np.uint8)
        room = np.zeros(len(raw) // 8 + 1)
        room.view(np.uint8)[: len(raw)] = raw
        self._replace("abut_snapshot_restore", len(raw), at(room))

    def snapshot_bytes(self) -> bytes:
        """Returns the whole state as bytes to save, with version, checksum and a description of the model. A simulation
        continues from them bit for bit, with the same library on the same kind of machine."""
        with self.seat:
            self._push_inputs()
            room = np.empty(library.abut_snapshot_size(self.model.pointer, self.pointer) // 8)
            call("abut_snapshot_save", self.model.pointer, self.pointer, room.nbytes, at(room))
        return room.tobytes()

    def save_snapshot(self, path: "str | os.PathLike[str]") -> None:
        """Saves `snapshot_bytes()` to a file, which is complete or not written at all."""
        with self.seat:
            self._push_inputs()
            call("abut_snapshot_write", self.model.pointer, self.pointer, os.fsencode(path_of(path, "path")))

    def load_snapshot(self, path: "str | os.PathLike[str]") -> None:
        """Restores the state in a file: of `save_snapshot()`, or `snapshots/step_N.abut` in the folder of a run."""
        self._replace("abut_snapshot_read", os.fsencode(path_of(path, "path")))

    def restore_motion(self, snapshot: Any) -> None:
        """Restores only the motion, not the warm start: for a model with the same number of bodies but other masses,
        shapes, contacts or springs of joints."""
        self._restore("abut_state_restore_motion", snapshot)

    def _restore(self, function: str, snapshot: Any) -> None:
        array = snapshot_numbers(snapshot, "snapshot")
        self._replace(function, len(array), at(array))

    def _replace(self, function: str, *arguments: Any) -> None:
        """Calls a function that replaces the state."""
        with self.seat:
            call(function, self.model.pointer, self.pointer, *arguments)
            self._pull_inputs()

    def reset(self) -> None:
        """Restores the initial state of the scene, including inputs and targets of motors."""
        self.handle
        assert self._start is not None
        with self.seat:
            check(library.abut_state_copy(self.model.pointer, self._start.pointer, self.pointer), "reset")
            self._pull_inputs()

    def copy(self) -> "Simulation":
        """Returns another simulation of the model in the same state. It continues bit for bit."""
        other = Simulation(self.model, log=len(self._log))
        with self.seat:
            self._push_inputs()
            check(library.abut_state_copy(self.model.pointer, self.pointer, other.pointer), "copy")
        return other

    # --- functions of single methods ---

    def lcp_gradient(self) -> Array:
        """Method lcp: returns the derivative of the last step, (12 n, 20 n) for n moving bodies
        (include/abut/lcp.h)."""
        n = len(self.model.moving)
        out = np.empty((c.ABUT_LCP_ROWS * n, c.ABUT_LCP_COLUMNS * n))
        with self.seat:
            model, _, scratch, _, handles = self._open_arguments()
            call("abut_lcp_gradient", model, scratch, at(out))
        return out

    def lcp_loss_gradient(self, loss: Any, aware: bool = False) -> tuple[Array, bool]:
        """Method lcp: returns the gradient of a loss before the last step, (20 n,), from its gradient after it, `loss`
        (12 n,); and whether another set of contacts was used, which only `aware` allows."""
        n = len(self.model.moving)
        after = doubles(loss, (c.ABUT_LCP_ROWS * n,), "loss")
        out, switched = np.empty(c.ABUT_LCP_COLUMNS * n), ctypes.c_bool()
        with self.seat:
            model, _, scratch, _, handles = self._open_arguments()
            call("abut_lcp_loss_gradient", model, scratch, at(after), aware, at(out), byref(switched))
        return out, switched.value

    def inverse(self, after: "Simulation") -> Array:
        """Method convex: returns (n_bodies, 6), the forces and torques that lead from this state in one step to the
        velocities of `after`, another simulation of the model. Discards the contacts of this simulation."""
        force, torque = np.empty((2, self.model.n_bodies, 3))
        instance(after, Simulation, "after")
        other: Any = nullcontext() if after is self else after.seat
        with self.seat, other:
            model, state, scratch, _, handles = self._open_arguments()
            call("abut_convex_inverse", model, scratch, state, after.pointer, at(force), at(torque))
        return np.hstack([force, torque])

    def __repr__(self) -> str:
        return f"<abut.Simulation of {', '.join(self.model.bodies)} at {self.time:g} s>"


def _closed(*_: object) -> NoReturn:
    raise ArgumentError("this Simulation is closed")
