"""Batches: each world as alone, bit for bit; states and inputs of all at once."""

import numpy as np
from support import SCENES, abut, one_body, shapes, unittest


class TestBatch(unittest.TestCase):
    def test_each_world_moves_as_alone(self) -> None:
        model = abut.Model(SCENES / "capsule_on_box.json")
        batch = abut.Batch(model, 5, threads=2)
        random = np.random.default_rng(3)
        states = batch.states
        states[:, model.moving, 7:10] += random.uniform(-1, 1, (5, len(model.moving), 3))
        batch.states = states
        batch.inputs[:, model.moving, :3] = random.uniform(-1, 1, (5, len(model.moving), 3))
        batch.step(30)
        batch.step()
        for world in range(5):
            alone = abut.Simulation(model)
            alone.states = states[world]
            alone.inputs = batch.inputs[world]
            alone.steps(31)
            np.testing.assert_array_equal(batch.states[world], alone.states)
            np.testing.assert_array_equal(batch.motion(world), alone.motion)
            self.assertEqual(batch.info(world).as_dict(), alone.info.as_dict())
            self.assertEqual(batch.time(world), alone.time)
        np.testing.assert_array_equal(batch.outcomes, np.zeros(5))

    def test_written_into_an_array_of_the_callers(self) -> None:
        batch = abut.Batch(SCENES / "cube_drop.json", 4)
        out = np.zeros((4, 2, 13))
        self.assertIs(batch.get_states(out), out)
        np.testing.assert_array_equal(out, batch.states)

    def test_refused_whole(self) -> None:
        batch = abut.Batch(one_body(shapes.sphere(0.1), position=[0, 0, 1]), 3)
        states = batch.states
        changed = states.copy()
        changed[0, 1, 2], changed[2, 1, 3] = 5, 3
        with self.assertRaisesRegex(abut.ArgumentError, r"worlds\[2\].bodies\[1\].orientation"):
            batch.states = changed
        np.testing.assert_array_equal(batch.states, states)
        batch.inputs[1, 1, 0] = np.nan
        with self.assertRaisesRegex(abut.ArgumentError, r"bodies\[1\].input: of body .*nan"):
            batch.step()
        with self.assertRaisesRegex(abut.ArgumentError, "shape"):
            batch.inputs = np.zeros((3, 6))
        for world in (3, -1, 2**32, 1.5):
            for call in (batch.motion, batch.info, batch.restart, batch.time):
                with self.assertRaisesRegex(abut.ArgumentError, f"world must be an integer from 0 to 2, is {world}"):
                    call(world)  # type: ignore[arg-type]
        with self.assertRaisesRegex(abut.ArgumentError, "steps must be an integer from 1 to 2147483647, is 4294967297"):
            batch.step(2**32 + 1)
        with self.assertRaisesRegex(abut.ArgumentError, "worlds must be an integer from 1 to 2147483647, is 0"):
            abut.Batch(batch.model, 0)

    def test_a_failure_stops_its_own_world(self) -> None:
        solver = {"max_iterations": 1, "retry": False, "warm_start": False, "finish": "none"}
        batch = abut.Batch(one_body(shapes.box([0.5, 0.5, 0.5]), position=[0, 0, 50], solver=solver), 3)
        states = batch.states
        states[1, 1, 2] = 0.5
        batch.states = states
        batch.step(2)
        self.assertEqual(list(batch.failed), [1])
        self.assertEqual(batch.info(1).outcome, "failed")
        states = batch.states
        states[1, 1, 2] = 50
        batch.states = states
        batch.restart(1)
        batch.step()
        self.assertEqual(list(batch.failed), [])


if __name__ == "__main__":
    unittest.main()
