"""The exported glb by the specification of glTF 2.0: its chunks, views and bounds, and what its animation says.

A reader of its own; tests/cli/view/export.c has Assimp read the same.
"""
import json
import math
import struct

from record import single

SIZES = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
FORMATS = {5126: "f", 5125: "I"}


def chunks_of(data):
    """JSON and bytes of a binary glTF file."""
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data)), (magic, version, length)
    found = []
    at = 12
    while at < length:
        size, kind = struct.unpack_from("<I4s", data, at)
        assert size % 4 == 0 and at % 4 == 0, "chunks begin and end at multiples of four bytes"
        found.append((kind, data[at + 8:at + 8 + size]))
        at += 8 + size
    assert at == length and [kind for kind, _ in found] == [b"JSON", b"BIN\0"], found
    return json.loads(found[0][1].decode("utf-8")), found[1][1]


class Gltf:
    """A file's parts, with its accessors read."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.json, binary = chunks_of(file.read())
        buffers = self.json["buffers"]
        assert len(buffers) == 1 and 0 <= len(binary) - buffers[0]["byteLength"] <= 3
        self.arrays = [self.read(accessor, binary) for accessor in self.json["accessors"]]

    def read(self, accessor, binary):
        """The elements of an accessor; its bounds, where it has any, are theirs to the bit."""
        view = self.json["bufferViews"][accessor["bufferView"]]
        n, size = accessor["count"], SIZES[accessor["type"]]
        assert n > 0 and view["byteOffset"] % 4 == 0 and view["byteLength"] == 4 * n * size, view
        assert view["byteOffset"] + view["byteLength"] <= self.json["buffers"][0]["byteLength"], view
        flat = struct.unpack_from("<%d%s" % (n * size, FORMATS[accessor["componentType"]]), binary, view["byteOffset"])
        assert all(math.isfinite(value) for value in flat)
        for bound, choose in (("min", min), ("max", max)):
            if bound in accessor:
                assert [single(value) for value in accessor[bound]] == [choose(flat[i::size]) for i in range(size)]
        return [flat[i:i + size] for i in range(0, n * size, size)] if size > 1 else list(flat)


def check_primitive(gltf, primitive):
    """Triangles that are there, normals of unit length, bounds of the positions."""
    positions = gltf.arrays[primitive["attributes"]["POSITION"]]
    normals = gltf.arrays[primitive["attributes"]["NORMAL"]]
    indices = gltf.arrays[primitive["indices"]]
    assert "min" in gltf.json["accessors"][primitive["attributes"]["POSITION"]]
    assert len(normals) == len(positions) and len(indices) % 3 == 0 and max(indices) < len(positions)
    assert all(abs(math.hypot(*normal) - 1) < 1e-6 for normal in normals)
    assert 0 <= primitive["material"] < len(gltf.json["materials"])


def check_shape(gltf, primitive, shape):
    """Vertices of a box are its corners; those of a sphere lie on it."""
    positions = gltf.arrays[primitive["attributes"]["POSITION"]]
    if "position" in shape or "orientation" in shape:
        return
    if shape["type"] == "box":
        assert all([abs(x) for x in p] == [single(h) for h in shape["half_extents"]] for p in positions), positions
    if shape["type"] == "sphere":
        assert all(abs(math.hypot(*p) - shape["radius"]) < 1e-6 * shape["radius"] for p in positions)


def turn(q, v):
    """The vector turned by a quaternion, scalar last."""
    x, y, z, w = q
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2],
            v[2] + w * t[2] + x * t[1] - y * t[0]]


def same_turn(read, q):
    """Whether (x, y, z, w) of single precision is the rotation [w, x, y, z], of which -q is the same."""
    product = sum(a * b for a, b in zip(read, q[1:] + q[:1]))
    return abs(math.hypot(*read) - 1) < 1e-6 and abs(abs(product) - 1) < 1e-6


def check_nodes(gltf, run):
    """A root that turns z up into y up, below it a node for each body at its first pose."""
    nodes = gltf.json["nodes"]
    root = nodes[gltf.json["scenes"][gltf.json["scene"]]["nodes"][0]]
    n = len(run.names)
    up = turn(root["rotation"], [0, 0, 1])
    assert max(abs(up[0]), abs(up[1] - 1), abs(up[2])) < 1e-6, up
    assert [nodes[i]["name"] for i in root["children"][:n]] == run.names
    for i, body in zip(root["children"], run.frames[0]):
        assert [single(x) for x in nodes[i]["translation"]] == [single(x) for x in body.position]
        assert same_turn(nodes[i]["rotation"], body.orientation)
        assert gltf.json["meshes"][nodes[i]["mesh"]]["name"] == body.name


def check_joints(gltf, run):
    """A node for each joint in the node of its parent, and no others. Where it is in the world, the child of a hinge has
    its joint too; its z axis is the joint's."""
    nodes = gltf.json["nodes"]
    n = len(run.names)
    assert len(nodes) == 1 + n + len(run.joints) and len(gltf.json["meshes"]) == n + (2 if run.joints else 0)
    homes = {i: above for above, node in enumerate(nodes) for i in node.get("children", ())}
    assert sorted(homes) == list(range(1, len(nodes)))
    for i, joint in enumerate(run.joints):
        node = nodes[1 + n + i]
        parent = [0 if joint["parent"] == "world" else 1 + run.names.index(joint["parent"])]
        assert node["name"] == joint["name"] and homes[1 + n + i] in parent, node
        assert node["extras"] == {"joint": joint["type"], "child": joint["child"]}
        assert node["scale"][0] == node["scale"][1] == node["scale"][2] > 0
        axis = joint["type"] in ("hinge", "slide", "cylindrical", "planar")
        assert gltf.json["meshes"][node["mesh"]]["name"] == ("joint with axis" if axis else "joint")
        for frame, of_body in ((node["translation"], joint["parent_frame"]["position"]),
                               (turn(node["rotation"], [0, 0, 1]), z_of(joint["parent_frame"]))):
            assert math.dist(frame, of_body) < 1e-6, (node, of_body)
        if joint["type"] == "hinge":
            child = nodes[1 + run.names.index(joint["child"])]
            own = {"translation": joint["child_frame"]["position"], "rotation": [0, 0, 0, 1]}
            assert math.dist(place(nodes, homes, own, 1 + run.names.index(joint["child"])),
                             place(nodes, homes, node, homes[1 + n + i])) < 1e-6, (node, child)


def z_of(frame):
    """The z axis of a frame of a scene, which has a quaternion [w, x, y, z] if it is turned."""
    w, *xyz = frame.get("orientation", [1, 0, 0, 0])
    return turn(xyz + [w], [0, 0, 1])


def place(nodes, homes, node, home):
    """Where the origin of a node is below the root, whose node 0 turns z up into y up."""
    if home == 0:
        return node["translation"]
    above = nodes[home]
    return place(nodes, homes, {"translation": [a + b for a, b in zip(above["translation"], turn(
        above["rotation"], node["translation"]))]}, homes[home])


def check_animation(gltf, run):
    """Every body that moves has its poses at the times of the run; neighbours lie on one side."""
    moving = [name for name, static in zip(run.names, run.is_static) if not static]
    if not moving or len(run.times) == 1:
        assert "animations" not in gltf.json
        return
    animation, = gltf.json["animations"]
    seen = []
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        body = channel["target"]["node"] - 1
        path = channel["target"]["path"]
        times, values = gltf.arrays[sampler["input"]], gltf.arrays[sampler["output"]]
        assert times == [single(time) for time in run.times] and len(values) == len(times)
        assert all(a < b for a, b in zip(times, times[1:]))
        assert "min" in gltf.json["accessors"][sampler["input"]]
        for frame, value in zip(run.frames, values):
            if path == "translation":
                assert list(value) == [single(x) for x in frame[body].position], (path, value)
            else:
                assert same_turn(value, frame[body].orientation), (path, value)
        if path == "rotation":
            assert all(sum(a * b for a, b in zip(p, q)) >= 0 for p, q in zip(values, values[1:]))
        seen.append((run.names[body], path))
    assert sorted(seen) == sorted((name, path) for name in moving for path in ("translation", "rotation"))


def check(path, run):
    """All of it; returns the number of accessors."""
    gltf = Gltf(path)
    assert gltf.json["asset"]["version"] == "2.0"
    for mesh, body in zip(gltf.json["meshes"], run.scene["bodies"]):
        for primitive in mesh["primitives"]:
            check_primitive(gltf, primitive)
        shape = body["shape"] if isinstance(body["shape"], dict) else run.scene["shapes"][body["shape"]]
        check_shape(gltf, mesh["primitives"][0], shape)
    check_nodes(gltf, run)
    check_joints(gltf, run)
    check_animation(gltf, run)
    return len(gltf.arrays)
