"""Robots: coordinates, Jacobians, the mass matrix, inverse dynamics and inverse kinematics."""

import json
from typing import Any

import numpy as np
from support import FLOOR, SCENES, abut, shapes, unittest


def arm(**keys: Any) -> dict[str, Any]:
    """Returns a scene of two links of 1 m along x at the start, on hinges about y, with a site at the hand."""
    links = [{"name": name, "mass": 2, "position": [0.5 + i, 0, 0], "shape": shapes.box([0.5, 0.05, 0.05])}
             for i, name in enumerate(("upper", "lower"))]
    motor = {"type": "force", "target": 1.5}
    joints = [
        {"name": "shoulder", "type": "hinge", "parent": "world", "child": "upper", "anchor": [0, 0, 0],
         "axis": [0, 1, 0], "motor": motor},
        {"name": "elbow", "type": "hinge", "parent": "upper", "child": "lower", "anchor": [1, 0, 0],
         "axis": [0, 1, 0], "motor": motor, "limits": [-2, 2], "armature": 0.1},
    ]  # fmt: skip
    sites = [{"name": "hand", "body": "lower", "position": [0.5, 0, 0]}]
    return {"timestep": 0.01, "contacts": [], "bodies": links, "joints": joints, "sites": sites, **keys}


def walker() -> dict[str, Any]:
    """Returns a scene of a torso on two legs with boxes for feet, 5 cm above the floor."""
    bodies = [FLOOR, {"name": "torso", "mass": 5, "position": [0, 0, 0.65], "shape": shapes.box([0.1, 0.3, 0.1])}]
    joints = []
    for side, y in (("left", 0.2), ("right", -0.2)):
        bodies.append({"name": side, "mass": 2, "position": [0, y, 0.3], "shape": shapes.box([0.1, 0.05, 0.25])})
        joints.append({"name": f"{side} hip", "type": "hinge", "parent": "torso", "child": side,
                       "anchor": [0, y, 0.55], "axis": [0, 1, 0],
                       "motor": {"type": "position", "stiffness": 200, "damping": 5}})  # fmt: skip
    return {"timestep": 0.01, "friction": 0.8, "bodies": bodies, "joints": joints}


class TestRobot(unittest.TestCase):
    def test_names_and_motors(self) -> None:
        robot = abut.Robot(walker())
        base = [f"torso.{name}" for name in ("x", "y", "z", "qw", "qx", "qy", "qz")]
        self.assertEqual(robot.names, ["left hip", "right hip", *base])
        self.assertEqual(robot.velocity_names[2:], [f"torso.{name}" for name in ("vx", "vy", "vz", "wx", "wy", "wz")])
        self.assertEqual(robot.motor_names, ["left hip", "right hip"])
        self.assertEqual(robot.n_loops, 0)
        robot.motors = [0.1, -0.1]
        np.testing.assert_array_equal(robot.motors, [0.1, -0.1])
        np.testing.assert_array_equal(robot.simulation.motors[:, 0], [0.1, -0.1])

    def test_q_and_qdot_are_set_and_read(self) -> None:
        robot = abut.Robot(arm())
        robot.set(q=[-7.0, 0.3], qdot=[0.5, 1.0])
        np.testing.assert_allclose(robot.q, [-7.0, 0.3], atol=1e-12)
        np.testing.assert_allclose(robot.qdot, [0.5, 1.0], atol=1e-12)
        robot.q = [0.2, 0.1]
        np.testing.assert_allclose(robot.qdot, [0.5, 1.0], atol=1e-12)
        np.testing.assert_allclose(robot.simulation.joint_positions, [0.2, 0.1], atol=1e-12)
        with self.assertRaisesRegex(abut.ArgumentError, r"q must have the shape \(2,\)"):
            robot.q = [0.2]
        with self.assertRaises(abut.ArgumentError):
            robot.qdot = [np.nan, 0]

    def test_simulations_are_shared(self) -> None:
        sim = abut.Simulation(arm())
        robot = abut.Robot(sim)
        sim.step()
        np.testing.assert_allclose(robot.q, sim.joint_positions, atol=1e-13)
        np.testing.assert_allclose(robot.qdot, sim.joint_velocities, atol=1e-11)

    def test_dynamics_of_two_links(self) -> None:
        """Links of mass 2 and length 1 with their centres in the middle, and the inertia of a box."""
        robot = abut.Robot(arm())
        q = np.array([0.4, 0.9])
        inertia, c = 2 * (1 + 0.01) / 12, np.cos(q[1])
        elbow = inertia + 0.5
        coupled = elbow + c
        np.testing.assert_allclose(
            robot.mass_matrix(q), [[2 * inertia + 1 + 2 + 2 * c, coupled], [coupled, elbow + 0.1]], rtol=1e-12
        )
        hand = -9.81 * 2 * 0.5 * np.cos(q.sum())
        np.testing.assert_allclose(robot.bias(q, [0, 0]), [hand - 9.81 * 3 * np.cos(q[0]), hand], rtol=1e-12)

    def test_jacobians_of_sites_and_bodies(self) -> None:
        robot = abut.Robot(arm())
        q = np.array([0.4, 0.9])
        whole, lower = q[0], q.sum()
        jacobian = robot.jacobian("hand", q=q)
        np.testing.assert_allclose(jacobian, robot.jacobian("lower", [0.5, 0, 0], q))
        np.testing.assert_allclose(jacobian[0], [-np.sin(whole) - np.sin(lower), -np.sin(lower)], atol=1e-12)
        np.testing.assert_allclose(jacobian[2], [-np.cos(whole) - np.cos(lower), -np.cos(lower)], atol=1e-12)
        np.testing.assert_allclose(jacobian[4], [1, 1], atol=1e-12)
        states = robot.forward(q, [0.3, 0.2])
        np.testing.assert_allclose(robot.jacobian("lower", q=q)[:3] @ [0.3, 0.2], states[1, 7:10], atol=1e-12)
        with self.assertRaisesRegex(abut.ArgumentError, "body or site 'foot' does not exist; the bodies and sites are upper, lower, hand"):
            robot.jacobian("foot")

    def test_inverse_kinematics(self) -> None:
        robot = abut.Robot(arm())
        reach = robot.inverse_kinematics(abut.Target("hand", [1.0, 0, -0.8]), q=[0.2, 0.5])
        self.assertTrue(reach.reached)
        self.assertAlmostEqual(np.cos(reach.q[1]), (1.64 - 2) / 2, places=9)
        far = robot.inverse_kinematics(abut.Target("hand", [3.0, 0, 0]), q=[0.2, 0.5])
        self.assertFalse(far.reached)
        self.assertAlmostEqual(far.error_m, 1, places=6)
        self.assertIn("are not reached", far.message)
        np.testing.assert_array_equal(robot.q, [0, 0])

    def test_loops_are_closed(self) -> None:
        robot = abut.Robot(SCENES / "four_bar.json")
        self.assertEqual(robot.n_loops, 1)
        q = robot.q + [0.2, 0.0, 0.0]
        closed = robot.close_loops(q)
        self.assertTrue(closed.reached)
        robot.q = closed.q
        robot.simulation.step()
        self.assertLess(robot.simulation.info.raw.joint_violation_m, 1e-10)

    def test_inverse_dynamics_of_a_step_on_the_ground(self) -> None:
        robot = abut.Robot(walker())
        robot.motors = [0.15, -0.15]
        worst = 0.0
        for _ in range(100):
            before = robot.simulation.snapshot()
            info = robot.simulation.step()
            if info.raw.parts == 1:
                inverse = robot.inverse_dynamics(before=before)
                made = robot.simulation.joints["motor_effort"][:, 0]
                if inverse.exact:
                    worst = max(worst, float(np.abs(inverse.motors - made).max()), inverse.residual)
        self.assertGreaterEqual(len(robot.simulation.contacts), 2)
        self.assertLess(worst, 1e-7)

    def test_inverse_dynamics_of_a_wanted_motion(self) -> None:
        robot = abut.Robot(arm())
        wanted = np.array([0.1, -0.2])
        inverse = robot.inverse_dynamics(qdot=wanted)
        self.assertTrue(inverse.found)
        robot.motors = inverse.motors
        robot.simulation.step()
        np.testing.assert_allclose(robot.qdot, wanted, atol=1e-9)
        with self.assertRaisesRegex(abut.ArgumentError, "give either"):
            robot.inverse_dynamics()


    def test_errors_name_entries_and_values(self) -> None:
        robot = abut.Robot(arm())
        for wrong, message in (
            (lambda: robot.set(q=[0, np.nan]), r"^q: entry 1 \(elbow\) is nan; it must be finite"),
            (lambda: robot.bias([0, 0], [np.inf, 0]), r"^qdot: entry 0 \(shoulder\) is inf; it must be finite"),
            (lambda: robot.set(qdot=[0, 400]), "^qdot: elbow turns at 400 rad/s, by 4 rad in a step of 0.01 s; less than"),
            (lambda: robot.inverse_dynamics(qdot=[400, 0]), "^qdot: shoulder turns at 400 rad/s"),
            (lambda: robot.inverse_kinematics([]), "targets is empty; .* close_loops"),
            (lambda: robot.inverse_kinematics(abut.Target("hand")), r"target 0 \(hand\) asks for nothing"),
            (lambda: robot.inverse_kinematics(abut.Target("hand", [0, 0, np.nan])), r"target 0 \(hand\) is \(0, 0, nan\) m"),
            (lambda: robot.inverse_kinematics(abut.Target("foot", [0, 0, 1])), "the bodies and sites are upper, lower, hand"),
            (lambda: robot.inverse_kinematics([abut.Target(1, [0, 0, 1])] * 65), "there are 65 targets; 1 to 64"),
            (lambda: robot.inverse_kinematics(abut.Target(1, [0, 0, 1]), starts=0), "starts must be an integer from 1"),
        ):
            with self.subTest(message), self.assertRaisesRegex(abut.ArgumentError, message):
                wrong()

    def test_limits_are_reported(self) -> None:
        robot = abut.Robot(arm())
        np.testing.assert_array_equal(robot.limits, [[-np.inf, np.inf], [-2, 2]])
        self.assertEqual(robot.outside([9, 1.9]), {})
        self.assertEqual(robot.outside([9, 2.5]), {"elbow": (2.5, -2, 2)})
        robot.forward([9, 2.5])  # accepted without a warning
        with self.assertWarnsRegex(abut.SceneWarning, "elbow is 2.5, limits -2 to 2") as caught:
            robot.q = [9, 2.5]
        self.assertEqual(caught.filename, __file__)
        np.testing.assert_allclose(robot.q, [9, 2.5], atol=1e-12)
        self.assertIn("elbow", robot.outside())
        robot.simulation.step()
        self.assertEqual(robot.outside(), {})
        robot.set([0, 1.99], [0, 0])
        with self.assertRaisesRegex(abut.ArgumentError, "takes elbow to 2.04, beyond its limits -2 and 2"):
            robot.inverse_dynamics(qdot=[0, 5])
        self.assertTrue(robot.inverse_dynamics(qdot=[0, 1]).exact)  # to the limit
        robot.set([0, 2], [0, 0])  # the motor stays there, and does not press on the limit
        np.testing.assert_allclose(robot.inverse_dynamics(qdot=[0, 0]).motors, robot.bias(), atol=1e-9)

    def test_inverse_kinematics_starts_again(self) -> None:
        """The shoulder's limits leave one elbow, on the other side of the hint's."""
        scene = arm()
        scene["joints"][0]["limits"], scene["joints"][1]["limits"] = [-1, 1], [-2.5, 2.5]
        robot = abut.Robot(scene)
        wanted = np.array([-0.9, 2.2])
        place = robot.forward(wanted)[1, :3]
        turn = wanted.sum()
        hand = abut.Target("hand", place + [0.5 * np.cos(turn), 0, -0.5 * np.sin(turn)])
        once = robot.inverse_kinematics(hand, q=[0.9, -2.4], starts=1)
        self.assertFalse(once.reached)
        self.assertIn("target 0 (hand) most", once.message)
        reach = robot.inverse_kinematics(hand, q=[0.9, -2.4])
        self.assertTrue(reach.reached)
        self.assertGreater(reach.start, 0)
        np.testing.assert_allclose(reach.q, wanted, atol=1e-8)
        np.testing.assert_array_equal(reach.q, robot.inverse_kinematics(hand, q=[0.9, -2.4]).q)

    def test_motors_of_joints_that_close_loops(self) -> None:
        """Motors on three hinges and on the one that closes the loop: of a step, their efforts; of a wanted motion, the
        smallest that make it."""
        scene = json.loads((SCENES / "four_bar.json").read_text())
        for entry in scene["joints"]:
            entry["motor"] = {"type": "force", "target": 0.1}
        robot = abut.Robot(scene)
        for _ in range(20):
            before = robot.simulation.snapshot()
            robot.simulation.step()
        inverse = robot.inverse_dynamics(before=before)
        self.assertEqual((inverse.found, inverse.internal), (False, 0))
        np.testing.assert_allclose(inverse.motors, [0.1] * 4, atol=1e-8)

        q, dt = robot.q, robot.model.timestep
        wanted = (robot.close_loops(q + 0.9 * dt * robot.qdot).q - q) / dt
        inverse = robot.inverse_dynamics(qdot=wanted)
        self.assertEqual((inverse.found, inverse.exact, inverse.internal), (True, True, 3))
        self.assertLess(inverse.violation, 1e-12)
        # smallest: along the ratios of the turns
        rates = np.array(robot.simulation.joint_velocities)
        ratios = rates / rates[0]
        np.testing.assert_allclose(inverse.motors, ratios * inverse.motors[0] / ratios[0], rtol=0.02)
        robot.motors = inverse.motors
        robot.simulation.step()
        np.testing.assert_allclose(robot.qdot, wanted, atol=1e-9)



class TestLinear(unittest.TestCase):
    def test_a_robot_as_a_linear_system(self) -> None:
        robot = abut.Robot(arm(sensors=[{"name": "hand", "type": "pose", "site": "hand"}]))
        robot.set([0.3, -0.4], [0.5, 1.0])
        system = robot.linearise()
        self.assertEqual(system.state_names, ["shoulder", "elbow", "shoulder.rate", "elbow.rate"])
        self.assertEqual(system.input_names, ["shoulder", "elbow"])
        self.assertEqual(system.output_names[:2], ["hand.px", "hand.py"])
        self.assertEqual(system.timestep, 0.01)
        np.testing.assert_allclose(robot.q, system.q)  # it did not move
        J = robot.jacobian("hand")
        np.testing.assert_allclose(system.C[:3, :2], J[:3], atol=1e-12)
        h = 1e-5
        for i in range(6):
            ends = []
            for sign in (1, -1):
                change = sign * h * np.eye(6)[i]
                other = abut.Robot(robot.simulation.copy())
                other.set(system.q + change[:2], system.qdot + change[2:4])
                other.motors = system.u + change[4:]
                other.simulation.step()
                ends.append(np.concatenate([other.q, other.qdot]))
            column = system.A[:, i] if i < 4 else system.B[:, i - 4]
            np.testing.assert_allclose((ends[0] - ends[1]) / (2 * h), column, atol=1e-6)

    def test_products_and_parameters(self) -> None:
        robot = abut.Robot(arm())
        robot.set([0.3, -0.4], [0.5, 1.0])
        linear = abut.Linear(robot.model, parameters=["mass", "motor"])
        before = robot.simulation.copy()
        before.step()
        linear.step(robot.simulation)
        np.testing.assert_array_equal(robot.simulation.states, before.states)
        A, B, P = linear.matrices()
        np.testing.assert_allclose(P[:, 2:], B, atol=1e-14)
        np.testing.assert_array_equal(linear.A, A)
        rng = np.random.default_rng(0)
        x, u, p = rng.normal(size=4), rng.normal(size=2), rng.normal(size=4)
        np.testing.assert_allclose(linear.jvp(x, u, p), A @ x + B @ u + P @ p, atol=1e-12)
        for got, expected in zip(linear.vjp(x), (A.T @ x, B.T @ x, P.T @ x)):
            np.testing.assert_allclose(got, expected, atol=1e-12)
        with self.assertRaises(abut.UnsupportedError):
            abut.Linear(robot.model, parameters=["centre_of_mass"])


if __name__ == "__main__":
    unittest.main()
