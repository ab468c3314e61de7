#!/usr/bin/env python3
"""Draws a run of boxes as an SVG: poses at chosen times, with height and energy over time.

Usage: plot_run.py SCENE RUN_DIR OUT.svg [TIME,TIME,...]

Reads the scene and the files of `abut run --out RUN_DIR`. Python's standard library only.
"""
import csv
import json
import sys

WIDTH, PANEL, PLOT = 900, 190, 170
LEFT, RIGHT = 58, 16
# Rows: screen right, screen up, towards the viewer.
VIEW = ((0.894, 0.447, 0.0), (-0.130, 0.259, 0.957), (0.428, -0.856, 0.290))
CORNERS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
COLOURS = ("#4477aa", "#ccbb44", "#228833", "#ee6677", "#66ccee", "#aa3377")


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def rotate(q, v):
    w, x, y, z = q
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return [dot(row, v) for row in rows]


def place(pose, v):
    return [p + r for p, r in zip(pose["p"], rotate(pose["q"], v))]


def read_boxes(scene):
    """name -> (half extents, mass) of the moving boxes."""
    boxes = {}
    for body in scene["bodies"]:
        shape = body["shape"]
        shape = scene["shapes"][shape] if isinstance(shape, str) else shape
        if not body.get("static") and shape["type"] == "box":
            boxes[body["name"]] = (shape["half_extents"], body["mass"])
    return boxes


def read_rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def values(row, names):
    return [float(row[name]) for name in names.split()]


def read_poses(path, boxes):
    """[(time, {name: pose})] of the moving boxes."""
    steps = []
    for row in read_rows(path):
        if row["body"] not in boxes:
            continue
        time = float(row["time"])
        if not steps or steps[-1][0] != time:
            steps.append((time, {}))
        steps[-1][1][row["body"]] = {
            "p": values(row, "px py pz"),
            "q": values(row, "qw qx qy qz"),
            "v": values(row, "vx vy vz"),
            "w": values(row, "wx wy wz"),
        }
    return steps


def energies(pose, box, gravity):
    half, mass = box
    inertia = [mass / 3 * (dot(half, half) - h * h) for h in half]
    kinetic = 0.5 * mass * dot(pose["v"], pose["v"]) + 0.5 * sum(j * w * w for j, w in zip(inertia, pose["w"]))
    return kinetic, -mass * dot(gravity, pose["p"])


def lowest(pose, box):
    return min(place(pose, [s * h for s, h in zip(corner, box[0])])[2] for corner in CORNERS)


def polygon(points, fill, stroke="#333", extra=""):
    text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polygon points="{text}" fill="{fill}" stroke="{stroke}" stroke-linejoin="round"{extra}/>'


def shade(colour, factor):
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{min(255, round(255 - (255 - c) * factor)):02x}" for c in parts)


def faces(pose, half):
    """Yields normal and corners, in the world, of each face that the viewer sees."""
    for axis in range(3):
        for sign in (-1, 1):
            normal = [0, 0, 0]
            normal[axis] = sign
            world = rotate(pose["q"], normal)
            if dot(world, VIEW[2]) <= 0:
                continue
            u, v = (axis + 1) % 3, (axis + 2) % 3
            corners = []
            for su, sv in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                corner = [0.0, 0.0, 0.0]
                corner[axis], corner[u], corner[v] = sign * half[axis], su * half[u], sv * half[v]
                corners.append(place(pose, corner))
            yield world, corners


def draw_panel(out, time, poses, boxes, points, left, width, bounds):
    (low, high), reach = bounds
    scale = min((PANEL - 44) / (high - low), (width - 12) / (2 * reach))
    middle = left + width / 2

    def screen(p):
        return (middle + scale * dot(VIEW[0], p), PANEL - 26 - scale * (dot(VIEW[1], p) - low))

    ground = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]
    size = reach * 0.8
    out.append(polygon([screen([size * c for c in corner]) for corner in ground], "#e8e8e4", "#c8c8c2"))
    order = sorted(poses, key=lambda name: dot(VIEW[2], poses[name]["p"]))
    for name in order:
        colour = COLOURS[list(boxes).index(name) % len(COLOURS)]
        for normal, corners in faces(poses[name], boxes[name][0]):
            light = 0.5 + 0.4 * max(0.0, dot(normal, (0.35, -0.55, -0.76)) + 0.5)
            out.append(polygon([screen(c) for c in corners], shade(colour, light)))
    for point in points:
        x, y = screen(point)
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" fill="#222"/>')
    out.append(f'<text x="{middle:.1f}" y="{PANEL - 6}" text-anchor="middle">{time:.2f} s</text>')


def draw_plot(out, top, times, series, label):
    """series: [(name, colour, values)]"""
    high = max(max(v) for _, _, v in series)
    low = min(0.0, min(min(v) for _, _, v in series))
    inner_top, inner_bottom = top + 12, top + PLOT - 26

    def x_of(t):
        return LEFT + (WIDTH - LEFT - RIGHT) * t / times[-1]

    def y_of(v):
        return inner_bottom - (inner_bottom - inner_top) * (v - low) / (high - low)

    step = next(s for s in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000) if (high - low) / s <= 5)
    tick = 0.0
    while tick <= high:
        y = y_of(tick)
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>')
        tick = round(tick + step, 6)
    for i in range(int(times[-1] / 0.25 + 1e-9) + 1):
        x = x_of(0.25 * i)
        out.append(f'<text x="{x:.1f}" y="{inner_bottom + 15:.1f}" text-anchor="middle">{0.25 * i:g}</text>')
    for i, (name, colour, numbers) in enumerate(series):
        path = " ".join(f"{x_of(t):.1f},{y_of(v):.1f}" for t, v in zip(times, numbers))
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
        y = inner_top + 14 + 15 * i
        out.append(f'<text x="{WIDTH - RIGHT - 8}" y="{y}" text-anchor="end" fill="{colour}">{name}</text>')
    out.append(f'<text x="14" y="{(inner_top + inner_bottom) / 2}" text-anchor="middle" '
               f'transform="rotate(-90 14 {(inner_top + inner_bottom) / 2})">{label}</text>')


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    scene_path, run, target = sys.argv[1:4]
    with open(scene_path, encoding="utf-8") as file:
        scene = json.load(file)
    gravity = scene.get("gravity", [0, 0, -9.81])
    boxes = read_boxes(scene)
    steps = read_poses(f"{run}/trajectory.csv", boxes)
    if not steps:
        sys.exit(f"{run}/trajectory.csv has no moving box of {scene_path}")
    times = [time for time, _ in steps]
    chosen = [float(t) for t in sys.argv[4].split(",")] if len(sys.argv) == 5 else [
        times[-1] * i / 5 for i in range(6)]
    touching = {}
    for row in read_rows(f"{run}/contacts.csv"):
        if float(row["normal_impulse"]) > 1e-9:
            touching.setdefault(float(row["time"]), []).append(values(row, "px py pz"))

    frames = [min(steps, key=lambda s: abs(s[0] - t)) for t in chosen]
    corners = [place(pose, [s * h for s, h in zip(c, boxes[name][0])])
               for _, poses in frames for name, pose in poses.items() for c in CORNERS]
    reach = max(abs(dot(VIEW[0], c)) for c in corners) * 1.06
    low = min([dot(VIEW[1], c) for c in corners] + [-0.3 * reach])
    bounds = ((low, max(dot(VIEW[1], c) for c in corners)), reach)

    height = PANEL + 2 * PLOT + 8
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
           f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>']
    width = WIDTH / len(frames)
    for i, (time, poses) in enumerate(frames):
        draw_panel(out, time, poses, boxes, touching.get(time, []), i * width, width, bounds)
    names = list(boxes)
    centre = "height of the centre" if len(names) == 1 else "mean height of the centres"
    draw_plot(out, PANEL, times, [
        (centre, "#4477aa", [sum(p[n]["p"][2] for n in names) / len(names) for _, p in steps]),
        ("lowest corner", "#ee6677", [min(lowest(p[n], boxes[n]) for n in names) for _, p in steps]),
    ], "m")
    pairs = [[energies(p[n], boxes[n], gravity) for n in names] for _, p in steps]
    kinetic = [sum(k for k, _ in pair) for pair in pairs]
    potential = [sum(u for _, u in pair) for pair in pairs]
    draw_plot(out, PANEL + PLOT, times, [
        ("total energy", "#333333", [k + u for k, u in zip(kinetic, potential)]),
        ("potential", "#228833", potential),
        ("kinetic", "#ccbb44", kinetic),
    ], "J")
    out.append(f'<text x="{WIDTH / 2}" y="{height - 6}" text-anchor="middle">time, s</text></svg>')
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


main()
