#!/usr/bin/env python3
"""Reads back what `abut export` writes, with NumPy and readers of our own. Usage: exchange.py BUILD_FOLDER"""
import csv
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(HERE, "mcap"))
import read as mcap  # noqa: E402

ABUT = os.path.join(os.path.abspath(sys.argv.pop(1)), "abut")
NODE_MODULES = os.path.join(HERE, "mcap", "node_modules", "@mcap", "core")
SCENE = {"abut": 1, "name": "exchange", "duration": 0.6, "bodies": [
    {"name": "floor", "static": True, "shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}},
    {"name": "wörld \"1\"", "mass": 2, "position": [0, 0, 0.8], "linear_velocity": [1, 0, 0],
     "angular_velocity": [1, 9, 3], "shape": {"type": "box", "half_extents": [0.5, 0.4, 0.5]}},
    {"name": "world", "density": 3, "position": [3, 0, 0.4], "shape": {"type": "union", "parts": [
        {"type": "sphere", "radius": 0.3, "position": [0.5, 0, 0]},
        {"type": "sphere", "radius": 0.3, "position": [-0.5, 0, 0]}]}}]}


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def column(table, *names):
    return np.array([[float(row[name]) for name in names] for row in table])


class Exchange(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = cls.temporary.name
        cls.run_folder = os.path.join(cls.folder, "run")
        with open(os.path.join(cls.folder, "s.json"), "w") as file:
            json.dump(SCENE, file)
        cls.call("run", "s.json", "--out", "run", "--quiet")
        for name in ("csv", "npz", "glb", "mcap"):
            cls.call("export", "run", "--format", name, "--quiet")
        cls.trajectory = rows(os.path.join(cls.run_folder, "trajectory.csv"))
        cls.contacts = rows(os.path.join(cls.run_folder, "contacts.csv"))
        cls.steps = rows(os.path.join(cls.run_folder, "steps.csv"))
        cls.names = [body["name"] for body in SCENE["bodies"]]
        cls.frames = len(cls.trajectory) // 3

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def call(cls, *words):
        subprocess.run((ABUT,) + words, cwd=cls.folder, check=True)

    def data(self, name):
        with open(os.path.join(self.run_folder, name), "rb") as file:
            return file.read()

    def poses(self):
        return (column(self.trajectory, "px", "py", "pz").reshape(self.frames, 3, 3),
                column(self.trajectory, "qw", "qx", "qy", "qz").reshape(self.frames, 3, 4))

    def test_csv_has_the_trajectory_and_the_sums_of_the_contacts(self):
        table = rows(os.path.join(self.run_folder, "run.csv"))
        self.assertEqual([(row["time"], row["body"]) for row in table],
                         [(row["time"], row["body"]) for row in self.trajectory])
        self.assertEqual([int(row["frame"]) for row in table], [i // 3 for i in range(len(table))])
        for name in "px py pz qw qx qy qz vx vy vz wx wy wz".split():
            self.assertEqual([row[name] for row in table], [row[name] for row in self.trajectory])
        impulses, counts = {}, {}
        for row in self.contacts:
            push = float(row["normal_impulse"]) * column([row], "nx", "ny", "nz")[0] + column(
                [row], "friction_impulse_x", "friction_impulse_y", "friction_impulse_z")[0]
            for body, sign in (("body_a", -1), ("body_b", 1)):
                key = (row["time"], row[body])
                impulses[key] = impulses.get(key, np.zeros(3)) + sign * push
                counts[key] = counts.get(key, 0) + 1
        self.assertGreater(len(impulses), 10)
        for row in table:
            key = (row["time"], row["body"])
            self.assertEqual(int(row["contacts"]), counts.get(key, 0))
            np.testing.assert_allclose(column([row], "jx", "jy", "jz")[0], impulses.get(key, np.zeros(3)), atol=1e-13)

    def test_impulses_of_the_csv_are_what_changes_the_momentum(self):
        table = [row for row in rows(os.path.join(self.run_folder, "run.csv")) if row["body"] == self.names[1]]
        velocity, push = column(table, "vx", "vy", "vz"), column(table, "jx", "jy", "jz")
        times = column(table, "time")[:, 0]
        gravity = np.outer(np.diff(times), [0, 0, -9.81])
        np.testing.assert_allclose(2 * np.diff(velocity, axis=0), push[1:] + 2 * gravity, atol=1e-8)

    def test_npz_has_every_number_to_the_bit(self):
        path = os.path.join(self.run_folder, "run.npz")
        self.assertIsNone(zipfile.ZipFile(path).testzip())
        z = np.load(path, allow_pickle=False)
        positions, quaternions = self.poses()
        self.assertEqual(list(z["bodies"]), self.names)
        self.assertEqual(list(z["static"]), [True, False, False])
        np.testing.assert_array_equal(z["times"], column(self.trajectory, "time")[::3, 0])
        np.testing.assert_array_equal(z["positions"], positions)
        np.testing.assert_array_equal(z["quaternions"], quaternions)
        np.testing.assert_array_equal(z["linear_velocities"].reshape(-1, 3), column(self.trajectory, "vx", "vy", "vz"))
        np.testing.assert_array_equal(z["angular_velocities"].reshape(-1, 3), column(self.trajectory, "wx", "wy", "wz"))
        self.assertEqual(z["masses"][1], 2)
        np.testing.assert_array_equal(z["contact_points"], column(self.contacts, "px", "py", "pz"))
        np.testing.assert_array_equal(z["contact_normals"], column(self.contacts, "nx", "ny", "nz"))
        for name, key in (("scaling", "scaling"), ("gap", "gap"), ("normal_impulses", "normal_impulse")):
            np.testing.assert_array_equal(z["contact_" + name], column(self.contacts, key)[:, 0])
        np.testing.assert_array_equal(z["contact_friction_impulses"], column(
            self.contacts, "friction_impulse_x", "friction_impulse_y", "friction_impulse_z"))
        np.testing.assert_array_equal(z["contact_parts"], column(self.contacts, "part_a", "part_b"))
        self.assertEqual([[self.names[i] for i in pair] for pair in z["contact_bodies"]],
                         [[row["body_a"], row["body_b"]] for row in self.contacts])
        offsets = z["contact_offsets"]
        self.assertEqual((offsets[0], offsets[-1], len(offsets)), (0, len(self.contacts), self.frames + 1))
        for k in range(self.frames):
            for row in self.contacts[offsets[k]:offsets[k + 1]]:
                self.assertEqual(float(row["time"]), z["times"][k])
        steps = z["steps"]
        self.assertEqual(list(steps["outcome"]), [row["outcome"] for row in self.steps])
        for name in ("time", "exact", "retried", "halvings", "tries", "iterations", "finish_iterations", "kappa",
                     "residual", "complementarity", "max_penetration", "active_contacts", "energy"):
            np.testing.assert_array_equal(steps[name].astype(float), column(self.steps, name)[:, 0], name)
        np.testing.assert_array_equal(steps["momentum"],
                                      column(self.steps, "momentum_x", "momentum_y", "momentum_z"))

    def read_glb(self):
        data = self.data("run.glb")
        magic, version, length, size, kind = struct.unpack("<4sIII4s", data[:20])
        self.assertEqual((magic, version, length, kind), (b"glTF", 2, len(data), b"JSON"))
        self.assertEqual((size % 4, len(data) % 4), (0, 0))
        rest, kind = struct.unpack("<I4s", data[20 + size:28 + size])
        self.assertEqual((kind, 28 + size + rest), (b"BIN\0", len(data)))
        return json.loads(data[20:20 + size]), data[28 + size:]

    def accessor(self, gltf, binary, index):
        accessor = gltf["accessors"][index]
        view = gltf["bufferViews"][accessor["bufferView"]]
        n = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        self.assertEqual(view["byteOffset"] % 4, 0)
        self.assertEqual(view["byteLength"], 4 * n * accessor["count"])
        kind = {5126: "<f4", 5125: "<u4"}[accessor["componentType"]]
        values = np.frombuffer(binary, kind, n * accessor["count"], view["byteOffset"]).reshape(-1, n)
        for key, bound in (("min", values.min(axis=0)), ("max", values.max(axis=0))):
            if key in accessor:
                np.testing.assert_array_equal(np.array(accessor[key], kind), bound)
        return values

    def test_glb_has_the_shapes_and_moves_them(self):
        gltf, binary = self.read_glb()
        self.assertEqual(gltf["buffers"], [{"byteLength": len(binary)}])
        self.assertEqual([node["name"] for node in gltf["nodes"][1:]], self.names)
        self.assertEqual(gltf["nodes"][0]["children"], [1, 2, 3])
        x, y, z, w = gltf["nodes"][0]["rotation"]
        np.testing.assert_allclose([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], [0, 1, 0],
                                   atol=1e-6)  # where z goes
        volumes = []
        for mesh in gltf["meshes"]:
            for part in mesh["primitives"]:
                self.assertIn("min", gltf["accessors"][part["attributes"]["POSITION"]])
                points = self.accessor(gltf, binary, part["attributes"]["POSITION"]).astype(float)
                corners = points[self.accessor(gltf, binary, part["indices"])[:, 0].reshape(-1, 3)]
                volumes.append(np.linalg.det(corners).sum() / 6)
        self.assertAlmostEqual(volumes[1], 0.8, 6)
        ball = 4 / 3 * np.pi * 0.3 ** 3
        np.testing.assert_allclose(volumes[2:], [ball, ball], rtol=0.03)
        positions, quaternions = self.poses()
        animation, = gltf["animations"]
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            body = channel["target"]["node"] - 1
            times = self.accessor(gltf, binary, sampler["input"])[:, 0]
            values = self.accessor(gltf, binary, sampler["output"])
            self.assertTrue((np.diff(times) > 0).all() and "max" in gltf["accessors"][sampler["input"]])
            np.testing.assert_array_equal(times, column(self.trajectory, "time")[::3, 0].astype("<f4"))
            if channel["target"]["path"] == "translation":
                np.testing.assert_array_equal(values, positions[:, body].astype("<f4"))
            else:
                self.assertTrue(((values[1:] * values[:-1]).sum(axis=1) > 0).all())
                np.testing.assert_allclose(np.abs((values[:, [3, 0, 1, 2]] * quaternions[:, body]).sum(axis=1)), 1,
                                           atol=1e-6)
        self.assertEqual(len(animation["channels"]), 4)

    def messages(self):
        found, kinds = mcap.read(self.data("run.mcap"))
        out = {}
        for channel, sequence, time, data in found:
            _, _, schema, topic, encoding, _ = kinds["channel", channel]
            _, _, name, schema_encoding, descriptor = kinds["schema", schema]
            self.assertEqual((encoding, schema_encoding), ("protobuf", "protobuf"))
            self.assertEqual(sequence, len(out.setdefault(topic, [])))
            out[topic].append((time, mcap.decode(mcap.describe(descriptor), "." + name, data)))
        return out

    def test_mcap_has_frames_shapes_contacts_and_steps(self):
        messages = self.messages()
        positions, quaternions = self.poses()
        times = column(self.trajectory, "time")[::3, 0]
        self.assertEqual(len(messages["/tf"]), self.frames)
        for k, (time, message) in enumerate(messages["/tf"]):
            self.assertEqual(time, round(times[k] * 1e9))
            bodies = [0, 1, 2] if k == 0 else [1, 2]
            self.assertEqual([t["child_frame_id"] for t in message["transforms"]], [self.names[i] for i in bodies])
            for i, transform in zip(bodies, message["transforms"]):
                stamp = transform["timestamp"]
                self.assertEqual(stamp["seconds"] * 10 ** 9 + stamp["nanos"], time)
                self.assertEqual(transform["parent_frame_id"], "world_")  # a body is called "world"
                self.assertEqual([transform["translation"][c] for c in "xyz"], list(positions[k, i]))
                self.assertEqual([transform["rotation"][c] for c in "wxyz"], list(quaternions[k, i]))
        (_, scene), = messages["/bodies"]
        self.assertEqual([e["frame_id"] for e in scene["entities"]], self.names)
        box = scene["entities"][1]["triangles"][0]
        points = np.array([[p[c] for c in "xyz"] for p in box["points"]])
        self.assertAlmostEqual(np.linalg.det(points[box["indices"]].reshape(-1, 3, 3)).sum() / 6, 0.8, 12)
        self.assertEqual(len(scene["entities"][2]["triangles"]), 2)
        self.check_arrows(messages["/contacts"], times)
        for (time, step), row in zip(messages["/steps"], self.steps):
            self.assertEqual(time, round(float(row["time"]) * 1e9))
            self.assertEqual(step["outcome"], row["outcome"])
            for name in ("iterations", "active_contacts", "energy", "residual", "max_penetration"):
                self.assertEqual(float(step[name]), float(row[name]))
            self.assertEqual(step["momentum"]["z"], float(row["momentum_z"]))

    def check_arrows(self, messages, times):
        """Each arrow stands at its contact and points along its impulse, lengths in proportion."""
        lengths, sizes = [], []
        for k, (_, message) in enumerate(messages):
            entity, = message["entities"]
            pushes = []
            for row in self.contacts:
                push = float(row["normal_impulse"]) * column([row], "nx", "ny", "nz")[0] + column(
                    [row], "friction_impulse_x", "friction_impulse_y", "friction_impulse_z")[0]
                if float(row["time"]) == times[k] and np.linalg.norm(push) > 0:
                    pushes.append((column([row], "px", "py", "pz")[0], push))
            self.assertEqual(len(entity["arrows"]), len(pushes))
            for arrow, (point, push) in zip(entity["arrows"], pushes):
                self.assertEqual([arrow["pose"]["position"][c] for c in "xyz"], list(point))
                w, x, y, z = (arrow["pose"]["orientation"][c] for c in "wxyz")
                axis = np.array([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)])
                np.testing.assert_allclose(axis, push / np.linalg.norm(push), atol=1e-9)
                lengths.append(arrow["shaft_length"] + arrow["head_length"])
                sizes.append(np.linalg.norm(push))
        self.assertGreater(len(lengths), 10)
        np.testing.assert_allclose(np.array(lengths) / max(lengths), np.array(sizes) / max(sizes), rtol=1e-9)

    @unittest.skipUnless(os.path.isdir(NODE_MODULES), "npm ci in tests/io/mcap brings @mcap/core")
    def test_mcap_is_read_by_foxgloves_own_library(self):
        script = os.path.join(HERE, "mcap", "read.mjs")
        out = subprocess.run(["node", script, os.path.join(self.run_folder, "run.mcap")], check=True,
                             stdout=subprocess.PIPE).stdout
        self.assertEqual(json.loads(out), {
            "/tf": ["foxglove.FrameTransforms", self.frames], "/bodies": ["foxglove.SceneUpdate", 1],
            "/contacts": ["foxglove.SceneUpdate", self.frames], "/steps": ["abut.Step", self.frames - 1]})


if __name__ == "__main__":
    unittest.main(verbosity=1)
