"""Views look into the library's memory, keep it alive and cannot be written; nothing is lost or freed twice."""

import copy
import gc
import os
import pickle
import resource
import subprocess
import sys
import threading
import unittest.mock
import weakref

import numpy as np
from support import FLOOR, MESHES, SCENES, abut, one_body, shapes, unittest

from abut._library import library
from abut._memory import Handle

BOX = shapes.box([0.5, 0.5, 0.5])


class TestHandles(unittest.TestCase):
    def test_what_is_needed_goes_last(self) -> None:
        """Of one cycle, in whichever order it was made."""
        for first in range(2):
            freed: list[str] = []
            cycle: list[object] = []
            cycle.append(cycle)
            model = Handle("model", freed.append)
            state = Handle("state", freed.append, model)
            cycle += [model, state] if first else [state, model]
            del cycle, model, state
            gc.collect()
            self.assertEqual(freed, ["state", "model"])


class TestCopies(unittest.TestCase):
    def test_owners_are_not_copied(self) -> None:
        """A copy would free the same memory again; another process does not have it."""
        model = abut.Model(SCENES / "cube_drop.json")
        owners = [model, abut.Simulation(model), abut.Batch(model, 2), abut.Collision(BOX, BOX)]
        for owner in owners:
            for function in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, "cannot be copied or pickled"):
                    function(owner)

    def test_numbers_that_c_would_wrap_are_refused(self) -> None:
        model = abut.Model(SCENES / "cube_drop.json")
        for threads in (2**32 + 1, 10**6, -1):
            with self.assertRaisesRegex(abut.ArgumentError, "threads must be an integer from 0 to 1024"):
                abut.Simulation(model, threads=threads)
            with self.assertRaisesRegex(abut.ArgumentError, "threads must be an integer from 0 to 1024"):
                abut.Batch(model, 2, threads=threads)


class TestThreads(unittest.TestCase):
    """In processes of their own: what goes wrong here ends the process."""

    def run_apart(self, code: str) -> None:
        path = os.pathsep.join(path for path in sys.path if path)
        done = subprocess.run(
            [sys.executable, "-c", code, str(SCENES / "pile_10.json")],
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            timeout=60,
        )
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_second_thread_is_refused(self) -> None:
        sim = abut.Simulation(SCENES / "pile_10.json")
        thread = threading.Thread(target=sim.steps, args=(3000,))
        refused = 0
        thread.start()
        while sim.time == 0:  # until the thread is in its call
            pass
        while thread.is_alive():
            for use in (sim.step, sim.snapshot, lambda: sim.states, lambda: sim.contacts, sim.reset):
                try:
                    use()
                except abut.ArgumentError as error:
                    self.assertIn("is using this Simulation; only one may at a time", str(error))
                    refused += 1
        self.assertGreater(refused, 5)
        sim.step()

    def test_a_seat_that_a_signal_left_taken_is_free(self) -> None:
        """A signal's handler may raise between the taking of a seat and the call."""
        sim = abut.Simulation(SCENES / "cube_drop.json")
        for use in (sim.step, sim.snapshot, sim.step):
            sim.seat.free.clear()
            use()

    def test_closed_while_another_thread_steps(self) -> None:
        self.run_apart(
            """if True:
            import abut, sys, threading, time
            model = abut.Model(sys.argv[1])
            for make, work in (
                (lambda: abut.Simulation(model), lambda sim: sim.steps(300)),
                (lambda: abut.Batch(model, 8, threads=2), lambda batch: batch.step(40)),
            ):
                owner = make()
                thread = threading.Thread(target=work, args=(owner,))
                thread.start()
                time.sleep(0.02)
                owner.close()
                thread.join()
            """
        )

    def test_exit_while_a_daemon_thread_steps(self) -> None:
        self.run_apart(
            """if True:
            import abut, sys, threading, time
            model = abut.Model(sys.argv[1])
            sim, batch = abut.Simulation(model), abut.Batch(model, 8, threads=2)
            for target in (lambda: sim.steps(100000), lambda: batch.step(100000)):
                threading.Thread(target=target, daemon=True).start()
            time.sleep(0.05)
            """
        )

    def test_forked_child_steps(self) -> None:
        self.run_apart(
            """if True:
            import abut, os, signal, sys
            batch = abut.Batch(sys.argv[1], 8, threads=2)
            batch.step(5)
            child = os.fork()
            if child == 0:
                signal.alarm(20)
                batch.step(5)
                batch.close()
                os._exit(0)
            sys.exit(os.waitpid(child, 0)[1] != 0)
            """
        )


class TestViews(unittest.TestCase):
    def test_motion_is_the_state_itself(self) -> None:
        sim = abut.Simulation(SCENES / "cube_drop.json")
        motion = sim.motion
        address = motion.__array_interface__["data"][0]
        for _ in range(3):
            sim.steps(40)
            np.testing.assert_array_equal(motion, sim.states)  # the cube's centre of mass is its frame's origin
            self.assertEqual(sim.motion.__array_interface__["data"][0], address)
        sim.set_body("cube", position=[1, 2, 3])
        np.testing.assert_array_equal(motion[1, :3], [1, 2, 3])

    def test_motion_is_that_of_the_centre_of_mass(self) -> None:
        scene = one_body(BOX, position=[0, 0, 5], orientation=[0, 0, 0, 1], centre_of_mass=[0.1, 0, 0])
        sim = abut.Simulation(scene)
        np.testing.assert_allclose(sim.motion[1, :3], [-0.1, 0, 5], atol=1e-15)
        np.testing.assert_allclose(sim.states[1, :3], [0, 0, 5], atol=1e-15)

    def test_views_cannot_be_written(self) -> None:
        sim = abut.Simulation(SCENES / "cube_drop.json")
        mesh = abut.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
        hull = mesh.hull().shape
        for view in (sim.motion, mesh.vertices, mesh.triangles, hull.vertices, *hull.rows):
            self.assertFalse(view.flags.writeable)
            with self.assertRaises(ValueError):
                view[...] = 0
            with self.assertRaises(ValueError):
                view.flags.writeable = True

    def test_inputs_are_what_the_next_step_reads(self) -> None:
        sim = abut.Simulation(one_body(BOX, position=[0, 0, 5], gravity=[0, 0, 0]))
        row = sim.inputs[1]
        row[0] = 100
        sim.step()
        self.assertAlmostEqual(sim.motion[1, 7], 1)

    def test_a_view_outlives_the_name_of_its_owner(self) -> None:
        def motion() -> "np.typing.NDArray[np.float64]":
            sim = abut.Simulation(SCENES / "cube_drop.json")
            sim.steps(30)
            return sim.motion

        seen, values = motion(), abut.Simulation(SCENES / "cube_drop.json")
        values.steps(30)
        gc.collect()
        others = [abut.Simulation(SCENES / "cube_drop.json") for _ in range(50)]  # would take freed memory
        np.testing.assert_array_equal(seen, values.states)
        self.assertEqual(len(others), 50)
        vertices = abut.Mesh.load(sorted(MESHES.glob("*.stl"))[0]).vertices
        rows = shapes.box([1, 2, 3]).rows
        gc.collect()
        self.assertTrue(np.all(np.isfinite(vertices)) and len(vertices) > 3)
        np.testing.assert_array_equal(np.sort(rows[2] + rows[3]), [1, 1, 2, 2, 3, 3])
        world = abut.Batch(SCENES / "cube_drop.json", 3).motion(2)
        gc.collect()
        np.testing.assert_allclose(world[1, 3:7] ** 2 @ np.ones(4), 1)

    def test_closing_frees_when_the_last_view_goes(self) -> None:
        freed = []
        destroy = library.abut_state_destroy
        with unittest.mock.patch.object(library, "abut_state_destroy", lambda p: (freed.append(p), destroy(p))):
            sim = abut.Simulation(SCENES / "cube_drop.json")
            pointer, view = sim.handle.pointer, sim.motion
            sim.close()
            sim.close()
            self.assertNotIn(pointer, freed)
            self.assertEqual(view.shape, (2, 13))
            del view
            self.assertEqual(freed.count(pointer), 1)

    def test_closed_things_refuse(self) -> None:
        with abut.Simulation(SCENES / "cube_drop.json") as sim:
            sim.inputs[...] = 0
            sim.step()
        for use in (sim.step, sim.snapshot, sim.reset, sim.copy, lambda: sim.contacts, lambda: sim.states,
                    lambda: sim.time, lambda: sim.inputs, lambda: sim.steps(3)):  # fmt: skip
            with self.assertRaisesRegex(abut.ArgumentError, "this Simulation is closed"):
                use()
        with abut.Batch(SCENES / "cube_drop.json", 2) as batch:
            batch.step()
        with self.assertRaisesRegex(abut.ArgumentError, "this Batch is closed"):
            batch.step()

    def test_a_model_that_is_closed_stays_for_what_uses_it(self) -> None:
        model = abut.Model(SCENES / "cube_drop.json")
        sim, gradient = abut.Simulation(model), abut.Gradient(model)
        handle = weakref.ref(model.handle)
        model.close()
        sim.step()
        del sim, gradient
        gc.collect()
        self.assertIsNone(handle())


class TestLeaks(unittest.TestCase):
    def growth(self, make: "object", rounds: int) -> int:
        """KiB by which the process grows over the second half of many rounds."""
        assert callable(make)
        for _ in range(rounds):
            make()
        gc.collect()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(rounds):
            make()
        gc.collect()
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)

    @unittest.skipIf(os.environ.get("PYTHON_SANITIZE"), "a sanitizer keeps freed memory")
    def test_thousands_of_everything(self) -> None:
        model = abut.Model(one_body(BOX, position=[0, 0, 0.5]))
        ball, cube = shapes.sphere(1), shapes.box([1, 1, 1])
        tetrahedron = ([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])

        def everything() -> None:
            sim = abut.Simulation(model)
            abut.gradient(sim, 1e-4, ["friction"]).matrix()
            sim.motion, sim.contacts, sim.snapshot()
            rollout = abut.Rollout(model, 4)
            rollout.step(sim)
            abut.Batch(model, 2, 1).step()
            abut.collide(ball, [0, 0, 0], cube, [3, 0, 0])
            abut.Mesh(*tetrahedron).hull().shape.vertices
            abut.Model(abut.Scene.from_dict({"bodies": [FLOOR]}))
            for wrong in (lambda: shapes.sphere(-1), lambda: abut.Gradient(model, 7)):
                try:
                    wrong()
                except abut.Error:
                    pass

        self.assertLess(self.growth(everything, 300), 1500)

    def test_each_thing_is_freed_once(self) -> None:
        """As many destructors as constructors."""
        made, freed = [], []
        names = ["state", "workspace", "model", "batch", "gradient", "rollout", "collision", "scene"]
        patches = []
        for name in names:
            destroy = getattr(library, f"abut_{name}_destroy")
            patches.append(
                unittest.mock.patch.object(
                    library, f"abut_{name}_destroy", lambda p, d=destroy, n=name: (freed.append((n, p)), d(p))
                )
            )
        from abut import _memory

        begin = _memory.Handle.__init__

        def counted(self: "_memory.Handle", pointer: object, *rest: object) -> None:
            made.append(pointer)
            begin(self, pointer, *rest)

        with unittest.mock.patch.object(_memory.Handle, "__init__", counted):
            for patch in patches:
                patch.start()
            sim = abut.Simulation(SCENES / "cube_drop.json")
            abut.gradient(sim)
            rollout = abut.Rollout(sim.model, 3)
            batch = abut.Batch(sim.model, 2)
            pair = abut.Collision(BOX, BOX)
            del sim, rollout, batch, pair
            gc.collect()
            for patch in patches:
                patch.stop()
        self.assertEqual(len(freed), len(made))
        self.assertEqual({name for name, _ in freed}, set(names))


if __name__ == "__main__":
    unittest.main()
