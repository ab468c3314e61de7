"""The derivative of a step by state, input and parameters."""

from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _declarations as c
from ._arguments import instance, number
from ._library import call, library, make
from ._memory import Array, OneThread, at, doubles
from ._model import Model, ModelLike, Parameter, as_model, raw_parameters
from ._records import Body, StepInfo
from ._simulation import Simulation
from .errors import Error, NumericalError, UnsupportedError

ROWS = c.ABUT_GRADIENT_ROWS
COLUMNS = c.ABUT_GRADIENT_COLUMNS


class Gradient(OneThread):
    """Derivatives of the steps of a model, by the implicit function theorem (docs/formulation.md 13).

    The state of a moving body has 12 coordinates, at its centre of mass: position (3; m, world), small rotation (3;
    rad, body axes, q <- q * exp(phi / 2)), linear velocity (3; m/s, world), angular velocity (3; rad/s, body axes). A
    body has 18 columns: these, force (3; N, world) and torque (3; N m, body axes). `n` is the number of moving bodies.

    `kappa` 0 differentiates at the exact solution; a larger kappa on the central path, where opening, closing and
    slipping contacts are smoothed; None takes the scene's `solver.kappa_gradient`. The attribute `kappa` is the value
    in use (method point-ncp replaces 0 by 1e-9). `parameters` are further columns: `Parameter`s, or kinds such as
    "friction", each of which selects all parameters of this kind.

    At kappa 0 some derivatives do not exist: for a plank on two boxes and many piles at rest, those by positions and
    rotations; for a contact that touches without load or is about to slip, all. Steps succeed nevertheless. Only
    reading such a derivative raises NumericalError, which names two bodies: for the plank `by_state` raises, while
    `by_input` works, and so does a `jvp` that moves no pose. `matrix(partial=True)` returns all that exist. At kappa
    1e-8 to 1e-6 almost all derivatives exist.
    """

    def __init__(
        self, model: ModelLike, kappa: Optional[float] = None, parameters: Sequence[Union[Parameter, str]] = ()
    ) -> None:
        self.model: Model = as_model(model)
        wanted = self.model.kappa_gradient if kappa is None else number(kappa, "kappa")
        pointer = make("abut_gradient_create", self.model.pointer, wanted)
        super().__init__(pointer, library.abut_gradient_destroy, self.model.handle)
        self.n = len(self.model.moving)
        self._kappa = float(library.abut_gradient_kappa(pointer))
        self.parameters, raw = raw_parameters(self.model, parameters)
        call("abut_gradient_select", pointer, len(self.parameters), raw)

    @property
    def kappa(self) -> float:
        """The smoothing, which is chosen when the object is created."""
        return self._kappa

    def step(self, simulation: Simulation) -> StepInfo:
        """Takes a step of the simulation and stores its derivative."""
        return instance(simulation, Simulation, "simulation").differentiate(self)

    def _matrix(self) -> tuple[Array, Optional[Error]]:
        """Returns the matrix, with NaN for derivatives that do not exist, and the error that says why."""
        out = np.empty((ROWS * self.n, COLUMNS * self.n))
        try:
            self.call("abut_gradient_matrix", at(out))
        except (NumericalError, UnsupportedError) as error:
            return out, error
        return out, None

    def _block(self, columns: slice) -> Array:
        out, error = self._matrix()
        block = out.reshape(ROWS * self.n, self.n, COLUMNS)[:, :, columns].reshape(ROWS * self.n, -1)
        if error and np.isnan(block).any():
            raise error
        return block

    def matrix(self, partial: bool = False) -> Array:
        """Returns (12 n, 18 n): the next state by state and input. With `partial`, derivatives that do not exist are
        NaN instead of an error."""
        out, error = self._matrix()
        if error and not partial:
            raise error
        return out

    @property
    def by_state(self) -> Array:
        """(12 n, 12 n): the next state by the state. Raises NumericalError if a derivative does not exist."""
        return self._block(slice(0, ROWS))

    @property
    def by_input(self) -> Array:
        """(12 n, 6 n): the next state by force and torque of each body. Raises like `by_state`."""
        return self._block(slice(ROWS, COLUMNS))

    @property
    def by_parameters(self) -> Array:
        """(12 n, len(parameters)): the next state by the parameters. Raises like `by_state`."""
        out = np.empty((ROWS * self.n, len(self.parameters)))
        self.call("abut_gradient_parameters", at(out))
        return out

    def jvp(self, change: Any, parameters: Any = None) -> Array:
        """Returns (n, 12): the change of the next state for the `change` (n, 18) of state and input, and the change of
        `parameters` (len(parameters),). Forms no matrix."""
        of_state = doubles(change, (self.n, COLUMNS), "change")
        of_parameters = None if parameters is None else doubles(parameters, (len(self.parameters),), "parameters")
        out = np.empty((self.n, ROWS))
        by_parameter = None if of_parameters is None else at(of_parameters)
        self.call("abut_gradient_forward", at(of_state), by_parameter, at(out))
        return out

    def vjp(self, by_next: Any) -> tuple[Array, Array]:
        """Returns the derivative of a cost by state and input, (n, 18), and by the parameters, (len(parameters),), from
        its derivative by the next state, `by_next` (n, 12)."""
        cost = doubles(by_next, (self.n, ROWS), "by_next")
        out, by_parameters = np.empty((self.n, COLUMNS)), np.zeros(len(self.parameters))
        self.call("abut_gradient_backward", at(cost), at(out), at(by_parameters))
        return out, by_parameters

    def vjp_states(self, before: Any, after: Any, by_next: Any) -> tuple[Array, Array, Array]:
        """Like `vjp`, but with the numbers of `Simulation.states`, for frameworks that do not know rotations. Returns
        the derivative of a cost by the states before the step (n_bodies, 13), the inputs (n_bodies, 6) and the
        parameters, from its derivative by the states after it, `by_next` (n_bodies, 13). `before` and `after` are
        those states. The component of `by_next` along a quaternion is ignored, and that of the result is zero."""
        shape = (self.model.n_bodies, c.ABUT_STATE_NUMBERS)
        moving = self.model.moving
        first = doubles(before, shape, "before")[moving]
        last = doubles(after, shape, "after")[moving]
        given = doubles(by_next, shape, "by_next")[moving]
        centres = self.model.centres[moving]
        cost = np.empty((self.n, ROWS))
        cost[:, :3], cost[:, 6:] = given[:, :3], given[:, 7:]
        body_force = _unturned(last[:, 3:7], given[:, :3])
        # a rotation phi changes q by q (0, phi / 2), and the origin, which is the centre minus R c, by R (c x phi)
        cost[:, 3:6] = 0.5 * _imaginary(last[:, 3:7], given[:, 3:7]) + np.cross(body_force, centres)
        tangent, by_parameters = self.vjp(cost)
        by_before, by_inputs = np.zeros(shape), np.zeros((self.model.n_bodies, c.ABUT_INPUT_NUMBERS))
        by_before[moving, :3], by_before[moving, 7:] = tangent[:, :3], tangent[:, 6:ROWS]
        body_force = _unturned(first[:, 3:7], tangent[:, :3])
        by_before[moving, 3:7] = 2 * _turned_by(first[:, 3:7], tangent[:, 3:6] + np.cross(centres, body_force))
        by_inputs[moving] = tangent[:, ROWS:]
        return by_before, by_inputs, by_parameters

    def next(self, body: Union[int, str]) -> Body:
        """Returns the state to which the derivative belongs: at kappa 0 the state after the step, else a smoothed
        one."""
        raw = c.AbutBodyState()
        self.call("abut_gradient_next", self.model.body(body), raw)
        return Body(*(np.array(getattr(raw, name)) for name in Body._fields))


def gradient(
    simulation: Union[Simulation, ModelLike],
    kappa: Optional[float] = None,
    parameters: Sequence[Union[Parameter, str]] = (),
) -> Gradient:
    """Returns the derivative of the next step. A copy takes the step; the simulation does not move."""
    copy = simulation.copy() if isinstance(simulation, Simulation) else Simulation(simulation)
    result = Gradient(copy.model, kappa, parameters)
    result.step(copy)
    return result


def difference(model: Model, before: Any, after: Any) -> Array:
    """Returns (n, 12): the difference of two arrays of states (n_bodies, 13) in the coordinates of `Gradient`, for
    costs and finite differences. Positions are those of the origins of the body frames; if these are not the centres
    of mass, pass `Simulation.motion` for both."""
    shape = (model.n_bodies, c.ABUT_STATE_NUMBERS)
    a = doubles(before, shape, "before")[model.moving]
    b = doubles(after, shape, "after")[model.moving]
    out = np.empty((len(a), ROWS))
    out[:, 0:3] = b[:, 0:3] - a[:, 0:3]
    out[:, 3:6] = _turn(a[:, 3:7], b[:, 3:7])
    out[:, 6:] = b[:, 7:] - a[:, 7:]
    return out


def _turned_by(q: Array, v: Array) -> Array:
    """Returns (n, 4): the products q (0, v)."""
    out = np.empty((len(q), 4))
    out[:, 0] = -np.einsum("ij,ij->i", q[:, 1:], v)
    out[:, 1:] = q[:, :1] * v + np.cross(q[:, 1:], v)
    return out


def _imaginary(q: Array, p: Array) -> Array:
    """Returns (n, 3): the imaginary parts of conj(q) p, the transpose of `_turned_by`."""
    return np.asarray(q[:, :1] * p[:, 1:] - p[:, :1] * q[:, 1:] - np.cross(q[:, 1:], p[:, 1:]))


def _unturned(q: Array, v: Array) -> Array:
    """Returns (n, 3): world vectors in the axes of the frames q."""
    across = np.cross(q[:, 1:], v)
    return np.asarray(v - 2 * q[:, :1] * across + 2 * np.cross(q[:, 1:], across))


def _turn(p: Array, q: Array) -> Array:
    """Returns (n, 3): the rotation vectors from p to q, (n, 4) each, in the axes of p's frame."""
    w = np.einsum("ij,ij->i", p, q)
    v = p[:, :1] * q[:, 1:] - q[:, :1] * p[:, 1:] - np.cross(p[:, 1:], q[:, 1:])
    sign = np.where(w < 0, -1.0, 1.0)
    length = np.linalg.norm(v, axis=1)
    small = length < 1e-300
    scale = np.where(small, 2.0, 2.0 * np.arctan2(length, np.abs(w)) / np.where(small, 1.0, length))
    return np.asarray(v * (sign * scale)[:, None])
