"""A step as an action model of Crocoddyl, for its solvers of the family of differential dynamic programming.

    robot = abut.Robot("experiments/scenes/hopper.json")
    state, running, terminal = action_models(robot, Quadratic(x_goal, Q, R, Q_end), kappa=1e-4)
    problem = crocoddyl.ShootingProblem(x0, [running] * 50, terminal)
    crocoddyl.SolverFDDP(problem).solve()

The state is (q, qdot) of `abut.Robot`, its differences are those of `Robot.difference`, and the inputs are the targets of
the motors. Derivatives are those of `abut.Linear` at `kappa`. Every step starts cold, so its result depends only on state
and input. `base` is the module `crocoddyl`; tests pass a stand-in with the same classes.
"""

from typing import Any, Callable, Protocol

import numpy as np

import abut


class Cost(Protocol):
    """A cost of the change `dx` from a goal and of the input `u`; None at the end of the horizon."""

    goal: Any

    def __call__(self, dx: Any, u: Any) -> tuple[float, Any, Any, Any, Any]:
        """Returns the cost, its gradients by dx and u, and its second derivatives by dx and by u."""


class Quadratic:
    """The cost dx' Q dx / 2 + u' R u / 2, or dx' Q_end dx / 2 at the end."""

    def __init__(self, goal: Any, Q: Any, R: Any, Q_end: Any) -> None:
        self.goal, self.Q, self.R, self.Q_end = (np.asarray(value, float) for value in (goal, Q, R, Q_end))

    def __call__(self, dx: Any, u: Any) -> tuple[float, Any, Any, Any, Any]:
        Q = self.Q_end if u is None else self.Q
        R, by = (np.zeros_like(self.R), np.zeros(len(self.R))) if u is None else (self.R, self.R @ u)
        return float(0.5 * dx @ Q @ dx + (0 if u is None else 0.5 * u @ by)), Q @ dx, by, Q, R


def action_models(robot: abut.Robot, cost: Cost, kappa: float = 1e-4, base: Any = None) -> tuple[Any, Any, Any]:
    """Returns the state, the action model of a step, and that of the end."""
    if base is None:
        import crocoddyl as base  # type: ignore[import-not-found,no-redef]
    n_q, n_v = len(robot.names), len(robot.velocity_names)
    n_u = len(robot.motor_names)
    linear = abut.Linear(robot.model, kappa)
    simulation = robot.simulation.copy()
    mover = abut.Robot(simulation)

    class State(base.StateAbstract):  # type: ignore[misc,name-defined]
        """(q, qdot)"""

        def __init__(self) -> None:
            base.StateAbstract.__init__(self, n_q + n_v, 2 * n_v)

        def zero(self) -> Any:
            return np.concatenate([robot.q, np.zeros(n_v)])

        def rand(self) -> Any:
            return self.integrate(self.zero(), np.random.default_rng().uniform(-0.5, 0.5, 2 * n_v))

        def diff(self, x0: Any, x1: Any) -> Any:
            return np.concatenate([robot.difference(x0[:n_q], x1[:n_q]), x1[n_q:] - x0[n_q:]])

        def integrate(self, x: Any, dx: Any) -> Any:
            return np.concatenate([robot.integrate(dx[:n_v], 1.0, x[:n_q]), x[n_q:] + dx[n_v:]])

        def Jdiff(self, x0: Any, x1: Any, firstsecond: Any = None) -> Any:
            return _both(lambda s: self.diff(self.integrate(x0, s), x1), lambda s: self.diff(x0, self.integrate(x1, s)),
                         2 * n_v, firstsecond, base)  # fmt: skip

        def Jintegrate(self, x: Any, dx: Any, firstsecond: Any = None) -> Any:
            end = self.integrate(x, dx)
            return _both(lambda s: self.diff(end, self.integrate(self.integrate(x, s), dx)),
                         lambda s: self.diff(end, self.integrate(x, dx + s)), 2 * n_v, firstsecond, base)  # fmt: skip

    state = State()

    class Step(base.ActionModelAbstract):  # type: ignore[misc,name-defined]
        """A step, or the end of the horizon."""

        def __init__(self, last: bool) -> None:
            base.ActionModelAbstract.__init__(self, state, n_u, 0)
            self.last = last

        def _take(self, x: Any, u: Any) -> None:
            mover.set(x[:n_q], x[n_q:])
            mover.motors = u

        def calc(self, data: Any, x: Any, u: Any = None) -> None:
            given = None if self.last or u is None else u
            if given is None:
                data.xnext = x
            else:
                self._take(x, given)
                simulation.step()
                data.xnext = np.concatenate([mover.q, mover.qdot])
            data.cost = cost(state.diff(cost.goal, x), given)[0]

        def calcDiff(self, data: Any, x: Any, u: Any = None) -> None:
            given = None if self.last or u is None else u
            if given is not None:
                self._take(x, given)
                linear.step(simulation)
                data.Fx, data.Fu, _ = linear.matrices()
            dx = state.diff(cost.goal, x)
            J = state.Jdiff(cost.goal, x, base.Jcomponent.second)[0]
            _, by_dx, data.Lu, Q, data.Luu = cost(dx, given)
            data.Lx, data.Lxx, data.Lxu = J.T @ by_dx, J.T @ Q @ J, np.zeros((2 * n_v, n_u))

    return state, Step(last=False), Step(last=True)


def _both(first: Callable[[Any], Any], second: Callable[[Any], Any], n: int, which: Any, base: Any) -> list[Any]:
    """Returns the central differences of one or both functions of n numbers at 0. They are smooth, so differences are as
    accurate as the solvers need."""
    wanted = {base.Jcomponent.first: [first], base.Jcomponent.second: [second]}.get(which, [first, second])
    h = 1e-5
    return [np.column_stack([(f(h * e) - f(-h * e)) / (2 * h) for e in np.eye(n)]) for f in wanted]
