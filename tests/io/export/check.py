#!/usr/bin/env python3
"""Runs scenes, exports them in every format, and reads the files back by code that shares none with the writers.

Usage: tests/io/export/check.py BUILD_FOLDER [SCENE...]

npz is read by NumPy, csv by Python, glb and mcap by readers of their specifications next to this file. With what `npm ci --prefix tests/io/mcap` installs, mcap is read by Foxglove's own reader too.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

import foxglove
import glb
import record
import tables

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SCENES = ("cube_drop", "drop_union", "drop_ellipsoid", "drop_cone", "stack_4", "pile_10", "gripper",
          "slider_crank")
# A body called world, letters of other alphabets, a comma, a body that spins by half a turn; a stuck solver: no steps.
NAMES = {"abut": 1, "name": "names", "duration": 0.3, "bodies": [
    {"name": "world", "static": True, "shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}},
    {"name": "\u00e4, \"\U0001f9ca\"", "mass": 2, "position": [0, 0, 0.52], "angular_velocity": [0, 0, 30],
     "shape": {"type": "box", "half_extents": [0.5, 0.25, 0.5]}},
    {"name": "up", "mass": 1, "position": [3, 0, 0.5], "shape": {"type": "sphere", "radius": 0.5}}]}
STILL = {"abut": 1, "name": "still", "duration": 0.1, "bodies": [NAMES["bodies"][0]]}
# Steps until the cube meets the floor, and one that is not solved; one that is not solved, and none before it.
HASTY = {"retry": False, "max_iterations": 1, "warm_start": False, "finish": "none"}
FAILS = {**NAMES, "name": "fails", "solver": HASTY, "bodies": [
    NAMES["bodies"][0], {**NAMES["bodies"][2], "position": [0, 0, 0.55]}]}
FAILS_AT_ONCE = {**FAILS, "bodies": [NAMES["bodies"][0], {**NAMES["bodies"][2], "position": [0, 0, 0.45]}]}
# A joint of each type on a turned body that hangs from the world; its axes are skew, some joints have laws.
ARM = {"mass": 1, "shape": {"type": "box", "half_extents": [0.1, 0.05, 0.2]}}
LAWS = {"hinge": {"limits": [-0.2, 0.2], "friction": 0.1}, "ball": {"damping": 0.1},
        "slide": {"motor": {"type": "position", "stiffness": 50, "damping": 5, "target": 0.1}}}
TYPES = ("fixed", "hinge", "slide", "ball", "universal", "cylindrical", "planar")
JOINTS = {"abut": 1, "name": "joints", "duration": 0.3, "contacts": [], "bodies": [
    {"name": "base", **ARM, "position": [0, 0, 3], "orientation": [0.5, 0.5, 0.5, 0.5]},
    *({"name": "on " + name, **ARM, "position": [i, 1, 3]} for i, name in enumerate(TYPES)),
    {"name": "hung", **ARM, "position": [0, 0, 2]}], "joints": [
    {"name": "root", "type": "hinge", "parent": "world", "child": "base", "anchor": [0, 0, 3], "axis": [1, 2, 0]},
    *({"name": name, "type": name, "parent": "base", "child": "on " + name, "anchor": [i, 0.5, 3], "axis": [0, 3, 4],
       **LAWS.get(name, {})} for i, name in enumerate(TYPES)),
    {"name": "rod, \"thin\"", "type": "distance", "parent": "base", "child": "hung", "length": 1,
     "parent_frame": {"position": [0, 0, 0]}, "child_frame": {"position": [0, 0, 0]}}]}

SENSORS = {**NAMES, "name": "sensors", "sites": [{"name": "tip", "body": "up", "position": [0, 0, 1]}], "sensors": [
    {"name": "imu, \"1\"", "type": "imu", "site": "tip"}, {"name": "touch", "type": "contact_force", "body": "up"},
    {"name": "\u00fc", "type": "pose", "site": "tip"}]}
# With joints and sensors; those of a joint without a table of sensors are above.
BOTH = {**JOINTS, "name": "both", "sensors": [{"name": "load", "type": "force_torque", "joint": "root"}]}


def call(abut, *arguments):
    """Runs the command; 1 is a run with a step that failed."""
    done = subprocess.run([abut, *arguments], text=True, capture_output=True, check=False)
    assert done.returncode in (0, 1), (arguments, done.stderr)
    return done


def read_by_node(folder, path, run):
    """Foxglove's reader counts the same messages; says so, or why it did not."""
    modules = os.path.join(ROOT, "tests/io/mcap/node_modules/@mcap/core")
    if not shutil.which("node") or not os.path.isdir(modules):
        return ", not by @mcap/core"
    done = subprocess.run(["node", os.path.join(ROOT, "tests/io/mcap/read.mjs"), path], cwd=folder, text=True,
                          capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)
    n = len(run.times)
    of_joints = {"/joint_axes": 1, "/joints": n, "/joint_forces": n} if run.joints else {}
    of_sensors = {"/sensors": n} if run.has_sensors else {}
    assert counts == {"/tf": n, "/bodies": 1, "/contacts": n, "/steps": len(run.steps), **of_joints, **of_sensors}, counts
    return ""


def check(abut, scene, folder):
    """One scene in every format."""
    out = os.path.join(folder, "run")
    call(abut, "run", scene, "--out", out, "--json")
    run = record.Record(out)
    for form in ("csv", "npz", "glb", "mcap"):
        call(abut, "export", out, "--format", form)
    tables.check_csv(os.path.join(out, "run.csv"), run)
    if run.joints:
        call(abut, "export", out, "--format", "csv", "--table", "joints")
        tables.check_csv_joints(os.path.join(out, "run_joints.csv"), run)
    if run.has_sensors:
        call(abut, "export", out, "--format", "csv", "--table", "sensors")
        tables.check_csv_sensors(os.path.join(out, "run_sensors.csv"), run)
    arrays = tables.check_npz(os.path.join(out, "run.npz"), run)
    accessors = glb.check(os.path.join(out, "run.glb"), run)
    arrows = foxglove.check(os.path.join(out, "run.mcap"), run)
    by_node = read_by_node(folder, os.path.join(out, "run.mcap"), run)
    print("%s: %d frames, %d contacts, %d arrays, %d accessors, %d arrows%s" % (
        os.path.basename(scene), len(run.times), sum(map(len, run.contacts)), arrays, accessors, arrows, by_node))


def main():
    """Shipped scenes, or those of the command line, and one with names that are hard to write."""
    abut = os.path.join(os.path.abspath(sys.argv[1]), "abut")
    scenes = sys.argv[2:] or [os.path.join(ROOT, "experiments/scenes", name + ".json") for name in SCENES]
    with tempfile.TemporaryDirectory() as folder:
        for name, scene in (("names", NAMES), ("still", STILL), ("fails", FAILS), ("fails_at_once", FAILS_AT_ONCE),
                            ("joints", JOINTS), ("sensors", SENSORS), ("both", BOTH)):
            path = os.path.join(folder, name + ".json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(scene, file)
            scenes.append(path)
        for i, scene in enumerate(scenes):
            own = os.path.join(folder, str(i))
            os.mkdir(own)
            check(abut, scene, own)


if __name__ == "__main__":
    main()
