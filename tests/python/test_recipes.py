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


if __name__ == "__main__":
    unittest.main()
