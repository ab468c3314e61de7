"""Scenes from files, text and dictionaries, and what is said of wrong ones."""

import json
import math
import tempfile
import warnings
from pathlib import Path

import numpy as np
from support import FLOOR, MESHES, SCENES, abut, one_body, shapes, unittest


class TestScene(unittest.TestCase):
    def test_file(self) -> None:
        scene = abut.Scene.load(SCENES / "cube_drop.json")
        with open(SCENES / "cube_drop.json", encoding="utf-8") as file:
            tree = json.load(file)
        self.assertEqual(scene.name, tree["name"])
        self.assertEqual(scene.bodies, [body["name"] for body in tree["bodies"]])
        self.assertEqual((scene.timestep, scene.duration, scene.steps), (0.01, 1.5, 150))
        self.assertEqual(scene.method, "single-level")
        np.testing.assert_array_equal(scene.gravity, [0, 0, -9.81])
        self.assertEqual(scene.warnings, [])

    def test_what_is_probably_not_meant_is_a_warning(self) -> None:
        ball = shapes.sphere(0.5)
        with self.assertWarnsRegex(abut.SceneWarning, "floor and body overlap by 99.5 m at the start") as caught:
            sim = abut.Simulation(one_body(ball, position=[0, 0, -99]))
        self.assertEqual(caught.filename, __file__)  # the caller's line, not one of the package
        self.assertEqual(len(sim.model.warnings), 1)
        sim.step()
        with self.assertWarnsRegex(abut.SceneWarning, "lengths are in metres"):
            abut.Model(one_body(shapes.box([50, 50, 50]), position=[0, 0, 50]))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(abut.Model(one_body(ball, position=[0, 0, 0.5])).warnings, [])
            sim.model.changed({sim.model.parameters("friction")[0]: 0.1})

    def test_all_three_ways_are_the_same_scene(self) -> None:
        with open(SCENES / "stack_4.json", encoding="utf-8") as file:
            text = file.read()
        scenes = [
            abut.Scene.load(SCENES / "stack_4.json"),
            abut.Scene.from_string(text),
            abut.Scene.from_dict(json.loads(text)),
        ]
        ends = [abut.Simulation(scene) for scene in scenes]
        for sim in ends:
            sim.steps(20)
        for sim in ends[1:]:
            np.testing.assert_array_equal(sim.states, ends[0].states)

    def test_overrides(self) -> None:
        for overrides in ({"timestep": 0.02, "bodies.cube.mass": 3.5}, ["timestep=0.02", "bodies.cube.mass=3.5"]):
            model = abut.Model(SCENES / "cube_drop.json", overrides)
            self.assertEqual(model.timestep, 0.02)
            self.assertEqual(model.masses[model.body("cube")], 3.5)
        vector = abut.Scene.load(SCENES / "cube_drop.json", {"gravity": np.array([0, 0, -1.62])})
        self.assertEqual(vector.gravity[2], -1.62)
        with self.assertRaisesRegex(abut.ArgumentError, "list"):
            abut.Scene.load(SCENES / "cube_drop.json", "timestep=1")
        with self.assertRaisesRegex(abut.ArgumentError, "when it is read"):
            abut.Model(abut.Scene.load(SCENES / "cube_drop.json"), {"timestep": 1})

    def test_saved_and_read_again(self) -> None:
        scene = abut.Scene.from_dict(one_body(shapes.cone(0.4, 0.2), position=[0, 0, 1]), overrides={"friction": 0.25})
        with tempfile.TemporaryDirectory() as folder:
            scene.save(Path(folder) / "scene.json")
            again = abut.Scene.load(Path(folder) / "scene.json")
        a, b = abut.Simulation(scene), abut.Simulation(again)
        np.testing.assert_array_equal(a.steps(60, record=True), b.steps(60, record=True))

    def test_meshes_are_found_from_the_folder(self) -> None:
        file = next(path.name for path in sorted(MESHES.iterdir()) if path.suffix == ".stl")
        shape = {"type": "mesh", "file": file}
        bodies = {"bodies": [{"name": "rock", "density": 1000, "shape": shape}]}
        self.assertEqual(abut.Scene.from_dict(bodies, folder=MESHES).bodies, ["rock"])
        with self.assertRaises(abut.Error):
            abut.Scene.from_dict(bodies)

    def test_errors_name_place_path_and_value(self) -> None:
        with self.assertRaises(abut.ParseError) as caught:
            abut.Scene.from_string('{\n  "abut": 1,\n  "timestep": -1, "bodies": []\n}', name="mine.json")
        error = caught.exception
        self.assertEqual((error.file, error.line, error.column, error.where), ("mine.json", 3, 15, "timestep"))
        self.assertIn("-1", error.message)
        self.assertTrue(str(error).startswith("mine.json:3:15: timestep: "))
        self.assertIsInstance(error, ValueError)
        with self.assertRaises(abut.InputOutputError) as missing:
            abut.Scene.load("/nowhere/scene.json")
        self.assertIsInstance(missing.exception, OSError)
        with self.assertRaises(abut.ParseError) as wrong:
            abut.Scene.from_dict({"bodies": [FLOOR, {"name": "a", "mass": -2, "shape": shapes.sphere(1)}]})
        self.assertEqual(str(wrong.exception).split(":")[0], "bodies[1].mass")
        for number in (math.nan, math.inf):
            with self.assertRaises(abut.ParseError):
                abut.Scene.from_dict(one_body(shapes.sphere(1), mass=number))
        with self.assertRaisesRegex(abut.ArgumentError, "a scene cannot hold"):
            abut.Scene.from_dict({"bodies": [object()]})

    def test_errors_of_the_model_name_place_and_path(self) -> None:
        plane = '{"type": "halfspace", "normal": [0, 0, 1], "offset": 0}'
        text = '{"abut": 1, "bodies": [\n {"name": "a", "mass": 1, "shape": ' + plane + "}]}"
        with self.assertRaises(abut.Error) as caught:
            abut.Model(abut.Scene.from_string(text, name="mine.json"))
        self.assertEqual((caught.exception.file, caught.exception.line), ("mine.json", 2))
        self.assertTrue(caught.exception.where.startswith("bodies[0]"))


if __name__ == "__main__":
    unittest.main()
