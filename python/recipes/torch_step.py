"""A step as a function of PyTorch.

    step = TorchStep(abut.Model("scene.json"), kappa=1e-4)
    after = step(states, inputs)            # (n_bodies, 13) and (n_bodies, 6), float64, as in abut.Simulation
    loss(after).backward()                  # states.grad, inputs.grad

Derivatives are those of `abut.Gradient` at `kappa`. Every step starts cold, so its result depends only on state and
inputs.
"""

from typing import Any

import torch

import abut


class _Step(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, states: torch.Tensor, inputs: torch.Tensor, of: "TorchStep") -> torch.Tensor:
        before = states.detach().cpu().numpy()
        of.sim.states, of.sim.inputs = before, inputs.detach().cpu().numpy()
        gradient = abut.Gradient(of.sim.model, of.kappa)
        gradient.step(of.sim)
        after = of.sim.states
        ctx.kept = gradient, before, after
        return torch.from_numpy(after.copy()).to(states)

    @staticmethod
    def backward(ctx: Any, by_next: torch.Tensor) -> Any:
        gradient, before, after = ctx.kept
        by_states, by_inputs, _ = gradient.vjp_states(before, after, by_next.detach().cpu().numpy())
        return torch.from_numpy(by_states).to(by_next), torch.from_numpy(by_inputs).to(by_next), None


class TorchStep:
    """A step of a model that autograd can differentiate."""

    def __init__(self, model: abut.Model, kappa: float = 1e-4) -> None:
        self.sim, self.kappa = abut.Simulation(model), kappa

    def __call__(self, states: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
        """Returns the states after a step from `states` (n_bodies, 13) with `inputs` (n_bodies, 6), float64."""
        after: torch.Tensor = _Step.apply(states, inputs, self)
        return after
