"""Environments: the protocol of Gymnasium, and the standard tasks."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from env_checker import check_env, check_vector
from support import ROOT, abut, one_body, shapes, unittest

SIZES = {"cartpole": (4, 1), "hopper": (11, 3), "half-cheetah": (17, 6), "ant": (27, 8), "walker2d": (17, 6),
         "humanoid": (45, 17), "quadruped": (35, 12)}  # fmt: skip
MODES = list(abut.env.AutoresetMode)


def turned(q: Any, v: Any) -> Any:
    """Rotates a vector by a quaternion, by its matrix."""
    w, x, y, z = q
    matrix = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
              [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
              [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]  # fmt: skip
    return np.array(matrix) @ v


class TestProtocol(unittest.TestCase):
    def test_single_environments(self) -> None:
        self.assertEqual(list(abut.env.TASKS), list(SIZES))
        for name, (n_observed, n_actions) in SIZES.items():
            with self.subTest(name):
                check_env(lambda n=name: abut.env.make(n))  # type: ignore[misc]
                env = abut.env.make(name)
                self.assertEqual(env.observation_space.shape, (n_observed,))
                self.assertEqual(env.worlds.robot.motor_names.__len__(), n_actions)

    def test_vectors_are_single_environments_bit_for_bit(self) -> None:
        for name in SIZES:
            for mode in MODES if name in ("cartpole", "hopper", "ant") else MODES[:1]:
                with self.subTest(name=name, mode=mode.name):
                    ended = check_vector(
                        lambda n=name: abut.env.make(n, max_episode_steps=13),  # type: ignore[misc]
                        lambda n=name, **keys: abut.env.make_vec(n, threads=2, max_episode_steps=13, **keys),  # type: ignore[misc]
                        mode, steps=40,
                    )  # fmt: skip
                    self.assertGreaterEqual(ended, 8)

    def test_threads_do_not_change_bits(self) -> None:
        rows = []
        for threads in (1, 2):
            envs = abut.env.make_vec("ant", 5, threads)
            envs.reset(seed=3)
            envs.action_space.seed(4)
            rows.append([envs.step(envs.action_space.sample())[0] for _ in range(10)])
        np.testing.assert_array_equal(*rows)

    def test_seeds_of_single_worlds(self) -> None:
        envs = abut.env.make_vec("hopper", 3)
        all_three, _ = envs.reset(seed=[7, None, 9])
        np.testing.assert_array_equal(all_three[0], abut.env.make("hopper").reset(seed=7)[0])
        np.testing.assert_array_equal(all_three[2], abut.env.make("hopper").reset(seed=9)[0])
        before = envs.step(np.zeros((3, 3)))[0]
        mask = np.array([False, True, False])
        after, infos = envs.reset(seed=7, options={"reset_mask": mask})
        np.testing.assert_array_equal(after[[0, 2]], before[[0, 2]])
        np.testing.assert_array_equal(after[1], abut.env.make("hopper").reset(seed=8)[0])
        np.testing.assert_array_equal(infos["_x_position"], mask)

    def test_errors(self) -> None:
        env, envs = abut.env.make("hopper"), abut.env.make_vec("cartpole", 2, autoreset_mode="DISABLED", max_episode_steps=1)
        for message, call in (
            ("task 'hoper' does not exist; did you mean 'hopper'", lambda: abut.env.make("hoper")),
            ("a task has no 'reset_noise_scal'; did you mean 'reset_noise_scale'", lambda: abut.env.make("ant", reset_noise_scal=0)),
            ("a task must be a name or an abut.env.Task, is int", lambda: abut.env.make(5)),
            ("call reset", lambda: env.step(np.zeros(3))),
            ("autoreset_mode must be one of NEXT_STEP, SAME_STEP, DISABLED, is 'x'", lambda: abut.env.make_vec("ant", 2, autoreset_mode="x")),
            ("num_envs must be an integer from 1", lambda: abut.env.make_vec("ant", 0)),
            ("reset_mask must be an array of 2 booleans", lambda: envs.reset(options={"reset_mask": [True, False]})),
            ("reset_mask must be", lambda: envs.reset(options={"reset_mask": np.zeros(2, bool)})),
            ("seed must be an integer or a list of 2", lambda: envs.reset(seed=[1])),
        ):  # fmt: skip
            with self.subTest(message), self.assertRaisesRegex(abut.ArgumentError, message):
                call()
        for message, call in (
            ("options have no 'reset_maks'; did you mean 'reset_mask'", lambda: envs.reset(options={"reset_maks": np.ones(2, bool)})),
            ("options have no 'foo'; the only option is reset_mask", lambda: envs.reset(options={"foo": 1})),
            ("options must be a dictionary, .*, is int", lambda: envs.reset(options=3)),
            ("options must be a dictionary, .*, is int", lambda: envs.reset(options=0)),
            ("has no options, got {'foo': 1}", lambda: env.reset(options={"foo": 1})),
            ("has no options, got 3", lambda: env.reset(options=3)),
        ):  # fmt: skip
            with self.subTest(message), self.assertRaisesRegex(abut.ArgumentError, message):
                call()
        for seed in (-1, "a", 1.5):
            with self.subTest(seed=seed):
                self.assertRaisesRegex(abut.ArgumentError, f"seed must be None or an integer from 0, is {seed!r}", env.reset, seed=seed)
                self.assertRaisesRegex(abut.ArgumentError, f"must be None or an integer from 0, is {seed!r}", envs.reset, seed=seed)
                self.assertRaisesRegex(
                    abut.ArgumentError, f"seed of world 1 must be None or an integer from 0, is {seed!r}", envs.reset, seed=[1, seed]
                )
        np.testing.assert_array_equal(envs.reset(seed=np.int64(5))[0], envs.reset(seed=np.array([5, 6]))[0])
        env.reset(options={})
        envs.reset()
        envs.step(np.array([0, 1]))
        for message, call in (
            (r"numbers of shape \(1, 3\)", lambda: env.step(np.zeros(2))),
            (r"must be finite; entry \(0, 1\) is nan", lambda: env.step([0, np.nan, 0])),
            ("worlds 0, 1 have ended; reset them with options", lambda: envs.step(np.array([0, 1]))),
        ):
            with self.subTest(message), self.assertRaisesRegex(abut.ArgumentError, message):
                call()
        envs.reset()
        with self.assertRaisesRegex(abut.ArgumentError, r"integers from 0 to 1; entry \(1,\) is 2"):
            envs.step(np.array([0, 2]))

    def test_fields_of_tasks_are_checked(self) -> None:
        nan, inf = np.nan, np.inf
        for name, allowed, values in (
            ("max_episode_steps", "None or an integer from 1", (0, -3, 2.5, "a")),
            ("frame_skip", "an integer from 1", (0, -1, 1.5, "a", None)),
            ("ctrl_cost_weight", "a finite number", (nan, inf, "x", None)),
            ("forward_reward_weight", "a finite number", (nan,)),
            ("healthy_reward", "a finite number", ("1",)),
            ("reset_noise_scale", "a finite number that is not negative", (-1, nan, inf, "x")),
            ("healthy_z_range", "two numbers, the lower one first", ((1, 0), (nan, 1), 3, None, (1, 2, 3))),
            ("healthy_angle_range", "two numbers, the lower one first", ("a", (0, 0))),
            ("healthy_state_range", "two numbers, the lower one first", (["a", "b"],)),
            ("action_limit", "a number greater than 0", (-1, 0, nan, "x")),
            ("velocity_limit", "a number greater than 0", (-1, nan)),
            ("gears", "a list of finite numbers, one for each motor and not all 0", ([0] * 8, [nan] * 8, None, 3, "abc", [[1] * 8])),
            ("torso", "the name of a body or None", (3, True)),
            ("normal_noise", "True or False", ("no", None)),
            ("terminate_when_unhealthy", "True or False", ("False",)),
            ("by_mass_centre", "True or False", (2,)),
            ("observed_sensors", "a list of names of sensors", ("imu", 3, None)),
            ("observed_type", "a type of floating-point numbers", ("int32", "x", None)),
            ("discrete", "an integer from 0", (-1, 0.5)),
            ("discrete", "0 unless a subclass defines efforts", (3,)),
        ):  # fmt: skip
            for value in values:
                message = f"^{name} must be {allowed}.*, is {re.escape(repr(value))}$"
                with self.subTest(name=name, value=value), self.assertRaisesRegex(abut.ArgumentError, message):
                    abut.env.make("ant", **{name: value})
        self.assertRaisesRegex(abut.ArgumentError, "gears must be .*, is None", abut.env.Task, {}, gears=None)
        self.assertRaisesRegex(abut.ArgumentError, "discrete must be 2", abut.env.make, "cartpole", discrete=0)
        env = abut.env.make("ant", gears=np.arange(8), max_episode_steps=None, frame_skip=np.int64(2), healthy_z_range=[-inf, 2.0],
                            ctrl_cost_weight=-1, observed_type=np.float32, reset_noise_scale=0)  # fmt: skip
        env.reset(seed=1)
        self.assertTrue(np.isfinite(env.step(np.ones(8, np.float32))[1]))

    def test_a_failed_step_truncates_the_episode(self) -> None:
        """A box that falls; its solver cannot solve contacts."""
        solver = {"max_iterations": 1, "retry": False, "warm_start": False, "finish": "none"}
        scene = one_body(shapes.box([0.1, 0.1, 0.1]), position=[0, 0, 0.3], solver=solver)
        env = abut.env.make(abut.env.Task(scene, "body"), terminate_when_unhealthy=False)
        counts = []
        for _ in range(2):
            env.reset(seed=1)
            truncated, count = False, 0
            while not truncated:
                _, _, terminated, truncated, info = env.step(np.zeros(0))
                self.assertFalse(terminated)
                count += 1
            self.assertTrue(info["step_failed"])
            counts.append(count)
        self.assertEqual(counts[0], counts[1])
        self.assertGreater(counts[0], 5)

    def test_gymnasium_is_imported_only_for_environments(self) -> None:
        """With a stand-in of Gymnasium on the path."""
        with tempfile.TemporaryDirectory() as folder:
            for path, text in {
                "__init__.py": "from abut import _standins as s\n__version__ = '1.1'\nclass Env(s.Env): pass\n",
                "spaces.py": "from abut._standins import *\n",
                "vector/__init__.py": "from abut import _standins as s\nfrom abut._standins import AutoresetMode\n"
                                      "class VectorEnv(s.VectorEnv): pass\n",
                "vector/utils.py": "from abut._standins import batch_space\n",
                "utils/__init__.py": "",
                "utils/seeding.py": "from abut._standins import generator as np_random\n",
            }.items():  # fmt: skip
                file = Path(folder) / "gymnasium" / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            code = (
                "import sys, abut; assert 'gymnasium' not in sys.modules and 'abut.env' not in sys.modules\n"
                "import gymnasium.vector\n"
                "assert isinstance(abut.env.make('hopper'), gymnasium.Env)\n"
                "envs = abut.env.make_vec('hopper', 2)\n"
                "assert isinstance(envs, gymnasium.vector.VectorEnv)\n"
                "envs.reset(seed=1); envs.step(envs.action_space.sample())\n"
            )
            path = os.pathsep.join([str(ROOT / "python"), folder])
            done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)


class TestTasks(unittest.TestCase):
    def test_robots_are_like_the_standard_ones(self) -> None:
        """Masses of the standard models, kg."""
        masses = {"half-cheetah": 14.0, "ant": 0.91088, "hopper": 15.82, "walker2d": 23.677, "humanoid": 42.116 + 2 * 0.905}
        for name, mass in masses.items():
            model = abut.env.make(name).worlds.model
            self.assertAlmostEqual(model.masses[model.moving].sum(), mass, 2)
        for name in SIZES:
            self.assertEqual(abut.env.make(name).worlds.model.warnings, [], name)

    def test_starts(self) -> None:
        """Starts are the start of the scene with noise of the given size, within limits; without noise, exactly it."""
        for name in SIZES:
            env = abut.env.make(name)
            still = abut.env.make(name, reset_noise_scale=0.0)
            rest, _ = still.reset(seed=1)
            scale, n = env.task.reset_noise_scale, len(env.worlds._start) - env.task.hidden
            if name == "cartpole":
                np.testing.assert_array_equal(rest, 0)
                self.assertLessEqual(np.abs(env.reset(seed=1)[0]).max(), scale)
                continue
            np.testing.assert_allclose(rest[n:], 0, atol=1e-12)
            for seed in range(5):
                observation, _ = env.reset(seed=seed)
                self.assertLessEqual(np.abs(observation[:n] - rest[:n]).max(), scale * 1.5)
                self.assertGreater(np.abs(observation - rest).max(), 0)
                self.assertEqual(env.worlds.robot.outside(), {})

    def test_observations_and_rewards(self) -> None:
        """The same motion in a simulation: coordinates, rates and rewards by their definitions."""
        for name in ("hopper", "half-cheetah", "ant", "walker2d", "humanoid", "quadruped"):
            env = abut.env.make(name)
            task, model = env.task, env.worlds.model
            env.reset(seed=4)
            sim = env.worlds.robot.simulation.copy()
            robot = abut.Robot(sim)
            random = np.random.default_rng(1)

            def mass_centre() -> float:
                total = 0.0
                for mass, centre, state in zip(model.masses, model.centres, sim.states):
                    total += 0.0 if not mass or mass == np.inf else mass * (state[0] + turned(state[3:7], centre)[0])
                moving = model.masses[model.moving].sum()
                return float(total / moving)

            torso = model.body(task.torso)
            for _ in range(8):
                action = random.uniform(-1.2, 1.2, len(task.gears)).astype(np.float32) * task.action_limit
                before = mass_centre() if task.by_mass_centre else sim.states[torso, 0]
                robot.motors = np.clip(action, -task.action_limit, task.action_limit) * task.gears
                sim.steps(task.frame_skip)
                observation, reward, terminated, _, info = env.step(action)
                after = mass_centre() if task.by_mass_centre else sim.states[torso, 0]
                state, joints = sim.states[torso], sim.joint_positions
                origin = state[7:10] - turned(state[3:7], np.cross(state[10:], model.centres[torso]))
                planar = name in ("hopper", "half-cheetah", "walker2d")
                place = [state[2], 2 * np.arctan2(state[5], state[3])] if planar else state[2:7]
                rates = [origin[0], origin[2], state[11]] if planar else [*origin, *state[10:]]
                rates = np.concatenate([rates, sim.joint_velocities])
                if task.velocity_limit == 10:
                    rates = np.clip(rates, -10, 10)
                np.testing.assert_allclose(observation, np.concatenate([place, joints, rates]), atol=1e-12)
                speed = (after - before) / (model.timestep * task.frame_skip)
                low, high = task.healthy_z_range
                healthy = low < state[2] < high and (not planar or task.healthy_angle_range[0] < place[1] < task.healthy_angle_range[1])
                cost = task.ctrl_cost_weight * float(np.square(action.astype(float)).sum())
                self.assertAlmostEqual(reward, task.forward_reward_weight * speed + task.healthy_reward * healthy - cost, 9)
                self.assertAlmostEqual(info["x_position"], after, 12)
                self.assertEqual(terminated, not healthy and task.terminate_when_unhealthy)

    def test_sensors_are_observed(self) -> None:
        names = ["imu", "lower_3", "torso"]

        def make() -> Any:
            return abut.env.make("ant", observed_sensors=names)

        check_env(make)
        check_vector(make, lambda **keys: abut.env.make_vec("ant", threads=2, observed_sensors=names, **keys), MODES[0], 3, 10)
        env = make()
        env.reset(seed=2)
        sim = env.worlds.robot.simulation.copy()
        for _ in range(12):
            observation, *_ = env.step(np.zeros(8))
            sim.steps(env.task.frame_skip)
        np.testing.assert_array_equal(observation[27:], np.concatenate([sim.sensors[name] for name in names]))
        self.assertGreater(sim.sensors["lower_3"][2], 0)
        with self.assertRaisesRegex(abut.ArgumentError, "sensor 'lower3' does not exist; did you mean 'lower_"):
            abut.env.make("ant", observed_sensors=["lower3"])

    def test_cartpole(self) -> None:
        """The first step follows from the equations of motion, and the episode ends with the angle."""
        env = abut.env.make("cartpole", reset_noise_scale=0.0)
        env.reset()
        observation, reward, *_ = env.step(1)
        # cart 1 kg, pole 0.1 kg of half length 0.5 m: MuJoCo's and Barto's model at rest
        turn = -10 / 1.1 / (0.5 * (4 / 3 - 0.1 / 1.1))
        push = 10 / 1.1 - 0.1 * 0.5 * turn / 1.1
        np.testing.assert_allclose(observation[[1, 3]], [0.02 * push, 0.02 * turn], rtol=2e-3)
        self.assertEqual(reward, 1.0)
        steps, terminated = 1, False
        while not terminated:
            observation, reward, terminated, truncated, _ = env.step(1)
            steps += 1
            self.assertEqual((reward, truncated), (1.0, False))
            self.assertEqual(terminated, bool(abs(observation[2]) > np.radians(12) or abs(observation[0]) > 2.4))
        self.assertLess(steps, 15)

    def test_episodes_are_truncated(self) -> None:
        env = abut.env.make("half-cheetah", max_episode_steps=3)
        env.reset(seed=0)
        self.assertEqual([env.step(np.zeros(6))[3] for _ in range(3)], [False, False, True])

    def test_turns_are_counted(self) -> None:
        """A cheetah that rolls over."""
        env = abut.env.make("half-cheetah", reset_noise_scale=0.0)
        env.reset()
        worlds = env.worlds
        angles = []
        for turn in np.linspace(0, 7, 15):
            worlds.robot.set(np.roll([0, 3, turn, *[0] * 6], -3), np.zeros(9))
            worlds.batch.assign(0, worlds.robot.simulation)
            worlds._read()
            angles.append(worlds.q[0, 2])
        np.testing.assert_allclose(angles, np.linspace(0, 7, 15), atol=1e-12)


if __name__ == "__main__":
    unittest.main()
