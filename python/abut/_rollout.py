"""The derivative of a whole rollout."""

from ctypes import byref
from typing import Any, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _declarations as c
from ._arguments import instance, number
from ._gradients import ROWS
from ._library import call, library, make
from ._memory import INT_MAX, Array, Handle, OneThread, at, doubles, whole
from ._model import Model, ModelLike, Parameter, as_model, raw_parameters
from ._records import StepInfo
from ._simulation import Simulation
from ._stop import Listener
from .errors import StoppedError


class Adjoint(NamedTuple):
    """The derivative of a cost."""

    by_start: Array
    """(n, 12): by the first state"""
    by_inputs: Array
    """(steps, n, 6): by each step's force (N, world) and torque (N m, body axes)"""
    by_parameters: Array
    """(len(parameters),)"""


class Rollout(OneThread):
    """Recorded steps, through which the derivative of a cost is propagated backward, or a change forward.

        rollout = abut.Rollout(model, steps=100)
        for _ in range(100):
            rollout.step(sim)
        by_states = numpy.zeros((101, rollout.n, 12))
        by_states[-1, 0, 2] = 1  # the cost is the last height
        adjoint = rollout.backward(by_states)

    Coordinates, `kappa` and `parameters` are those of `Gradient`. `segment` is the number of steps between checkpoints:
    memory then holds only so many derivatives, but the steps are taken twice; 0: no checkpoints.
    """

    def __init__(
        self,
        model: ModelLike,
        steps: int,
        kappa: Optional[float] = None,
        parameters: Sequence[Union[Parameter, str]] = (),
        segment: int = 0,
    ) -> None:
        self.model: Model = as_model(model)
        self.kappa = self.model.kappa_gradient if kappa is None else number(kappa, "kappa")
        self.parameters, raw = raw_parameters(self.model, parameters)
        self.capacity = whole(steps, 1, INT_MAX, "steps")
        segment = whole(segment, 0, INT_MAX, "segment")
        options = c.AbutRolloutOptions(
            kappa=self.kappa, capacity=self.capacity, segment=segment, n_parameters=len(self.parameters), parameters=raw
        )
        pointer = make("abut_rollout_create", self.model.pointer, byref(options))
        super().__init__(pointer, library.abut_rollout_destroy, self.model.handle)
        self.n = len(self.model.moving)
        scratch = make("abut_workspace_create", self.model.pointer)
        self._scratch = Handle(scratch, library.abut_workspace_destroy, self.model.handle)
        self._listener = Listener()

    def begin(self) -> None:
        """Discards all steps."""
        with self.seat:
            library.abut_rollout_begin(self.pointer)

    def __len__(self) -> int:
        return int(library.abut_rollout_count(self.pointer))

    def __bool__(self) -> bool:
        """Returns True, also before the first step, so that `if rollout` tests for None."""
        return True

    def step(self, simulation: Simulation) -> StepInfo:
        """Takes a step of the simulation and records it. Between recorded steps only the inputs of the state may be
        set."""
        return instance(simulation, Simulation, "simulation").record(self)

    def _propagate(self, name: str, *arguments: Any) -> None:
        """Calls a function that may take steps again in `_scratch`; signals end it in the main thread."""
        with self.seat:
            handle = self.handle  # another thread may close the rollout meanwhile
            library.abut_workspace_set_stop(self._scratch.pointer, self._listener.pointer())
            try:
                call(name, handle.pointer, self._scratch.pointer, *arguments)
            except StoppedError:
                self._listener.end(c.ABUT_ERROR_STOPPED)
                raise

    def backward(self, by_states: Any) -> Adjoint:
        """Returns the derivative of a cost, from its derivative by each single state, `by_states` (len + 1, n, 12),
        beginning with the state before the first step."""
        steps = len(self)
        costs = doubles(by_states, (steps + 1, self.n, ROWS), f"by_states, of {steps} recorded steps,")
        out = Adjoint(np.empty((self.n, ROWS)), np.empty((steps, self.n, 6)), np.zeros(len(self.parameters)))
        self._propagate("abut_rollout_backward", at(costs), *(at(array) for array in out))
        return out

    def forward(self, start: Any, inputs: Any = None, parameters: Any = None) -> Array:
        """Returns (n, 12): the change of the last state for changes of the first state, `start` (n, 12), of the
        `inputs` (len, n, 6) and of the `parameters` (len(parameters),)."""
        first = doubles(start, (self.n, ROWS), "start")
        steps = len(self)
        of_steps = f"inputs, of {steps} recorded steps,"
        pushed = None if inputs is None else doubles(inputs, (steps, self.n, 6), of_steps)
        changed = None if parameters is None else doubles(parameters, (len(self.parameters),), "parameters")
        out = np.empty((self.n, ROWS))
        optional = [None if array is None else at(array) for array in (pushed, changed)]
        self._propagate("abut_rollout_forward", at(first), *optional, at(out))
        return out
