#!/usr/bin/env python3
"""Makes the seeds of the fuzz harnesses and a dictionary from what the project ships.

Usage: seeds.py ABUT_COMMAND OUT. Writes OUT/HARNESS/FILE and OUT/words.dict. The seeds of several files are joined:
a line "=== NAME" starts each file. Runs of scenes take a few steps.
"""
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND, OUT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
SCENES = sorted((ROOT / "experiments/scenes").glob("*.json"))
# Steps of these take long under sanitizers: Minkowski sums and intersections, and the pile of ten.
SLOW = {"drop_sum", "drop_intersection", "drop_padded_polytope", "pile_10", "stack_4"}
METHODS = ["bilevel", "lcp", "convex", "point-ncp"]
OVERRIDES = """timestep=0.02
bodies[1].mass=2
bodies[2].shape={"type": "box", "half_extents": [1, 2, 3]}
solver.method=lcp
bodies[1].position[2]=1e3
contacts=[{"bodies": ["box", "floor"], "friction": 0.1}]
solver={"method": "convex", "solimp": [0.9, 0.95, 0.001, 0.5, 2]}"""
INPUTS = """time,body,force_x,force_y,force_z,torque_x,torque_y,torque_z
0,box,1,2,3,0,0,0
0.01,ball,0,0,-1e3,0,0,1
0.02,box,0,0,0,0,0,0
"""
SPEC = """{"abut_sweep": 1, "name": "drops", "scenes": ["scene.json"], "methods": ["single-level", "lcp"],
"set": {"duration": 1}, "settings": {"lcp": {"solver.max_iterations": 50}},
"parameters": {"solver.kappa": [1e-4, 1e-6], "bodies[1].mass": {"from": 1, "to": 2, "count": 3}},
"joined": {"rate": {"50 Hz": {"timestep": 0.02}, "100 Hz": {"timestep": 0.01}}},
"random": {"bodies[1].orientation": {"rotation": "uniform"},
"bodies[1].linear_velocity": {"uniform": [[-1, -1, -2], [1, 1, 0]]},
"bodies[1].angular_velocity": {"normal": [[0, 0, 0], [2, 2, 2]]}}, "seeds": {"first": 0, "count": 5}}
"""
FOLDER_SPEC = """{"abut_sweep": 1, "scenes": ["scene.json"], "methods": ["lcp"],
"seeds": {"first": 0, "count": 2}}
"""
CUBE = ([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)],
        [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
         (1, 5, 7), (1, 7, 3)])


def put(harness, name, data):
    folder = OUT / harness
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())


def call(*words, code=(0, 1)):
    """Runs the command; scenes may fail a step."""
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False)
    if done.returncode not in code:
        sys.exit(f"abut {' '.join(map(str, words))}: {done.stderr}")


def joined(folder, names):
    return b"".join(b"=== " + name.encode() + b"\n" + (folder / name).read_bytes()
                    for name in names if (folder / name).exists())


def scenes():
    for i, path in enumerate(path for path in SCENES if path.stem not in SLOW):
        put("scene", path.stem, path.read_bytes())
        # Nearer to the floor, so that the first steps have contacts.
        scene = json.loads(path.read_text())
        for body in scene["bodies"]:
            if not body.get("static") and "position" in body:
                body["position"][2] *= 0.4
        for method in ("single-level", METHODS[i % len(METHODS)]):
            scene.setdefault("solver", {})["method"] = method
            put("scene", f"{path.stem}_{method}", json.dumps(scene))
    (OUT / "work").mkdir()
    for name in ("drop_box", "capsule_on_box", "sphere_on_plane"):
        run, dump = OUT / "work" / name, OUT / "work" / (name + "_dump")
        scene = ROOT / f"experiments/scenes/{name}.json"
        call("run", scene, "--set", "duration=0.04", "--save-every", "2", "--out", run, "--quiet")
        put("run_folder", name, joined(run, ["scene.json", "summary.json", "trajectory.csv", "contacts.csv",
                                             "steps.csv"]))
        put("resume", name, joined(run, ["run.json", "inputs.csv", "summary.json", "trajectory.csv", "contacts.csv",
                                         "steps.csv", "snapshots/step_2.abut", "snapshots/step_2.json",
                                         "snapshots/step_4.abut", "snapshots/step_4.json"]))
        call("run", scene, "--set", "duration=0.02", "--set", "solver.finish=none", "--dump-relaxed",
             "--dump-failures", dump, "--quiet")
        for path in sorted(dump.glob("*.json"))[:1]:
            put("dump", name, path.read_bytes())


def sweeps():
    put("sweep_spec", "quick", SPEC)
    work = OUT / "work"
    (work / "scene.json").write_text(json.dumps({"abut": 1, "duration": 0.02, "bodies": [
        {"name": "floor", "static": True, "shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}},
        {"name": "ball", "mass": 1, "shape": {"type": "sphere", "radius": 0.2}, "position": [0, 0, 0.2]}]}))
    (work / "spec.json").write_text(FOLDER_SPEC)
    call("sweep", work / "spec.json", "--out", work / "sweep", "--threads", "1", "--quiet")
    whole = joined(work / "sweep", ["runs.csv", "times.csv", "sweep.json"])
    put("sweep_folder", "whole", whole)
    put("sweep_folder", "shard", whole.replace(b'"complete"', b'"shard": [1e300, 1e300], "complete"'))


def meshes():
    points, triangles = CUBE
    coordinates = bytes(128 + 10 * x for p in points for x in p)
    indices = bytes(i for t in triangles for i in t)
    for mode in (32, 33, 34, 35):
        for parts in (0, 2, 192, 255):
            put("mesh_arrays", f"cube_{mode}_{parts}", bytes([parts, 5, 12, mode & ~3]) + coordinates + indices)
    facets = "".join("facet normal 0 0 0\nouter loop\n" + "".join("vertex %d %d %d\n" % points[i] for i in t) +
                     "endloop\nendfacet\n" for t in triangles)
    files = {0: f"solid cube\n{facets}endsolid cube\n",
             1: "".join("v %d %d %d\n" % p for p in points) + "".join("f %d %d %d\n" % tuple(i + 1 for i in t)
                                                                       for t in triangles),
             2: f"ply\nformat ascii 1.0\nelement vertex {len(points)}\nproperty float x\nproperty float y\n"
                f"property float z\nelement face {len(triangles)}\nproperty list uchar int vertex_indices\nend_header\n"
                + "".join("%d %d %d\n" % p for p in points) + "".join("3 %d %d %d\n" % t for t in triangles),
             3: f"OFF\n{len(points)} {len(triangles)} 0\n" + "".join("%d %d %d\n" % p for p in points)
                + "".join("3 %d %d %d\n" % t for t in triangles)}
    for kind, text in files.items():
        put("mesh_file", f"cube_{kind}", bytes([kind]) + text.encode())
    binary = bytes(80) + struct.pack("<I", len(triangles))
    for t in triangles:
        binary += struct.pack("<12fH", *(0.0,) * 3, *(float(x) for i in t for x in points[i]), 0)
    put("mesh_file", "cube_binary", bytes([0]) + binary)


def others():
    put("overrides", "all", OVERRIDES)
    for i, line in enumerate(OVERRIDES.split("\n")):
        put("overrides", str(i), line)
    put("inputs", "table", INPUTS)
    put("inputs", "late", INPUTS.replace("time", "step").replace("\n0,", "\n1e88,"))
    put("inputs", "steps", INPUTS.replace("time", "step").replace("\n0,", "\n1,").replace("0.0", "1"))
    for path in sorted((ROOT / "tests/io/models").iterdir()):
        if path.suffix in (".xml", ".urdf"):
            put("mjcf" if path.suffix == ".xml" else "urdf", path.name, path.read_bytes())
    for method in range(5):
        put("state", f"method_{method}", bytes([method, 0]))
        put("snapshot", f"method_{method}", bytes([method, 0]))
    rest = (',\n "totals": [4, 0.3333, 0.3333, 0, 0, 0, 1, 2, 0, 0],\n'
            ' "parts": [\n  {"numbers": [0.1666, 0, 0], "vertices": [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]},\n'
            '  {"numbers": [0.1666, 0, 0], "vertices": [3, 0, 0, 4, 0, 0, 3, 1, 0, 3, 0, 1]}],\n'
            ' "sum": "0000000000000000"}\n')
    put("cache", "current", rest)
    put("cache", "counts", rest.replace("1, 2, 0, 0]", "1, 1e300, -1e300, 2]"))
    put("cache", "other_key", '{"abut_decomposition": "another mesh"' + rest)


def words():
    found = set('{ } [ ] , : " null true false -1 0 1e400 1e-320 -0 99999999999 nan inf \\u00e9'.split())
    for schema in ("scene", "sweep"):
        text = (ROOT / f"docs/{schema}.schema.json").read_text()
        found |= set(re.findall(r'"([a-z_][a-z_0-9-]{2,24})"', text))
    for path in (ROOT / "tests/io/models").glob("*.*"):
        found |= set(re.findall(r"</?[a-z_]{2,16}|[a-z]{3,12}=", path.read_text()))
    escape = str.maketrans({'"': r"\"", "\\": r"\\"})
    (OUT / "words.dict").write_text("".join(f'"{word.translate(escape)}"\n' for word in sorted(found)))


shutil.rmtree(OUT, ignore_errors=True)
OUT.mkdir(parents=True)
scenes()
sweeps()
meshes()
others()
words()
shutil.rmtree(OUT / "work")
