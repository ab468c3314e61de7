#!/usr/bin/env python3
"""Imports all robots of a folder and compares the outcomes with a table.

Usage: tests/io/imported_models/check.py BUILD_FOLDER DATA [--write]

DATA contains models/FOLDER/*.xml and *.urdf; without it the test is skipped (status 77). models.txt next to this file
lists for each file its outcome: `runs`, with the numbers of bodies, joints and motors, after which 0.5 s at 10 ms must
end without a failed step; or `refused`, with a part of the message. docs/imported_models.md must be what this script
makes of the reports. --write writes both files.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "models.txt")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
PAGE = os.path.join(ROOT, "docs", "imported_models.md")
NUMBERS = ("bodies", "joints", "loops", "motors", "couplings", "sites", "sensors")
STRUCTURE = {"actuator", "axis", "body", "child", "collision", "color", "contact", "dynamics", "equality", "flag",
             "frame", "geometry", "inertia", "inertial", "keyframe", "limit", "link1", "link2", "mass", "origin",
             "parent", "robot", "sensor", "tendon", "worldbody", "compiler", "option"}
PREFIX = "abut: "


def call(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=300)


def outcome(abut, path, name, folder):
    """Imports a model and runs it. Returns its line of the table, and its report or None."""
    scene = os.path.join(folder, name.replace("/", "_") + ".json")
    made = call(abut, "import", path, "-o", scene, "--json")
    if made.returncode != 0:
        message = made.stderr.splitlines()[-1][len(PREFIX):].replace(os.path.dirname(path) + "/", "")
        return f"{name} refused {message.split(': ', 1)[1]}", None
    report = json.loads(made.stdout)
    run = call(abut, "run", scene, "--set", "duration=0.5", "--set", "timestep=0.01", "--quiet", "--json")
    summary = json.loads(run.stdout)
    word = "runs" if run.returncode == 0 and summary["failed_steps"] == 0 else "fails"
    return " ".join([name, word] + [str(report[key]) for key in ("bodies", "joints", "motors")]), report


def cell(report):
    """Lists the elements that are left out."""
    out = [f"{e['left_out']} `{e['element']}`" for e in report["elements"] if e["left_out"]]
    return ", ".join(out) or "-"


def page(reports, refused):
    """Makes the page of the documentation."""
    lines = ["<!-- section: Scene files, 5 -->", "# Imported models", "",
             "This page lists what `abut import` makes of the robots of other programs: Gymnasium, dm_control, MuJoCo and its",
             "Menagerie, Unitree, Dojo and Newton. The models are not part of this repository. A script makes this page:",
             "", "```sh fragment: needs the models", "tests/io/imported_models/check.py build ../shared/data --write", "```", "",
             "## Models", "",
             "*Loops* are joints that close a loop. *Approximated* counts notes; `abut import MODEL` prints each of them.",
             "Lights and cameras are not listed.", "",
             "| model | " + " | ".join(NUMBERS) + " | approximated | left out |", "|---" * (len(NUMBERS) + 3) + "|"]
    for name in sorted(reports):
        report = dict(reports[name])
        report["elements"] = [e for e in report["elements"] if e["element"] not in ("light", "camera")]
        lines.append(f"| `{name}` | " + " | ".join(str(report[key]) for key in NUMBERS) +
                     f" | {len(report['approximated'])} | {cell(report)} |")
    lines += ["", f"{len(refused)} other files are refused, because their meshes are not there, or because they are parts",
              "that other files include.", "",
              "`build/abut_reliability imported` runs 5 s of each model at 10 ms with random targets of all motors, and",
              "counts steps that fail or are not exact.", "", "## Elements", "",
              "Over all models:", "", "| element | number | kept as it is | approximated | left out |",
              "|---|---|---|---|---|"]
    total = collections.defaultdict(lambda: [0, 0, 0])
    for report in reports.values():
        for element in report["elements"]:
            if element["element"] in STRUCTURE:
                continue
            counts = total[element["element"]]
            approximated = min(element["approximated"], element["kept"])
            counts[0] += element["count"]
            counts[1] += approximated
            counts[2] += element["left_out"]
    for tag in sorted(total):
        n, approximated, out = total[tag]
        lines.append(f"| `{tag}` | {n} | {n - approximated - out} | {approximated} | {out} |")
    return "\n".join(lines) + "\n"


def models(data):
    """Lists the models of the folder by name."""
    found = []
    for folder in sorted(os.listdir(data)):
        if os.path.isdir(os.path.join(data, folder)):
            found += [f"{folder}/{name}" for name in sorted(os.listdir(os.path.join(data, folder)))
                      if name.endswith((".xml", ".urdf"))]
    return found


def main():
    abut, data = os.path.join(sys.argv[1], "abut"), os.path.join(sys.argv[2], "models")
    if not os.path.isdir(data):
        print(f"imported_models: skipped: there is no folder {data}")
        return 77
    lines, reports, refused = [], {}, []
    with tempfile.TemporaryDirectory() as folder:
        for name in models(data):
            line, report = outcome(abut, os.path.join(data, name), name, folder)
            lines.append(line)
            if report:
                reports[name] = report
            else:
                refused.append(name)
    text = page(reports, refused)
    if "--write" in sys.argv:
        for path, content in ((TABLE, "\n".join(lines) + "\n"), (PAGE, text)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
    failed = 0
    with open(TABLE, encoding="utf-8") as file:
        expected = file.read().splitlines()
    for line in sorted(set(lines) ^ set(expected)):
        print(("got      " if line in lines else "expected ") + line)
        failed += 1
    with open(PAGE, encoding="utf-8") as file:
        if file.read() != text:
            print(f"{PAGE} is not current: call this script with --write")
            failed += 1
    failing = [line for line in lines if line.split()[1] == "fails"]
    print(f"imported_models: {len(lines)} models, {len(reports)} imported, {failed} differences, "
          f"{len(failing)} with failed steps")
    return 1 if failed or failing else 0


sys.exit(main())
