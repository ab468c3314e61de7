"""Wrong arguments: the message says what is wrong and what is allowed, with the nearest names, in the terms of Python."""

import warnings
from typing import Any, Callable

import numpy as np
from support import SCENES, abut, shapes, unittest


class TestArguments(unittest.TestCase):
    def refused(self, message: str, call: Callable[[], Any]) -> None:
        with self.subTest(message), self.assertRaisesRegex(abut.Error, message):
            call()

    def test_misspelt_names(self) -> None:
        arm = abut.Robot(SCENES / "arm.json")
        self.refused("body 'forarm' does not exist; did you mean 'forearm'\\? The bodies are ", lambda: arm.simulation.body("forarm"))
        self.refused("joint .twst. does not exist; did you mean .twist.", lambda: arm.simulation.joint("twst"))
        self.refused("body or site 'tol' does not exist; did you mean 'tool'", lambda: arm.jacobian("tol"))
        self.refused("joint 'elbw' does not exist", lambda: arm.model.states_at({"elbw": 1}))
        self.refused("parameter 'frictoin' .* did you mean 'friction'", lambda: arm.model.parameters("frictoin"))
        self.refused(r"^overrides: bodies: no body has the name .*; did you mean \"forearm\"\?",
                     lambda: abut.Model(SCENES / "arm.json", {"bodies.forarm.mass": 1}))  # fmt: skip
        self.refused(r"^overrides: solver.kapa: .* did you mean \"kappa\"", lambda: abut.Model(SCENES / "arm.json", {"solver.kapa": 1}))

    def test_misspelt_attributes(self) -> None:
        robot = abut.Robot(SCENES / "arm.json")
        for owner, name, near in ((robot, "qdott", "qdot"), (robot.simulation, "moters", "motors"), (robot.model, "xyzzy", "")):
            with self.assertRaisesRegex(AttributeError, f"has no attribute '{name}'" + (f"; did you mean '{near}'" if near else "$")):
                setattr(owner, name, 1)
            self.assertFalse(hasattr(owner, name))

        linear = abut.Linear(robot.model)
        for derivative in (linear, abut.Gradient(robot.model)):
            with self.assertRaisesRegex(AttributeError, "kappa"):
                derivative.kappa = 0.1  # type: ignore[misc]
        self.assertEqual(abut.Linear(robot.model, 1e-3).kappa, 1e-3)
        for env in (abut.env.make("hopper"), abut.env.make_vec("hopper", 2)):
            with self.assertRaisesRegex(AttributeError, f"an abut.env.{type(env).__name__} has no attribute 'action_spac'; did you mean 'action_space'"):
                env.action_spac = 1
            env.render_mode = None

        class MyEnv(abut.env.Env):  # type: ignore[misc]
            pass

        MyEnv("hopper").extra = 1  # type: ignore[attr-defined]
        for module, name, near in ((abut, "Robott", "Robot"), (abut.shapes, "spere", "sphere")):
            with self.assertRaisesRegex(AttributeError, f"has no attribute '{name}'; did you mean '{near}'"):
                getattr(module, name)

        class Mine(abut.Simulation):
            def __init__(self) -> None:
                super().__init__(SCENES / "cube_drop.json")
                self.rewards = [0.0]

        mine = Mine()
        mine.extra = 1  # type: ignore[attr-defined]
        self.assertEqual(mine.rewards, [0.0])

    def test_wrong_types(self) -> None:
        """No error of ctypes, and none about a missing attribute."""
        robot = abut.Robot(SCENES / "hopper.json")
        sim, model = robot.simulation, robot.model
        target = abut.Target(model.bodies[-1], [0, 0, 1])
        for message, call in (
            ("time must be a number, is 'a'", lambda: robot.integrate(robot.qdot, "a")),
            ("targets must be an abut.Target or a list", lambda: robot.inverse_kinematics("hand")),
            ("starts must be an integer", lambda: robot.inverse_kinematics(target, starts=1.5)),
            ("seed must be an integer", lambda: robot.inverse_kinematics(target, seed="a")),
            ("must be a name or an index", lambda: robot.jacobian(1.5)),
            ("must be a name or an index", lambda: sim.body(None)),
            ("before must", lambda: robot.inverse_dynamics(before=5)),
            ("tolerance must be a number", lambda: robot.outside(tolerance="x")),
            ("rollout must be an abut.Rollout, is int", lambda: sim.record(5)),
            ("gradient must be an abut.Gradient, is int", lambda: sim.differentiate(5)),
            ("after must be an abut.Simulation, is int", lambda: sim.inverse(5)),
            ("simulation must be an abut.Simulation", lambda: abut.Rollout(model, 5).step(3)),
            ("pass its `simulation`", lambda: abut.Robot(robot)),
            ("is an abut.Robot; pass its `model`", lambda: abut.Simulation(robot)),
            ("must be an abut.Scene, a dictionary or a path, is int", lambda: abut.Simulation(5)),
            ("overrides must be a dictionary or a list", lambda: abut.Model(SCENES / "arm.json", 5)),
            ("must be a string of JSON, is int", lambda: abut.Scene.from_string(5)),
            ("must be an abut.Parameter, is str", lambda: model.value("mass")),
            ("positions must be a dictionary", lambda: model.states_at([1])),
            ("path must be a path, is int", lambda: sim.load_snapshot(5)),
            ("kappa must be a number, is 'x'", lambda: abut.Gradient(model, "x")),
            ("kappa must be a number, is 'x'", lambda: abut.Linear(model, "x")),
            (r"kappa must be a number, is \[1\]", lambda: abut.Linear(model, [1])),
            ("kappa must be a number, is 'a'", lambda: robot.linearise(kappa="a")),
            ("simulation must be an abut.Simulation, is abut.Robot", lambda: abut.Linear(model).step(robot)),
            ("simulation must be an abut.Simulation, is NoneType", lambda: abut.Linear(model).step(None)),
            ("the Linear has another Model", lambda: abut.Linear(abut.Model(SCENES / "arm.json")).step(sim)),
            ("no solved step has been differentiated", lambda: abut.Linear(model).matrices()),
            (r"q must be numbers of shape .*, is None", lambda: setattr(robot, "q", None)),
            (r"qdot must be numbers of shape .*, is None", lambda: setattr(robot, "qdot", None)),
            (r"motors must have the shape \(1,\), has \(\)", lambda: setattr(abut.Robot(SCENES / "cart_pendulum.json"), "motors", 1.0)),
            ("body True must be a name or an index", lambda: robot.jacobian(True)),
            (r"point must be finite, is \[0.0, 0.0, nan\]", lambda: robot.jacobian(model.bodies[-1], point=[0, 0, np.nan])),
            (r"target 0 \(.*\) asks for nothing; give position, orientation or both",
             lambda: robot.inverse_kinematics(abut.Target(model.bodies[-1]))),
            (r"before must be numbers from `Simulation.snapshot\(\)`, is 3", lambda: robot.inverse_dynamics(before=3)),
            (r"before must be numbers from `Simulation.snapshot\(\)`, is \[1, \[2\]\]", lambda: robot.inverse_dynamics(before=[1, [2]])),
            ("snapshot must be numbers", lambda: sim.restore(None)),
            ("a must be an abut.Shape, is int", lambda: abut.Collision(1, 2)),
            ("kappa must be a number", lambda: abut.collide(shapes.sphere(1), [0, 0, 0], shapes.sphere(1), [3, 0, 0], "x")),
        ):  # fmt: skip
            self.refused(message, call)

    def test_targets_on_static_bodies(self) -> None:
        arm = abut.Robot(SCENES / "arm.json")
        self.refused(r"target 0 \(base\) is on body 'base', which is static", lambda: arm.inverse_kinematics(abut.Target("base", [0, 0, 1])))
        scene = {"sites": [{"name": "corner", "body": "table"}, {"name": "tool", "body": "hand"}]}
        other = abut.Robot(SCENES / "arm.json", overrides=scene)
        self.refused(r"\(corner\) is on body 'table', which is static", lambda: other.inverse_kinematics(abut.Target("corner", [0, 0, 1])))

    def test_open_loops_give_a_warning(self) -> None:
        robot = abut.Robot(SCENES / "four_bar.json")
        q = robot.q + [0.2, 0, 0]
        self.assertGreater(robot.violation(q), 0.05)
        with self.assertWarnsRegex(abut.SceneWarning, "leaves loops or couplings open by .*close_loops") as caught:
            robot.q = q
        self.assertEqual(caught.filename, __file__)
        closed = robot.close_loops(q).q
        self.assertLess(robot.violation(closed), 1e-10)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            robot.q = closed
        np.testing.assert_allclose(robot.q, closed, atol=1e-12)


if __name__ == "__main__":
    unittest.main()
