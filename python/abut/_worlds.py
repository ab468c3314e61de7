"""The worlds of an environment: a batch, with coordinates, rewards and seeded starts."""

from typing import Any, Iterable, Optional

import numpy as np

from ._arguments import index_of
from ._batch import Batch
from ._memory import Array
from ._model import Model
from ._robot import Robot
from ._simulation import STATE, Simulation
from ._tasks import Task
from .errors import ArgumentError


def _x_of(states: Array, centres: Array, weights: Array) -> Array:
    """Returns (worlds,): x of the common centre of mass of bodies with these centres in their frames."""
    w, v = states[:, :, 3], states[:, :, 4:7]
    across = np.cross(v, centres)
    turned = centres[:, 0] + 2 * (w * across[:, :, 0] + np.cross(v, across)[:, :, 0])
    out = np.zeros(len(states))
    for place, weight in zip((states[:, :, 0] + turned).T, weights):  # in an order that does not depend on the worlds
        out += weight * place
    return out


class Worlds:
    """`n` worlds of a task on some threads. `q` and `v` are as in `Task`, (n, ...), at the present states."""

    def __init__(self, task: Task, n: int, threads: int) -> None:
        self.model = Model(task.scene)
        self.batch = Batch(self.model, n, threads)
        self.robot = Robot(Simulation(self.model))
        motors = self.robot._motors
        if len(task.gears) != len(motors):
            raise ArgumentError(f"gears must have a number for each of {len(motors)} motors, has {len(task.gears)}")
        self._motors = tuple(np.array(motors, int).reshape(-1, 2).T)
        joints = self.robot.simulation.joints
        self._freedoms = tuple(np.nonzero(np.arange(3) < joints["n_axes"][:, None]))
        n_joints = len(self._freedoms[0])
        self.base = len(self.robot.names) - n_joints
        if self.base not in (0, 3, 7) or (self.base > 0) is not (task.torso is not None) or self.robot.n_loops:
            raise ArgumentError("the scene of a task must be one tree of joints, from the world or from the `torso`")
        self._torso = self.model.body(task.torso) if task.torso is not None else -1
        self.task = task.prepared(self.base)
        lower, upper = self.robot.limits.T
        self._limits = np.roll(lower, self.base), np.roll(upper, self.base)
        self._start = np.roll(self.robot.q, self.base)
        self._weights = np.where(self.model.static, 0.0, self.model.masses)
        self._weights /= self._weights.sum()
        self._joints, self._states = self.batch.joints, self.batch.states
        columns = [range(self.model.n_sensor_values)[self.model.sensors[name]] for name in self._sensors_of(task)]
        self._sensed = np.array([column for one in columns for column in one], int)
        self._sensors = self.batch.sensors
        self.batch.motors  # is now Python's, and pushed by each step
        n_v = len(self.robot.velocity_names)
        self.q, self.v = np.tile(self._start, (n, 1)), np.zeros((n, n_v))
        self.x, self.elapsed = np.zeros(n), np.zeros(n, np.int64)
        self.timestep = self.model.timestep * task.frame_skip
        self._read()

    def _sensors_of(self, task: Task) -> "list[str]":
        names = list(self.model.sensors)
        return [names[index_of(name, names, "sensor", "sensors")] for name in task.observed_sensors]

    def _read(self) -> None:
        """Reads coordinates and rates of all worlds."""
        joints = self.batch.get_joints(self._joints)
        states = self.batch.get_states(self._states)
        base = self.base
        of: Any = (slice(None), *self._freedoms)
        rates = {0: 0, 3: 3, 7: 6}[base]
        self.q[:, base:], self.v[:, rates:] = joints["position"][of], joints["velocity"][of]
        if base:
            self._read_base(states[:, self._torso])
        if len(self._sensed):
            self.batch.get_sensors(self._sensors)
        if self.task.by_mass_centre:
            self.x = _x_of(states, self.model.centres, self._weights)
        else:
            self.x = self.q[:, 0].copy()

    def _read_base(self, torso: Array) -> None:
        w, axis, speed, spin = torso[:, 3], torso[:, 4:7], torso[:, 7:10], torso[:, 10:]
        centre = self.model.centres[self._torso]
        if centre.any():  # from the centre of mass to the origin of the frame
            away = np.cross(spin, centre)
            across = np.cross(axis, away)
            speed = speed - (away + 2 * (w[:, None] * across + np.cross(axis, across)))
        if self.base == 7:
            self.q[:, :7], self.v[:, :3], self.v[:, 3:6] = torso[:, :7], speed, spin
            return
        turn = 2 * np.arctan2(axis[:, 1], w)
        turn += 2 * np.pi * np.round((self.q[:, 2] - turn) / (2 * np.pi))  # nearest to the last one
        self.q[:, 0], self.q[:, 1], self.q[:, 2] = torso[:, 0], torso[:, 2], turn
        self.v[:, 0], self.v[:, 1], self.v[:, 2] = speed[:, 0], speed[:, 2], spin[:, 1]

    def reset(self, worlds: Iterable[int], generators: "list[np.random.Generator]") -> None:
        """Starts new episodes of worlds, whose noise comes from their generators."""
        task, scale = self.task, self.task.reset_noise_scale
        for world in worlds:
            random = generators[world]
            q = self._start + random.uniform(-scale, scale, len(self._start))
            size = self.v.shape[1]
            v = scale * random.standard_normal(size) if task.normal_noise else random.uniform(-scale, scale, size)
            q = np.clip(q, *self._limits)
            if self.base == 7:
                q[3:7] /= np.linalg.norm(q[3:7])
            n_v = {0: 0, 3: 3, 7: 6}[self.base]
            self.robot.simulation.reset()
            self.robot.set(np.roll(q, -self.base), np.roll(v, -n_v))
            self.batch.assign(world, self.robot.simulation)
            self.batch.motors[world] = 0.0
            self.q[world], self.elapsed[world] = q, 0
        self._read()

    def step(self, actions: Any) -> "tuple[Array, Any, Any, dict[str, Array]]":
        """Takes an action in each world. Returns rewards, whether the episode has terminated, or is truncated, and what
        is to be known besides, (n,) each."""
        task, before = self.task, self.x
        self.batch.motors[(slice(None), *self._motors)] = task.efforts(actions)
        self.batch.step(task.frame_skip)
        self._read()
        self.elapsed += 1
        failed = np.zeros(len(self.x), bool)
        failed[self.batch.failed] = True
        speed = (self.x - before) / self.timestep
        healthy = task.healthy(self.q, self.v)
        terms = task.terms(speed, actions, healthy)
        terminated = ~healthy if task.terminate_when_unhealthy else np.zeros(len(self.x), bool)
        over = task.max_episode_steps
        truncated = failed | (self.elapsed >= over) if over is not None else failed
        infos = {**self.places(), "x_velocity": speed, **terms}
        if failed.any():
            infos["step_failed"] = failed.copy()
        rewards: Array = np.sum(list(terms.values()), axis=0)
        return rewards, terminated, truncated, infos

    def places(self) -> "dict[str, Array]":
        """Returns what the info of a reset has too."""
        return {"x_position": self.x.copy(), **({"y_position": self.q[:, 1].copy()} if self.base == 7 else {})}

    def observations(self) -> Array:
        """Returns new observations."""
        observed = self.task.observe(self.q, self.v)
        if not len(self._sensed):
            return observed
        return np.hstack([observed, self._sensors[:, self._sensed]]).astype(observed.dtype, copy=False)

    def bounds(self) -> "tuple[Array, Array]":
        """Returns the bounds of an observation."""
        n = self.observations().shape[1] - len(self._sensed)
        low, high = self.task.bounds(n)
        free = np.full(len(self._sensed), np.inf)
        return np.hstack([low, -free]), np.hstack([high, free])

