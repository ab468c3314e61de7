"""Shapes, collision and meshes, against closed forms and each other."""

import itertools
import math
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from support import FLOOR, MESHES, abut, shapes, unittest

HALF_TURN = [math.sqrt(0.5), 0, 0, math.sqrt(0.5)]  # a quarter turn about z
CORNERS = np.array(list(itertools.product([0, 1], [0, 2], [0, 3])), dtype=float)
# The triangles of a box whose corners are those above, seen from outside.
TRIANGLES = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
             [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]  # fmt: skip


class TestShapes(unittest.TestCase):
    def test_volumes(self) -> None:
        pi = math.pi
        for shape, volume in (
            (shapes.box([1, 2, 3]), 48),
            (shapes.sphere(2), 4 / 3 * pi * 8),
            (shapes.ellipsoid([1, 2, 3]), 4 / 3 * pi * 6),
            (shapes.capsule(0.5, 2), pi * 0.25 * 2 + 4 / 3 * pi * 0.125),
            (shapes.cylinder(0.5, 2), pi * 0.25 * 2),
            (shapes.cone(3, 2), pi * 4),
            (shapes.polytope(CORNERS), 6),
            (shapes.polytope(A=np.vstack([np.eye(3), -np.eye(3)]), b=[1, 1, 1, 0, 0, 0]), 1),
            (shapes.minkowski_sum([shapes.box([1, 1, 1]), shapes.box([1, 2, 3])]), 8 * 2 * 3 * 4),
            (shapes.intersection([shapes.box([1, 1, 1]), shapes.halfspace([0, 0, 1])]), 4),
            (shapes.padded_polytope(1, vertices=CORNERS), 6 + 22 + pi * 6 + 4 / 3 * pi),
            (shapes.superellipsoid([1, 2, 3], [2, 2]), 4 / 3 * pi * 6),
            (shapes.union([shapes.box([1, 1, 1]), shapes.box([1, 1, 1], position=[1, 0, 0])]), 12),
        ):
            with self.subTest(shape=shape):
                self.assertAlmostEqual(shape.volume / volume, 1, places=9)
                self.assertEqual(shape.check(), "")

    def test_mass_is_moved_and_turned(self) -> None:
        mass = shapes.box([1, 2, 3], position=[4, 5, 6], orientation=HALF_TURN).mass
        np.testing.assert_allclose(mass.centre_of_mass, [4, 5, 6])
        np.testing.assert_allclose(mass.inertia, np.diag([1 + 9, 4 + 9, 4 + 1]) * 48 / 3, atol=1e-12)

    def test_support(self) -> None:
        value, point = shapes.box([1, 2, 3], position=[1, 0, 0]).support([1, 1, -1])
        self.assertAlmostEqual(value, 2 + 2 + 3)
        np.testing.assert_allclose(point, [2, 2, -3])
        two = shapes.union([shapes.sphere(1), shapes.sphere(1, position=[5, 0, 0])])
        self.assertAlmostEqual(two.support([2, 0, 0])[0], 12)

    def test_conic(self) -> None:
        """|p| <= alpha: a ball of radius 1, of one second-order cone."""
        ball = shapes.conic(A=np.vstack([np.zeros(3), -np.eye(3)]), d=[1, 0, 0, 0], h=np.zeros(4), soc=[4])
        self.assertAlmostEqual(ball.volume, 4 / 3 * math.pi, places=6)
        self.assertEqual(ball.kind, "conic")

    def test_rows_bound_the_shape(self) -> None:
        A, B, d, h = shapes.polytope(CORNERS).rows
        self.assertEqual(B.shape, (len(A), 0))
        slack = (h + d)[:, None] - A @ CORNERS.T
        np.testing.assert_allclose(slack.min(axis=1), 0, atol=1e-12)

    def test_dictionaries(self) -> None:
        cone = shapes.cone(0.5, 0.2, position=[1, 2, 3])
        again = shapes.from_dict(cone.to_dict())
        self.assertEqual(again.mass.volume, cone.mass.volume)
        union = shapes.union([cone, {"type": "sphere", "radius": 0.3}])
        self.assertEqual((union.kind, [part.kind for part in union.parts]), ("union", ["cone", "sphere"]))
        with self.assertRaisesRegex(abut.ArgumentError, "2 parts"):
            union.vertices

    def test_refusals_name_the_key(self) -> None:
        for call, word in (
            (lambda: shapes.box([1, -2, 3]), r"half_extents\[1\]: .*-2"),
            (lambda: shapes.superellipsoid([1, 1, 1], [1, 2]), "exponents"),
            (lambda: shapes.box([1, 2]), "half_extents: .*3"),
            (lambda: shapes.sphere(1, position=[0, 0, math.inf]), "Inf"),
        ):
            with self.assertRaisesRegex(abut.ArgumentError, word):
                call()


class TestCollision(unittest.TestCase):
    def test_closed_forms(self) -> None:
        ball, box = shapes.sphere(1), shapes.box([1, 1, 1])
        apart = abut.collide(ball, [0, 0, 0], ball, [5, 0, 0])
        self.assertEqual(apart.outcome, "exact")
        self.assertAlmostEqual(apart.scaling, 2.5, places=9)
        self.assertAlmostEqual(apart.gap, 3, places=9)
        np.testing.assert_allclose(apart.normal, [1, 0, 0], atol=1e-9)
        overlap = abut.collide(box, [0, 0, 0], box, ([0.2, 1.5, 0], HALF_TURN))
        self.assertAlmostEqual(overlap.scaling, 0.75, places=9)
        self.assertAlmostEqual(overlap.gap, -0.5, places=9)
        on_floor = abut.collide(shapes.halfspace([0, 0, 1]), [0, 0, 0], box, [7, 8, 1.25])
        self.assertAlmostEqual(on_floor.gap, 0.25, places=9)

    def test_unions_meet_where_their_gap_is_smallest(self) -> None:
        two = shapes.union([shapes.sphere(1), shapes.sphere(1, position=[0, 4, 0])])
        self.assertAlmostEqual(abut.collide(two, [0, 0, 0], shapes.sphere(1), [3, 4, 0]).gap, 1, places=9)
        with self.assertRaisesRegex(abut.ArgumentError, "union of 2 parts"):
            abut.Collision(two, two)

    def test_many_are_those_one_by_one(self) -> None:
        random = np.random.default_rng(2)
        pair = abut.Collision(shapes.cone(1, 0.5), shapes.box([0.3, 0.4, 0.5]))
        poses = random.normal(size=(2, 20, 7)) * 2
        poses[..., 3:] /= np.linalg.norm(poses[..., 3:], axis=-1, keepdims=True)
        results = pair.solve_all(*poses, kappa=1e-6)
        for k in range(20):
            one = pair.solve((poses[0, k, :3], poses[0, k, 3:]), (poses[1, k, :3], poses[1, k, 3:]), 1e-6)
            self.assertEqual(abut.OUTCOMES[results["outcome"][k]], one.outcome)
            self.assertAlmostEqual(results["scaling"][k], one.scaling, places=7)
        self.assertEqual(len(pair.solve_all(np.zeros((0, 7)), np.zeros((0, 7)))), 0)
        bad = poses.copy()
        bad[0, 3, 3] = 9
        with self.assertRaisesRegex(abut.ArgumentError, "3"):
            pair.solve_all(*bad)

    def test_gradients_against_differences(self) -> None:
        a, b, kappa, eps = shapes.ellipsoid([1, 0.7, 0.5]), shapes.box([0.3, 0.4, 0.5]), 1e-3, 1e-6
        pair = abut.Collision(a, b)
        centre, place = np.array([0.1, 0.2, 0.3]), np.array([1.5, 0.8, 0.4])
        pair.solve(centre, place, kappa)
        gradient, rows = pair.gradient(), pair.gradient_rows("b")
        for k in range(3):
            shift = eps * np.eye(3)[k]
            for column, sides in (
                (k, [pair.solve(centre + s * shift, place, kappa) for s in (1, -1)]),
                (6 + k, [pair.solve(centre, place + s * shift, kappa) for s in (1, -1)]),
            ):
                scaling, point, normal = ((getattr(sides[0], n) - getattr(sides[1], n)) / (2 * eps)
                                          for n in ("scaling", "point", "normal"))  # fmt: skip
                self.assertAlmostEqual(gradient.scaling[column], scaling, places=6)
                np.testing.assert_allclose(gradient.point[:, column], point, atol=1e-5)
                np.testing.assert_allclose(gradient.normal[:, column], normal, atol=1e-5)
            sizes = [[1, 0.7, 0.5], [1, 0.7, 0.5]]
            sizes[0][k] += eps
            sizes[1][k] -= eps
            up, down = (abut.Collision(shapes.ellipsoid(size), b).solve(centre, place, kappa) for size in sizes)
            self.assertAlmostEqual(gradient.scaling[12 + k], (up.scaling - down.scaling) / (2 * eps), places=6)
        self.assertEqual((rows.scaling.shape, rows.point.shape), ((6, 4), (6, 3, 4)))
        pair.solve(centre, place)
        with self.assertRaises(abut.UnsupportedError):
            pair.gradient()
        with self.assertRaisesRegex(abut.ArgumentError, "which"):
            pair.gradient_rows("c")

    def test_refusals(self) -> None:
        pair = abut.Collision(shapes.sphere(1), shapes.sphere(1))
        for poses, word in (
            (([0, 0], [0, 0, 0]), "shape"),
            ((([0, 0, 0], [2, 0, 0, 0]), [3, 0, 0]), "length 2; it must be 1"),
        ):
            with self.assertRaisesRegex(abut.ArgumentError, word):
                pair.solve(*poses)
        with self.assertRaisesRegex(abut.ArgumentError, "kappa"):
            pair.solve([0, 0, 0], [3, 0, 0], 0.5)
        with self.assertRaises(abut.Error):
            abut.Collision(shapes.halfspace([0, 0, 1]), shapes.halfspace([0, 0, 1]))


class TestMeshes(unittest.TestCase):
    def box(self) -> Any:
        return abut.Mesh(CORNERS, TRIANGLES)

    def test_mass_of_a_box(self) -> None:
        mass = self.box().mass
        self.assertAlmostEqual(mass.volume, 6)
        np.testing.assert_allclose(mass.centre_of_mass, [0.5, 1, 1.5])
        np.testing.assert_allclose(mass.inertia, np.diag([4 + 9, 1 + 9, 1 + 4]) * 6 / 12, atol=1e-12)

    def test_arrays_are_views(self) -> None:
        mesh = self.box()
        np.testing.assert_array_equal(mesh.vertices, CORNERS)
        np.testing.assert_array_equal(mesh.triangles, TRIANGLES)
        self.assertIs(type(mesh.vertices.base.owner), type(mesh.handle))

    def test_hull(self) -> None:
        hull = self.box().hull()
        self.assertEqual((hull.report["faces"], hull.report["vertices"]), (6, 8))
        self.assertAlmostEqual(hull.shape.volume, 6)
        self.assertAlmostEqual(hull.report["hull"].volume, 6)
        less = abut.Mesh.load(MESHES / "icosphere.ply").hull(max_faces=12)
        self.assertEqual(less.report["reduced_faces"], 12)
        inner = abut.Mesh.load(MESHES / "icosphere.ply").hull(max_faces=12, fit="inner")
        self.assertLess(inner.report["reduced"].volume, inner.report["hull"].volume)
        self.assertGreater(less.report["reduced"].volume, less.report["hull"].volume)

    def test_hull_with_the_mass_of_its_mesh(self) -> None:
        mesh = abut.Mesh.load(MESHES / "mug.obj")
        hull = mesh.hull(max_faces=20, mass_of="mesh").shape
        self.assertEqual(hull.volume, mesh.mass.volume)
        body = {"name": "mug", "density": 2000, "shape": hull}
        self.assertAlmostEqual(abut.Model({"bodies": [body]}).masses[0], 2000 * mesh.mass.volume, places=12)
        with self.assertRaisesRegex(abut.ArgumentError, "mass_of"):
            mesh.hull(mass_of="stone")

    def test_decomposition_of_an_l(self) -> None:
        """Two boxes of 6 m^3 and 2 m^3, whose union is an L; the mesh is made of its outline."""
        outline = np.array([[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]], dtype=float)
        n = len(outline)
        vertices = np.vstack([np.c_[outline, np.zeros(n)], np.c_[outline, np.ones(n)]])
        top = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]]
        triangles = [[c, b, a] for a, b, c in top] + [[a + n, b + n, c + n] for a, b, c in top]
        for i in range(n):
            j = (i + 1) % n
            triangles += [[i, j, j + n], [i, j + n, i + n]]
        mesh = abut.Mesh(vertices, triangles)
        seen: "list[str]" = []
        parts = mesh.decompose(progress=lambda stage, part: seen.append(stage))
        self.assertEqual(parts.report["n_parts"], 2)
        self.assertTrue(parts.report["within_bound"])
        self.assertAlmostEqual(float(parts.part_volumes.sum()), 5)
        self.assertAlmostEqual(parts.shape.volume, 5)
        self.assertGreater(len(seen), 0)
        spec = parts.shape.to_dict()
        self.assertEqual(spec["type"], "union")
        self.assertAlmostEqual(spec["mass_properties"]["volume"], 5)
        body = {"name": "l", "density": 1, "shape": parts.shape, "position": [0, 0, 2]}
        self.assertAlmostEqual(abut.Model({"bodies": [FLOOR, body]}).masses[1], 5, places=9)

    def test_progress_can_stop_and_raise(self) -> None:
        mesh = abut.Mesh.load(sorted(MESHES.glob("*.stl"))[0])
        with self.assertRaises(abut.StoppedError):
            mesh.hull(max_faces=8, progress=lambda stage, part: False)

        def interrupted(stage: str, part: float) -> bool:
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            mesh.hull(max_faces=8, progress=interrupted)

    def test_files(self) -> None:
        """An STL of the box, in millimetres, one triangle of which is missing."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "box.stl"
            facets = ""
            for triangle in TRIANGLES[:-1]:
                points = "".join(f"vertex {x} {y} {z}\n" for x, y, z in CORNERS[triangle] * 1000)
                facets += f"facet normal 0 0 0\nouter loop\n{points}endloop\nendfacet\n"
            path.write_text(f"solid box\n{facets}endsolid box\n")
            mesh = abut.mesh(path, unit="mm")
        np.testing.assert_allclose(mesh.vertices.max(axis=0), [1, 2, 3])
        self.assertFalse(mesh.report["closed"])
        self.assertEqual(mesh.report["open_edges"], 3)
        self.assertTrue(mesh.warnings)
        with self.assertRaisesRegex(abut.ArgumentError, "closed"):
            mesh.mass
        self.assertAlmostEqual(mesh.hull().shape.volume, 6)
        with self.assertRaisesRegex(abut.ArgumentError, "unit is 'parsec'; it must be one of .*mm"):
            abut.mesh(path, unit="parsec")
        with self.assertRaises(abut.InputOutputError):
            abut.mesh(path)

    def test_repair(self) -> None:
        turned = [list(reversed(t)) if k % 3 == 0 else t for k, t in enumerate(TRIANGLES)]
        mesh = abut.Mesh(np.vstack([CORNERS, CORNERS]), [*turned, [0, 1, 1], [8, 11, 10]]).repaired()
        self.assertAlmostEqual(mesh.mass.volume, 6)
        self.assertEqual((len(mesh.vertices), len(mesh.triangles)), (8, 12))
        self.assertEqual((mesh.report["degenerate"], mesh.report["duplicate"]), (1, 1))

    def test_arrays_that_are_no_mesh(self) -> None:
        for vertices, triangles, word in (
            (CORNERS, [[0, 1, 99]], "99"),
            (CORNERS[:, :2], TRIANGLES, "shape"),
            (CORNERS, [[0, 1]], "shape"),
            (CORNERS, [[0.5, 1, 2]], "integers"),
            ([[0, 0, math.nan]], [[0, 0, 0]], "nan"),
        ):
            with self.assertRaisesRegex(abut.ArgumentError, word):
                abut.Mesh(vertices, triangles)


if __name__ == "__main__":
    unittest.main()
