"""One world, step by step."""

import ctypes
import os
from ctypes import byref
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, NoReturn, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from ._library import call, check, library, make
from ._memory import INT_MAX, Array, Handle, Owner, at, doubles, output, view, whole
from ._model import Model, ModelLike, as_model
from ._scene import Overrides
from .errors import ArgumentError, StepFailed, error_of

if TYPE_CHECKING:
    from ._gradients import Gradient
    from ._rollout import Rollout

OUTCOMES = [library.abut_outcome_name(i).decode() for i in range(c.ABUT_OUTCOME_COUNT)]
STATE = c.ABUT_STATE_NUMBERS
INPUT = c.ABUT_INPUT_NUMBERS

CONTACT: "np.dtype[Any]" = np.dtype(c.AbutContact)
"""Of `Simulation.contacts`: body_a, body_b, part_a, part_b; scaling; gap (m); point (3; m, world); normal (3; unit,
world, from a to b); normal_impulse (N s, on b); friction_impulse (3; N s, on b, world); torsional_impulse (N m s)."""

ITERATION: "np.dtype[Any]" = np.dtype(c.AbutIteration)
"""Of `Simulation.log`: phase (0 interior point, 1 semismooth Newton), kappa, residual, complementarity, step_length."""


class Body(NamedTuple):
    """A body's state."""

    position: Array
    """(3,) m, world: of the body frame's origin"""
    orientation: Array
    """(4,) unit quaternion [w, x, y, z], body to world"""
    linear_velocity: Array
    """(3,) m/s, world: of the centre of mass"""
    angular_velocity: Array
    """(3,) rad/s, body axes"""


class StepInfo:
    """How a step ended. That of a simulation changes with its next step; `as_dict()` keeps what it is now."""

    def __init__(self, raw: Optional[c.AbutStepInfo] = None) -> None:
        self.raw = c.AbutStepInfo() if raw is None else raw

    @property
    def outcome(self) -> str:
        """One of `abut.OUTCOMES`: "exact", "relaxed" (solved at the kappa asked for), "raised-kappa" (at a larger one:
        a failure), "failed"."""
        return str(OUTCOMES[self.raw.outcome])

    @property
    def solved(self) -> bool:
        """Exact or relaxed."""
        return bool(self.raw.outcome <= c.ABUT_OUTCOME_RELAXED)

    @property
    def exact(self) -> bool:
        """Finished to the exact solution."""
        return bool(self.raw.exact)

    @property
    def retried(self) -> bool:
        """Other starts or half steps were used: the first starts failed."""
        return bool(self.raw.retried)

    @property
    def halvings(self) -> int:
        """Levels of half steps used."""
        return int(self.raw.halvings)

    @property
    def iterations(self) -> int:
        """Newton factorisations of all tries, with the finish."""
        return int(self.raw.iterations)

    @property
    def kappa(self) -> float:
        """Where the solve ended; 0 when exact."""
        return float(self.raw.kappa)

    @property
    def residual(self) -> float:
        """Max norm of the equations at the end, dimensionless."""
        return float(self.raw.residual)

    @property
    def complementarity(self) -> float:
        """Max norm of z o s - kappa e, dimensionless."""
        return float(self.raw.complementarity)

    @property
    def max_penetration(self) -> float:
        """m, over the contacts; 0 when none overlaps."""
        return float(self.raw.max_penetration)

    @property
    def active_contacts(self) -> int:
        """Pairs of parts that were solved for."""
        return int(self.raw.active_contacts)

    def as_dict(self) -> dict[str, Any]:
        """All of AbutStepInfo but the log."""
        values = {name: getattr(self.raw, name) for name, *_ in c.AbutStepInfo._fields_ if name != "log"}
        return {**values, "outcome": self.outcome}

    def __repr__(self) -> str:
        return f"<abut.StepInfo {self.outcome}, {self.iterations} iterations, {self.active_contacts} contacts>"


class Simulation(Owner):
    """One world's motion: a state and the scratch of its steps.

        sim = abut.Simulation("experiments/scenes/cube_drop.json")
        while sim.time < 1.5:
            sim.step()
        sim.states[sim.model.body("cube"), :3]

    `threads`: that the islands of a large scene are solved on (0: one per core), with the same bits for any number.
    `log`: iterations of a step that `log` has room for. One thread at a time uses a simulation; different ones, also
    of one model, may be used at the same time, since a step holds no lock of Python's.
    """

    def __init__(self, model: ModelLike, threads: int = 1, log: int = 0, overrides: Overrides = None) -> None:
        self.model: Model = as_model(model, overrides)
        pointer = self.model.pointer
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
        self._step: Callable[..., Any] = library.abut_step
        self._arguments = (pointer, self.pointer, scratch, byref(self.info.raw))

    def close(self) -> None:
        """Lets go of state and scratch now."""
        super().close()
        self._scratch = self._start = self._inputs = None
        self._step = _closed

    def _open_arguments(self) -> tuple[Any, ...]:
        """Model, state, scratch and info, of a simulation that is not closed."""
        self.handle
        return self._arguments

    def _copied(self) -> Handle:
        state = make("abut_state_create", self.model.pointer)
        handle = Handle(state, library.abut_state_destroy, self.model.handle)
        check(library.abut_state_copy(self.model.pointer, self.pointer, state), "state")
        return handle

    # --- stepping ---

    def step(self) -> StepInfo:
        """Takes one step of the model's timestep, with `inputs`. Returns `info`. Raises `StepFailed` when it is not
        solved; the state then is as before."""
        if self._inputs is not None:
            self._push_inputs()
        status = self._step(*self._arguments)
        if status:
            check(status, "step")
        if self.info.raw.outcome == c.ABUT_OUTCOME_FAILED:
            self._fail()
        return self.info

    def steps(self, n: int, record: bool = False) -> Optional[Array]:
        """Takes `n` steps in one call of the library. With `record` returns the states after each, (n, n_bodies, 13)
        as `states`. Raises `StepFailed` at the first that is not solved."""
        n = whole(n, 1, INT_MAX, "n")
        if self._inputs is not None:
            self._push_inputs()
        states = np.empty((n, self.model.n_bodies, STATE)) if record else None
        taken = ctypes.c_int()
        model, state, scratch, info = self._open_arguments()
        into = None if states is None else at(states)
        check(library.abut_step_many(model, state, scratch, n, into, byref(taken), info), f"{n} steps")
        if self.info.raw.outcome == c.ABUT_OUTCOME_FAILED:
            self._fail()
        return states

    def differentiate(self, gradient: "Gradient") -> StepInfo:
        """`step`, to the bit, and its derivative into `gradient`, which must be of this simulation's model."""
        self._check_model(gradient, "gradient")
        if self._inputs is not None:
            self._push_inputs()
        model, state, scratch, info = self._open_arguments()
        check(library.abut_step_differentiate(model, state, scratch, gradient.pointer, info), "differentiate a step")
        if self.info.raw.outcome == c.ABUT_OUTCOME_FAILED:
            self._fail()
        return self.info

    def record(self, rollout: "Rollout") -> StepInfo:
        """`step`, to the bit, as the next step of a rollout, which must be of this simulation's model."""
        self._check_model(rollout, "rollout")
        if len(rollout) == rollout.capacity:
            raise ArgumentError(
                f"the rollout has room for {rollout.capacity} steps and holds as many; begin() forgets them"
            )
        if self._inputs is not None:
            self._push_inputs()
        _, state, scratch, info = self._open_arguments()
        check(library.abut_rollout_step(rollout.pointer, state, scratch, info), "record a step")
        if self.info.raw.outcome == c.ABUT_OUTCOME_FAILED:
            self._fail()
        return self.info

    def _check_model(self, other: Union["Gradient", "Rollout"], name: str) -> None:
        if other.model.pointer != self.model.pointer:
            raise ArgumentError(
                f"the {name} is of another Model than the simulation; make both of one, such as `simulation.model`"
            )

    def _fail(self) -> NoReturn:
        text = ctypes.create_string_buffer(512)
        library.abut_step_explain(self.model.pointer, self.pointer, byref(self.info.raw), text, len(text))
        raw = c.AbutStepInfo.from_buffer_copy(self.info.raw)
        raise StepFailed(f"the step from {self.time:g} s on: {text.value.decode()}", StepInfo(raw))

    # --- state ---

    @property
    def time(self) -> float:
        """s."""
        return float(library.abut_state_time(self.pointer))

    @property
    def energy(self) -> float:
        """J: kinetic and potential, of the moving bodies."""
        return float(library.abut_state_energy(self.model.pointer, self.pointer))

    @property
    def motion(self) -> Array:
        """(n_bodies, 13): the library's own memory, read-only, which changes with every step. Columns as of `states`,
        but the position is that of the centre of mass."""
        seen = library.abut_state_motion(self.pointer)
        return view(self.handle, seen.first, (seen.n_bodies, STATE), strides=(8 * seen.stride, 8))

    @property
    def states(self) -> Array:
        """(n_bodies, 13), written by the library into a new array: position (3; m, world, of the body frame's origin),
        orientation (4; [w, x, y, z], body to world), linear velocity (3; m/s, world, of the centre of mass), angular
        velocity (3; rad/s, body axes). Setting it starts the next step cold."""
        return self.get_states()

    @states.setter
    def states(self, values: Any) -> None:
        array = doubles(values, (self.model.n_bodies, STATE), "states")
        call("abut_state_set_bodies", self.model.pointer, self.pointer, at(array))

    def get_states(self, out: Optional[Array] = None) -> Array:
        """`states` into `out` (n_bodies, 13)."""
        out = output(out, (self.model.n_bodies, STATE))
        check(library.abut_state_get_bodies(self.model.pointer, self.pointer, at(out)), "states")
        return out

    def body(self, body: Union[int, str]) -> Body:
        """A body's state, by index or name."""
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
        """Changes what is given of a body's state; the next step starts cold. Shapes and units as of `Body`."""
        values, index = self.states, self.model.body(body)
        parts = (position, orientation, linear_velocity, angular_velocity)
        for name, part, start, stop in zip(Body._fields, parts, (0, 3, 7, 10), (3, 7, 10, 13)):
            if part is not None:
                values[index, start:stop] = doubles(part, (stop - start,), name)
        self.states = values

    @property
    def inputs(self) -> Array:
        """(n_bodies, 6), to be written into: force (3; N, world, at the centre of mass) and torque (3; N m, body axes)
        of the next steps, each of which reads it. Rows of static bodies stay zero."""
        if self._inputs is None:
            array = np.empty((self.model.n_bodies, INPUT))
            self._input_error = c.AbutError()
            self._input_arguments = (self.model.pointer, self.pointer, at(array), byref(self._input_error))
            self._inputs = array
            self._pull_inputs()
        return self._inputs

    @inputs.setter
    def inputs(self, values: Any) -> None:
        array = doubles(values, (self.model.n_bodies, INPUT), "inputs")
        self.inputs[...] = array

    def _pull_inputs(self) -> None:
        if self._inputs is not None:
            pointers = self.model.pointer, self.pointer
            check(library.abut_state_get_inputs(*pointers, at(self._inputs)), "inputs")

    def _push_inputs(self) -> None:
        status = library.abut_state_set_inputs(*self._input_arguments)
        if status:
            raise error_of(status, self._input_error)

    # --- contacts and log ---

    @property
    def contacts(self) -> npt.NDArray[Any]:
        """(n,) of dtype `abut.CONTACT`, written by the library into a new array: the pairs that the last step solved
        for, in the order of their parts; none after a step that failed."""
        model, _, scratch, _ = self._open_arguments()
        n = library.abut_contact_count(scratch)
        raw = (c.AbutContact * n)()
        check(library.abut_contact_get_all(model, scratch, raw), "contacts")
        return np.frombuffer(raw, dtype=CONTACT) if n else np.empty(0, dtype=CONTACT)

    @property
    def log(self) -> npt.NDArray[Any]:
        """(n,) of dtype `abut.ITERATION`: the iterations of the last step, a view that the next step overwrites."""
        return self._log[: self.info.raw.log.count]

    # --- snapshots ---

    def snapshot(self) -> Array:
        """The whole state as numbers, warm start and inputs included: what continues from it does so bit for bit. The
        layout is that of docs/interface.md."""
        if self._inputs is not None:
            self._push_inputs()
        out = np.empty(library.abut_state_snapshot_size(self.model.pointer, self.pointer))
        check(library.abut_state_snapshot(self.model.pointer, self.pointer, at(out)), "snapshot")
        return out

    def restore(self, snapshot: Any) -> None:
        """Goes back to a snapshot, of this model or another made from the same scene: the numbers of `snapshot()`, or
        the bytes of `snapshot_bytes()` or of a file of `save_snapshot()`, which another model refuses by the name of
        what differs."""
        if isinstance(snapshot, (bytes, bytearray, memoryview)):
            self._restore_bytes(snapshot)
        else:
            self._restore("abut_state_restore", snapshot)

    def snapshot_bytes(self) -> bytes:
        """The whole state as bytes to keep: versioned, with a checksum and what the model is. They continue bit for bit
        with the same library on the same kind of machine."""
        if self._inputs is not None:
            self._push_inputs()
        room = np.empty(library.abut_snapshot_size(self.model.pointer, self.pointer) // 8)
        call("abut_snapshot_save", self.model.pointer, self.pointer, room.nbytes, at(room))
        return room.tobytes()

    def save_snapshot(self, path: "str | os.PathLike[str]") -> None:
        """The same as a file, which is there whole or not at all."""
        if self._inputs is not None:
            self._push_inputs()
        call("abut_snapshot_write", self.model.pointer, self.pointer, os.fsencode(path))

    def load_snapshot(self, path: "str | os.PathLike[str]") -> None:
        """Goes back to the state of a file: of `save_snapshot()`, or `snapshots/step_N.abut` of a run's folder."""
        call("abut_snapshot_read", self.model.pointer, self.pointer, os.fsencode(path))
        self._pull_inputs()

    def _restore_bytes(self, snapshot: "bytes | bytearray | memoryview") -> None:
        raw = np.frombuffer(snapshot, dtype=np.uint8)
        room = np.zeros(len(raw) // 8 + 1)
        room.view(np.uint8)[: len(raw)] = raw
        call("abut_snapshot_restore", self.model.pointer, self.pointer, len(raw), at(room))
        self._pull_inputs()

    def restore_motion(self, snapshot: Any) -> None:
        """The same without the warm start: for a model of as many bodies with other masses, shapes or contacts."""
        self._restore("abut_state_restore_motion", snapshot)

    def _restore(self, function: str, snapshot: Any) -> None:
        array = doubles(snapshot, np.shape(snapshot), "snapshot").ravel()
        call(function, self.model.pointer, self.pointer, len(array), at(array))
        self._pull_inputs()

    def reset(self) -> None:
        """Back to the scene's initial state, inputs included."""
        self.handle
        assert self._start is not None
        check(library.abut_state_copy(self.model.pointer, self._start.pointer, self.pointer), "reset")
        self._pull_inputs()

    def copy(self) -> "Simulation":
        """Another simulation of the model in the same state: it continues bit for bit."""
        if self._inputs is not None:
            self._push_inputs()
        other = Simulation(self.model, log=len(self._log))
        check(library.abut_state_copy(self.model.pointer, self.pointer, other.pointer), "copy")
        return other

    # --- what single methods offer ---

    def lcp_gradient(self) -> Array:
        """Method lcp: the derivative of the last step, (12 n, 20 n) for n moving bodies (include/abut/lcp.h)."""
        n = len(self.model.moving)
        out = np.empty((c.ABUT_LCP_ROWS * n, c.ABUT_LCP_COLUMNS * n))
        model, _, scratch, _ = self._open_arguments()
        call("abut_lcp_gradient", model, scratch, at(out))
        return out

    def lcp_loss_gradient(self, loss: Any, aware: bool = False) -> tuple[Array, bool]:
        """Method lcp: a loss's gradient before the last step, (20 n,), from that after it, `loss` (12 n,); with `aware`
        also by other sets of contacts, and whether those were taken."""
        n = len(self.model.moving)
        after = doubles(loss, (c.ABUT_LCP_ROWS * n,), "loss")
        out, switched = np.empty(c.ABUT_LCP_COLUMNS * n), ctypes.c_bool()
        model, _, scratch, _ = self._open_arguments()
        call("abut_lcp_loss_gradient", model, scratch, at(after), aware, at(out), byref(switched))
        return out, switched.value

    def inverse(self, after: "Simulation") -> Array:
        """Method convex: (n_bodies, 6), the forces and torques that lead from this state in one step to the velocities
        of `after`, another simulation of the model. The contacts of this simulation's last step are lost."""
        force, torque = np.empty((2, self.model.n_bodies, 3))
        model, state, scratch, _ = self._open_arguments()
        call("abut_convex_inverse", model, scratch, state, after.pointer, at(force), at(torque))
        return np.hstack([force, torque])

    def __repr__(self) -> str:
        return f"<abut.Simulation of {', '.join(self.model.bodies)} at {self.time:g} s>"


def _closed(*_: object) -> NoReturn:
    raise ArgumentError("this Simulation is closed")
