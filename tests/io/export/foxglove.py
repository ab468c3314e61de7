"""The exported mcap: what its messages say is what the run says. mcap.py reads the file."""
import math

import glb
import mcap

SCHEMAS = {"/tf": "foxglove.FrameTransforms", "/bodies": "foxglove.SceneUpdate", "/contacts": "foxglove.SceneUpdate",
           "/steps": "abut.Step"}
JOINT_SCHEMAS = {"/joint_axes": "foxglove.SceneUpdate", "/joints": "foxglove.JointStates",
                 "/joint_forces": "abut.JointForces"}
EFFORTS = "limit_effort friction_effort motor_effort".split()
COUNTS = "halvings tries iterations finish_iterations active_contacts".split()
ENDS = "kappa residual complementarity max_penetration energy".split()


def vector(message, names="xyz"):
    """Its numbers; quaternions by "wxyz"."""
    return [message[name] for name in names]


def nanoseconds(time):
    """Of a google.protobuf.Timestamp."""
    assert 0 <= time["nanos"] < 10**9
    return 10**9 * time["seconds"] + time["nanos"]


def check_transforms(found, run, worlds):
    """Where bodies are; those that never move are told of once."""
    assert len(found) == len(run.times)
    for k, (time, message) in enumerate(found):
        bodies = [body for body, static in zip(run.frames[k], run.is_static) if k == 0 or not static]
        assert time == round(run.times[k] * 1e9)
        for body, transform in zip(bodies, message["transforms"], strict=True):
            assert nanoseconds(transform["timestamp"]) == time and transform["child_frame_id"] == body.name
            assert vector(transform["translation"]) == body.position
            assert vector(transform["rotation"], "wxyz") == body.orientation
            worlds.add(transform["parent_frame_id"])


def check_bodies(found, run):
    """Triangles of every body in its own coordinate frame, from the beginning on and for good."""
    (time, message), = found
    assert time == 0 and message["deletions"] == []
    for name, entity in zip(run.names, message["entities"], strict=True):
        assert (entity["id"], entity["frame_id"], entity["frame_locked"]) == (name, name, True)
        assert "lifetime" not in entity and entity["triangles"]
        for triangles in entity["triangles"]:
            assert len(triangles["indices"]) % 3 == 0 and max(triangles["indices"]) < len(triangles["points"])
            assert vector(triangles["pose"]["orientation"], "wxyz") == [1, 0, 0, 0]


def check_contacts(found, run, worlds):
    """An arrow at each contact that pushes, along its impulse; lengths are in the proportion of impulses."""
    scales = []
    for (time, message), contacts in zip(found, run.contacts, strict=True):
        entity, = message["entities"]
        worlds.add(entity["frame_id"])
        assert nanoseconds(entity["timestamp"]) == time and entity["id"] == "contacts"
        pushing = [contact for contact in contacts if math.hypot(*contact.impulse) > 0]
        for contact, arrow in zip(pushing, entity["arrows"], strict=True):
            length = math.hypot(*contact.impulse)
            pose = arrow["pose"]
            along = glb.turn(vector(pose["orientation"], "xyzw"), [1, 0, 0])
            assert vector(pose["position"]) == contact.point
            assert math.dist(along, [x / length for x in contact.impulse]) < 1e-9, (along, contact.impulse)
            scales.append((arrow["shaft_length"] + arrow["head_length"]) / length)
    assert not scales or max(scales) - min(scales) < 1e-12 * max(scales)
    return len(scales)


def check_steps(found, run):
    """The columns of steps.csv."""
    for (_, message), row in zip(found, run.steps, strict=True):
        assert message["outcome"] == row["outcome"]
        assert nanoseconds(message["timestamp"]) == round(float(row["time"]) * 1e9)
        assert [message[name] for name in ("exact", "retried")] == [row[name] == "1" for name in ("exact", "retried")]
        assert [message[name] for name in COUNTS] == [int(row[name]) for name in COUNTS]
        assert [message[name] for name in ENDS] == [float(row[name]) for name in ENDS]
        assert vector(message["momentum"]) == [float(row["momentum_" + axis]) for axis in "xyz"]


def check_joint_axes(found, run, worlds):
    """A mark at every joint, which moves with its parent: an arrow along its axis, or a ball."""
    (time, message), = found
    assert time == 0
    for joint, entity in zip(run.joints, message["entities"], strict=True):
        frame = joint["parent_frame"]
        assert entity["id"] == joint["name"] and entity["frame_locked"]
        if joint["parent"] == "world":
            worlds.add(entity["frame_id"])
        else:
            assert entity["frame_id"] == joint["parent"]
        has_axis = joint["type"] in ("hinge", "slide", "cylindrical", "planar")
        mark, = entity["arrows" if has_axis else "spheres"]
        assert not entity["spheres" if has_axis else "arrows"]
        assert math.dist(vector(mark["pose"]["position"]), frame["position"]) < 1e-12
        along = glb.turn(vector(mark["pose"]["orientation"], "xyzw"), [1, 0, 0])
        assert not has_axis or math.dist(along, glb.z_of(frame)) < 1e-9, (joint, along)


def check_joint_states(found, run):
    """An entry for each freedom, with the numbers of joints.csv."""
    counts = {row.joint: row.axis + 1 for row in run.freedoms[1]}
    for (time, message), freedoms in zip(found[1:], run.freedoms[1:], strict=True):
        assert nanoseconds(message["timestamp"]) == time
        rows = [row for row in freedoms if row.exists]
        for row, state in zip(rows, message["joints"], strict=True):
            assert state["name"] == row.joint + (".%d" % row.axis if counts[row.joint] > 1 else "")
            assert vector(state, ("position", "velocity", "effort")) == [row.position, row.velocity, row.motor_effort]
    assert [state["name"] for state in found[0][1]["joints"]] == [state["name"] for state in found[1][1]["joints"]]


def check_joint_forces(found, run):
    """Each joint, with the numbers of joints.csv; lists of efforts are as long as the joint has freedoms."""
    for (time, message), freedoms in zip(found[1:], run.freedoms[1:], strict=True):
        assert nanoseconds(message["timestamp"]) == time
        for joint, entry in zip(run.joints, message["joints"], strict=True):
            rows = [row for row in freedoms if row.joint == joint["name"]]
            assert entry["name"] == joint["name"]
            assert (vector(entry["force"]), vector(entry["torque"])) == (rows[0].force, rows[0].torque)
            for name in EFFORTS:
                assert entry[name] == [getattr(row, name) for row in rows if row.exists], (joint, name)


def check_sensors(found, run):
    """Each sensor, with the names and numbers of sensors.csv."""
    types = {sensor["name"]: sensor["type"] for sensor in run.scene["sensors"]}
    for (time, message), rows in zip(found[1:], run.sensors[1:], strict=True):
        assert nanoseconds(message["timestamp"]) == time
        assert [sensor["name"] for sensor in message["sensors"]] == list(types)
        assert all(types[sensor["name"]] == sensor["type"] for sensor in message["sensors"])
        assert [(sensor["name"], channel, value) for sensor in message["sensors"]
                for channel, value in zip(sensor["channels"], sensor["values"], strict=True)] == rows


def check(path, run):
    """All of it; returns the number of arrows."""
    with open(path, "rb") as file:
        content = mcap.Mcap(file.read())
    schemas = {**SCHEMAS, **(JOINT_SCHEMAS if run.joints else {}),
               **({"/sensors": "abut.Sensors"} if run.has_sensors else {})}
    found, worlds = {topic: [] for topic in schemas}, set()
    for message in sorted(content.messages, key=lambda message: message.time):
        schema, topic, encoding = content.channels[message.channel]
        name, schema_encoding, descriptor = content.schemas[schema]
        assert (name, schema_encoding, encoding) == (schemas[topic], "protobuf", "protobuf")
        assert message.sequence == len(found[topic]) and message.published == message.time
        types = mcap.read_descriptor(descriptor) if not found[topic] else found[topic][0][2]
        found[topic].append((message.time, mcap.decode(types, name, message.data), types))
    seen = {topic: [(time, message) for time, message, _ in messages] for topic, messages in found.items()}
    check_transforms(seen["/tf"], run, worlds)
    check_bodies(seen["/bodies"], run)
    arrows = check_contacts(seen["/contacts"], run, worlds)
    check_steps(seen["/steps"], run)
    if run.joints:
        check_joint_axes(seen["/joint_axes"], run, worlds)
        check_joint_states(seen["/joints"], run)
        check_joint_forces(seen["/joint_forces"], run)
    if run.has_sensors:
        check_sensors(seen["/sensors"], run)
    assert len(worlds) == 1 and not worlds & set(run.names), worlds
    return arrows
