"""Checks of the fields of a task."""

from collections.abc import Collection
from typing import Any, Callable

import numpy as np

from ._arguments import number
from ._memory import INT_MAX, doubles, whole
from .errors import ArgumentError

RANGES = ("healthy_z_range", "healthy_angle_range", "healthy_state_range")
WEIGHTS = ("forward_reward_weight", "ctrl_cost_weight", "healthy_reward")
FLAGS = ("normal_noise", "terminate_when_unhealthy", "by_mass_centre")


def _is_range(value: Any) -> bool:
    low, high = doubles(value, (2,), "")
    return bool(low < high)


def _is_gears(value: Any) -> bool:
    gears = doubles(value, (np.size(value),), "")
    return bool(np.isfinite(gears).all() and (gears.any() or not gears.size))


def _is_float(value: Any) -> bool:
    return value is not None and np.dtype(value).kind == "f"


def check(task: Any) -> None:
    """Raises an error that names the first field whose value is not allowed, the value, and what is allowed."""

    def demand(name: str, allowed: str, fits: Callable[[Any], bool]) -> None:
        value = getattr(task, name)
        try:
            good = fits(value)
        except (TypeError, ValueError):
            good = False
        if not good:
            raise ArgumentError(f"{name} must be {allowed}, is {value!r}")

    demand("torso", "the name of a body or None", lambda value: value is None or isinstance(value, str))
    demand("gears", "a list of finite numbers, one for each motor and not all 0", _is_gears)
    whole(task.frame_skip, 1, INT_MAX, "frame_skip")
    demand("max_episode_steps", "None or an integer from 1",
           lambda value: value is None or whole(value, 1, INT_MAX, "") > 0)  # fmt: skip
    for name in ("action_limit", "velocity_limit"):
        demand(name, "a number greater than 0", lambda value: number(value, "") > 0)
    demand("reset_noise_scale", "a finite number that is not negative", lambda value: 0 <= number(value, "") < np.inf)
    for name in WEIGHTS:
        demand(name, "a finite number", lambda value: bool(np.isfinite(number(value, ""))))
    for name in FLAGS:
        demand(name, "True or False", lambda value: isinstance(value, (bool, np.bool_)))
    for name in RANGES:
        demand(name, "two numbers, the lower one first", _is_range)
    demand("observed_sensors", "a list of names of sensors",
           lambda value: isinstance(value, Collection) and not isinstance(value, (str, bytes)))  # fmt: skip
    demand("observed_type", "a type of floating-point numbers, such as 'float32'", _is_float)
    whole(task.discrete, 0, INT_MAX, "discrete")
