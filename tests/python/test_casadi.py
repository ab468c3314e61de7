"""The C source of abut linearise --casadi: its symbols, called as CasADi's external() calls them, without CasADi."""

import ctypes
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from support import CC, ROOT, SCENES, abut, unittest

INT, REAL = ctypes.c_longlong, ctypes.c_double


class External:
    """A function of a shared object, with what CasADi reads of it before the first call."""

    def __init__(self, library: ctypes.CDLL, name: str) -> None:
        self.library, self.name = library, name
        self.get("_incref")()
        self.n_in, self.n_out = (self.get(suffix, INT)() for suffix in ("_n_in", "_n_out"))
        self.names = [
            [self.get(suffix, ctypes.c_char_p)(INT(i)).decode() for i in range(n)]
            for suffix, n in (("_name_in", self.n_in), ("_name_out", self.n_out))
        ]
        self.shapes = [
            [self.shape(suffix, i) for i in range(n)]
            for suffix, n in (("_sparsity_in", self.n_in), ("_sparsity_out", self.n_out))
        ]
        sizes = [INT() for _ in range(4)]
        assert self.get("_work")(*(ctypes.byref(size) for size in sizes)) == 0
        self.sizes = [size.value for size in sizes]

    def get(self, suffix: str, result: Any = ctypes.c_int) -> Any:
        function = getattr(self.library, self.name + suffix)
        function.restype = result
        return function

    def shape(self, suffix: str, i: int) -> tuple[int, int, int]:
        """Returns rows, columns and the number of entries, after a check of the compressed columns."""
        s = self.get(suffix, ctypes.POINTER(INT))(INT(i))
        rows, columns = s[0], s[1]
        starts = [s[2 + k] for k in range(columns + 1)]
        entries = [s[3 + columns + k] for k in range(starts[-1])]
        if starts[-1] > 0:
            assert starts == [rows * k for k in range(columns + 1)] and entries == list(range(rows)) * columns
        return rows, columns, starts[-1]

    def __call__(self, *arguments: Any, wanted: Any = None) -> list[Any]:
        """Calls the function as CasADi does, with memory checked out; None is NULL."""
        status, out = self.attempt(*arguments, wanted=wanted)
        assert status == 0
        return out

    def attempt(self, *arguments: Any, wanted: Any = None) -> tuple[int, list[Any]]:
        """Calls like CasADi, which releases the memory even if there is none, and returns the status as well."""
        given = [None if a is None else np.ascontiguousarray(a, float) for a in arguments]
        pointer = ctypes.POINTER(REAL)
        arg, res = (pointer * max(self.sizes[0], 1))(), (pointer * max(self.sizes[1], 1))()
        for i, array in enumerate(given):
            arg[i] = ctypes.cast(None if array is None else array.ctypes.data, pointer)
        out = []
        for i, (rows, columns, _) in enumerate(self.shapes[1]):
            out.append(np.full((columns, rows), np.nan))
            res[i] = ctypes.cast(out[i].ctypes.data if wanted is None or i in wanted else None, pointer)
        mem = self.get("_checkout")()
        status = self.get("")(arg, res, None, None, mem)
        self.get("_release", None)(ctypes.c_int(mem))
        return status, [array.T for array in out]


@unittest.skipIf("PYTHON_SANITIZE" in os.environ, "the compiled object has no sanitizer")
class TestCasadi(unittest.TestCase):
    def compile(self, scene: "str | Path", *options: str, name: str = "step") -> ctypes.CDLL:
        """Writes, compiles and loads a function; an index out of an array ends the process."""
        folder = Path(tempfile.mkdtemp())
        source = folder / f"{name}.c"
        abut.command("linearise", str(SCENES / scene), "--casadi", str(source), *options)
        place = Path(abut.library_path)
        subprocess.run(
            [CC, "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=bounds", "-fsanitize-undefined-trap-on-error",
             "-shared", "-fPIC", source, f"-I{ROOT / 'include'}", place,
             f"-Wl,-rpath,{place.parent}", "-lm", "-o", folder / f"{name}.so"], check=True)  # fmt: skip
        return ctypes.CDLL(str(folder / f"{name}.so"))

    def check(self, scene: str, *options: str) -> None:
        library = self.compile(scene, *options)
        robot = abut.Robot(SCENES / scene, overrides={"timestep": 0.005})
        step, jacobian = External(library, "step"), External(library, "jac_step")
        n, n_u = len(robot.q) + len(robot.qdot), len(robot.motor_names)
        self.assertEqual(step.names, [["x", "u"], ["x_next"]])
        self.assertEqual(step.shapes, [[(n, 1, n), (n_u, 1, n_u)], [(n, 1, n)]])
        self.assertEqual(jacobian.names, [["x", "u", "out_x_next"], ["jac_x_next_x", "jac_x_next_u"]])
        self.assertEqual(jacobian.shapes[0][2], (n, 1, 0))
        self.assertEqual(jacobian.shapes[1], [(n, n, n * n), (n, n_u, n * n_u)])
        rng = np.random.default_rng(4)
        robot.qdot = rng.uniform(-0.5, 0.5, len(robot.qdot))
        x, u = np.concatenate([robot.q, robot.qdot]), robot.motors
        robot.set(robot.q, robot.qdot)
        robot.simulation.step()
        (after,) = step(x, u)
        np.testing.assert_allclose(after.ravel(), np.concatenate([robot.q, robot.qdot]), atol=1e-12)
        by_x, by_u = jacobian(x, u, None)
        (only,) = jacobian(x, u, None, wanted=[1])[1:]
        np.testing.assert_array_equal(only, by_u)
        h = 1e-5
        for i in range(n + n_u):
            e = h * np.eye(n + n_u)[i]
            ends = [step(x + sign * e[:n], u + sign * e[n:])[0].ravel() for sign in (1, -1)]
            column = by_x[:, i] if i < n else by_u[:, i - n]
            np.testing.assert_allclose((ends[0] - ends[1]) / (2 * h), column, atol=2e-5, err_msg=str(i))

    def test_joints(self) -> None:
        self.check("cart_pendulum.json", "--set", "timestep=0.005")

    def test_a_floating_base(self) -> None:
        """The quadruped, before it lands; its quaternion is a part of x."""
        self.check("quadruped.json", "--set", "timestep=0.005", "--kappa-gradient", "0")

    def test_memories_are_separate(self) -> None:
        library = self.compile("cart_pendulum.json")
        step = External(library, "step")
        first, second = step.get("_checkout")(), step.get("_checkout")()
        self.assertNotEqual(first, second)
        for mem in (first, second):
            step.get("_release", None)(mem)
        self.assertEqual(step.get("_checkout")(), min(first, second))

    def test_scenes_that_change(self) -> None:
        """Memory that is loaded stays as it is until the last user leaves; then the call fails, and not the process."""
        for change in ("deleted", "larger"):
            scene = Path(tempfile.mkdtemp()) / "scene.json"
            scene.write_text((SCENES / "cart_pendulum.json").read_text())
            library = self.compile(scene)
            step, jacobian = External(library, "step"), External(library, "jac_step")
            x, u = np.array([0.1, 0.2, 0.3, 0.4]), np.zeros(1)
            (before,) = step(x, u)
            if change == "deleted":
                scene.unlink()
            else:
                scene.write_text((SCENES / "double_pendulum.json").read_text())
            step.get("_decref", None)()
            np.testing.assert_array_equal(step(x, u)[0], before)
            jacobian.get("_decref", None)()
            for function, arguments in ((step, (x, u)), (jacobian, (x, u, None))):
                status, out = function.attempt(*arguments)
                self.assertNotEqual(status, 0)
                self.assertTrue(np.isnan(out[0]).all())

    def test_too_many_callers(self) -> None:
        step = External(self.compile("cart_pendulum.json"), "step")
        taken = [step.get("_checkout")() for _ in range(65)]
        self.assertEqual(taken, [*range(64), -1])
        for mem in taken:
            step.get("_release", None)(ctypes.c_int(mem))
        self.assertEqual(step.get("_checkout")(), 0)

    def test_a_base_needs_its_state(self) -> None:
        step = External(self.compile("quadruped.json"), "step")
        self.assertNotEqual(step.attempt(None, None)[0], 0)

    def test_names_do_not_clash(self) -> None:
        for name in ("by_x", "Memory", "overrides", "N", "JOIN", "SCENE", "memory", "x"):
            library = self.compile("cart_pendulum.json", name=name)
            self.assertEqual(External(library, name)(np.zeros(4), np.zeros(1))[0].shape, (4, 1))

    def test_wrong_calls(self) -> None:
        for name in ("step", "2nd.c", "a-b.c", ".c", "int.c", "own_load.c", "abut_step.c"):
            with self.assertRaises(abut.CommandError):
                abut.command("linearise", str(SCENES / "pendulum.json"), "--casadi", name)


if __name__ == "__main__":
    unittest.main()
