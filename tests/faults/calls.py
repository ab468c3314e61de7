"""The calls of the command that the fault campaigns disturb: at least one of each verb, on the smallest inputs."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

SPEC = {
    "abut_sweep": 1,
    "name": "two drops",
    "scenes": ["box.json", "union.json"],
    "methods": ["single-level"],
    "set": {"duration": 0.02},
    "random": {"bodies[1].linear_velocity": {"uniform": [[-1, -1, -2], [1, 1, 0]]}},
    "seeds": {"first": 0, "count": 2},
}

POINT_JUMP = {
    "experiment": "point-jump",
    "half_extents": [0.5, 0.5, 0.5],
    "mass": 1,
    "friction": 0.5,
    "timestep": 0.01,
    "box_offset": 0.3,
    "largest_tilt": 0.002,
    "smallest_tilt": 1e-3,
    "samples": 2,
    "kappas": [1e-4],
}

INPUTS = "step,body,force_x,force_y,force_z,torque_x,torque_y,torque_z\n1,cube,1,0,0,0,0,0\n3,cube,0,0,0,0,0,0.1\n"


@dataclass
class Call:
    """A call in a folder of its own, which begins as a copy of `start`."""

    name: str
    arguments: str
    resume: str = ""  # the call that continues the work after a fault; without one the call is repeated
    start: str = ""  # a folder of the inputs
    status: int = 0  # of the undisturbed call
    short: int = 1  # points of each kind in the short form; 0: none, -1: every allocation and one of each other kind

    @property
    def verb(self) -> str:
        return self.arguments.split()[0]


def runs() -> list[Call]:
    """Calls of `run`: every method, kind of shape and option that writes a file."""
    calls = [
        Call("run", "run scene.json --out out --save-every 2 --view", "run --resume out --view", "scene"),
        Call("run over an old run", "run scene.json --out out --no-view", "run --resume out --no-view", "old"),
        Call("run --log", "run scene.json --out out --no-view --log log.csv --dump-relaxed --dump-failures dumps",
             "run scene.json --out out --no-view --log log.csv --dump-relaxed --dump-failures dumps", "scene"),
        Call("run --inputs", "run scene.json --out out --no-view --inputs inputs.csv", "run --resume out --no-view",
             "scene"),
        Call("run --threads 2", "run islands.json --set duration=0.03 --threads 2 --json", "", "scene"),
        Call("run --resume", again := "run --resume out --until 0.08 --no-view", again, "old"),
        Call("run, dumps", "run hard.json --dump-failures dumps --json", "", "scene", 1),
    ]
    for method in ("bilevel", "lcp", "convex", "point-ncp"):
        calls.append(Call(f"run {method}", f"run scene.json --method {method} --json", "", "scene"))
    for shape in ("union", "sum", "intersection", "superellipsoid", "conic", "mesh"):
        short = int(shape not in ("sum", "intersection", "conic"))
        calls.append(Call(f"run {shape}", f"run {shape}.json --set duration=0.02 --json", "", "scene", short=short))
    calls.append(Call("run pile", "run pile.json --set duration=0.05 --json", "", "scene"))
    return calls


def others() -> list[Call]:
    """Calls of all other verbs."""
    return [
        Call("solve", "solve dump.json --json --log log.csv", "", "dump", 1),
        Call("validate", "validate pile.json", "", "scene"),
        Call("validate sum", "validate sum.json", "", "scene", short=0),
        Call("validate mesh", "validate mesh.json", "", "scene"),
        Call("collide", "collide pile.json --json", "", "scene"),
        Call("collide exact", "collide scene.json --kappa 0", "", "scene"),
        Call("grad", "grad scene.json --step 3 --json", "", "scene"),
        Call("grad --check", "grad scene.json --step 3 --wrt mass --check", "", "scene"),
        Call("grad lcp", "grad scene.json --step 3 --method lcp --wrt state", "", "scene"),
        Call("grad convex", "grad scene.json --step 3 --method convex --wrt state", "", "scene"),
        *(Call(f"mesh {ending}", f"mesh tetrahedron.{ending} --out shape.json --json", "", "meshes",
               short=-1 if ending == "gltf" else 1)
          for ending in ("stl", "obj", "ply", "glb", "dae", "gltf")),
        Call("mesh --faces", "mesh rock.ply --faces 8 --out shape.json", "", "meshes"),
        Call("mesh --decompose", "mesh bracket.stl --decompose --max-parts 2 --out shape.json", "", "meshes"),
        Call("mesh, cached", "mesh bracket.stl --decompose --max-parts 2 --out shape.json", "", "cached"),
        Call("bench", "bench cube_rest", "", ""),
        Call("bench batch", "bench batch_64_cubes_2_threads", "", ""),
        Call("sweep", whole := "sweep spec.json --out out --threads 1", whole + " --resume", "scene"),
        Call("sweep --resume", "sweep spec.json --out out --threads 1 --resume --json",
             "sweep spec.json --out out --threads 1 --resume --json", "shard"),
        Call("sweep --show", "sweep spec.json --show 3", "", "scene"),
        Call("sweep --merge", "sweep --merge a b --out merged", "sweep --merge a b --out merged", "shards"),
        *(Call(f"import {model}", f"import models/{model} -o made.json --json", "", "models",
               short=-1 if model == "humanoid.xml" else 1)
          for model in ("cube.urdf", "toys.xml", "humanoid.xml")),
        Call("import to stdout", "import models/cube.urdf", "", "models"),
        *(Call(f"export {format}", f"export out --format {format}", "", "old")
          for format in ("csv", "npz", "glb", "mcap")),
        Call("view", "view out --json", "", "old"),
        Call("view two", "view out out --out page.html", "", "old"),
        Call("experiment", "experiment point-jump --spec point_jump.json --out out --quick", "", "experiment"),
        Call("experiment, list", "experiment --json", "", ""),
        Call("help", "help", "", ""),
        Call("help run", "help run", "", ""),
        Call("--version", "--version", "", ""),
    ]


def prepare(source: Path, folder: Path, abut) -> None:
    """Writes the inputs. `abut` makes a call of the command in a folder."""
    scenes, meshes = source / "experiments/scenes", source / "experiments/meshes"
    scene = folder / "scene"
    scene.mkdir(parents=True)
    drop = json.loads((scenes / "cube_drop.json").read_text())
    drop["duration"] = 0.06
    drop["bodies"][1] |= {"position": [0, 0, 0.9], "linear_velocity": [0.4, -0.3, -2]}
    (scene / "scene.json").write_text(json.dumps(drop))
    solver = {"max_iterations": 1, "retry": False, "finish": "none", "warm_start": False}
    (scene / "hard.json").write_text(json.dumps(drop | {"solver": solver, "duration": 0.2}))
    far = [drop["bodies"][1] | {"name": f"cube{i}", "position": [3 * i, 0, 0.9]} for i in range(3)]
    (scene / "islands.json").write_text(json.dumps(drop | {"bodies": [drop["bodies"][0], *far]}))
    mesh = {"type": "mesh", "file": "tetrahedron.stl"}
    (scene / "mesh.json").write_text(json.dumps(drop | {"shapes": {"cube": mesh}}))
    shutil.copy(meshes / "tetrahedron.stl", scene)
    for name in ("box", "sum", "union", "intersection", "superellipsoid", "conic"):
        shutil.copy(scenes / f"drop_{name}.json", scene / f"{name}.json")
    shutil.copy(scenes / "pile_10.json", scene / "pile.json")
    (scene / "spec.json").write_text(json.dumps(SPEC))
    (scene / "inputs.csv").write_text(INPUTS)

    for name in ("meshes", "models", "experiment", "dump"):
        (folder / name).mkdir()
    for path in [*meshes.glob("tetrahedron.*"), meshes / "bracket.stl"]:
        shutil.copy(path, folder / "meshes")
    shutil.copy(meshes / "rock_00.ply", folder / "meshes/rock.ply")
    shutil.copytree(source / "tests/io/models", folder / "models/models")
    (folder / "experiment/point_jump.json").write_text(json.dumps(POINT_JUMP))

    shutil.copytree(folder / "meshes", folder / "cached")
    abut("mesh bracket.stl --decompose --max-parts 2", folder / "cached")
    shutil.copytree(scene, folder / "old")
    abut("run scene.json --out out --no-view --set friction=0.2 --save-every 3", folder / "old")
    shutil.copytree(scene, folder / "shard")
    abut("sweep spec.json --out out --threads 1", folder / "shard")
    table = folder / "shard/out/runs.csv"
    table.write_text("".join(table.read_text().splitlines(True)[:3]))
    shutil.copytree(scene, folder / "shards")
    for number, name in enumerate("ab", 1):
        abut(f"sweep spec.json --out {name} --threads 1 --shard {number}/2", folder / "shards")
    abut("run hard.json --dump-failures dumps --json", scene)
    dumps = sorted((scene / "dumps").iterdir())
    shutil.copy(dumps[-1], folder / "dump/dump.json")
    shutil.rmtree(scene / "dumps")
    (folder / "bundle.html").write_text("<head><!-- abut: runs --></body>\n")
