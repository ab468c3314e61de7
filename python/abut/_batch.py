"""Many worlds of one model, stepped together on several threads."""

import ctypes
from ctypes import byref
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from ._arguments import instance
from ._library import call, check, library, make
from ._memory import INT_MAX, THREADS_MAX, Array, OneThread, at, doubles, held, output, view, whole
from ._model import Model, ModelLike, as_model
from ._scene import IntArray, Overrides
from ._records import COUPLING, JOINT, OUTCOMES, StepInfo, couplings_of, freedoms, joints_at, refuse_freedoms
from ._simulation import INPUT, STATE, Simulation
from ._stop import Listener
from .errors import ArgumentError


class Batch(OneThread):
    """`worlds` copies of the initial state of a model, stepped on `threads` threads (0: one per core). Each world moves
    bit for bit as if it were alone. Only one thread at a time may use a batch; a step releases Python's lock.

        batch = abut.Batch(model, 256)
        states = batch.states
        states[:, cube, 2] += numpy.linspace(0, 1, 256)
        batch.states = states
        batch.step(100)
    """

    def __init__(self, model: ModelLike, worlds: int, threads: int = 0, overrides: Overrides = None) -> None:
        self.model: Model = as_model(model, overrides)
        worlds, threads = whole(worlds, 1, INT_MAX, "worlds"), whole(threads, 0, THREADS_MAX, "threads")
        pointer = make("abut_batch_create", self.model.pointer, worlds, threads)
        super().__init__(pointer, library.abut_batch_destroy, self.model.handle)
        self.worlds = worlds
        self.threads: int = library.abut_batch_thread_count(pointer)
        self._inputs: Optional[Array] = None
        self._motors: Optional[Array] = None
        self._listener = Listener()

    def step(self, steps: int = 1) -> None:
        """Takes `steps` steps of every world in one call of the library. A world whose step is not solved stops there
        (`outcomes`: "failed") until `restart`; the others continue."""
        steps = whole(steps, 1, INT_MAX, "steps")
        with self.seat:
            handle = self.handle  # another thread may close the batch meanwhile
            self._push_inputs()
            library.abut_batch_set_stop(handle.pointer, self._listener.pointer())
            check(self._listener.end(library.abut_batch_step(handle.pointer, steps)), f"{steps} steps")

    @property
    def states(self) -> Array:
        """(worlds, n_bodies, 13), a new array with the columns of `Simulation.states`. Setting it sets all worlds, or
        none if a value is not possible."""
        return self.get_states()

    @states.setter
    def states(self, values: Any) -> None:
        array = doubles(values, (self.worlds, self.model.n_bodies, STATE), "states")
        self.call("abut_batch_set_states", at(array))

    def get_states(self, out: Optional[Array] = None) -> Array:
        """Writes `states` to `out` (worlds, n_bodies, 13) and returns it."""
        out = output(out, (self.worlds, self.model.n_bodies, STATE))
        with self.seat:
            check(library.abut_batch_get_states(self.pointer, at(out)), "states")
        return out

    def motion(self, world: int) -> Array:
        """Returns (n_bodies, 13) of one world: a view like `Simulation.motion`."""
        handle = self.handle
        seen = library.abut_state_motion(self._state(world))
        return view(handle, seen.first, (seen.n_bodies, STATE), strides=(8 * seen.stride, 8))

    @property
    def joints(self) -> npt.NDArray[Any]:
        """(worlds, n_joints) of dtype `abut.JOINT`, a new array with the fields of `Simulation.joints`."""
        return self.get_joints()

    def get_joints(self, out: Optional[npt.NDArray[Any]] = None) -> npt.NDArray[Any]:
        """Writes `joints` to `out` (worlds, n_joints) and returns it."""
        out = output(out, (self.worlds, len(self.model.joints)), dtype=JOINT)
        with self.seat:
            check(library.abut_batch_get_joints(self.pointer, joints_at(out)), "joints")
        return out

    @property
    def joint_positions(self) -> Array:
        """(worlds, n_freedoms), a new array: the coordinates of all joints (rad or m), in the order of joints and
        freedoms."""
        return freedoms(self.joints, "position")

    @joint_positions.setter
    def joint_positions(self, values: Any) -> None:
        refuse_freedoms("joint_positions")

    @property
    def joint_velocities(self) -> Array:
        """(worlds, n_freedoms), a new array: the rates of `joint_positions` (rad/s or m/s)."""
        return freedoms(self.joints, "velocity")

    @joint_velocities.setter
    def joint_velocities(self, values: Any) -> None:
        refuse_freedoms("joint_velocities")

    @property
    def couplings(self) -> npt.NDArray[Any]:
        """(worlds, n_couplings) of dtype `abut.COUPLING`, a new array with the fields of `Simulation.couplings`."""
        out = np.zeros((self.worlds, len(self.model.couplings)), COUPLING)
        with self.seat:
            for i, world in enumerate(out):
                couplings_of(self.model.pointer, self._state(i), world)
        return out

    @property
    def sensors(self) -> Array:
        """(worlds, n_sensor_values), a new array: the values of all sensors, as in `Simulation.get_sensors`. Those of one
        sensor are `batch.sensors[:, model.sensors[name]]`."""
        return self.get_sensors()

    def get_sensors(self, out: Optional[Array] = None) -> Array:
        """Writes `sensors` to `out` (worlds, n_sensor_values) and returns it."""
        out = output(out, (self.worlds, self.model.n_sensor_values))
        with self.seat:
            check(library.abut_batch_get_sensors(self.pointer, at(out)), "sensors")
        return out

    @property
    def inputs(self) -> Array:
        """(worlds, n_bodies, 6), writable: force at the centre of mass (3; N, world) and torque (3; N m, body axes).
        Every call of `step` reads it. Rows of static bodies must stay zero."""
        if self._inputs is None:
            self._inputs = np.empty((self.worlds, self.model.n_bodies, INPUT))
            with self.seat:
                for i, world in enumerate(self._inputs):
                    check(library.abut_state_get_inputs(self.model.pointer, self._state(i), at(world)), "inputs")
        return self._inputs

    @inputs.setter
    def inputs(self, values: Any) -> None:
        array = doubles(values, (self.worlds, self.model.n_bodies, INPUT), "inputs")
        self.inputs[...] = array

    @property
    def motors(self) -> Array:
        """(worlds, n_joints, 3), writable: the targets of the motors, as in `Simulation.motors`. Every call of `step`
        reads them."""
        if self._motors is None:
            self._motors = np.zeros((self.worlds, len(self.model.joints), c.ABUT_JOINT_FREEDOMS))
            with self.seat:
                for i, world in enumerate(self._motors):
                    check(library.abut_state_get_motors(self.model.pointer, self._state(i), at(world)), "motors")
        return self._motors

    @motors.setter
    def motors(self, values: Any) -> None:
        self.motors[...] = doubles(values, self.motors.shape, "motors")

    def _push_inputs(self) -> None:
        for kind, arrays in (("inputs", self._inputs), ("motors", self._motors)):
            if arrays is None:
                continue
            status = getattr(library, f"abut_batch_set_{kind}")(self.pointer, at(arrays))
            if status != c.ABUT_OK:
                for i, world in enumerate(arrays):  # finds the first world that refuses them
                    call(f"abut_state_set_{kind}", self.model.pointer, self._state(i), at(world))
                check(status, kind)

    def _state(self, world: int) -> Any:
        handle = self.handle
        return held(library.abut_batch_state(handle.pointer, self._index(world)), handle)

    def _index(self, world: int) -> int:
        return whole(world, 0, self.worlds - 1, "world")

    @property
    def outcomes(self) -> IntArray:
        """(worlds,): the worst outcome of each world in the last `step`, as an index into `abut.OUTCOMES`: 0 exact, 1
        relaxed, 2 raised-kappa, 3 failed."""
        out = np.empty(self.worlds, dtype=np.int32)
        with self.seat:
            check(library.abut_batch_get_outcomes(self.pointer, at(out)), "outcomes")
        return out

    @property
    def failed(self) -> IntArray:
        """Indices of the worlds that have stopped."""
        return np.flatnonzero(self.outcomes == OUTCOMES.index("failed")).astype(np.int32)

    def info(self, world: int) -> StepInfo:
        """Returns the info of the last step of a world, which may have failed."""
        raw = c.AbutStepInfo()
        with self.seat:
            status = library.abut_batch_info(self.pointer, self._index(world), byref(raw))
        check(status, f"world {world} of {self.worlds}")
        return StepInfo(raw)

    def restart(self, world: int) -> None:
        """Lets a stopped world continue, after its state has been changed."""
        with self.seat:
            status = library.abut_batch_restart(self.pointer, self._index(world))
        check(status, f"world {world} of {self.worlds}")

    def assign(self, world: int, simulation: Simulation) -> None:
        """Gives a world the whole state of a simulation of the same model, and lets it continue, bit for bit like the
        simulation. `inputs` and `motors` of the batch stay."""
        state = self._state(world)
        if instance(simulation, Simulation, "simulation").model.pointer != self.model.pointer:
            raise ArgumentError("the simulation has another Model than the batch; create it from `batch.model`")
        with self.seat, simulation.seat:
            check(library.abut_state_copy(self.model.pointer, simulation.pointer, state), "assign")
            check(library.abut_batch_restart(self.pointer, self._index(world)), "assign")

    def time(self, world: int) -> float:
        """Returns the time of a world, s."""
        return float(library.abut_state_time(self._state(world)))

    def __repr__(self) -> str:
        return f"<abut.Batch: {self.worlds} worlds on {self.threads} threads>"


assert ctypes.sizeof(ctypes.c_int) == 4  # outcomes are written as int32
