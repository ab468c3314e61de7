"""Steps: against closed forms, against the command bit for bit, and what can be read and set between them."""

import json
import math
import pathlib
import tempfile
import threading

import numpy as np
from support import FLOOR, SCENES, abut, one_body, shapes, unittest

BOX = shapes.box([0.5, 0.5, 0.5])
G, DT = 9.81, 0.01


class TestMotion(unittest.TestCase):
    def test_free_fall(self) -> None:
        """v_k = -k g dt and z_k = z_0 - g dt^2 k (k + 1) / 2, of a body that spins beside."""
        start = {"position": [0, 0, 100], "linear_velocity": [1, 2, 0], "angular_velocity": [0, 0, 3]}
        sim = abut.Simulation(one_body(BOX, **start))
        states = sim.steps(80, record=True)
        assert states is not None
        k = np.arange(1, 81)
        np.testing.assert_allclose(states[:, 1, 2], 100 - G * DT**2 * k * (k + 1) / 2, rtol=0, atol=1e-11)
        np.testing.assert_allclose(states[:, 1, 0], k * DT, rtol=0, atol=1e-12)
        np.testing.assert_allclose(states[:, 1, 9], -G * DT * k, rtol=0, atol=1e-11)
        np.testing.assert_allclose(states[:, 1, 12], 3, rtol=0, atol=1e-11)
        self.assertAlmostEqual(sim.time, 0.8, places=14)

    def test_sliding_distance(self) -> None:
        """v_k = v_0 - k mu g dt until it stops; the way is the sum of the v_k dt."""
        speed, friction = 2.0, 0.5
        start = {"position": [0, 0, 0.1], "linear_velocity": [speed, 0, 0]}
        sim = abut.Simulation(one_body(shapes.box([0.5, 0.5, 0.1]), friction=friction, **start))
        sim.steps(60)
        speeds = np.maximum(speed - friction * G * DT * np.arange(1, 61), 0)
        self.assertAlmostEqual(sim.body("body").position[0], float(speeds.sum() * DT), places=8)
        np.testing.assert_allclose(sim.body("body").linear_velocity, 0, atol=1e-8)

    def test_weight_on_the_floor(self) -> None:
        sim = abut.Simulation(one_body(BOX, position=[0, 0, 0.5]))
        sim.steps(20)
        (contact,) = sim.contacts
        self.assertEqual((contact["body_a"], contact["body_b"]), (0, 1))
        self.assertAlmostEqual(contact["normal_impulse"], G * DT, places=10)
        np.testing.assert_allclose(contact["normal"], [0, 0, 1], atol=1e-8)
        self.assertAlmostEqual(contact["point"][2], 0, places=9)
        self.assertAlmostEqual(contact["scaling"], 1, places=9)
        self.assertAlmostEqual(sim.energy, G * 0.5, places=9)

    def test_the_command_says_the_same_to_the_bit(self) -> None:
        for name in ("cube_drop", "stack_4", "drop_cone"):
            with self.subTest(scene=name):
                summary = abut.run(SCENES / f"{name}.json")
                sim = abut.Simulation(SCENES / f"{name}.json")
                sim.steps(sim.model.scene.steps)
                keys = ("px", "py", "pz", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz")
                said = [[body[key] for key in keys] for body in summary["final_state"]]
                np.testing.assert_array_equal(sim.states, said)
                self.assertEqual(sim.time, summary["final_time"])

    def test_one_by_one_or_many_at_once(self) -> None:
        a, b = (abut.Simulation(SCENES / "capsule_on_box.json") for _ in range(2))
        recorded = a.steps(50, record=True)
        assert recorded is not None
        for states in recorded:
            b.step()
            np.testing.assert_array_equal(b.states, states)
        self.assertEqual(a.info.as_dict(), b.info.as_dict())

    def test_threads_change_no_bit(self) -> None:
        ends = []
        for threads in (1, 2):
            sim = abut.Simulation(SCENES / "pile_10.json", threads=threads)
            sim.steps(60)
            ends.append(sim.states)
        np.testing.assert_array_equal(*ends)


class TestState(unittest.TestCase):
    def setUp(self) -> None:
        self.sim = abut.Simulation(SCENES / "stack_4.json")

    def test_reading(self) -> None:
        sim = self.sim
        states = sim.states
        self.assertEqual(states.shape, (sim.model.n_bodies, 13))
        into = np.zeros_like(states)
        self.assertIs(sim.get_states(into), into)
        np.testing.assert_array_equal(into, states)
        body = sim.body(2)
        np.testing.assert_array_equal(np.concatenate(body), states[2])
        for wrong in (np.zeros((2, 13)), np.zeros((5, 13), dtype=np.float32), np.zeros((13, 5)).T):
            with self.assertRaises(abut.ArgumentError):
                sim.get_states(wrong)

    def test_setting(self) -> None:
        sim = self.sim
        sim.set_body(4, position=[0.1, 0, 3.0], linear_velocity=[0, 0, -1])
        np.testing.assert_allclose(sim.body(4).position, [0.1, 0, 3.0], atol=1e-15)
        sim.set_body(4, angular_velocity=[0.1, 0.2, 0.3])
        np.testing.assert_array_equal(sim.body(4).angular_velocity, [0.1, 0.2, 0.3])
        sim.steps(5)
        states = sim.states
        other = abut.Simulation(sim.model)
        other.states = states
        np.testing.assert_allclose(other.states, states, rtol=0, atol=1e-15)

    def test_refusals(self) -> None:
        sim = self.sim
        before = sim.states
        with self.assertRaisesRegex(abut.ArgumentError, r"bodies\[1\].orientation: .*unit length"):
            sim.set_body(1, orientation=[1, 1, 0, 0])
        with self.assertRaisesRegex(abut.ArgumentError, r"bodies\[0\].linear_velocity: .*static"):
            sim.set_body(0, linear_velocity=[1, 0, 0])
        with self.assertRaisesRegex(abut.ArgumentError, r"position must have the shape \(3,\), has \(2,\)"):
            sim.set_body(1, position=[1, 0])
        with self.assertRaisesRegex(abut.ArgumentError, "body 'nobody' does not exist; the bodies are floor"):
            sim.body("nobody")
        with self.assertRaisesRegex(abut.ArgumentError, "body 17 does not exist"):
            sim.body(17)
        with self.assertRaisesRegex(abut.ArgumentError, "states must be numbers"):
            sim.states = "no"
        np.testing.assert_array_equal(sim.states, before)

    def test_snapshots_and_copies_continue_bit_for_bit(self) -> None:
        sim = self.sim
        sim.set_body(4, linear_velocity=[0.5, 0, 0])
        sim.inputs[3, 0] = 0.25
        sim.steps(10)
        kept, copy = sim.snapshot(), sim.copy()
        sim.steps(20)
        copy.steps(20)
        np.testing.assert_array_equal(copy.states, sim.states)
        ends = sim.states
        sim.inputs[...] = 0
        sim.restore(kept)
        self.assertEqual(sim.inputs[3, 0], 0.25)
        self.assertAlmostEqual(sim.time, 0.1, places=14)
        sim.steps(20)
        np.testing.assert_array_equal(sim.states, ends)
        kept[5] = np.nan
        with self.assertRaisesRegex(abut.ArgumentError, r"state\[5\]"):
            sim.restore(kept)

    def test_snapshots_as_bytes_and_files_continue_bit_for_bit(self) -> None:
        sim = self.sim
        sim.inputs[3, 0] = 0.25
        sim.steps(10)
        kept = sim.snapshot_bytes()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "state.abut"
            sim.save_snapshot(path)
            self.assertEqual(path.read_bytes(), kept)
            sim.steps(20)
            ends, numbers = sim.states, sim.snapshot()
            twin = abut.Simulation(sim.model)
            for source in (kept, bytearray(kept), memoryview(kept)):
                twin.restore(source)
                self.assertEqual(twin.inputs[3, 0], 0.25)
                twin.steps(20)
                np.testing.assert_array_equal(twin.states, ends)
                np.testing.assert_array_equal(twin.snapshot(), numbers)
            sim.inputs[...] = 0
            sim.load_snapshot(str(path))
            self.assertEqual(sim.inputs[3, 0], 0.25)
            sim.steps(20)
            np.testing.assert_array_equal(sim.snapshot(), numbers)
            with self.assertRaisesRegex(abut.Error, "none"):
                sim.load_snapshot(pathlib.Path(folder) / "none")
        with self.assertRaisesRegex(abut.Error, "checksum"):
            sim.restore(kept[:-1] + bytes([kept[-1] ^ 1]))
        with self.assertRaisesRegex(abut.Error, "no snapshot"):
            sim.restore(b"")
        np.testing.assert_array_equal(sim.snapshot(), numbers)

    def test_reset(self) -> None:
        sim = self.sim
        first, inputs = sim.states, sim.inputs.copy()
        sim.inputs[2, 1] = 3
        sim.steps(15)
        sim.reset()
        np.testing.assert_array_equal(sim.states, first)
        np.testing.assert_array_equal(sim.inputs, inputs)
        self.assertEqual(sim.time, 0)

    def test_inputs(self) -> None:
        """A force on a free body: v = f t / m; what is written after a step acts in the next one."""
        sim = abut.Simulation(one_body(BOX, position=[0, 0, 50], gravity=[0, 0, 0]))
        inputs = sim.inputs
        inputs[1, :3] = [2, 0, -1]
        sim.steps(10)
        np.testing.assert_allclose(sim.body("body").linear_velocity, [0.2, 0, -0.1], atol=1e-12)
        inputs[1] = 0
        sim.step()
        np.testing.assert_allclose(sim.body("body").linear_velocity, [0.2, 0, -0.1], atol=1e-12)
        sim.inputs = np.vstack([np.zeros(6), [0, 0, 0, 0, 0, 0.5]])
        sim.step()
        self.assertAlmostEqual(sim.body("body").angular_velocity[2], 0.5 * DT / (1 / 6), places=9)
        inputs[0, 2] = 1
        with self.assertRaisesRegex(abut.ArgumentError, r"bodies\[0\].input: of floor .*static"):
            sim.step()

    def test_log_and_info(self) -> None:
        sim = abut.Simulation(SCENES / "cube_drop.json", log=50, overrides={"solver.warm_start": False})
        sim.steps(60)
        log = sim.log
        self.assertEqual(len(log), sim.info.iterations)
        self.assertGreater(len(log), 0)
        self.assertTrue(np.all((log["step_length"] > 0) & (log["step_length"] <= 1)))
        self.assertEqual(sim.info.outcome, "exact")
        self.assertTrue(sim.info.solved and sim.info.exact and not sim.info.retried)
        self.assertIn("exact", repr(sim.info))

    def test_how_many_steps(self) -> None:
        sim = abut.Simulation(SCENES / "cube_drop.json")
        for n in (0, -1, 2**32 + 1):
            for record in (False, True):
                with self.assertRaisesRegex(abut.ArgumentError, f"n must be an integer from 1 to 2147483647, is {n}"):
                    sim.steps(n, record)
        self.assertEqual(sim.steps(np.int64(3), record=True).shape[0], 3)  # type: ignore[arg-type, union-attr]
        rollout = abut.Rollout(sim.model, steps=1)
        rollout.step(sim)
        with self.assertRaisesRegex(abut.ArgumentError, "the rollout is full: it holds 1 steps"):
            rollout.step(sim)

    def test_a_step_that_fails(self) -> None:
        """One iteration from cold, and no second try."""
        solver = {"max_iterations": 1, "retry": False, "warm_start": False, "finish": "none"}
        sim = abut.Simulation(one_body(BOX, position=[0, 0, 0.5], solver=solver))
        before = sim.states
        for step in (sim.step, lambda: sim.steps(3)):
            with self.assertRaises(abut.StepFailed) as caught:
                step()
            self.assertEqual(caught.exception.info.outcome, "failed")
            self.assertIn("no convergence in 1 try and 1 iteration", str(caught.exception))
        np.testing.assert_array_equal(sim.states, before)

    def test_python_threads_step_at_the_same_time(self) -> None:
        model = abut.Model(SCENES / "stack_4.json")
        alone = abut.Simulation(model)
        alone.steps(200)
        sims = [abut.Simulation(model) for _ in range(4)]
        threads = [threading.Thread(target=lambda s=sim: [s.step() for _ in range(200)]) for sim in sims]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for sim in sims:
            np.testing.assert_array_equal(sim.states, alone.states)


class TestMethods(unittest.TestCase):
    def test_restitution_of_method_lcp(self) -> None:
        scene = one_body(shapes.sphere(0.1), position=[0, 0, 0.1], linear_velocity=[0, 0, -1], restitution=0.5,
                         gravity=[0, 0, 0], solver={"method": "lcp"})  # fmt: skip
        sim = abut.Simulation(scene)
        sim.steps(2)
        self.assertAlmostEqual(sim.body("body").linear_velocity[2], 0.5, places=9)
        gradient = sim.lcp_gradient()
        self.assertEqual(gradient.shape, (12, 20))
        loss = np.zeros(12)
        loss[8] = 1
        by, switched = sim.lcp_loss_gradient(loss)
        np.testing.assert_allclose(by, gradient[8], atol=1e-12)
        self.assertFalse(switched)

    def test_inverse_of_method_convex(self) -> None:
        scene = one_body(BOX, position=[0, 0, 0.49], solver={"method": "convex"})
        before = abut.Simulation(scene)
        after = before.copy()
        pushed = [0.3, -0.2, 0.5, 0.01, 0.02, -0.03]
        after.inputs[1] = pushed
        after.step()
        np.testing.assert_allclose(before.inverse(after)[1], pushed, atol=1e-6)

    def test_what_a_method_has_not(self) -> None:
        sim = abut.Simulation(one_body(BOX, position=[0, 0, 0.5]))
        with self.assertRaises(abut.UnsupportedError) as caught:
            sim.inverse(sim.copy())
        self.assertIsInstance(caught.exception, NotImplementedError)


class TestModel(unittest.TestCase):
    def test_numbers(self) -> None:
        model = abut.Model({"bodies": [FLOOR, {"name": "ball", "density": 3, "shape": shapes.sphere(2)}]})
        self.assertEqual(model.bodies, ["floor", "ball"])
        self.assertEqual(list(model.static), [True, False])
        self.assertEqual(list(model.moving), [1])
        self.assertAlmostEqual(model.masses[1], 3 * 4 / 3 * math.pi * 8)

    def test_parameters(self) -> None:
        model = abut.Model(one_body(BOX, position=[0, 0, 2], friction=0.3))
        (friction,) = model.parameters("friction")
        self.assertEqual(model.value(friction), 0.3)
        self.assertEqual(model.describe(friction), "friction of floor and body")
        (mass,) = model.parameters("mass")
        changed = model.changed({mass: 4.0, friction: 0.1})
        self.assertEqual((changed.masses[1], changed.value(friction), model.masses[1]), (4.0, 0.1, 1.0))
        self.assertGreater(len(model.parameters()), len(model.parameters("size", "face")))
        with self.assertRaisesRegex(abut.ArgumentError, "parameter 'weight' does not exist; the kinds are timestep"):
            model.parameters("weight")
        with self.assertRaisesRegex(abut.ArgumentError, "mass"):
            model.changed({mass: -1})


if __name__ == "__main__":
    unittest.main()
