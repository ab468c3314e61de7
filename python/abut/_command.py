"""Functions that call the command `abut` in a process of its own: runs with their files, and named experiments
(docs/interface.md describes the outputs)."""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Optional

from ._arguments import path as path_of
from ._library import library_path
from ._places import build_folders
from ._scene import Overrides, PathLike, Scene, SceneLike, as_scene, override_list
from .errors import CommandError


def command_path() -> str:
    """Returns the path of the command: the environment variable ABUT_COMMAND; else next to the loaded library, or in
    `bin/` next to its folder; else on the PATH; else in the build folder of the package."""
    if "ABUT_COMMAND" in os.environ:
        return os.environ["ABUT_COMMAND"]
    places = []
    if "/" in library_path:
        folder = Path(library_path).resolve().parent
        places = [folder / "abut", folder.parent / "bin" / "abut", folder.parents[1] / "bin" / "abut"]
    found = next((str(place) for place in places if place.is_file()), None) or shutil.which("abut")
    places += [folder / "abut" for folder in build_folders()]
    found = found or next((str(place) for place in places if place.is_file()), None)
    if found is None:
        looked = ", ".join(map(str, places + ["the PATH"]))
        raise CommandError(f"the command `abut` was not found (searched {looked}): build it, or set ABUT_COMMAND")
    return found


def command(*arguments: str, accept: tuple[int, ...] = (0,)) -> str:
    """Runs `abut` with these arguments and returns its output. Raises `CommandError` with its message if the exit
    status is not in `accept`."""
    done = subprocess.run([command_path(), *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode not in accept:
        raise CommandError(done.stderr.strip() or f"abut ended with {done.returncode}", done.returncode)
    return done.stdout


def run(
    scene: SceneLike,
    out: Optional[PathLike] = None,
    method: Optional[str] = None,
    overrides: Overrides = None,
    log: Optional[PathLike] = None,
    threads: int = 1,
    seed: int = 0,
) -> dict[str, Any]:
    """Runs `abut run`: simulates a scene for its duration and returns the summary. `out` is the folder for
    summary.json, trajectory.csv, contacts.csv and steps.csv. Failed steps are counted in the summary ("failed_steps")
    and raise no error."""
    options = ["--json", "--seed", str(seed), "--threads", str(threads)]
    options += ["--out", path_of(out, "out")] if out is not None else []
    options += ["--method", method] if method else []
    options += ["--log", path_of(log, "log")] if log is not None else []
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(scene, (str, os.PathLike)):
            path, changes = os.fspath(scene), override_list(overrides)
        else:
            read = as_scene(scene)
            changes = [*read.overrides, *override_list(overrides)]
            path = read.path or _written(read, folder)
        for change in changes:
            options += ["--set", change]
        out_text = command("run", path, *options, accept=(0, 1))
    summary: dict[str, Any] = json.loads(out_text)
    return summary


def _written(scene: Scene, folder: str) -> str:
    path = Path(folder) / "scene.json"
    path.write_text(scene.text or "", encoding="utf-8")
    return str(path)


def experiments() -> dict[str, str]:
    """Returns the named experiments with their titles."""
    lines = [line.split(None, 1) for line in command("experiment").splitlines() if line.startswith("  ")]
    return {name: rest.strip() for name, rest in (line for line in lines if len(line) == 2)}


def experiment(
    name: str,
    quick: bool = False,
    out: Optional[PathLike] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    spec: Optional[PathLike] = None,
) -> dict[str, Any]:
    """Runs `abut experiment` and returns its result.json: "targets", "tables" (each with "name" and "rows"), "figures",
    ... `out` is the folder for tables, figures and report.html. A missed target is a verdict in "targets" and raises
    no error."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--json", "--out", folder if out is None else path_of(out, "out")]
        options += ["--quick"] if quick else []
        options += ["--seed", str(seed)] if seed is not None else []
        options += ["--threads", str(threads)] if threads is not None else []
        options += ["--spec", path_of(spec, "spec")] if spec is not None else []
        result: dict[str, Any] = json.loads(command("experiment", name, *options, accept=(0, 1)))
    return result
