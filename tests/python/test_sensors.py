"""Sensors: arrays by name in simulations, columns in batches, kept by snapshots."""

from typing import Any

import numpy as np
from support import abut, shapes, unittest


def swing() -> dict[str, Any]:
    """Returns a scene of a rod of 2 kg that swings on a hinge, with sensors."""
    return {
        "timestep": 0.01,
        "contacts": [],
        "bodies": [{"name": "rod", "mass": 2, "position": [0.5, 0, 0], "shape": shapes.box([0.5, 0.05, 0.05])}],
        "joints": [{"name": "pivot", "type": "hinge", "parent": "world", "child": "rod", "anchor": [0, 0, 0],
                    "axis": [0, 1, 0], "motor": {"type": "force", "target": 3}}],
        "sites": [{"name": "tip", "body": "rod", "position": [0.5, 0, 0]}],
        "sensors": [{"name": "pose", "type": "pose", "site": "tip"}, {"name": "imu", "type": "imu", "site": "tip"},
                    {"name": "effort", "type": "joint_effort", "joint": "pivot"}],
    }


class TestSensors(unittest.TestCase):
    def test_names_and_columns(self) -> None:
        model = abut.Model(swing())
        self.assertEqual(model.sites, ["tip"])
        self.assertEqual(model.sensors, {"pose": slice(0, 7), "imu": slice(7, 13), "effort": slice(13, 14)})
        self.assertEqual(model.sensor_channels("pose"), ["px", "py", "pz", "qw", "qx", "qy", "qz"])
        self.assertEqual(model.n_sensor_values, 14)
        with self.assertRaisesRegex(abut.ArgumentError, "sensor 'gps' does not exist; the sensors are pose, imu, effort"):
            model.sensor_channels("gps")

    def test_values_agree_with_the_state(self) -> None:
        sim = abut.Simulation(swing())
        np.testing.assert_array_equal(sim.sensors["imu"], np.zeros(6))
        before = sim.motion[0].copy()
        for _ in range(20):
            before = sim.motion[0].copy()
            sim.step()
        values = sim.sensors
        angle = sim.joint("pivot").position[0]
        np.testing.assert_allclose(values["pose"][:3], [np.cos(angle), 0, -np.sin(angle)], atol=1e-9)
        self.assertAlmostEqual(values["effort"][0], 3, places=9)
        # The acceleration of the tip in the plane: along the rod and across it, at the start of the step.
        (rate, last), h = (sim.motion[0][11], before[11]), 0.01
        turn = 2 * np.arctan2(before[5], before[3])
        gained = (sim.motion[0][7:10] - before[7:10]) / h + [0, 0, 9.81]
        along = gained @ [np.cos(turn), 0, -np.sin(turn)] - 0.5 * (rate**2 + last**2) / 2
        across = gained @ [np.sin(turn), 0, np.cos(turn)] - 0.5 * (rate - last) / h
        np.testing.assert_allclose(values["imu"][:3], [along, 0, across], atol=1e-8)
        self.assertEqual(values["imu"][4], rate)

    def test_batches_have_the_bits_of_simulations(self) -> None:
        sim = abut.Simulation(swing())
        batch = abut.Batch(sim.model, 3, threads=1)
        sim.steps(15)
        batch.step(15)
        self.assertEqual(batch.sensors.shape, (3, 14))
        for row in batch.sensors:
            np.testing.assert_array_equal(row, sim.get_sensors())
        np.testing.assert_array_equal(batch.sensors[:, sim.model.sensors["imu"]][1], sim.sensors["imu"])
        out = np.empty((3, 14))
        self.assertIs(batch.get_sensors(out), out)

    def test_snapshots_keep_them(self) -> None:
        sim = abut.Simulation(swing())
        sim.steps(5)
        kept, values = sim.snapshot(), sim.get_sensors()
        sim.steps(5)
        self.assertFalse((sim.get_sensors() == values).all())
        sim.restore(kept)
        np.testing.assert_array_equal(sim.get_sensors(), values)


if __name__ == "__main__":
    unittest.main()
