"""Scenes of the robots of `abut.env`, of our own making: with the joints, sizes and masses of the standard tasks."""

from typing import Any, NamedTuple, Optional, Sequence, Union

import numpy as np

from ._memory import Array

Vector = Union[Sequence[float], Array]
DEGREE = np.pi / 180
Y = (0.0, 1.0, 0.0)
FLOOR = {"name": "floor", "static": True, "shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}}


class Part(NamedTuple):
    """A shape on a body, with mass (kg), centre (m) and inertia about the centre (kg m^2), in world axes."""

    shape: "dict[str, Any]"
    mass: float
    centre: Any
    inertia: Any


def rod(a: Vector, b: Vector, radius: float, density: float) -> Part:
    """Returns a capsule from a to b (m, world)."""
    start, end = np.array(a, float), np.array(b, float)
    length = float(np.linalg.norm(end - start))
    along = (end - start) / length
    core, ends = density * np.pi * radius**2 * length, density * np.pi * radius**3 * 4 / 3
    axial = core * radius**2 / 2 + ends * radius**2 * 2 / 5
    across = core * (length**2 / 12 + radius**2 / 4) + ends * (
        radius**2 * 2 / 5 + length**2 / 4 + length * radius * 3 / 8
    )
    inertia = across * np.eye(3) + (axial - across) * np.outer(along, along)
    turn = np.array([1 + along[2], -along[1], along[0], 0.0])  # takes z to `along`
    turn = turn / np.linalg.norm(turn) if along[2] > -1 + 1e-12 else np.array([0.0, 1, 0, 0])
    shape = {"type": "capsule", "radius": radius, "length": length, "orientation": turn.tolist()}
    return Part(shape, core + ends, (start + end) / 2, inertia)


def bar(middle: Vector, angle: float, half: float, radius: float, density: float) -> Part:
    """Returns a capsule in the plane of x and z, whose core of length 2 `half` is turned about y by an angle from z."""
    to = half * np.array([np.sin(angle), 0, np.cos(angle)])
    return rod(np.array(middle) - to, np.array(middle) + to, radius, density)


def ball(centre: Vector, radius: float, density: float) -> Part:
    """Returns a sphere."""
    mass = density * np.pi * radius**3 * 4 / 3
    return Part({"type": "sphere", "radius": radius}, mass, np.array(centre, float), mass * radius**2 * 2 / 5 * np.eye(3))


def box(centre: Vector, half: Vector, mass: float) -> Part:
    """Returns a box."""
    squares = np.square(half)
    inertia = mass / 3 * np.diag(squares.sum() - squares)
    return Part({"type": "box", "half_extents": list(half)}, mass, np.array(centre, float), inertia)


def body(name: str, at: Vector, parts: Sequence[Part], planar: bool = False) -> "dict[str, Any]":
    """Returns a body with its frame at `at`, along the axes of the world."""
    mass = sum(part.mass for part in parts)
    centre = sum(part.mass * part.centre for part in parts) / mass
    inertia = np.zeros((3, 3))
    for part in parts:
        off = part.centre - centre
        inertia += part.inertia + part.mass * (off @ off * np.eye(3) - np.outer(off, off))
    shapes = [{**part.shape, "position": (part.centre - at).tolist()} for part in parts]
    shape = shapes[0] if len(shapes) == 1 else {"type": "union", "parts": shapes}
    out = {"name": name, "position": list(at), "mass": mass, "centre_of_mass": (centre - at).tolist(),
           "inertia": inertia.tolist(), "shape": shape}  # fmt: skip
    return {**out, "planar": "xz"} if planar else out


def hinge(
    name: str, parent: str, child: str, anchor: Vector, axis: Vector, limits: Sequence[float],
    **keys: Any
) -> "dict[str, Any]":  # fmt: skip
    """Returns a hinge with a motor; limits in degrees."""
    return {"name": name, "type": "hinge", "parent": parent, "child": child, "anchor": list(anchor), "axis": list(axis),
            "motor": {"type": "force"}, "limits": [limit * DEGREE for limit in limits], **keys}  # fmt: skip


def scene(
    name: str, timestep: float, bodies: "list[dict[str, Any]]", joints: "list[dict[str, Any]]", friction: Any,
    start: "Optional[dict[str, Any]]" = None
) -> "dict[str, Any]":  # fmt: skip
    """Returns a scene on a floor, with a sensor of the contact force of each body, named like it, and one of acceleration
    and rate of turn, "imu", on the first. `friction` is that of all bodies, or of each by name with a default of None."""
    rate = friction if isinstance(friction, dict) else {None: friction}
    contacts = [{"pair": ["floor", one["name"]], "friction": rate.get(one["name"], rate[None])} for one in bodies]
    sensors = [{"name": one["name"], "type": "contact_force", "body": one["name"]} for one in bodies]
    sensors.append({"name": "imu", "type": "imu", "body": bodies[0]["name"]})
    out = {"name": name, "timestep": timestep, "bodies": [FLOOR, *bodies], "joints": joints, "contacts": contacts,
           "sensors": sensors}  # fmt: skip
    return {**out, "initial": {"joints": start}} if start else out


def cartpole() -> "dict[str, Any]":
    """A pole of 0.1 kg and 1 m on a cart of 1 kg."""
    cart = {"name": "cart", "mass": 1, "position": [0, 0, 0], "inertia": [0.01, 0.01, 0.01],
            "shape": {"type": "box", "half_extents": [0.1, 0.1, 0.05]}}  # fmt: skip
    pole = {"name": "pole", "mass": 0.1, "position": [0, 0, 0.5], "inertia": [0.1 / 12, 0.1 / 12, 1e-5],
            "shape": {"type": "capsule", "radius": 0.02, "length": 0.96}}  # fmt: skip
    slide = {"name": "slide", "type": "slide", "parent": "world", "child": "cart", "anchor": [0, 0, 0], "axis": [1, 0, 0],
             "motor": {"type": "force"}}  # fmt: skip
    turn = {"name": "turn", "type": "hinge", "parent": "cart", "child": "pole", "anchor": [0, 0, 0], "axis": list(Y)}
    return {"name": "cartpole", "timestep": 0.02, "bodies": [cart, pole], "joints": [slide, turn], "contacts": []}


def _leg(side: str, foot: float, planar_parts: "list[dict[str, Any]]") -> None:
    """Adds a leg of hopper or walker below a torso that ends at a height of 1.05 m; the foot is `foot` long."""
    heel = -0.065 if foot > 0.3 else 0.0
    planar_parts += [
        body(f"{side}thigh", [0, 0, 1.05], [rod([0, 0, 1.05], [0, 0, 0.6], 0.05, 1000)], True),
        body(f"{side}leg", [0, 0, 0.6], [rod([0, 0, 0.6], [0, 0, 0.1], 0.04, 1000)], True),
        body(f"{side}foot", [0, 0, 0.1], [rod([2 * heel, 0, 0.1], [foot + 2 * heel, 0, 0.1], 0.06, 1000)], True),
    ]


def _leg_joints(side: str, **keys: Any) -> "list[dict[str, Any]]":
    down = (0.0, -1.0, 0.0)
    return [
        hinge(f"{side}thigh_joint", "torso", f"{side}thigh", [0, 0, 1.05], down, [-150, 0], **keys),
        hinge(f"{side}leg_joint", f"{side}thigh", f"{side}leg", [0, 0, 0.6], down, [-150, 0], **keys),
        hinge(f"{side}foot_joint", f"{side}leg", f"{side}foot", [0, 0, 0.1], down, [-45, 45], **keys),
    ]


def hopper() -> "dict[str, Any]":
    """A torso on a leg with a foot, in a plane."""
    bodies = [body("torso", [0, 0, 1.25], [rod([0, 0, 1.05], [0, 0, 1.45], 0.05, 1000)], True)]
    _leg("", 0.39, bodies)
    joints = _leg_joints("", damping=1, armature=1)
    return scene("hopper", 0.008, bodies, joints, {None: 1.0, "foot": 2.0})


def walker2d() -> "dict[str, Any]":
    """A torso on two legs with feet, in a plane."""
    bodies = [body("torso", [0, 0, 1.25], [rod([0, 0, 1.05], [0, 0, 1.45], 0.05, 1000)], True)]
    joints = []
    for side in ("", "left_"):
        _leg(side, 0.2, bodies)
        joints += _leg_joints(side, damping=0.1, armature=0.01)
    return scene("walker2d", 0.008, bodies, joints, {None: 0.9, "foot": 1.9, "left_foot": 1.9})


def half_cheetah() -> "dict[str, Any]":
    """A long torso with a head on a back leg and a front leg, in a plane; 14 kg."""
    r, z = 0.046, 0.7
    placed = {  # name: frame, and a bar on it: middle, angle, half of its length
        "bthigh": ((-0.5, z), (0.1, -0.13), -3.8, 0.145),
        "bshin": ((-0.34, z - 0.25), (-0.14, -0.07), -2.03, 0.15),
        "bfoot": ((-0.62, z - 0.39), (0.03, -0.097), -0.27, 0.094),
        "fthigh": ((0.5, z), (-0.07, -0.12), 0.52, 0.133),
        "fshin": ((0.36, z - 0.24), (0.065, -0.09), -0.6, 0.106),
        "ffoot": ((0.49, z - 0.42), (0.045, -0.07), -0.6, 0.07),
    }

    def bodies(density: float) -> "list[dict[str, Any]]":
        torso = [rod([-0.5, 0, z], [0.5, 0, z], r, density), bar([0.6, 0, z + 0.1], 0.87, 0.15, r, density)]
        out = [body("torso", [0, 0, z], torso, True)]
        for name, ((x, at), (dx, dz), angle, half) in placed.items():
            out.append(body(name, [x, 0, at], [bar([x + dx, 0, at + dz], angle, half, r, density)], True))
        return out

    density = 1000 * 14 / sum(one["mass"] for one in bodies(1000))
    laws = {"bthigh": ("torso", [-0.52, 1.05], 240, 6), "bshin": ("bthigh", [-0.785, 0.785], 180, 4.5),
            "bfoot": ("bshin", [-0.4, 0.785], 120, 3), "fthigh": ("torso", [-1, 0.7], 180, 4.5),
            "fshin": ("fthigh", [-1.2, 0.87], 120, 3), "ffoot": ("fshin", [-0.5, 0.5], 60, 1.5)}  # fmt: skip
    joints = [
        hinge(name, parent, name, [placed[name][0][0], 0, placed[name][0][1]], Y,
              [limit / DEGREE for limit in limits], stiffness=spring, damping=damping, armature=0.1)
        for name, (parent, limits, spring, damping) in laws.items()
    ]  # fmt: skip
    return scene("half-cheetah", 0.01, bodies(density), joints, 0.4)


def ant() -> "dict[str, Any]":
    """A ball on four legs, each with a hinge at the hip and one at the ankle. It starts with bent ankles."""
    z, d = 0.75, 5.0
    signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    torso, legs, joints, start = [ball([0, 0, z], 0.25, d)], [], [], {}
    for i, (sx, sy) in enumerate(signs, 1):
        torso.append(rod([0, 0, z], [0.2 * sx, 0.2 * sy, z], 0.08, d))
        hip, ankle, foot = ([reach * sx, reach * sy, z] for reach in (0.2, 0.4, 0.8))
        legs += [body(f"upper_{i}", hip, [rod(hip, ankle, 0.08, d)]), body(f"lower_{i}", ankle, [rod(ankle, foot, 0.08, d)])]
        keys = {"damping": 1, "armature": 1}
        joints.append(hinge(f"hip_{i}", "torso", f"upper_{i}", hip, [0, 0, 1], [-30, 30], **keys))
        # the foot goes down with a positive angle in front, and with a negative one behind, as in the standard task
        side = 1 if sx > 0 else -1
        axis = [-sy * side, sx * side, 0]
        limits = [30, 70] if side > 0 else [-70, -30]
        joints.append(hinge(f"ankle_{i}", f"upper_{i}", f"lower_{i}", ankle, axis, limits, **keys))
        start[f"ankle_{i}"] = side * 1.0
    return scene("ant", 0.01, [body("torso", [0, 0, z], torso), *legs], joints, 1.0, start)


def quadruped() -> "dict[str, Any]":
    """A trunk on four legs with hinges for roll, pitch and knee. It starts with bent knees."""
    z = 0.42
    bodies = [body("trunk", [0, 0, z], [box([0, 0, z], [0.2, 0.1, 0.05], 6.0)])]
    joints, start = [], {}
    for end, x in (("front", 0.2), ("rear", -0.2)):
        for side, sy in (("left", 1), ("right", -1)):
            leg, keys = f"{end}_{side}", {"damping": 0.5, "armature": 0.02}
            hip, top = [x, 0.1 * sy, z], [x, 0.16 * sy, z]
            knee, foot = [x, 0.16 * sy, z - 0.2], [x, 0.16 * sy, z - 0.4]
            bodies += [
                body(f"{leg}_hip", hip, [rod(hip, top, 0.035, 2000)]),
                body(f"{leg}_thigh", top, [rod(top, knee, 0.025, 2000)]),
                body(f"{leg}_shank", knee, [rod(knee, foot, 0.02, 1500)]),
            ]
            joints += [
                hinge(f"{leg}_roll", "trunk", f"{leg}_hip", hip, [1, 0, 0], [-45, 45], **keys),
                hinge(f"{leg}_pitch", f"{leg}_hip", f"{leg}_thigh", top, Y, [-60, 120], **keys),
                hinge(f"{leg}_knee", f"{leg}_thigh", f"{leg}_shank", knee, Y, [-150, -20], **keys),
            ]
            start.update({f"{leg}_pitch": 0.7, f"{leg}_knee": -1.4})
    return scene("quadruped", 0.01, bodies, joints, 0.8, start)


def _universal(
    name: str, parent: str, child: str, anchor: Vector, at: Any, axes: Any, limits: Any, **keys: Any
) -> "dict[str, Any]":
    """Returns a joint of two orthogonal hinges at one point; `at` has the frames of both bodies."""
    x, y = (np.array(axis, float) / np.linalg.norm(axis) for axis in axes)
    turn = np.stack([x, y, np.cross(x, y)], axis=1)
    w = np.sqrt(max(0.0, 1 + np.trace(turn))) / 2
    if w > 0.1:
        v = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / (4 * w)
    else:
        values, vectors = np.linalg.eigh((turn + turn.T) / 2)
        w, v = 0.0, vectors[:, -1]
    frames = [{"position": (np.array(anchor) - place).tolist(), "orientation": [w, *v]} for place in at]
    return {"name": name, "type": "universal", "parent": parent, "child": child, "parent_frame": frames[0],
            "child_frame": frames[1], "limits": [[limit * DEGREE for limit in pair] for pair in limits],
            "motor": [{"type": "force"}] * 2, **keys}  # fmt: skip


def humanoid() -> "dict[str, Any]":
    """A torso with a head, a waist, two legs and two arms. Hips turn about three axes, with a ball of 0.9 kg between the
    first two and the third."""
    d, z = 1000.0, 1.4
    waist, pelvis = np.array([-0.01, 0, z - 0.26]), np.array([-0.01, 0, z - 0.425])
    bodies = [
        body("torso", [0, 0, z], [rod([0, -0.07, z], [0, 0.07, z], 0.07, d), ball([0, 0, z + 0.19], 0.09, d),
                                  rod([-0.01, -0.06, z - 0.12], [-0.01, 0.06, z - 0.12], 0.06, d)]),
        body("waist", waist, [rod(waist + [0, -0.06, 0], waist + [0, 0.06, 0], 0.06, d)]),
        body("pelvis", pelvis, [rod(pelvis + [-0.01, -0.07, 0], pelvis + [-0.01, 0.07, 0], 0.09, d)]),
    ]  # fmt: skip
    middle = waist + [0, 0, 0.065]
    joints = [
        _universal("abdomen_zy", "torso", "waist", middle, ([0, 0, z], waist), ([0, 0, 1], Y), ([-45, 45], [-75, 30]),
                   stiffness=[20, 10], damping=[5, 5], armature=[0.02, 0.02]),
        hinge("abdomen_x", "waist", "pelvis", pelvis + [0, 0, 0.1], [1, 0, 0], [-35, 35], stiffness=10, damping=5, armature=0.02),
    ]  # fmt: skip
    start = {}
    for side, s in (("right", -1), ("left", 1)):
        hip = pelvis + [0, 0.1 * s, -0.04]
        knee, foot = hip + [0, -0.01 * s, -0.383], hip + [0, -0.01 * s, -0.753]
        bodies += [
            body(f"{side}_hip", hip, [ball(hip, 0.06, d)]),
            body(f"{side}_thigh", hip, [rod(hip, hip + [0, -0.01 * s, -0.34], 0.06, d)]),
            body(f"{side}_shin", knee, [rod(knee + [0, 0, -0.02], knee + [0, 0, -0.32], 0.049, d), ball(foot, 0.075, d)]),
        ]
        joints += [
            _universal(f"{side}_hip_xz", "pelvis", f"{side}_hip", hip, (pelvis, hip), ([-s, 0, 0], [0, 0, -s]),
                       ([-25, 5], [-60, 35]), stiffness=[10, 10], damping=[5, 5], armature=[0.01, 0.01]),
            hinge(f"{side}_hip_y", f"{side}_hip", f"{side}_thigh", hip, Y, [-110, 20], stiffness=20, damping=5, armature=0.01),
            hinge(f"{side}_knee", f"{side}_thigh", f"{side}_shin", knee, [0, -1, 0], [-160, -2], damping=1, armature=0.006),
        ]  # fmt: skip
        start[f"{side}_knee"] = -4 * DEGREE
    for side, s in (("right", -1), ("left", 1)):
        shoulder = np.array([0, 0.17 * s, z + 0.06])
        elbow = shoulder + [0.18, 0.18 * s, -0.18]
        hand = elbow + [0.18, -0.18 * s, 0.18]
        bodies += [
            body(f"{side}_upper_arm", shoulder, [rod(shoulder, shoulder + [0.16, 0.16 * s, -0.16], 0.04, d)]),
            body(f"{side}_lower_arm", elbow, [rod(elbow + [0.01, -0.01 * s, 0.01], hand - [0.01, -0.01 * s, 0.01], 0.031, d),
                                              ball(hand, 0.04, d)]),
        ]  # fmt: skip
        limits = [-85, 60] if s < 0 else [-60, 85]
        joints += [
            _universal(f"{side}_shoulder", "torso", f"{side}_upper_arm", shoulder, ([0, 0, z], shoulder),
                       ([2, -s, 1], [0, s, 1]), (limits, limits), stiffness=[1, 1], damping=[1, 1],
                       armature=[0.0068, 0.0051]),
            hinge(f"{side}_elbow", f"{side}_upper_arm", f"{side}_lower_arm", elbow, [0, -1, -s], [-90, 50], damping=1,
                  armature=0.0028),
        ]  # fmt: skip
    return scene("humanoid", 0.005, bodies, joints, 1.0, start)
