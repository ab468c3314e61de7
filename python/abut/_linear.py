"""The derivative of a step in joint coordinates."""

from typing import Any, NamedTuple, Optional, Sequence, Union

import numpy as np

from ._arguments import instance, number
from ._library import library, make
from ._memory import Array, OneThread, at, doubles
from ._model import Model, ModelLike, Parameter, as_model, raw_parameters
from ._records import StepInfo
from ._simulation import Simulation
from .errors import UnsupportedError


class LinearSystem(NamedTuple):
    """A step as a linear system for small changes: x+ = A x + B u, y = C x + D u."""

    A: Array
    """(n_x, n_x)"""
    B: Array
    """(n_x, n_u)"""
    C: Array
    """(n_y, n_x): by sensors; NaN for sensors whose derivative is not known"""
    D: Array
    """(n_y, n_u)"""
    q: Array
    qdot: Array
    u: Array
    """coordinates, rates and targets of the motors, where the matrices were taken"""
    q_next: Array
    qdot_next: Array
    """after the step"""
    state_names: list[str]
    input_names: list[str]
    output_names: list[str]
    timestep: float
    """s"""


class Linear(OneThread):
    """Derivatives of the steps of a model in joint coordinates, as in MuJoCo's transition derivatives.

        linear = abut.Linear(model, kappa=1e-4)
        linear.step(simulation)
        linear.A, linear.B

    The state x has the changes of the coordinates, in the tangent space that `Robot.integrate` moves along in a unit of
    time, and then those of the rates (include/abut/linear.h); u are the targets of the motors. `kappa` and `parameters`
    are those of `Gradient`. `A`, `B` and `P` raise NumericalError if an entry does not exist.
    """

    def __init__(
        self, model: ModelLike, kappa: Optional[float] = None, parameters: Sequence[Union[Parameter, str]] = ()
    ) -> None:
        self.model: Model = as_model(model)
        wanted = self.model.kappa_gradient if kappa is None else number(kappa, "kappa")
        pointer = make("abut_linear_create", self.model.pointer, wanted)
        super().__init__(pointer, library.abut_linear_destroy, self.model.handle)
        self._kappa = float(library.abut_linear_kappa(pointer))
        self.parameters, raw = raw_parameters(self.model, parameters)
        self.call("abut_linear_select", len(self.parameters), raw)
        self.n_x: int = library.abut_linear_state_count(pointer)
        self.n_u: int = library.abut_linear_input_count(pointer)
        self.n_y: int = library.abut_linear_output_count(pointer)
        self.state_names: list[str] = [library.abut_linear_state_name(pointer, i).decode() for i in range(self.n_x)]
        """names of the entries of x, such as "knee" and "knee.rate\""""
        self.input_names: list[str] = [library.abut_linear_input_name(pointer, i).decode() for i in range(self.n_u)]
        """names of the motors"""

    @property
    def kappa(self) -> float:
        """The smoothing, which is chosen when the object is created."""
        return self._kappa

    def step(self, simulation: Simulation) -> StepInfo:
        """Takes a step of the simulation with the bits of `Simulation.step`, and stores its derivative."""
        return instance(simulation, Simulation, "simulation")._linearise(self)

    def matrices(self) -> tuple[Array, Array, Array]:
        """Returns A (n_x, n_x), B (n_x, n_u) and P (n_x, len(parameters))."""
        A, B = np.empty((self.n_x, self.n_x)), np.empty((self.n_x, self.n_u))
        P = np.empty((self.n_x, len(self.parameters)))
        self.call("abut_linear_matrices", at(A), at(B), at(P))
        return A, B, P

    @property
    def A(self) -> Array:
        """(n_x, n_x): the next state by the state."""
        out = np.empty((self.n_x, self.n_x))
        self.call("abut_linear_matrices", at(out), None, None)
        return out

    @property
    def B(self) -> Array:
        """(n_x, n_u): the next state by the targets of the motors."""
        return self.matrices()[1]

    @property
    def P(self) -> Array:
        """(n_x, len(parameters)): the next state by the parameters."""
        return self.matrices()[2]

    def outputs(self) -> tuple[Array, Array]:
        """Returns C (n_y, n_x) and D (n_y, n_u): the sensors by the state before the step and the targets, NaN where the
        derivative of a sensor is not known."""
        C, D = np.empty((self.n_y, self.n_x)), np.empty((self.n_y, self.n_u))
        try:
            self.call("abut_linear_outputs", at(C), at(D))
        except UnsupportedError as error:
            if not error.where.startswith("sensors["):  # the step itself has no derivative
                raise
        return C, D

    def jvp(self, x: Any, u: Any = None, parameters: Any = None) -> Array:
        """Returns (n_x,): A x + B u + P p. Forms no matrix."""
        of_x = doubles(x, (self.n_x,), "x")
        of_u = doubles(np.zeros(self.n_u) if u is None else u, (self.n_u,), "u")
        n_p = len(self.parameters)
        of_p = doubles(np.zeros(n_p) if parameters is None else parameters, (n_p,), "parameters")
        out = np.empty(self.n_x)
        self.call("abut_linear_forward", at(of_x), at(of_u), at(of_p), at(out))
        return out

    def vjp(self, by_next: Any) -> tuple[Array, Array, Array]:
        """Returns the derivative of a cost by x, u and the parameters from that by the next state, `by_next` (n_x,):
        products with the transposed matrices, by one solve."""
        cost = doubles(by_next, (self.n_x,), "by_next")
        by_x, by_u, by_p = np.empty(self.n_x), np.empty(self.n_u), np.empty(len(self.parameters))
        self.call("abut_linear_backward", at(cost), at(by_x), at(by_u), at(by_p))
        return by_x, by_u, by_p


def output_names(model: Model) -> list[str]:
    """Returns the names of the values of all sensors, such as "imu.angular_rate_x"."""
    names = []
    for sensor in range(library.abut_model_sensor_count(model.pointer)):
        own = library.abut_model_sensor_name(model.pointer, sensor).decode()
        for channel in range(library.abut_model_sensor_channels(model.pointer, sensor)):
            names.append(f"{own}.{library.abut_model_sensor_channel(model.pointer, sensor, channel).decode()}")
    return names

