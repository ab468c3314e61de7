"""The exported mcap: what its messages say is what the run says. mcap.py reads the file."""
import math

import glb
import mcap

SCHEMAS = {"/tf": "foxglove.FrameTransforms", "/bodies": "foxglove.SceneUpdate", "/contacts": "foxglove.SceneUpdate",
           "/steps": "abut.Step"}
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


def check(path, run):
    """All of it; returns the number of arrows."""
    with open(path, "rb") as file:
        content = mcap.Mcap(file.read())
    found, worlds = {topic: [] for topic in SCHEMAS}, set()
    for message in sorted(content.messages, key=lambda message: message.time):
        schema, topic, encoding = content.channels[message.channel]
        name, schema_encoding, descriptor = content.schemas[schema]
        assert (name, schema_encoding, encoding) == (SCHEMAS[topic], "protobuf", "protobuf")
        assert message.sequence == len(found[topic]) and message.published == message.time
        types = mcap.read_descriptor(descriptor) if not found[topic] else found[topic][0][2]
        found[topic].append((message.time, mcap.decode(types, name, message.data), types))
    seen = {topic: [(time, message) for time, message, _ in messages] for topic, messages in found.items()}
    check_transforms(seen["/tf"], run, worlds)
    check_bodies(seen["/bodies"], run)
    arrows = check_contacts(seen["/contacts"], run, worlds)
    check_steps(seen["/steps"], run)
    assert len(worlds) == 1 and not worlds & set(run.names), worlds
    return arrows
