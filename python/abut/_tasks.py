"""The tasks of `abut.env`: robot, observation, reward, and when an episode ends."""

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Sequence

import numpy as np

from . import _env_scenes as scenes
from ._memory import Array
from ._task_checks import check
from .errors import ArgumentError

INF = float("inf")


@dataclass(frozen=True)
class Task:
    """A robot that earns rewards by moving along x. Coordinates q and rates v of all worlds, (worlds, ...), begin with
    those of the base: x, y, z and quaternion of a torso that floats (with its linear velocity in world axes and angular
    velocity in body axes), x, z and turn of one in a plane, nothing without a torso. Those of the joints follow, in the
    order of the scene."""

    scene: Mapping[str, Any]
    """whose motors are of type force"""
    torso: Optional[str] = None
    """the base; None: all bodies move on joints from the world"""
    gears: Sequence[float] = ()
    """effort of each motor at the action 1, N m or N"""
    frame_skip: int = 1
    """timesteps for an action"""
    max_episode_steps: Optional[int] = 1000
    """actions after which an episode is truncated; None: never"""
    action_limit: float = 1.0
    reset_noise_scale: float = 0.0
    """of uniform noise on q, within the limits of joints, and of the noise on v"""
    normal_noise: bool = False
    """whether the noise on v is normal; otherwise it is uniform"""
    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 0.0
    healthy_reward: float = 0.0
    terminate_when_unhealthy: bool = True
    healthy_z_range: "tuple[float, float]" = (-INF, INF)
    healthy_angle_range: "tuple[float, float]" = (-INF, INF)
    """of the turn of a torso in a plane"""
    healthy_state_range: "tuple[float, float]" = (-INF, INF)
    """of all coordinates but x, y and z, and of rates"""
    velocity_limit: float = INF
    """to which observed rates are cut"""
    by_mass_centre: bool = False
    """whether the forward reward is that of the centre of mass; otherwise it is that of the torso"""
    observed_sensors: Sequence[str] = ()
    """sensors of the scene whose values follow in observations"""
    observed_type: str = "float64"
    discrete: int = 0
    """number of discrete actions; 0: actions are continuous"""
    hidden: int = field(init=False, default=0)
    """number of first coordinates that are not observed: x, or x and y"""

    def __post_init__(self) -> None:
        check(self)
        if self.discrete and type(self).efforts is Task.efforts:
            raise ArgumentError(f"discrete must be 0 unless a subclass defines efforts(), is {self.discrete!r}")

    def prepared(self, base: int) -> "Task":
        """Returns the task after the number of coordinates of its base is known."""
        object.__setattr__(self, "hidden", {0: 0, 3: 1, 7: 2}[base])
        return self

    def efforts(self, actions: Array) -> Array:
        """Returns the efforts of the motors, (worlds, n_motors), of actions."""
        limited: Array = np.clip(actions, -self.action_limit, self.action_limit) * np.asarray(self.gears)
        return limited

    def observe(self, q: Array, v: Array) -> Array:
        """Returns new observations, (worlds, n)."""
        n = q.shape[1] - self.hidden
        out = np.empty((len(q), n + v.shape[1]), self.observed_type)
        out[:, :n] = q[:, self.hidden :]
        if self.velocity_limit < INF:
            np.clip(v, -self.velocity_limit, self.velocity_limit, out=out[:, n:])
        else:
            out[:, n:] = v
        return out

    def bounds(self, n: int) -> "tuple[Array, Array]":
        """Returns the bounds of observations of n numbers."""
        return np.full(n, -INF), np.full(n, INF)

    def healthy(self, q: Array, v: Array) -> Any:
        """Returns (worlds,): whether the robot is within all healthy ranges."""
        z = self.hidden  # of a base, z follows what is hidden
        low, high = self.healthy_state_range
        rest = [q[:, z + 1 :], v] if self.hidden else [q, v]
        good = np.all([np.all((part > low) & (part < high), axis=1) for part in rest], axis=0)
        if self.hidden:
            good &= (q[:, z] > self.healthy_z_range[0]) & (q[:, z] < self.healthy_z_range[1])
        if self.hidden == 1:
            good &= (q[:, 2] > self.healthy_angle_range[0]) & (q[:, 2] < self.healthy_angle_range[1])
        return good

    def terms(self, speed: Array, actions: Array, healthy: Any) -> "dict[str, Array]":
        """Returns the terms of the reward, (worlds,) each, from the speed along x, m/s."""
        cost = np.square(actions, dtype=np.float64).reshape(len(actions), -1).sum(axis=1)
        terms = {"reward_forward": self.forward_reward_weight * speed, "reward_ctrl": -self.ctrl_cost_weight * cost}
        if self.healthy_reward:
            terms["reward_survive"] = self.healthy_reward * healthy
        return terms


@dataclass(frozen=True)
class CartPole(Task):
    """A cart that is pushed to the left (action 0) or right (1) with 10 N, with a reward of 1 for every action until the
    pole leans by 12 degrees or the cart is 2.4 m away. Observes place, speed, angle and rate of turn."""

    def __post_init__(self) -> None:
        check(self)
        if self.discrete != 2:
            raise ArgumentError(f"discrete must be 2, for left and right, is {self.discrete!r}")

    def efforts(self, actions: Array) -> Array:
        forces: Array = np.where(actions > 0, 1.0, -1.0)[:, None] * np.asarray(self.gears)
        return forces

    def observe(self, q: Array, v: Array) -> Array:
        out: Array = np.stack([q, v], axis=2).reshape(len(q), -1).astype(self.observed_type)
        return out

    def bounds(self, n: int) -> "tuple[Array, Array]":
        high = np.array([4.8, INF, 24 * scenes.DEGREE, INF])
        return -high, high

    def healthy(self, q: Array, v: Array) -> Any:
        return (np.abs(q[:, 0]) <= 2.4) & (np.abs(q[:, 1]) <= 12 * scenes.DEGREE)

    def terms(self, speed: Array, actions: Array, healthy: Any) -> "dict[str, Array]":
        return {"reward_survive": np.ones(len(speed))}


def cartpole() -> Task:
    """CartPole-v1."""
    return CartPole(scenes.cartpole(), gears=[10.0], max_episode_steps=500, reset_noise_scale=0.05, discrete=2,
                    observed_type="float32")  # fmt: skip


def hopper() -> Task:
    """Hopper-v5."""
    return Task(scenes.hopper(), "torso", [200.0] * 3, reset_noise_scale=5e-3, ctrl_cost_weight=1e-3, healthy_reward=1.0,
                healthy_z_range=(0.7, INF), healthy_angle_range=(-0.2, 0.2), healthy_state_range=(-100.0, 100.0),
                velocity_limit=10.0)  # fmt: skip


def walker2d() -> Task:
    """Walker2d-v5."""
    return Task(scenes.walker2d(), "torso", [100.0] * 6, reset_noise_scale=5e-3, ctrl_cost_weight=1e-3,
                healthy_reward=1.0, healthy_z_range=(0.8, 2.0), healthy_angle_range=(-1.0, 1.0), velocity_limit=10.0)  # fmt: skip


def half_cheetah() -> Task:
    """HalfCheetah-v5."""
    return Task(scenes.half_cheetah(), "torso", [120.0, 90.0, 60.0, 120.0, 60.0, 30.0], frame_skip=5, reset_noise_scale=0.1,
                normal_noise=True, ctrl_cost_weight=0.1, terminate_when_unhealthy=False)  # fmt: skip


def ant() -> Task:
    """Ant-v5, without contact forces in observation and reward."""
    return Task(scenes.ant(), "torso", [150.0] * 8, frame_skip=5, reset_noise_scale=0.1, normal_noise=True,
                ctrl_cost_weight=0.5, healthy_reward=1.0, healthy_z_range=(0.2, 1.0))  # fmt: skip


def humanoid() -> Task:
    """Humanoid-v5, without inertias, velocities, efforts and contact forces in observation and reward."""
    gears = [100.0] * 3 + [100.0, 100.0, 300.0, 200.0] * 2 + [25.0] * 6
    return Task(scenes.humanoid(), "torso", gears, frame_skip=3, reset_noise_scale=1e-2, action_limit=0.4,
                forward_reward_weight=1.25, ctrl_cost_weight=0.1, healthy_reward=5.0, healthy_z_range=(1.0, 2.0),
                by_mass_centre=True)  # fmt: skip


def quadruped() -> Task:
    """A quadruped of our own, with the rewards of the ant."""
    return Task(scenes.quadruped(), "trunk", [25.0] * 12, frame_skip=2, reset_noise_scale=0.02, ctrl_cost_weight=0.05,
                healthy_reward=1.0, healthy_z_range=(0.2, 1.0))  # fmt: skip


TASKS = {"cartpole": cartpole, "hopper": hopper, "half-cheetah": half_cheetah, "ant": ant, "walker2d": walker2d,
         "humanoid": humanoid, "quadruped": quadruped}  # fmt: skip
