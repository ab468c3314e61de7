"""Joints: built in scenes, read as arrays from simulations and batches, kept by snapshots."""

import csv
import pathlib
import tempfile
from typing import Any

import numpy as np
from support import SCENES, abut, shapes, unittest

WEIGHT = 2 * 9.81
ARM = 0.5


def pendulum(**keys: Any) -> dict[str, Any]:
    """Returns a scene of a rod of 2 kg that hangs on a hinge with these keys; its coordinate turns about the world's y."""
    return {
        "timestep": 0.01,
        "contacts": [],
        "bodies": [{"name": "rod", "mass": 2, "position": [0, 0, -ARM], "shape": shapes.box([0.05, 0.05, ARM])}],
        "joints": [{"name": "pivot", "type": "hinge", "parent": "world", "child": "rod", "anchor": np.zeros(3),
                    "axis": [0, 1, 0], **keys}],
    }


def two_arms() -> dict[str, Any]:
    """Returns a scene with a fixed joint, a cylindrical and a hinge: 0, 2 and 1 freedoms, in this order."""
    scene = pendulum(motor={"type": "force", "target": 3})
    box = {"mass": 1, "shape": shapes.box([0.1, 0.1, 0.1])}
    scene["bodies"] += [{"name": "tip", "position": [0, 0, -2 * ARM], **box}, {"name": "ring", "position": [3, 0, 0], **box}]
    scene["joints"] = [
        {"name": "weld", "type": "fixed", "parent": "rod", "child": "tip", "anchor": [0, 0, -2 * ARM]},
        {"name": "rail", "type": "cylindrical", "parent": "world", "child": "ring", "anchor": [3, 0, 0],
         "axis": [0, 0, 1], "damping": [1, 0], "motor": [{"type": "force"}, {"type": "force", "target": 0.02}]},
        *scene["joints"],
    ]
    return scene


class TestJoints(unittest.TestCase):
    def test_names_and_types(self) -> None:
        model = abut.Model(two_arms())
        self.assertEqual(model.joints, ["weld", "rail", "pivot"])
        self.assertEqual(model.joint_types, ["fixed", "cylindrical", "hinge"])
        self.assertEqual(model.scene.joints, model.joints)
        self.assertEqual((model.joint("rail"), model.joint(-1 + 3)), (1, 2))
        with self.assertRaisesRegex(abut.ArgumentError, "joint 'knee' does not exist; the joints are weld, rail, pivot"):
            model.joint("knee")
        with self.assertRaisesRegex(abut.ArgumentError, "joint 3 does not exist; the joints are 0 to 2"):
            model.joint(3)

    def test_the_coordinate_is_the_angle_of_the_rod(self) -> None:
        """Read from the pose of the rod instead, over two turns."""
        sim = abut.Simulation(pendulum(motor={"type": "force", "target": 40}))
        last, turned = 0.0, 0.0
        for _ in range(120):
            info = sim.step()
            x, _, z = sim.body("rod").position
            angle = float(np.arctan2(-x, -z))
            turned += (angle - last + np.pi) % (2 * np.pi) - np.pi
            last = angle
            self.assertAlmostEqual(sim.joint("pivot").position[0], turned, places=9)
            self.assertLess(info.joint_violation, 1e-10)
        self.assertGreater(abs(turned), 4 * np.pi)
        np.testing.assert_array_equal(sim.joint_positions, sim.joints["position"][:, 0])

    def test_reaction_and_efforts_in_rest(self) -> None:
        """A spring of 10 N m/rad at its end, and a servo, hold the rod level; the pivot carries its weight."""
        level = {"position": [-ARM, 0, 0], "orientation": [np.sqrt(0.5), 0, np.sqrt(0.5), 0]}
        frames = {"parent_frame": {"orientation": [np.sqrt(0.5), -np.sqrt(0.5), 0, 0]}}
        scene = pendulum()
        scene["bodies"][0].update(level)
        del scene["joints"][0]["anchor"], scene["joints"][0]["axis"]
        child = {"position": [0, 0, ARM], "orientation": [np.sqrt(0.5), -np.sqrt(0.5), 0, 0]}
        servo = {"type": "position", "stiffness": 1e6, "damping": 1e4, "target": np.pi / 2}
        scene["joints"][0].update(**frames, child_frame=child, motor=servo)
        sim = abut.Simulation(scene)
        sim.steps(300)
        joint = sim.joint(0)
        self.assertAlmostEqual(joint.position[0], np.pi / 2 - WEIGHT * ARM / 1e6, places=9)
        self.assertAlmostEqual(abs(joint.motor_effort[0]), WEIGHT * ARM, places=6)
        np.testing.assert_allclose(joint.force, [0, 0, WEIGHT], atol=1e-6)
        np.testing.assert_allclose(joint.velocity, 0, atol=1e-9)

    def test_a_limit_pushes_back(self) -> None:
        sim = abut.Simulation(pendulum(limits=[-0.3, 0.2], motor={"type": "force", "target": 30}, damping=5))
        sim.steps(200)
        joint = sim.joint("pivot")
        self.assertAlmostEqual(joint.position[0], 0.2, places=9)
        self.assertAlmostEqual(joint.motor_effort[0], 30, places=9)
        self.assertAlmostEqual(joint.limit_effort[0], -30 + WEIGHT * ARM * np.sin(0.2), places=6)
        self.assertEqual(joint.friction_effort[0], 0)
        self.assertLess(sim.info.limit_violation, 1e-9)

    def test_freedoms_are_in_order(self) -> None:
        sim = abut.Simulation(two_arms())
        sim.steps(20)
        joints = sim.joints
        self.assertEqual(list(joints["n_axes"]), [0, 2, 1])
        rail, pivot = joints["position"][1], joints["position"][2]
        np.testing.assert_array_equal(sim.joint_positions, [rail[0], rail[1], pivot[0]])
        self.assertEqual(sim.joint_velocities.shape, (3,))
        self.assertLess(rail[0], -0.05)  # falls
        self.assertGreater(rail[1], 0.01)  # is turned by its motor
        self.assertEqual([array.shape for array in sim.joint("weld")], [(0,)] * 5 + [(3,)] * 2)
        np.testing.assert_allclose(sim.joint("rail").motor_effort, [0, 0.02], atol=1e-12)

    def test_the_command_writes_the_same_to_the_bit(self) -> None:
        for name in ("slider_crank", "four_bar"):
            with self.subTest(scene=name), tempfile.TemporaryDirectory() as folder:
                abut.run(SCENES / f"{name}.json", out=folder, overrides={"duration": 0.2})
                sim = abut.Simulation(SCENES / f"{name}.json")
                sim.steps(round(0.2 / sim.model.timestep))
                joints = sim.joints
                with open(pathlib.Path(folder) / "joints.csv", encoding="utf-8") as file:
                    rows = list(csv.DictReader(file))[-len(sim.joint_positions):]
                self.assertEqual([row["joint"] for row in rows], sim.model.joints)
                for field in ("position", "velocity", "limit_effort", "friction_effort", "motor_effort"):
                    np.testing.assert_array_equal([float(row[field]) for row in rows], joints[field][:, 0])
                for i, axis in enumerate("xyz"):
                    force = [float(row[f"constraint_force_{axis}"]) for row in rows]
                    np.testing.assert_array_equal(force, joints["force"][:, i])

    def test_a_coupling_drives_the_second_gear(self) -> None:
        """Torque T on the first of two gears of inertia J and ratio r: the coupling turns the second one by r J a."""
        ratio, torque, radius = -0.5, 0.02, 0.1
        gear = {"mass": 1, "shape": shapes.sphere(radius)}
        inertia = 0.4 * radius**2
        scene = {
            "timestep": 0.01, "contacts": [], "gravity": [0, 0, 0],
            "bodies": [{"name": name, "position": [x, 0, 0], **gear} for x, name in enumerate("abc")],
            "joints": [{"name": f"axle {name}", "type": "hinge", "parent": "world", "child": name, "anchor": [x, 0, 0],
                        "axis": [0, 0, 1]} for x, name in enumerate("abc")],
            "couplings": [{"joints": ["axle b", "axle a"], "ratio": ratio}, {"joints": ["axle c", "axle b"], "ratio": 1}],
        }  # fmt: skip
        scene["joints"][0]["motor"] = {"type": "force", "target": torque}
        sim = abut.Simulation(scene)
        self.assertEqual(sim.model.couplings, [("axle b", "axle a"), ("axle c", "axle b")])
        self.assertEqual(sim.couplings["effort"].tolist(), [0, 0])
        sim.steps(20)
        acceleration = torque / (inertia * (1 + 2 * ratio**2))
        couplings = sim.couplings
        self.assertEqual((couplings.shape, couplings.dtype), ((2,), abut.COUPLING))
        wanted = [2 * inertia * ratio * acceleration, inertia * ratio * acceleration]
        np.testing.assert_allclose(couplings["effort"], wanted, rtol=1e-4)
        self.assertLess(couplings["violation"].max(), 1e-10)
        angles = sim.joint_positions
        np.testing.assert_allclose(couplings["violation"][0], abs(angles[1] - ratio * angles[0]), atol=1e-12)
        batch = abut.Batch(sim.model, worlds=3)
        batch.motors[1] *= 2
        batch.step(20)
        self.assertEqual((batch.couplings.shape, batch.couplings.dtype), ((3, 2), abut.COUPLING))
        np.testing.assert_array_equal(batch.couplings[0], couplings)
        np.testing.assert_allclose(batch.couplings["effort"][1], 2 * couplings["effort"], rtol=1e-4)

    def test_before_a_step_and_without_joints(self) -> None:
        sim = abut.Simulation(two_arms())
        self.assertEqual(np.abs(sim.joints["motor_effort"]).max(), 0)
        np.testing.assert_allclose(sim.joint_positions, 0, atol=1e-12)
        free = abut.Simulation(SCENES / "cube_drop.json")
        self.assertEqual((free.joints.shape, free.joint_positions.shape), ((0,), (0,)))
        self.assertEqual((free.couplings.shape, free.model.couplings), ((0,), []))
        self.assertEqual(free.step().joint_violation, 0)
        with self.assertRaisesRegex(abut.ArgumentError, "joint 'a' does not exist; the scene has no joints"):
            free.joint("a")

    def test_written_into_an_array_of_the_callers(self) -> None:
        sim = abut.Simulation(two_arms())
        out = np.zeros(3, abut.JOINT)
        self.assertIs(sim.get_joints(out), out)
        np.testing.assert_array_equal(out, sim.joints)
        for wrong in (np.zeros(2, abut.JOINT), np.zeros(3), [0, 0, 0]):
            with self.assertRaisesRegex(abut.ArgumentError, r"abut.JOINT array of shape \(3,\)"):
                sim.get_joints(wrong)  # type: ignore[arg-type]

    def test_refused(self) -> None:
        scene = pendulum()
        scene["joints"][0]["child"] = "arm"
        with self.assertRaisesRegex(abut.Error, r"joints\[0\].child"):
            abut.Model(scene)
        scene = two_arms()
        scene["bodies"][1]["position"] = [0.3, 0, -2 * ARM]
        scene["joints"][0] = {"name": "weld", "type": "fixed", "parent": "rod", "child": "tip",
                              "parent_frame": {"position": [0, 0, -ARM]}, "child_frame": {}}
        with self.assertWarnsRegex(abut.SceneWarning, "bodies were moved by up to .* to close them"):
            abut.Model(scene)


class TestMotors(unittest.TestCase):
    def test_worlds_start_at_coordinates_of_joints(self) -> None:
        """`states_at` places bodies as `initial` does; setting coordinates is refused with this hint."""
        scene = pendulum()
        sim, angle, rate = abut.Simulation(scene), 0.4, -2.0
        states = sim.model.states_at({"pivot": angle}, {"pivot": rate})
        same = abut.Simulation({**scene, "initial": {"joints": {"pivot": angle}, "joint_velocities": {"pivot": rate}}})
        np.testing.assert_array_equal(states, same.states)
        np.testing.assert_allclose(states[0, :3], [-ARM * np.sin(angle), 0, -ARM * np.cos(angle)], atol=1e-12)
        batch = abut.Batch(sim.model, worlds=3, threads=1)
        batch.states = np.stack([sim.model.states_at({"pivot": q}) for q in (-1, 0, 1)])
        np.testing.assert_allclose(batch.joint_positions, [[-1], [0], [1]], atol=1e-12)
        np.testing.assert_array_equal(sim.model.states_at(), sim.states)
        for world in (sim, batch):
            for name in ("joint_positions", "joint_velocities"):
                with self.assertRaisesRegex(abut.ArgumentError, f"{name} follow from the states .* model.states_at"):
                    setattr(world, name, [0.1])
        with self.assertRaisesRegex(abut.Error, "joint .pivto. does not exist; did you mean .pivot.?"):
            sim.model.states_at({"pivto": 1})

    def test_balls_start_at_their_rotation_vectors(self) -> None:
        """The rod turns by the vector about the anchor; nothing acts on the ball, which has its coordinates anyway."""
        scene = pendulum()
        scene["joints"][0].update(type="ball", axis=[0, 0, 1])
        turn, rate = [0.0, 0.5, 0.0], [0.0, 0.0, 2.0]
        sim = abut.Simulation({**scene, "initial": {"joints": {"pivot": turn}, "joint_velocities": {"pivot": rate}}})
        np.testing.assert_allclose(sim.joint_positions, turn, atol=1e-12)
        np.testing.assert_allclose(sim.joint_velocities, rate, atol=1e-3)
        np.testing.assert_allclose(sim.states[0, :3], [-ARM * np.sin(0.5), 0, -ARM * np.cos(0.5)], atol=1e-12)
        np.testing.assert_array_equal(sim.states, sim.model.states_at({"pivot": turn}, {"pivot": rate}))
        sim.step()
        self.assertEqual(sim.joint("pivot").position.shape, (3,))
        with self.assertRaisesRegex(abut.Error, "array of 3 numbers"):
            sim.model.states_at({"pivot": 0.5})

    SERVO = {"type": "position", "stiffness": 200, "damping": 20, "target": 0}

    def test_a_servo_follows_its_target(self) -> None:
        """At rest, the servo carries the moment of the weight: k (target - q) = m g l sin q."""
        sim = abut.Simulation(pendulum(motor=self.SERVO))
        np.testing.assert_array_equal(sim.motors, np.zeros((1, 3)))
        sim.motors[sim.model.joint("pivot"), 0] = 0.4
        sim.steps(600)
        (angle,) = sim.joint_positions
        self.assertAlmostEqual(200 * (0.4 - angle), WEIGHT * ARM * np.sin(angle), places=7)
        before = sim.snapshot()
        sim.motors = [[-0.4, 0, 0]]
        sim.step()
        self.assertLess(sim.joint_velocities[0], -0.01)
        sim.restore(before)
        self.assertEqual(sim.motors[0, 0], 0.4)
        self.assertEqual(sim.copy().motors[0, 0], 0.4)
        sim.reset()
        self.assertEqual(sim.motors[0, 0], 0)

    def test_starts_as_in_the_scene_and_is_refused_without_a_motor(self) -> None:
        sim = abut.Simulation(two_arms())
        np.testing.assert_array_equal(sim.motors, [[0, 0, 0], [0, 0.02, 0], [3, 0, 0]])
        sim.motors[0, 0] = 1
        with self.assertRaisesRegex(abut.ArgumentError, r"joints\[0\].target.*weld"):
            sim.step()
        with self.assertRaisesRegex(abut.ArgumentError, r"motors must have the shape \(3, 3\)"):
            sim.motors = np.zeros(3)

    def test_of_a_batch(self) -> None:
        model = abut.Model(pendulum(motor=self.SERVO))
        batch, targets = abut.Batch(model, 4), [-0.2, 0, 0.1, 0.5]
        batch.motors[:, 0, 0] = targets
        batch.step(40)
        for world, target in enumerate(targets):
            alone = abut.Simulation(model)
            alone.motors[0, 0] = target
            alone.steps(40)
            np.testing.assert_array_equal(batch.joints[world], alone.joints)
        batch.motors[2, 0, 1] = 1
        with self.assertRaisesRegex(abut.ArgumentError, r"joints\[0\].target"):
            batch.step()


class TestSnapshots(unittest.TestCase):
    def test_continue_bit_for_bit(self) -> None:
        for name in ("slider_crank", "four_bar"):
            sim = abut.Simulation(SCENES / f"{name}.json")
            sim.steps(60)
            numbers, data = sim.snapshot(), sim.snapshot_bytes()
            other = sim.copy()
            sim.steps(60)
            for start in (numbers, data):
                resumed = abut.Simulation(SCENES / f"{name}.json")
                resumed.restore(start)
                resumed.steps(60)
                np.testing.assert_array_equal(resumed.joints, sim.joints)
                np.testing.assert_array_equal(resumed.states, sim.states)
            other.steps(60)
            np.testing.assert_array_equal(other.joints, sim.joints)
            sim.reset()
            np.testing.assert_array_equal(sim.joints, abut.Simulation(SCENES / f"{name}.json").joints)

    def test_turns_are_kept(self) -> None:
        sim = abut.Simulation(pendulum(motor={"type": "force", "target": 40}))
        sim.steps(120)
        start, turned = sim.snapshot(), sim.joint_positions
        self.assertGreater(abs(turned[0]), 4 * np.pi)
        sim.reset()
        sim.restore(start)
        np.testing.assert_array_equal(sim.joint_positions, turned)

    def test_of_other_joints_is_refused(self) -> None:
        data = abut.Simulation(pendulum()).snapshot_bytes()
        for change in ({"type": "universal"}, {"damping": 1}, {"motor": {"type": "force", "target": 3}}):
            with self.assertRaisesRegex(abut.ArgumentError, "joint.* another model"):
                abut.Simulation(pendulum(**change)).restore(data)


class TestBatch(unittest.TestCase):
    def test_each_world_as_alone(self) -> None:
        model = abut.Model(two_arms())
        batch = abut.Batch(model, 3, threads=2)
        batch.inputs[:, 0, 4] = [0, 1, -2]
        batch.step(25)
        joints, out = batch.joints, np.zeros((3, 3), abut.JOINT)
        self.assertIs(batch.get_joints(out), out)
        np.testing.assert_array_equal(out, joints)
        self.assertEqual(batch.joint_positions.shape, (3, 3))
        for world in range(3):
            alone = abut.Simulation(model)
            alone.inputs = batch.inputs[world]
            alone.steps(25)
            np.testing.assert_array_equal(joints[world], alone.joints)
            np.testing.assert_array_equal(batch.joint_positions[world], alone.joint_positions)
            np.testing.assert_array_equal(batch.joint_velocities[world], alone.joint_velocities)
            self.assertEqual(batch.info(world).joint_violation, alone.info.joint_violation)
        self.assertEqual(len(np.unique(batch.joint_positions[:, 2])), 3)
        self.assertEqual(abut.Batch(SCENES / "cube_drop.json", 2).joint_positions.shape, (2, 0))


if __name__ == "__main__":
    unittest.main()
