"""A step as a function of JAX, by `jax.pure_callback`.

    jax.config.update("jax_enable_x64", True)
    step = jax_step(abut.Model("scene.json"), kappa=1e-4)
    after = step(states, inputs)            # (n_bodies, 13) and (n_bodies, 6), float64, as in abut.Simulation
    jax.grad(lambda s, u: loss(step(s, u)))(states, inputs)

The function can be jitted; the callback runs on the host. Derivatives are those of `abut.Gradient` at `kappa`. Every
step starts cold, so its result depends only on state and inputs.
"""

from typing import Any, Callable

import jax
import numpy as np

import abut


def jax_step(model: abut.Model, kappa: float = 1e-4) -> Callable[[Any, Any], Any]:
    """Returns a function of (states, inputs) with a reverse-mode derivative."""
    sim, gradient = abut.Simulation(model), abut.Gradient(model, kappa)
    of_states = jax.ShapeDtypeStruct((model.n_bodies, 13), np.float64)
    of_inputs = jax.ShapeDtypeStruct((model.n_bodies, 6), np.float64)

    def on_host(states: Any, inputs: Any) -> Any:
        sim.states, sim.inputs = np.asarray(states), np.asarray(inputs)
        sim.step()
        return sim.states

    def back_on_host(states: Any, inputs: Any, by_next: Any) -> Any:
        before = np.array(states)
        sim.states, sim.inputs = before, np.asarray(inputs)
        gradient.step(sim)
        return gradient.vjp_states(before, sim.states, np.asarray(by_next))[:2]

    @jax.custom_vjp
    def step(states: Any, inputs: Any) -> Any:
        return jax.pure_callback(on_host, of_states, states, inputs)

    def forward(states: Any, inputs: Any) -> Any:
        return step(states, inputs), (states, inputs)

    def backward(kept: Any, by_next: Any) -> Any:
        return jax.pure_callback(back_on_host, (of_states, of_inputs), *kept, by_next)

    step.defvjp(forward, backward)
    result: Callable[[Any, Any], Any] = step
    return result
