"""Checks environments against the protocol of Gymnasium 1.x, as its documentation describes it: spaces, five-tuples, seeds,
types, ownership of arrays, modes of autoreset, and infos."""

from typing import Any, Callable

import numpy as np
from support import abut


def same(a: Any, b: Any) -> bool:
    """Whether two results have the same types and bits."""
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, np.ndarray) and a.dtype == object:
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    return type(a) is type(b) and np.array_equal(a, b)


def check_space(space: Any) -> None:
    """A space contains what it samples, and samples the same from the same seed."""
    space.seed(5)
    first = [space.sample() for _ in range(5)]
    space.seed(5)
    assert all(same(one, space.sample()) for one in first)
    assert all(one in space for one in first)
    wrong = np.full(np.shape(first[0]), np.nan)
    assert wrong not in space and "x" not in space


def check_info(info: Any) -> None:
    """The info of one world is a dictionary of plain values by name."""
    assert isinstance(info, dict) and all(isinstance(key, str) for key in info)
    assert all(type(value) in (float, bool) for value in info.values()), info


def check_env(make: Callable[[], Any], steps: int = 30) -> None:
    """Checks an environment of one world."""
    env, other = make(), make()
    check_space(env.action_space)
    check_space(env.observation_space)
    assert env.unwrapped is env and env.render_mode is None and env.spec is None
    assert "render_modes" in env.metadata and env.metadata["render_fps"] > 0
    results = []
    for one in (env, other):
        one.action_space.seed(3)
        observation, info = one.reset(seed=11)
        assert observation in one.observation_space
        check_info(info)
        results.append([(observation.copy(), info)])
        for _ in range(steps):
            step = one.step(one.action_space.sample())
            assert len(step) == 5
            observation, reward, terminated, truncated, info = step
            assert observation in one.observation_space and observation.dtype == one.observation_space.dtype
            assert type(reward) is float and type(terminated) is bool and type(truncated) is bool
            check_info(info)
            results[-1].append((observation, observation.copy(), *step[1:]))
            if terminated or truncated:
                results[-1].append(one.reset())
    assert same(*results), "the same seed and actions gave other bits"
    assert all(np.array_equal(row[0], row[1]) for row in results[0][1:] if len(row) > 2), "a returned array has changed"
    again, _ = env.reset(seed=11)
    assert np.array_equal(again, results[0][0][0]), "the seed does not decide the start"
    third, _ = env.reset()
    assert not np.array_equal(third, again), "without a seed, the next start must differ"
    assert not np.array_equal(env.reset(seed=12)[0], again), "another seed gave the same start"
    assert isinstance(env.np_random, np.random.Generator)
    env.close()


class Reference:
    """What a vector environment must return: single environments, stepped one after the other in the documented order."""

    def __init__(self, make: Callable[[], Any], n: int, mode: Any) -> None:
        self.envs, self.mode, self.ended = [make() for _ in range(n)], mode, np.zeros(n, bool)

    def add(self, infos: Any, info: Any, i: int) -> Any:
        for key, value in info.items():
            if isinstance(value, dict):
                array = self.add(infos.get(key, {}), value, i)
            else:
                array = infos.setdefault(key, np.zeros(len(self.envs), type(value)))
                array[i] = value
            infos[key] = array
            infos.setdefault(f"_{key}", np.zeros(len(self.envs), bool))[i] = True
        return infos

    def reset(self, seed: Any, mask: Any) -> Any:
        rows, infos = {}, {}
        for i in np.flatnonzero(mask):
            rows[i], info = self.envs[i].reset(seed=None if seed is None else seed + int(i))
            self.ended[i] = False
            self.add(infos, info, i)
        return rows, infos

    def step(self, actions: Any) -> Any:
        n = len(self.envs)
        rows, infos, final = [], {}, np.full(n, None, dtype=object)
        rewards, terminated, truncated = np.zeros(n), np.zeros(n, bool), np.zeros(n, bool)
        for i, env in enumerate(self.envs):
            if self.ended[i] and self.mode is abut.env.AutoresetMode.NEXT_STEP:
                row, info = env.reset()
            else:
                row, rewards[i], terminated[i], truncated[i], info = env.step(actions[i])
            if (terminated[i] or truncated[i]) and self.mode is abut.env.AutoresetMode.SAME_STEP:
                final[i] = row
                self.add(infos, {"final_info": info}, i)
                row, info = env.reset()
            rows.append(row)
            self.add(infos, info, i)
        self.ended = terminated | truncated
        if any(one is not None for one in final):
            infos["final_obs"], infos["_final_obs"] = final, self.ended
        return np.array(rows), rewards, terminated, truncated, infos


def check_vector(make: Callable[[], Any], make_vec: Callable[..., Any], mode: Any, n: int = 4, steps: int = 60) -> int:
    """Checks an environment of several worlds: bit for bit like single ones. Returns how many episodes have ended."""
    envs, reference = make_vec(num_envs=n, autoreset_mode=mode), Reference(make, n, mode)
    single = reference.envs[0]
    assert envs.num_envs == n and not envs.closed and envs.metadata["autoreset_mode"] is mode
    assert envs.single_observation_space == single.observation_space and envs.single_action_space == single.action_space
    assert envs.observation_space.shape == (n, *single.observation_space.shape)
    check_space(envs.action_space)
    everything = np.ones(n, bool)
    observations, infos = envs.reset(seed=21)
    rows, expected = reference.reset(21, everything)
    assert same(observations, np.array([rows[i] for i in range(n)])) and same(infos, expected)
    envs.action_space.seed(2)
    kept, n_ended = [], 0
    for _ in range(steps):
        ended = reference.ended.copy()
        if mode is abut.env.AutoresetMode.DISABLED and ended.any():
            observations, infos = envs.reset(options={"reset_mask": ended})
            rows, expected = reference.reset(None, ended)
            assert all(np.array_equal(observations[i], rows[i]) for i in rows)
            assert all(np.array_equal(infos[f"_{key}"], ended) for key in expected if key[0] != "_")
        actions = envs.action_space.sample()
        result, wanted = envs.step(actions), reference.step(actions)
        for name, one, other in zip(("observations", "rewards", "terminations", "truncations"), result, wanted):
            assert same(one, other), f"{name}: {one}, expected {other}"
        assert same(result[4], wanted[4]), f"infos: {result[4]}, expected {wanted[4]}"
        assert result[0] in envs.observation_space and result[1].dtype == np.float64
        kept.append((result[:4], [array.copy() for array in result[:4]]))
        n_ended += int(reference.ended.sum())
    assert all(np.array_equal(a, b) for row in kept for a, b in zip(*row)), "a returned array has changed"
    again, _ = envs.reset(seed=21)
    fresh, _ = make_vec(num_envs=n, autoreset_mode=mode).reset(seed=21)
    assert np.array_equal(again, fresh), "a seeded reset does not repeat the bits"
    envs.close()
    assert envs.closed
    envs.close()
    return n_ended
