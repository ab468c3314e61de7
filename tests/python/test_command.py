"""What starts the command: runs with their files, and experiments."""

import csv
import os
import tempfile
import unittest.mock
from pathlib import Path

import numpy as np
from support import SCENES, abut, one_body, shapes, unittest


class TestCommand(unittest.TestCase):
    def test_run_writes_what_the_simulation_does(self) -> None:
        scene = abut.Scene.from_dict(
            one_body(shapes.box([0.3, 0.2, 0.1]), position=[0, 0, 0.6], orientation=[0.8, 0, 0.6, 0]),
            overrides={"duration": 0.5, "name": "drop"},
        )
        with tempfile.TemporaryDirectory() as folder:
            summary = abut.run(scene, out=folder)
            with open(Path(folder) / "trajectory.csv", encoding="utf-8") as file:
                rows = [row for row in csv.DictReader(file) if row["body"] == "body"]
            self.assertTrue((Path(folder) / "contacts.csv").exists())
        self.assertEqual((summary["failed_steps"], summary["steps"]), (0, 50))
        states = abut.Simulation(scene).steps(50, record=True)
        assert states is not None
        for k, axis in enumerate(("px", "py", "pz")):
            np.testing.assert_array_equal([float(row[axis]) for row in rows[1:]], states[:, 1, k])

    def test_run_of_a_file_with_options(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "log.csv"
            summary = abut.run(SCENES / "cube_drop.json", method="bilevel", overrides=["duration=0.1"], log=log, seed=7)
            self.assertTrue(log.exists())
        self.assertEqual((summary["method"], summary["seed"], summary["steps"]), ("bilevel", 7, 10))

    def test_failed_steps_are_counted(self) -> None:
        solver = {"max_iterations": 1, "retry": False, "warm_start": False, "finish": "none"}
        summary = abut.run(one_body(shapes.box([0.5, 0.5, 0.5]), position=[0, 0, 0.5], solver=solver))
        self.assertGreater(summary["failed_steps"], 0)

    def test_what_the_command_refuses(self) -> None:
        with self.assertRaises(abut.CommandError) as caught:
            abut.run(SCENES / "cube_drop.json", overrides={"timestep": -1})
        self.assertEqual(caught.exception.exit_status, 2)
        self.assertIn("timestep: must be a positive, finite number, is -1", str(caught.exception))
        with self.assertRaisesRegex(abut.CommandError, "no experiment|unknown|nothing"):
            abut.experiment("nothing")

    def test_it_is_found_or_asked_for(self) -> None:
        self.assertTrue(Path(abut.command_path()).is_file())
        with unittest.mock.patch.dict(os.environ, {"ABUT_COMMAND": "/somewhere/abut"}):
            self.assertEqual(abut.command_path(), "/somewhere/abut")
        from abut import _command

        nowhere = {"ABUT_COMMAND": "", "PATH": ""}
        with unittest.mock.patch.dict(os.environ, nowhere), unittest.mock.patch.object(_command, "library_path", "x"):
            del os.environ["ABUT_COMMAND"]
            with unittest.mock.patch.object(_command, "build_folders", lambda: []):
                with self.assertRaisesRegex(abut.CommandError, "was not found .*set ABUT_COMMAND"):
                    abut.command_path()

    def test_experiment(self) -> None:
        self.assertIn("point-jump", abut.experiments())
        self.assertEqual(len(abut.experiments()), 20)
        with tempfile.TemporaryDirectory() as folder:
            result = abut.experiment("point-jump", quick=True, out=folder)
            self.assertTrue((Path(folder) / "report.html").exists())
        self.assertEqual((result["experiment"], result["quick"]), ("point-jump", True))
        self.assertGreater(len(result["tables"][0]["rows"]), 0)


if __name__ == "__main__":
    unittest.main()
