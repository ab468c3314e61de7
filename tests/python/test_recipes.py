"""The wrappers for PyTorch and JAX, where these are installed, against differences."""

import importlib.util
import sys
from typing import Any

import numpy as np
from support import ROOT, abut, one_body, shapes, unittest

sys.path.insert(0, str(ROOT / "python" / "recipes"))

MODEL = abut.Model(
    one_body(shapes.box([0.3, 0.2, 0.1]), position=[0, 0, 0.1], linear_velocity=[1, 0.5, 0], friction=0.3)
)
WEIGHTS = np.random.default_rng(0).normal(size=(2, 13))


def cost(states: Any, inputs: Any) -> float:
    sim = abut.Simulation(MODEL)
    sim.states, sim.inputs = states, inputs
    sim.step()
    return float(np.sum(WEIGHTS * sim.states))


class TestRecipes(unittest.TestCase):
    def check(self, by_states: Any, by_inputs: Any) -> None:
        """The columns of velocities and forces."""
        states, inputs = abut.Simulation(MODEL).states, np.zeros((2, 6))
        for array, by, columns, step in ((states, by_states, (0, 7, 8, 12), 1e-6), (inputs, by_inputs, range(6), 1e-3)):
            for column in columns:
                sides = []
                for sign in (1, -1):
                    kept = array[1, column]
                    array[1, column] += sign * step
                    sides.append(cost(states, inputs))
                    array[1, column] = kept
                self.assertAlmostEqual(by[1, column], (sides[0] - sides[1]) / (2 * step), delta=1e-5)

    @unittest.skipUnless(importlib.util.find_spec("torch"), "no PyTorch")
    def test_torch(self) -> None:
        import torch
        from torch_step import TorchStep

        step = TorchStep(MODEL, kappa=0)
        states = torch.tensor(abut.Simulation(MODEL).states, requires_grad=True)
        inputs = torch.zeros((2, 6), dtype=torch.float64, requires_grad=True)
        torch.sum(torch.tensor(WEIGHTS) * step(states, inputs)).backward()
        assert states.grad is not None and inputs.grad is not None
        self.check(states.grad.numpy(), inputs.grad.numpy())
        two = step(step(states, inputs), inputs)
        self.assertTrue(torch.autograd.grad(two.sum(), inputs)[0].abs().max() > 0)

    @unittest.skipUnless(importlib.util.find_spec("jax"), "no JAX")
    def test_jax(self) -> None:
        import jax
        from jax_step import jax_step

        jax.config.update("jax_enable_x64", True)
        step = jax_step(MODEL, kappa=0)
        gradient = jax.grad(lambda s, u: (WEIGHTS * step(s, u)).sum(), argnums=(0, 1))
        self.check(*map(np.asarray, jax.jit(gradient)(abut.Simulation(MODEL).states, np.zeros((2, 6)))))



class Crocoddyl:
    """A stand-in for the module: the classes that the recipe derives from, with what Crocoddyl gives them."""

    class Jcomponent:
        first, second, both = range(3)

    class StateAbstract:
        def __init__(self, nx: int, ndx: int) -> None:
            self.nx, self.ndx = nx, ndx

    class ActionModelAbstract:
        def __init__(self, state: Any, nu: int, nr: int = 1) -> None:
            self.state, self.nu, self.nr = state, nu, nr

        def createData(self) -> Any:
            return type("Data", (), {})()


class TestCrocoddyl(unittest.TestCase):
    def test_the_action_model_has_the_derivatives_of_its_step(self) -> None:
        from crocoddyl_action import Quadratic, action_models

        robot = abut.Robot(ROOT / "experiments" / "scenes" / "hopper.json")
        n_x, n_u = 2 * len(robot.velocity_names), len(robot.motor_names)
        goal = np.concatenate([robot.q, robot.qdot])
        cost = Quadratic(goal, np.eye(n_x), 0.1 * np.eye(n_u), 10 * np.eye(n_x))
        state, step, end = action_models(robot, cost, kappa=1e-4, base=Crocoddyl)
        rng = np.random.default_rng(1)
        x, u = state.integrate(goal, rng.uniform(-0.05, 0.05, n_x)), robot.motors
        data, other = step.createData(), step.createData()
        step.calc(data, x, u)
        step.calcDiff(data, x, u)
        self.assertEqual(data.Fx.shape, (n_x, n_x))
        h = 1e-5
        for direction in rng.normal(size=(4, n_x)):
            ends = []
            for sign in (1, -1):
                step.calc(other, state.integrate(x, sign * h * direction), u)
                ends.append((other.xnext, other.cost))
            self.assertAlmostEqual((ends[0][1] - ends[1][1]) / (2 * h), float(data.Lx @ direction), delta=1e-6)
            slope = (state.diff(data.xnext, ends[0][0]) - state.diff(data.xnext, ends[1][0])) / (2 * h)
            np.testing.assert_allclose(slope, data.Fx @ direction, atol=2e-3 * np.abs(data.Fx).max())
        end.calc(data, x)
        end.calcDiff(data, x)
        self.assertAlmostEqual(data.cost, 5 * float(np.sum(state.diff(goal, x) ** 2)), delta=1e-12)

    def test_differences_of_states_invert_integrate(self) -> None:
        from crocoddyl_action import Quadratic, action_models

        robot = abut.Robot(ROOT / "experiments" / "scenes" / "quadruped.json")
        n = 2 * len(robot.velocity_names)
        state = action_models(robot, Quadratic(np.zeros(1), np.eye(1), np.eye(1), np.eye(1)), base=Crocoddyl)[0]
        x, dx = state.rand(), np.random.default_rng(2).uniform(-0.3, 0.3, n)
        np.testing.assert_allclose(state.diff(x, state.integrate(x, dx)), dx, atol=1e-12)
        first, second = state.Jdiff(x, state.integrate(x, dx))
        by_x, by_dx = state.Jintegrate(x, dx)
        np.testing.assert_allclose(second @ by_dx, np.eye(n), atol=1e-8)
        np.testing.assert_allclose(first + second @ by_x, np.zeros((n, n)), atol=1e-8)


if __name__ == "__main__":
    unittest.main()
