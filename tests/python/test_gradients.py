"""Derivatives of steps and rollouts, against differences of steps and closed forms."""

from typing import Any

import numpy as np
from support import FLOOR, abut, one_body, shapes, unittest

EPS = 1e-6
DT = 0.01


def moved(states: Any, body: int, change: Any) -> Any:
    """States with a body's 12 coordinates changed (its centre of mass is its frame's origin)."""
    out = states.copy()
    out[body, :3] += change[:3]
    half = 0.5 * np.asarray(change[3:6])
    w, v = states[body, 3], states[body, 4:7]
    q = np.concatenate([[w - v @ half], w * half + v + np.cross(v, half)])
    out[body, 3:7] = q / np.linalg.norm(q)
    out[body, 7:] += change[6:12]
    return out


class TestGradient(unittest.TestCase):
    def setUp(self) -> None:
        """A box that slides on the floor, tilted, and a ball that rolls: their contacts stay what they are."""
        scene = {
            "friction": 0.3,
            "bodies": [
                FLOOR,
                {"name": "box", "mass": 2, "shape": shapes.box([0.3, 0.2, 0.1]), "position": [0, 0, 0.1],
                 "linear_velocity": [1, 0.3, 0]},
                {"name": "ball", "mass": 1, "shape": shapes.sphere(0.2), "position": [3, 0, 0.2],
                 "linear_velocity": [0.5, 0, 0], "angular_velocity": [0, 2.5, 0]},
            ],
        }  # fmt: skip
        self.sim = abut.Simulation(scene)
        self.sim.steps(3)
        self.model = self.sim.model

    def after(self, states: Any, inputs: Any = None, model: Any = None) -> Any:
        sim = abut.Simulation(model or self.model)
        sim.states = states
        if inputs is not None:
            sim.inputs = inputs
        sim.step()
        return sim.states

    def test_against_differences(self) -> None:
        (friction, *_) = self.model.parameters("friction")
        parameters = [friction, *self.model.parameters("mass", "gravity")]
        gradient = abut.gradient(self.sim, parameters=parameters)
        start = self.sim.states
        expected = np.empty((24, 36))
        for column in range(36):
            body, at = 1 + column // 18, column % 18
            sides = []
            for sign in (1, -1):
                inputs = np.zeros((3, 6))
                change = np.zeros(12)
                if at < 12:
                    change[at] = sign * EPS
                else:
                    inputs[body, at - 12] = sign * 1e-3
                sides.append(self.after(moved(start, body, change), inputs))
            step = EPS if at < 12 else 1e-3
            expected[:, column] = abut.difference(self.model, sides[1], sides[0]).ravel() / (2 * step)
        matrix = gradient.matrix()
        np.testing.assert_allclose(matrix, expected, atol=2e-6 * np.abs(matrix).max())
        blocks = matrix.reshape(24, 2, 18)
        np.testing.assert_array_equal(gradient.by_state, blocks[:, :, :12].reshape(24, 24))
        np.testing.assert_array_equal(gradient.by_input, blocks[:, :, 12:].reshape(24, 12))
        for column, parameter in enumerate(parameters):
            value = self.model.value(parameter)
            sides = [self.after(start, model=self.model.changed({parameter: value + d})) for d in (EPS, -EPS)]
            difference = abut.difference(self.model, sides[1], sides[0]).ravel() / (2 * EPS)
            np.testing.assert_allclose(gradient.by_parameters[:, column], difference, atol=1e-6)

    def test_closed_form_of_sliding(self) -> None:
        """By friction, the speed of what slides along x changes by -g dt."""
        sim = abut.Simulation(one_body(shapes.box([0.3, 0.3, 0.1]), position=[0, 0, 0.1], linear_velocity=[1, 0, 0]))
        sim.step()
        gradient = abut.gradient(sim, parameters=["friction"])
        self.assertAlmostEqual(gradient.by_parameters[6, 0], -9.81 * DT, places=7)
        self.assertAlmostEqual(gradient.by_input[6, 0], DT, places=9)
        np.testing.assert_allclose(gradient.next("body").linear_velocity[0], 1 - 2 * 0.5 * 9.81 * DT, atol=1e-8)

    def test_of_what_exists_alone(self) -> None:
        """A plank on two boxes has a derivative by pushes, which is zero, and none by poses; a ball beside has both."""
        box = {"mass": 1, "shape": shapes.box([0.1, 0.1, 0.1])}
        scene = {
            "bodies": [
                FLOOR,
                {"name": "left", "position": [-0.4, 0, 0.1], **box},
                {"name": "right", "position": [0.4, 0, 0.1], **box},
                {"name": "plank", "mass": 1, "shape": shapes.box([0.6, 0.1, 0.02]), "position": [0, 0, 0.22]},
                {"name": "ball", "mass": 2, "shape": shapes.sphere(0.2), "position": [0, 0, 9]},
            ],
        }  # fmt: skip
        gradient = abut.gradient(abut.Simulation(scene), kappa=0, parameters=["mass"])
        for read in (lambda: gradient.by_state, gradient.matrix):
            with self.assertRaisesRegex(abut.NumericalError, "that of '.*' and '.*', impose more conditions than"):
                read()
        np.testing.assert_allclose(gradient.by_input[:36, :18], 0, atol=1e-6)
        self.assertAlmostEqual(gradient.by_input[36 + 6, 18], DT / 2, places=12)
        self.assertTrue(np.isfinite(gradient.by_parameters).all())
        partial = gradient.matrix(partial=True).reshape(4, 12, 4, 18)
        self.assertTrue(np.isnan(partial[:3, :, :3, :6]).all())
        self.assertTrue(np.isfinite(partial[:, :, :, 6:]).all())
        np.testing.assert_allclose(partial[3, :3, 3, :3], np.eye(3), atol=1e-12)
        change = np.zeros((4, 18))
        change[3, 0] = change[0, 12] = 1
        self.assertAlmostEqual(gradient.jvp(change)[3, 0], 1, places=12)
        change[0, 0] = 1
        with self.assertRaises(abut.NumericalError):
            gradient.jvp(change)

    def test_kappa_of_point_ncp(self) -> None:
        scene = {**one_body(shapes.box([0.3, 0.3, 0.1]), position=[0, 0, 0.1]), "solver": {"method": "point-ncp"}}
        self.assertEqual(abut.gradient(abut.Simulation(scene)).kappa, 1e-9)

    def test_products_are_those_of_the_matrix(self) -> None:
        gradient = abut.gradient(self.sim, kappa=1e-4, parameters=["friction", "size"])
        random = np.random.default_rng(1)
        change, by_next = random.normal(size=(2, 18)), random.normal(size=(2, 12))
        pushed = random.normal(size=len(gradient.parameters))
        matrix, by_parameters = gradient.matrix(), gradient.by_parameters
        forward = (matrix @ change.ravel() + by_parameters @ pushed).reshape(2, 12)
        np.testing.assert_allclose(gradient.jvp(change, pushed), forward, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(gradient.jvp(change).ravel(), matrix @ change.ravel(), rtol=1e-6, atol=1e-6)
        back, of_parameters = gradient.vjp(by_next)
        np.testing.assert_allclose(back.ravel(), matrix.T @ by_next.ravel(), rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(of_parameters, by_parameters.T @ by_next.ravel(), rtol=1e-6, atol=1e-6)

    def test_numbers_of_states_against_differences(self) -> None:
        """Of bodies whose centre of mass is not their frame's origin: one flies, turned at random, and one slides."""
        random = np.random.default_rng(11)
        turn = random.normal(size=(2, 4))
        turn[1, 1:3] = 0
        turn /= np.linalg.norm(turn, axis=1, keepdims=True)
        bodies = [
            {"name": str(i), "mass": 1 + i, "shape": shapes.box([0.3, 0.2, 0.1]), "position": [2 * i, 0, 0.5 - 0.4 * i],
             "orientation": turn[i], "centre_of_mass": [0.03, -0.02, 0.05], "angular_velocity": [1 - i, 2 - 2 * i, 1],
             "linear_velocity": [1, 0.5, 0]}
            for i in range(2)
        ]  # fmt: skip
        sim = abut.Simulation({"friction": 0.4, "bodies": [*bodies, FLOOR]})
        np.testing.assert_allclose(sim.model.centres, [[0.03, -0.02, 0.05]] * 2 + [[0, 0, 0]])
        before, by_next = sim.states, random.normal(size=(3, 13))
        gradient = abut.gradient(sim, kappa=0)

        def after(states: Any, inputs: Any) -> Any:
            other = abut.Simulation(sim.model)
            other.states, other.inputs = states, inputs
            other.step()
            return other.states

        none = np.zeros((3, 6))
        by_before, by_inputs, _ = gradient.vjp_states(before, after(before, none), by_next)
        for body in range(2):
            for column in range(13):
                sides = []
                for sign in (1, -1):
                    states = before.copy()
                    states[body, column] += sign * EPS
                    states[body, 3:7] /= np.linalg.norm(states[body, 3:7])
                    sides.append(float(np.sum(by_next * after(states, none))))
                self.assertAlmostEqual(by_before[body, column], (sides[0] - sides[1]) / (2 * EPS), delta=2e-5)
            for column in range(6):
                sides = []
                for sign in (1, -1):
                    inputs = none.copy()
                    inputs[body, column] = sign * 1e-3
                    sides.append(float(np.sum(by_next * after(before, inputs))))
                self.assertAlmostEqual(by_inputs[body, column], (sides[0] - sides[1]) / 2e-3, delta=1e-6)
        np.testing.assert_array_equal(by_before[2], 0)

    def test_the_simulation_stays_where_it_is(self) -> None:
        before = self.sim.snapshot()
        gradient = abut.gradient(self.sim)
        np.testing.assert_array_equal(self.sim.snapshot(), before)
        twin = self.sim.copy()
        gradient.step(self.sim)
        twin.step()
        np.testing.assert_array_equal(self.sim.snapshot(), twin.snapshot())

    def test_kappa_of_the_scene(self) -> None:
        model = abut.Model(one_body(shapes.sphere(1), position=[0, 0, 1], solver={"kappa_gradient": 1e-3}))
        self.assertEqual(abut.Gradient(model).kappa, 1e-3)
        self.assertEqual(abut.Gradient(model, 0).kappa, 0)
        with self.assertRaisesRegex(abut.ArgumentError, "kappa"):
            abut.Gradient(model, 2.0)

    def test_no_step_no_derivative(self) -> None:
        gradient = abut.Gradient(self.model)
        with self.assertRaises(abut.ArgumentError):
            gradient.matrix()
        with self.assertRaisesRegex(abut.ArgumentError, r"change must have the shape \(2, 18\)"):
            gradient.jvp(np.zeros(3))

    def test_turns(self) -> None:
        random = np.random.default_rng(5)
        states = np.zeros((3, 13))
        states[:, 3] = 1
        q = random.normal(size=4)
        states[2, 3:7] = q / np.linalg.norm(q)
        for change in (random.normal(size=12) * 1e-4, np.zeros(12)):
            to = moved(states, 2, change)
            np.testing.assert_allclose(abut.difference(self.model, states, to)[1], change, atol=1e-10)
            to[2, 3:7] *= -1
            np.testing.assert_allclose(abut.difference(self.model, states, to)[1], change, atol=1e-10)


class TestRollout(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = one_body(shapes.box([0.3, 0.3, 0.1]), position=[0, 0, 0.1], linear_velocity=[2, 0, 0])
        self.steps = 12

    def last_x(self, force: Any, friction: float = 0.5, speed: float = 2.0) -> float:
        sim = abut.Simulation({**self.scene, "friction": friction})
        sim.set_body("body", linear_velocity=[speed, 0, 0])
        for value in force:
            sim.inputs[1, 0] = value
            sim.step()
        return float(sim.states[1, 0])

    def test_adjoint_against_differences(self) -> None:
        force = np.linspace(-1, 1, self.steps)
        for segment in (0, 5):
            sim = abut.Simulation(self.scene)
            rollout = abut.Rollout(sim.model, self.steps, kappa=0, parameters=["friction"], segment=segment)
            for value in force:
                sim.inputs[1, 0] = value
                rollout.step(sim)
            self.assertEqual(len(rollout), self.steps)
            by_states = np.zeros((self.steps + 1, 1, 12))
            by_states[-1, 0, 0] = 1
            adjoint = rollout.backward(by_states)
            for k in (0, 7, self.steps - 1):
                sides = [self.last_x(force + d * (np.arange(self.steps) == k)) for d in (1e-3, -1e-3)]
                self.assertAlmostEqual(adjoint.by_inputs[k, 0, 0], (sides[0] - sides[1]) / 2e-3, places=8)
            sides = [self.last_x(force, friction=0.5 + d) for d in (1e-5, -1e-5)]
            self.assertAlmostEqual(adjoint.by_parameters[0], (sides[0] - sides[1]) / 2e-5, places=5)
            sides = [self.last_x(force, speed=2 + d) for d in (1e-5, -1e-5)]
            self.assertAlmostEqual(adjoint.by_start[0, 6], (sides[0] - sides[1]) / 2e-5, places=5)
            start = np.zeros((1, 12))
            start[0, 6] = 1
            self.assertAlmostEqual(rollout.forward(start)[0, 0], adjoint.by_start[0, 6], places=9)
            inputs = np.zeros((self.steps, 1, 6))
            inputs[3, 0, 0] = 1
            pushed = rollout.forward(np.zeros((1, 12)), inputs, [1.0])[0, 0]
            self.assertAlmostEqual(pushed, adjoint.by_inputs[3, 0, 0] + adjoint.by_parameters[0], places=9)

    def test_room(self) -> None:
        sim = abut.Simulation(self.scene)
        rollout = abut.Rollout(sim.model, 2)
        rollout.step(sim)
        rollout.step(sim)
        with self.assertRaisesRegex(abut.ArgumentError, "full"):
            rollout.step(sim)
        rollout.begin()
        self.assertEqual(len(rollout), 0)
        self.assertTrue(rollout)
        rollout.step(sim)
        with self.assertRaisesRegex(abut.ArgumentError, r"by_states, of 1 recorded steps, .* shape \(2, 1, 12\)"):
            rollout.backward(np.zeros((3, 1, 12)))

    def test_of_another_model(self) -> None:
        sim, other = abut.Simulation(self.scene), abut.Model(self.scene)
        with self.assertRaisesRegex(abut.ArgumentError, "the Rollout has another Model than the simulation"):
            abut.Rollout(other, 2).step(sim)
        with self.assertRaisesRegex(abut.ArgumentError, "the Gradient has another Model than the simulation"):
            abut.Gradient(other).step(sim)
        self.assertEqual(sim.time, 0.0)


if __name__ == "__main__":
    unittest.main()
