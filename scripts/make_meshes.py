#!/usr/bin/env python3
"""Writes the meshes of experiments/meshes. Needs Python 3 and nothing else; neither build nor tests use it.

usage: make_meshes.py [FOLDER]
       make_meshes.py --noise TRIANGLES FILE.stl   (a binary STL file of any size: a bumpy sphere)
       make_meshes.py --knot TRIANGLES FILE.stl    (the same for a trefoil knot, which is far from convex)

Units are metres, z is up, faces are counterclockwise seen from outside. Coordinates are single-precision numbers, so
that they are the same in every format. In glTF y is up by its specification: its files contain (x, z, -y).
"""
import base64
import itertools
import json
import math
import os
import struct
import sys

GOLDEN = (1 + math.sqrt(5)) / 2


def single(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


class Random:
    """SplitMix64, like base/rng.h."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self, low, high):
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return low + (high - low) * ((z ^ (z >> 31)) >> 11) * 2.0**-53


def tetrahedron():
    """One corner at the origin, legs of 0.1 m: volume 1e-3 / 6."""
    return [(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def dodecahedron(edge=0.05):
    """A regular dodecahedron about the origin."""
    s = edge * GOLDEN / 2
    points = [(x, y, z) for x in (-s, s) for y in (-s, s) for z in (-s, s)]
    a, b = s / GOLDEN, s * GOLDEN
    for i in (-1, 1):
        for j in (-1, 1):
            points += [(0, i * a, j * b), (i * a, j * b, 0), (j * b, 0, i * a)]
    triangles = []
    # The twelve faces look along the vertices of an icosahedron.
    for i in (-1, 1):
        for j in (-GOLDEN, GOLDEN):
            for normal in ((0, j, i), (j, i, 0), (i, 0, j)):
                face = sorted(range(20), key=lambda k: -dot(points[k], normal))[:5]
                triangles += fan(points, face, normal)
    return points, triangles


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def fan(points, face, normal):
    middle = [sum(points[k][i] for k in face) / len(face) for i in range(3)]
    along = [points[face[0]][i] - middle[i] for i in range(3)]
    across = cross(normal, along)
    def angle(k):
        step = [points[k][i] - middle[i] for i in range(3)]
        return math.atan2(dot(step, across) / math.sqrt(dot(normal, normal)), dot(step, along))
    face = sorted(face, key=angle)
    return [(face[0], face[i], face[i + 1]) for i in range(1, len(face) - 1)]


def icosphere(divisions, radius=0.05):
    points = []
    for i in (-1, 1):
        for j in (-GOLDEN, GOLDEN):
            points += [(0, i, j), (i, j, 0), (j, 0, i)]
    triangles = []
    for a, b, c in itertools.combinations(range(12), 3):
        if max(math.dist(points[p], points[q]) for p, q in ((a, b), (b, c), (c, a))) < 2.01:
            outwards = dot(normal_of(points, (a, b, c)), points[a]) > 0
            triangles.append((a, b, c) if outwards else (a, c, b))
    points = [unit(p) for p in points]
    for _ in range(divisions):
        middles = {}
        def middle(a, b):
            key = (min(a, b), max(a, b))
            if key not in middles:
                middles[key] = len(points)
                points.append(unit([points[a][k] + points[b][k] for k in range(3)]))
            return middles[key]
        finer = []
        for a, b, c in triangles:
            d, e, f = middle(a, b), middle(b, c), middle(c, a)
            finer += [(a, d, f), (d, b, e), (f, e, c), (d, e, f)]
        triangles = finer
    return [tuple(radius * x for x in p) for p in points], triangles


def unit(p):
    length = math.sqrt(dot(p, p))
    return tuple(x / length for x in p)


def rock(seed):
    """A stretched ball of 42 points with bumps, close to its hull and different for every seed."""
    random = Random(seed)
    points, triangles = icosphere(1, 1.0)
    stretch = [random.uniform(0.03, 0.06) for _ in range(3)]
    return [tuple(stretch[k] * p[k] * r for k in range(3)) for p in points for r in [random.uniform(0.85, 1.05)]], triangles


def mug(segments=24, radius=0.04, height=0.095, wall=0.004, floor=0.006, inner=0.018, outer=0.028, bends=8):
    """A cup of revolution whose outer wall has two windows, joined by a handle of rectangular section: one closed
    surface with a hole through it. The handle lies in the plane y = 0, towards +x."""
    middle = 0.5 * height
    levels = [0.0, middle - outer, middle - inner, middle + inner, middle + outer, height]
    points, triangles = [], []

    def ring(r, z):
        first = len(points)
        for k in range(segments):
            angle = 2 * math.pi * (k - 0.5) / segments
            points.append((r * math.cos(angle), r * math.sin(angle), z))
        return [first + k for k in range(segments)]

    def quad(a, b, c, d):
        triangles.extend([(a, b, c), (a, c, d)])

    def band(low, high, window=False):
        for k in range(1 if window else 0, segments):
            n = (k + 1) % segments
            quad(low[k], low[n], high[n], high[k])

    def cap(rim, z, up):
        points.append((0.0, 0.0, z))
        for k in range(segments):
            a, b = rim[k], rim[(k + 1) % segments]
            triangles.append((a, b, len(points) - 1) if up else (b, a, len(points) - 1))

    rings = [ring(radius, z) for z in levels]
    for i in range(5):
        band(rings[i], rings[i + 1], window=i in (1, 3))
    rim, bottom = ring(radius - wall, height), ring(radius - wall, floor)
    band(rings[5], rim)
    band(rim, bottom)
    cap(bottom, floor, True)
    cap(rings[0], 0.0, False)
    # Sections of the handle, counterclockwise seen against its direction: inner low, inner high y, outer high y, outer low.
    x, y = points[rings[3][1]][0], points[rings[3][1]][1]
    section = [rings[3][0], rings[3][1], rings[4][1], rings[4][0]]
    for bend in range(1, bends + 1):
        if bend < bends:
            angle = math.pi * (0.5 - bend / bends)
            following = []
            for r, side in ((inner, -y), (inner, y), (outer, y), (outer, -y)):
                following.append(len(points))
                points.append((x + r * math.cos(angle), side, middle + r * math.sin(angle)))
        else:
            following = [rings[2][0], rings[2][1], rings[1][1], rings[1][0]]
        for k in range(4):
            n = (k + 1) % 4
            quad(section[k], section[n], following[n], following[k])
        section = following
    return points, triangles


def bracket(leg=0.06, thickness=0.008, width=0.04):
    """An L profile along y."""
    outline = [(0, 0), (leg, 0), (leg, thickness), (thickness, thickness), (thickness, leg), (0, leg)]
    points = [(x, 0.0, z) for x, z in outline] + [(x, width, z) for x, z in outline]
    ends = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    triangles = list(ends) + [(a + 6, c + 6, b + 6) for a, b, c in ends]
    for k in range(6):
        n = (k + 1) % 6
        triangles += [(n, k, k + 6), (n, k + 6, n + 6)]
    return points, triangles


# --- formats ---


def text(x):
    return repr(x) if x != int(x) else "%d" % x


def normal_of(points, triangle):
    a, b, c = (points[k] for k in triangle)
    return unit(cross([b[k] - a[k] for k in range(3)], [c[k] - a[k] for k in range(3)]))


def write_obj(points, triangles, out):
    lines = ["v %s %s %s" % tuple(map(text, p)) for p in points] + ["f %d %d %d" % (a + 1, b + 1, c + 1) for a, b, c in triangles]
    out.write(("\n".join(lines) + "\n").encode())


def write_stl(points, triangles, out):
    out.write(b"\0" * 80 + struct.pack("<I", len(triangles)))
    for t in triangles:
        out.write(struct.pack("<12fH", *normal_of(points, t), *(x for k in t for x in points[k]), 0))


def write_stl_text(points, triangles, out):
    lines = ["solid mesh"]
    for t in triangles:
        lines += ["facet normal %.6g %.6g %.6g" % normal_of(points, t), " outer loop"]
        lines += ["  vertex %s %s %s" % tuple(map(text, points[k])) for k in t] + [" endloop", "endfacet"]
    out.write(("\n".join(lines + ["endsolid mesh"]) + "\n").encode())


def write_ply(points, triangles, out):
    out.write(("ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty float x\nproperty float y\n"
               "property float z\nelement face %d\nproperty list uchar int vertex_indices\nend_header\n"
               % (len(points), len(triangles))).encode())
    for p in points:
        out.write(struct.pack("<3f", *p))
    for t in triangles:
        out.write(struct.pack("<B3i", 3, *t))


def gltf(points, triangles):
    points = [(x, z, -y) for x, y, z in points]
    data = b"".join(struct.pack("<3f", *p) for p in points) + b"".join(struct.pack("<3H", *t) for t in triangles)
    n = 12 * len(points)
    head = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(points), "type": "VEC3",
             "min": [min(p[k] for p in points) for k in range(3)], "max": [max(p[k] for p in points) for k in range(3)]},
            {"bufferView": 1, "componentType": 5123, "count": 3 * len(triangles), "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": n},
                        {"buffer": 0, "byteOffset": n, "byteLength": len(data) - n}],
        "buffers": [{"byteLength": len(data)}]}
    return head, data


def write_gltf(points, triangles, out):
    head, data = gltf(points, triangles)
    head["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    out.write((json.dumps(head) + "\n").encode())


def write_glb(points, triangles, out):
    head, data = gltf(points, triangles)
    body = json.dumps(head).encode()
    body += b" " * (-len(body) % 4)
    data += b"\0" * (-len(data) % 4)
    out.write(struct.pack("<4sII", b"glTF", 2, 28 + len(body) + len(data)))
    out.write(struct.pack("<I4s", len(body), b"JSON") + body + struct.pack("<I4s", len(data), b"BIN\0") + data)


def write_dae(points, triangles, out):
    numbers = " ".join(text(x) for p in points for x in p)
    indices = " ".join(str(k) for t in triangles for k in t)
    out.write(f"""<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="meter" meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="{3 * len(points)}">{numbers}</float_array>
<technique_common><accessor source="#a" count="{len(points)}" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="{len(triangles)}"><input semantic="VERTEX" source="#v" offset="0"/><p>{indices}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
""".encode())


WRITERS = {"obj": write_obj, "stl": write_stl, "ascii.stl": write_stl_text, "ply": write_ply, "gltf": write_gltf,
           "glb": write_glb, "dae": write_dae}


def write(folder, name, mesh, *endings):
    points, triangles = mesh
    points = [tuple(single(x) for x in p) for p in points]
    for ending in endings:
        with open(os.path.join(folder, f"{name}.{ending}"), "wb") as out:
            WRITERS[ending](points, triangles, out)


def write_noise(n, path):
    """Writes a sphere of rings with bumps, of at least n triangles, while it is computed."""
    rings = max(4, math.isqrt(n // 4))
    around = 2 * rings
    def point(i, k):
        u, v = math.pi * i / rings, 2 * math.pi * (k % around) / around
        r = 0.5 * (1 + 0.1 * math.sin(7 * u) * math.sin(9 * v))
        return (r * math.sin(u) * math.cos(v), r * math.sin(u) * math.sin(v), r * math.cos(u)) if 0 < i < rings else (0.0, 0.0, math.copysign(r, rings / 2 - i))
    pack = struct.Struct("<12fH").pack
    total = 2 * around * (rings - 1)
    with open(path, "wb") as out:
        out.write(b"\0" * 80 + struct.pack("<I", total))
        before = [point(0, k) for k in range(around)]
        for i in range(1, rings + 1):
            here = [point(i, k) for k in range(around)]
            for k in range(around):
                n = (k + 1) % around
                if i < rings:
                    out.write(pack(0, 0, 0, *before[k], *here[k], *here[n], 0))
                if i > 1:
                    out.write(pack(0, 0, 0, *before[k], *here[n], *before[n], 0))
            before = here


def knot(n, thickness=0.4):
    """A tube about a trefoil, of at least n triangles; its sections are normal to the curve and rotate with its curvature."""
    around = max(8, math.isqrt(n // 12))
    along = -(-n // (2 * around))
    points, triangles = [], []
    for i in range(along):
        t = 2 * math.pi * i / along
        middle = (math.sin(t) + 2 * math.sin(2 * t), math.cos(t) - 2 * math.cos(2 * t), -math.sin(3 * t))
        tangent = unit((math.cos(t) + 4 * math.cos(2 * t), -math.sin(t) + 4 * math.sin(2 * t), -3 * math.cos(3 * t)))
        bend = (-math.sin(t) - 8 * math.sin(2 * t), -math.cos(t) + 8 * math.cos(2 * t), 9 * math.sin(3 * t))
        side = unit(cross(tangent, bend))
        out = cross(side, tangent)
        for k in range(around):
            x, y = thickness * math.cos(2 * math.pi * k / around), thickness * math.sin(2 * math.pi * k / around)
            points.append(tuple(middle[j] + x * out[j] + y * side[j] for j in range(3)))
            a, b = i * around + k, i * around + (k + 1) % around
            c, d = (a + around) % (along * around), (b + around) % (along * around)
            triangles += [(a, b, c), (b, d, c)]
    return points, triangles


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "--noise":
        write_noise(int(sys.argv[2]), sys.argv[3])
        return
    if len(sys.argv) == 4 and sys.argv[1] == "--knot":
        with open(sys.argv[3], "wb") as out:
            write_stl(*knot(int(sys.argv[2])), out)
        return
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "experiments", "meshes")
    os.makedirs(folder, exist_ok=True)
    write(folder, "tetrahedron", tetrahedron(), *WRITERS)
    write(folder, "dodecahedron", dodecahedron(), "obj", "glb", "ascii.stl")
    write(folder, "icosphere", icosphere(2), "ply")
    write(folder, "mug", mug(), "obj")
    write(folder, "bracket", bracket(), "stl", "dae")
    for seed in range(20):
        write(folder, "rock_%02d" % seed, rock(seed), "ply")


main()
