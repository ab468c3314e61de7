"""The exported csv and npz, read by the csv module and by NumPy: every number is that of the run, to the bit."""
import math

import record

COLUMNS = "frame,time,body,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,contacts,jx,jy,jz".split(",")
VECTORS = "position orientation linear_velocity angular_velocity".split()
ARRAYS = "positions quaternions linear_velocities angular_velocities".split()
COUNTS = "halvings tries iterations finish_iterations active_contacts".split()
ENDS = "time kappa residual complementarity max_penetration energy".split()


def pushes(contacts, name):
    """How many contacts a body has, and the exact sum of what they give to it."""
    own = [(contact, side) for contact in contacts for side in (0, 1) if contact.bodies[side] == name]
    return len(own), [math.fsum((1 if side else -1) * contact.impulse[i] for contact, side in own) for i in range(3)]


def check_csv(path, run):
    """A row for each frame and body."""
    rows = record.rows_of(path)
    n = len(run.names)
    assert list(rows[0]) == COLUMNS, list(rows[0])
    assert len(rows) == len(run.times) * n, len(rows)
    for k, row in enumerate(rows):
        frame, body = divmod(k, n)
        true = run.frames[frame][body]
        assert int(row["frame"]) == frame and float(row["time"]) == run.times[frame], (k, row)
        assert row["body"] == true.name, (k, row)
        read = record.Body(row)
        assert all(getattr(read, name) == getattr(true, name) for name in VECTORS), (k, row)
        count, impulse = pushes(run.contacts[frame], true.name)
        size = sum(abs(value) for contact in run.contacts[frame] for value in contact.impulse)
        assert int(row["contacts"]) == count, (k, row)
        for read_impulse, true_impulse in zip(record.numbers(row, "jx jy jz"), impulse):
            assert abs(read_impulse - true_impulse) <= 1e-15 * len(run.names) * size, (k, row, impulse)


def check_npz_contacts(arrays, run):
    """The contacts of frame k stand from contact_offsets[k] to contact_offsets[k + 1]."""
    flat = [contact for frame in run.contacts for contact in frame]
    offsets = [0]
    for frame in run.contacts:
        offsets.append(offsets[-1] + len(frame))
    assert arrays["contact_offsets"].tolist() == offsets
    names = arrays["bodies"]
    assert [[names[i] for i in pair] for pair in arrays["contact_bodies"]] == [contact.bodies for contact in flat]
    for array, member in (("parts", "parts"), ("scaling", "scaling"), ("gap", "gap"), ("points", "point"),
                          ("normals", "normal"), ("normal_impulses", "normal_impulse"),
                          ("friction_impulses", "friction")):
        assert arrays["contact_" + array].tolist() == [getattr(contact, member) for contact in flat], array


def check_npz_steps(steps, run):
    """One array of records, with the fields of steps.csv."""
    assert len(steps) == len(run.steps)
    for row, true in zip(steps, run.steps):
        assert row["outcome"] == true["outcome"]
        assert row["exact"] == bool(int(true["exact"])) and row["retried"] == bool(int(true["retried"]))
        assert [row[name] for name in COUNTS] == [int(true[name]) for name in COUNTS], true
        assert [row[name] for name in ENDS] == [float(true[name]) for name in ENDS], true
        assert row["momentum"].tolist() == record.numbers(true, "momentum_x momentum_y momentum_z"), true


def check_csv_joints(path, run):
    """The rows of joints.csv with the numbers of their frames, after those of the initial state, which has no forces."""
    rows = record.rows_of(path)
    assert list(rows[0])[:4] == ["frame", "time", "joint", "axis"], list(rows[0])
    n = len(run.freedoms[1])
    assert len(rows) == n * len(run.times), len(rows)
    for k, row in enumerate(rows):
        frame, at = divmod(k, n)
        read, true = vars(record.Freedom(row)), vars(run.freedoms[max(frame, 1)][at])
        assert int(row["frame"]) == frame and float(row["time"]) == run.times[frame], row
        assert all(read[name] == true[name] for name in ("joint", "axis", "exists")), row
        assert frame == 0 or read == true, row
        assert frame > 0 or read["force"] + read["torque"] == [0] * 6, row


def check_npz_joints(arrays, run):
    """Joints by frame; freedoms that a joint does not have are 0."""
    names = [joint["name"] for joint in run.joints]
    assert arrays["joints"].tolist() == names
    for frame, freedoms in enumerate(run.freedoms):
        for true in freedoms:
            at = frame, names.index(true.joint)
            for array, member in (("positions", "position"), ("velocities", "velocity"),
                                  ("limit_efforts", "limit_effort"), ("friction_efforts", "friction_effort"),
                                  ("motor_efforts", "motor_effort")):
                assert arrays["joint_" + array][at][true.axis] == (getattr(true, member) or 0.0), (array, at)
            assert arrays["joint_forces"][at].tolist() == true.force, at
            assert arrays["joint_torques"][at].tolist() == true.torque, at
    assert sum(map(len, run.freedoms)) >= len(names) * (len(run.times) - 1) > 0


def check_csv_sensors(path, run):
    """The rows of sensors.csv with the numbers of their frames, after those of the initial state."""
    rows = record.rows_of(path)
    assert list(rows[0]) == ["frame", "time", "sensor", "channel", "value"], list(rows[0])
    n = len(run.sensors[1])
    assert len(rows) == n * len(run.times), len(rows)
    for k, row in enumerate(rows):
        frame, at = divmod(k, n)
        true = run.sensors[max(frame, 1)][at]
        assert int(row["frame"]) == frame and float(row["time"]) == run.times[frame], row
        assert (row["sensor"], row["channel"]) == true[:2], row
        assert frame == 0 or float(row["value"]) == true[2], row


def check_npz_sensors(arrays, run):
    """A column for each value of a sensor."""
    labels = list(zip(arrays["sensors"].tolist(), arrays["sensor_channels"].tolist(), strict=True))
    assert labels == [row[:2] for row in run.sensors[1]]
    for frame, rows in enumerate(run.sensors[1:], 1):
        assert arrays["sensor_values"][frame].tolist() == [row[2] for row in rows], frame


def check_npz(path, run):
    """Arrays by their names; nothing in them is an object, which NumPy would refuse."""
    import numpy
    with numpy.load(path) as arrays:
        assert arrays["bodies"].tolist() == run.names
        assert arrays["static"].tolist() == run.is_static
        assert arrays["times"].tolist() == run.times
        for array, member in zip(ARRAYS, VECTORS):
            true = [[getattr(body, member) for body in frame] for frame in run.frames]
            assert arrays[array].tolist() == true, array
        for body, mass in zip(run.scene["bodies"], arrays["masses"]):
            assert "mass" not in body or mass == body["mass"], body["name"]
        check_npz_contacts(arrays, run)
        check_npz_steps(arrays["steps"], run)
        if run.joints:
            check_npz_joints({name: arrays[name] for name in arrays.files if name.startswith("joint")}, run)
        if run.has_sensors:
            check_npz_sensors(arrays, run)
        assert ("sensor_values" in arrays.files) == run.has_sensors
        assert ("joints" in arrays.files) == bool(run.joints)
        return len(arrays.files)
