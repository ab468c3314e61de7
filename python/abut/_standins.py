"""What `abut.env` needs of Gymnasium 1.x where that is not installed: spaces, base classes and the modes of autoreset, with
the same names, arguments and behaviour."""

from enum import Enum
from typing import Any, Optional, Sequence, Union

import numpy as np


def generator(seed: Optional[int] = None) -> "tuple[np.random.Generator, int]":
    """Returns the generator of a seed, as gymnasium.utils.seeding.np_random does; without one, a random seed."""
    sequence = np.random.SeedSequence(seed)
    return np.random.Generator(np.random.PCG64(sequence)), int(sequence.entropy)  # type: ignore[arg-type]


class AutoresetMode(Enum):
    """When a vector environment resets a world that has ended."""

    NEXT_STEP = "NextStep"
    SAME_STEP = "SameStep"
    DISABLED = "Disabled"


class Space:
    """A set of arrays of one shape and type."""

    def __init__(self, shape: "tuple[int, ...]", dtype: Any, seed: Optional[int] = None) -> None:
        self.shape, self.dtype = shape, np.dtype(dtype)
        self._random = generator(seed)[0]

    def seed(self, seed: Optional[int] = None) -> int:
        """Seeds `sample`."""
        self._random, used = generator(seed)
        return used

    def _fits(self, x: Any) -> bool:
        return bool(isinstance(x, np.ndarray) and x.shape == self.shape and np.can_cast(x.dtype, self.dtype))

    def __contains__(self, x: Any) -> bool:
        return self.contains(x)

    def contains(self, x: Any) -> bool:
        """Returns whether the space has the element `x`."""
        raise NotImplementedError


class Box(Space):
    """Arrays between two bounds."""

    def __init__(
        self, low: Any, high: Any, shape: Optional[Sequence[int]] = None, dtype: Any = np.float32, seed: Optional[int] = None
    ) -> None:
        shape = np.broadcast_shapes(np.shape(low), np.shape(high)) if shape is None else tuple(shape)
        super().__init__(shape, dtype, seed)
        self.low, self.high = (np.array(np.broadcast_to(bound, shape), dtype) for bound in (low, high))

    def sample(self) -> Any:
        """Returns a random element: uniform between bounds, exponential from one bound, normal without bounds."""
        below, above = np.isfinite(self.low), np.isfinite(self.high)
        low, high = np.where(below, self.low, 0.0), np.where(above, self.high, 0.0)
        tail = self._random.exponential(size=self.shape)
        out = np.where(below & above, self._random.uniform(low, np.maximum(low, high)), low + tail)
        out = np.where(~below & above, high - tail, out)
        return np.where(~below & ~above, self._random.normal(size=self.shape), out).astype(self.dtype)

    def contains(self, x: Any) -> bool:
        return self._fits(x) and bool(np.all(x >= self.low) and np.all(x <= self.high))

    def __eq__(self, other: Any) -> bool:
        return (
            isinstance(other, Box) and self.shape == other.shape and self.dtype == other.dtype
            and np.array_equal(self.low, other.low) and np.array_equal(self.high, other.high)
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"


class Discrete(Space):
    """The integers from 0 to n - 1."""

    def __init__(self, n: int, seed: Optional[int] = None) -> None:
        super().__init__((), np.int64, seed)
        self.n = n

    def sample(self) -> Any:
        """Returns a random element."""
        return self._random.integers(self.n)

    def contains(self, x: Any) -> bool:
        whole = isinstance(x, (int, np.integer)) or (isinstance(x, np.ndarray) and x.shape == () and x.dtype.kind in "iu")
        return whole and 0 <= int(x) < self.n

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Discrete) and self.n == other.n

    def __repr__(self) -> str:
        return f"Discrete({self.n})"


class MultiDiscrete(Space):
    """Arrays of integers, each from 0 to its n - 1."""

    def __init__(self, nvec: Any, seed: Optional[int] = None) -> None:
        self.nvec = np.array(nvec, np.int64)
        super().__init__(self.nvec.shape, np.int64, seed)

    def sample(self) -> Any:
        """Returns a random element."""
        return self._random.integers(self.nvec)

    def contains(self, x: Any) -> bool:
        return self._fits(x) and bool(np.all(x >= 0) and np.all(x < self.nvec))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, MultiDiscrete) and np.array_equal(self.nvec, other.nvec)

    def __repr__(self) -> str:
        return f"MultiDiscrete({self.nvec})"


def batch_space(space: Union[Box, Discrete], n: int) -> Space:
    """Returns the space of n elements of a space."""
    if isinstance(space, Discrete):
        return MultiDiscrete(np.full(n, space.n))
    low, high = (np.broadcast_to(bound, (n, *space.shape)) for bound in (space.low, space.high))
    return Box(low, high, dtype=space.dtype)


class _Base:
    """What environments of both kinds have."""

    metadata: "dict[str, Any]" = {"render_modes": []}
    render_mode: Optional[str] = None
    spec: Any = None
    observation_space: Any
    action_space: Any
    _np_random: Optional[np.random.Generator] = None
    _np_random_seed: Optional[int] = None

    def reset(self, *, seed: Optional[int] = None, options: "Optional[dict[str, Any]]" = None) -> Any:
        if seed is not None:
            self._np_random, self._np_random_seed = generator(seed)

    @property
    def np_random(self) -> np.random.Generator:
        """The random generator, seeded by `reset`."""
        if self._np_random is None:
            self._np_random, self._np_random_seed = generator()
        return self._np_random

    @np_random.setter
    def np_random(self, value: np.random.Generator) -> None:
        self._np_random, self._np_random_seed = value, -1

    @property
    def np_random_seed(self) -> int:
        """The seed of the random generator; -1 if it was set."""
        self.np_random
        assert self._np_random_seed is not None
        return self._np_random_seed

    @property
    def unwrapped(self) -> Any:
        """This environment."""
        return self


class Env(_Base):
    """Base class of environments of one world."""

    def close(self) -> None:
        pass

    def __enter__(self) -> "Env":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class VectorEnv(_Base):
    """Base class of environments of several worlds."""

    num_envs: int
    closed = False
    single_observation_space: Any
    single_action_space: Any

    def close(self, **kwargs: Any) -> None:
        if not self.closed:
            self.close_extras(**kwargs)
            self.closed = True

    def close_extras(self, **kwargs: Any) -> None:
        pass
