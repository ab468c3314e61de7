"""Environments for reinforcement learning, after the protocol of Gymnasium 1.x.

    env = abut.env.make("ant")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

    envs = abut.env.make_vec("ant", num_envs=64, threads=2)

The classes derive from those of Gymnasium if it is installed; otherwise from stand-ins with the same spaces and methods.
docs/environments.md describes the tasks.
"""

import importlib
import operator
from dataclasses import fields, replace
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _standins
from ._arguments import kind_of, mapping, unknown
from ._memory import INT_MAX, THREADS_MAX, Strict, whole
from ._tasks import TASKS, CartPole, Task
from ._worlds import Worlds
from .errors import ArgumentError

try:
    gymnasium: Any = importlib.import_module("gymnasium")
except ModuleNotFoundError as error:
    if error.name != "gymnasium":
        raise
    gymnasium = None
if gymnasium:
    spaces: Any = importlib.import_module("gymnasium.spaces")
    _vector: Any = importlib.import_module("gymnasium.vector")
    _batch_space: Any = importlib.import_module("gymnasium.vector.utils").batch_space
    _generator: Any = importlib.import_module("gymnasium.utils.seeding").np_random
    _Env: Any = gymnasium.Env
    if not hasattr(_vector, "AutoresetMode"):
        raise ImportError(f"abut.env needs Gymnasium 1.1 or later, found {gymnasium.__version__}")
else:
    spaces, _vector, _batch_space, _generator = _standins, _standins, _standins.batch_space, _standins.generator
    _Env = _standins.Env
_VectorEnv: Any = _vector.VectorEnv
AutoresetMode: Any = _vector.AutoresetMode
"""NEXT_STEP, SAME_STEP and DISABLED; of Gymnasium, if it is installed"""

TaskLike = Union[str, Task]


def _task(task: TaskLike, changes: "dict[str, Any]") -> Task:
    """Returns a task, given as such or by name, with changed fields."""
    if isinstance(task, str):
        if task not in TASKS:
            raise unknown(f"task {task!r} does not exist", task, TASKS, "tasks are")
        task = TASKS[task]()
    if not isinstance(task, Task):
        raise ArgumentError(f"a task must be a name or an abut.env.Task, is {kind_of(task)}")
    known = [entry.name for entry in fields(task) if entry.init]
    for name in changes:
        if name not in known:
            raise unknown(f"a task has no {name!r}", name, known, "keywords are")
    return replace(task, **changes)


def _spaces(worlds: Worlds) -> "tuple[Any, Any]":
    """Returns the spaces of observations and actions of one world."""
    task = worlds.task
    low, high = worlds.bounds()
    kind = np.dtype(task.observed_type).type
    observed = spaces.Box(low.astype(kind), high.astype(kind), dtype=kind)
    if task.discrete:
        return observed, spaces.Discrete(task.discrete)
    limit, n = task.action_limit, len(task.gears)
    return observed, spaces.Box(-limit, limit, (n,), np.float32)


def _actions(given: Any, worlds: Worlds, n: int) -> Any:
    """Returns the actions of n worlds, checked."""
    task = worlds.task
    shape = (n,) if task.discrete else (n, len(task.gears))
    try:
        actions = np.asarray(given)
        numbers = actions.dtype.kind in ("iu" if task.discrete else "fiu")
    except (TypeError, ValueError):
        numbers = False
    if not numbers or actions.shape != shape:
        raise ArgumentError(f"actions must be {'integers' if task.discrete else 'numbers'} of shape {shape}, are {given!r}")
    bad = (actions < 0) | (actions >= task.discrete) if task.discrete else ~np.isfinite(actions)
    if bad.any():
        allowed = f"integers from 0 to {task.discrete - 1}" if task.discrete else "finite"
        raise ArgumentError(f"actions must be {allowed}; entry {tuple(map(int, np.argwhere(bad)[0]))} is {actions[bad][0]}")
    return actions


class Env(Strict, _Env):  # type: ignore[misc]
    """One world of a task. `task` is a name of `TASKS` or a `Task`; `changes` are fields of it, such as
    `reset_noise_scale=0`."""

    def __init__(self, task: TaskLike, **changes: Any) -> None:
        self.worlds = Worlds(_task(task, changes), 1, 1)
        self.task = self.worlds.task
        self.observation_space, self.action_space = _spaces(self.worlds)
        self.metadata = {"render_modes": [], "render_fps": round(1 / self.worlds.timestep)}
        self.render_mode: Optional[str] = None
        self._ready = False

    def reset(self, *, seed: Optional[int] = None, options: "Optional[dict[str, Any]]" = None) -> "tuple[Any, dict[str, Any]]":
        """Starts a new episode; returns the observation and the info. The same seed gives the same bits."""
        if options:
            raise ArgumentError(f"reset() of one world has no options, got {options!r}")
        super().reset(seed=_seed(seed, "seed"))
        self.worlds.reset([0], [self.np_random])
        self._ready = True
        return self.worlds.observations()[0], {name: float(values[0]) for name, values in self.worlds.places().items()}

    def step(self, action: Any) -> "tuple[Any, float, bool, bool, dict[str, Any]]":
        """Takes an action; returns observation, reward, terminated, truncated and info, with the terms of the reward."""
        if not self._ready:
            raise ArgumentError("call reset() before the first step()")
        actions = _actions(np.asarray(action)[None], self.worlds, 1)
        rewards, terminated, truncated, infos = self.worlds.step(actions)
        info = {name: values[0].item() for name, values in infos.items()}
        return self.worlds.observations()[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info

    def render(self) -> None:
        """Draws nothing and returns None. Poses for a viewer are in `env.worlds.batch.states[0]`."""

    def close(self) -> None:
        """Releases the memory."""
        self.worlds.batch.close()


class VectorEnv(Strict, _VectorEnv):  # type: ignore[misc]
    """Worlds of a task, stepped together on threads (0: one per core). World i moves bit for bit like an `Env`: with a
    seed, like one of seed + i.

    `autoreset_mode`: NEXT_STEP resets a world that has ended at the next step, which ignores its action; SAME_STEP resets
    it at once, and its last observation and info are in `final_obs` and `final_info`; DISABLED leaves it to
    `reset(options={"reset_mask": mask})`. Arrays that are returned belong to the caller."""

    def __init__(
        self, task: TaskLike, num_envs: int, threads: int = 0, autoreset_mode: Any = AutoresetMode.NEXT_STEP, **changes: Any
    ) -> None:
        self.closed = True  # until it is made
        num_envs, threads = whole(num_envs, 1, INT_MAX, "num_envs"), whole(threads, 0, THREADS_MAX, "threads")
        self._mode = _mode(autoreset_mode)
        self.worlds = Worlds(_task(task, changes), num_envs, threads)
        self.task, self.num_envs = self.worlds.task, num_envs
        self.single_observation_space, self.single_action_space = _spaces(self.worlds)
        self.observation_space = _batch_space(self.single_observation_space, num_envs)
        self.action_space = _batch_space(self.single_action_space, num_envs)
        fps = round(1 / self.worlds.timestep)
        self.metadata = {"render_modes": [], "render_fps": fps, "autoreset_mode": self._mode}
        self.render_mode: Optional[str] = None
        self._generators: "list[Any]" = [None] * num_envs
        self._ended: Any = np.zeros(num_envs, bool)
        self._ready: Any = np.zeros(num_envs, bool)
        self.closed = False

    def reset(
        self, *, seed: Union[int, Sequence[Optional[int]], None] = None, options: "Optional[dict[str, Any]]" = None
    ) -> "tuple[Any, dict[str, Any]]":
        """Starts new episodes of all worlds, or of those of `options["reset_mask"]`. `seed`: of world 0, with seed + i
        for world i; or a list with a seed or None for each world."""
        n = self.num_envs
        mask = _mask(options, n)
        first, listed = _seeds(seed, n)
        if first is not None:
            super().reset(seed=first)
        for i in np.flatnonzero(mask):
            if listed[i] is not None or self._generators[i] is None:
                self._generators[i] = _generator(listed[i])[0]
        self.worlds.reset(np.flatnonzero(mask), self._generators)
        self._ended[mask], self._ready[mask] = False, True
        return self.worlds.observations(), _known(self.worlds.places(), mask)

    def step(self, actions: Any) -> "tuple[Any, Any, Any, Any, dict[str, Any]]":
        """Takes an action in each world; returns observations, rewards, terminations, truncations, (num_envs, ...) each,
        and infos: an array for each key, and for its name with "_" in front, whether a world has it."""
        ended = self._ended
        if not self._ready.all():
            raise ArgumentError("call reset() before the first step()")
        if self._mode is AutoresetMode.DISABLED and ended.any():
            listed = ", ".join(map(str, np.flatnonzero(ended)))
            raise ArgumentError(f'worlds {listed} have ended; reset them with options={{"reset_mask": mask}}')
        given = _actions(actions, self.worlds, self.num_envs)
        rewards, terminated, truncated, values = self.worlds.step(given)
        if self._mode is AutoresetMode.SAME_STEP:
            return self._reset_now(rewards, terminated, truncated, values)
        if ended.any():  # in the mode NEXT_STEP: what these worlds did is dropped
            self.worlds.reset(np.flatnonzero(ended), self._generators)
            rewards[ended], terminated[ended], truncated[ended] = 0.0, False, False
            places = self.worlds.places()
            infos = {**_known({**values, **places}, ~ended), **_known(places, np.ones_like(ended))}
        else:
            infos = _known(values, ~ended)
        self._ended = terminated | truncated
        return self.worlds.observations(), rewards, terminated, truncated, infos

    def _reset_now(
        self, rewards: Any, terminated: Any, truncated: Any, values: "dict[str, Any]"
    ) -> "tuple[Any, Any, Any, Any, dict[str, Any]]":
        """Resets the worlds that have ended, and returns the result of the step."""
        ended = terminated | truncated
        observations = self.worlds.observations()
        if not ended.any():
            return observations, rewards, terminated, truncated, _known(values, ~ended)
        final = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(ended):
            final[i] = observations[i]
        self.worlds.reset(np.flatnonzero(ended), self._generators)
        places = self.worlds.places()
        infos = {**_known({**values, **places}, ~ended), **_known(places, np.ones_like(ended))}
        infos.update(final_obs=final, _final_obs=ended.copy(), final_info=_known(values, ended), _final_info=ended.copy())
        return self.worlds.observations(), rewards, terminated, truncated, infos

    def render(self) -> None:
        """Draws nothing and returns None. Poses for a viewer are in `envs.worlds.batch.states`."""

    def close_extras(self, **kwargs: Any) -> None:
        """Releases the memory."""
        self.worlds.batch.close()


def _mode(given: Any) -> Any:
    for mode in AutoresetMode:
        if given is mode or given in (mode.name, mode.value):
            return mode
    raise ArgumentError(f"autoreset_mode must be one of {', '.join(mode.name for mode in AutoresetMode)}, is {given!r}")


def _seed(value: Any, name: str) -> Optional[int]:
    """Returns a seed as an integer, or None."""
    try:
        seed = None if value is None else operator.index(value)
    except TypeError:
        seed = -1
    if seed is not None and seed < 0:
        raise ArgumentError(f"{name} must be None or an integer from 0, is {value!r}")
    return seed


def _seeds(given: Any, n: int) -> "tuple[Optional[int], list[Optional[int]]]":
    """Returns the seed that all n worlds share, if any, and the seed of each world."""
    if given is None:
        return None, [None] * n
    if not isinstance(given, (list, tuple, range)) and not (isinstance(given, np.ndarray) and given.ndim):
        first = _seed(given, f"seed, if it is not a list of {n},")
        assert first is not None
        return first, [first + i for i in range(n)]
    if len(given) != n:
        raise ArgumentError(f"seed must be an integer or a list of {n}, one for each world; it has {len(given)}")
    return None, [_seed(value, f"seed of world {i}") for i, value in enumerate(given)]


def _mask(options: "Optional[dict[str, Any]]", n: int) -> Any:
    """Returns which worlds to reset."""
    given = {} if options is None else mapping(options, "options", 'such as {"reset_mask": mask}')
    for name in given:
        if name != "reset_mask":
            raise unknown(f"options have no {name!r}", name, ["reset_mask"], "only option is")
    mask = given.get("reset_mask")
    if mask is None:
        return np.ones(n, bool)
    if not isinstance(mask, np.ndarray) or mask.shape != (n,) or mask.dtype != np.bool_ or not mask.any():
        raise ArgumentError(f"reset_mask must be an array of {n} booleans, of which one at least is True, is {mask!r}")
    return mask


def _known(values: "dict[str, Any]", mask: Any) -> "dict[str, Any]":
    """Returns infos of the worlds of a mask; 0 for others."""
    everywhere = bool(mask.all())
    out: "dict[str, Any]" = {}
    if not mask.any():
        return out
    for name, array in values.items():
        out[name] = array if everywhere else np.where(mask, array, np.zeros_like(array))
        out[f"_{name}"] = mask.copy()
    return out


def make(task: TaskLike, **changes: Any) -> Env:
    """Returns an environment of one world: `Env`."""
    return Env(task, **changes)


def make_vec(
    task: TaskLike, num_envs: int = 1, threads: int = 0, autoreset_mode: Any = AutoresetMode.NEXT_STEP, **changes: Any
) -> VectorEnv:
    """Returns an environment of several worlds: `VectorEnv`."""
    return VectorEnv(task, num_envs, threads, autoreset_mode, **changes)


__all__ = ["TASKS", "AutoresetMode", "CartPole", "Env", "Task", "VectorEnv", "make", "make_vec"]
