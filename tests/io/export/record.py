"""The folder of a run, by Python's own readers of CSV and JSON: what the exported files are held against."""
import csv
import json
import os
import struct


def rows_of(path):
    """A table's rows, each a dictionary by the names of the columns."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def numbers(row, names):
    """The columns of a row, as numbers."""
    return [float(row[name]) for name in names.split()]


def single(value):
    """The number of single precision that is nearest."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


class Body:
    """A body in one frame."""

    def __init__(self, row):
        self.name = row["body"]
        self.position = numbers(row, "px py pz")
        self.orientation = numbers(row, "qw qx qy qz")
        self.linear_velocity = numbers(row, "vx vy vz")
        self.angular_velocity = numbers(row, "wx wy wz")


class Contact:
    """A contact; `impulse` is all of it, on the second body."""

    def __init__(self, row):
        self.bodies = [row["body_a"], row["body_b"]]
        self.parts = [int(row["part_a"]), int(row["part_b"])]
        self.scaling, self.gap, self.normal_impulse = numbers(row, "scaling gap normal_impulse")
        self.point = numbers(row, "px py pz")
        self.normal = numbers(row, "nx ny nz")
        self.friction = numbers(row, "friction_impulse_x friction_impulse_y friction_impulse_z")
        self.impulse = [self.normal_impulse * self.normal[i] + self.friction[i] for i in range(3)]


class Freedom:
    """A row of joints.csv: a freedom of a joint, or a joint without freedoms, whose numbers of freedoms are empty."""

    def __init__(self, row):
        self.joint, self.axis = row["joint"], int(row["axis"])
        self.exists = row["position"] != ""
        self.force = numbers(row, "constraint_force_x constraint_force_y constraint_force_z")
        self.torque = numbers(row, "constraint_torque_x constraint_torque_y constraint_torque_z")
        for name in ("position", "velocity", "limit_effort", "friction_effort", "motor_effort"):
            setattr(self, name, float(row[name]) if self.exists else None)


class Record:
    """A run: `frames` are lists of bodies, `contacts` lists of those at the same time."""

    def __init__(self, folder):
        trajectory = rows_of(os.path.join(folder, "trajectory.csv"))
        with open(os.path.join(folder, "scene.json"), encoding="utf-8") as file:
            self.scene = json.load(file)
        self.names = [body["name"] for body in self.scene["bodies"]]
        self.is_static = [body.get("static", False) for body in self.scene["bodies"]]
        n = len(self.names)
        self.frames = [[Body(row) for row in trajectory[i:i + n]] for i in range(0, len(trajectory), n)]
        self.times = [float(row["time"]) for row in trajectory[::n]]
        self.contacts = [[] for _ in self.times]
        frame_of = {time: frame for frame, time in enumerate(self.times)}
        for row in rows_of(os.path.join(folder, "contacts.csv")):
            self.contacts[frame_of[float(row["time"])]].append(Contact(row))
        self.steps = rows_of(os.path.join(folder, "steps.csv"))
        joints = os.path.join(folder, "joints.csv")
        rows = rows_of(joints) if os.path.exists(joints) else []
        self.freedoms = [[] for _ in self.times]
        for row in rows:
            self.freedoms[frame_of[float(row["time"])]].append(Freedom(row))
        self.joints = self.scene.get("joints", []) if rows else []
        sensors = os.path.join(folder, "sensors.csv")
        self.sensors = [[] for _ in self.times]
        for row in rows_of(sensors) if os.path.exists(sensors) else []:
            self.sensors[frame_of[float(row["time"])]].append((row["sensor"], row["channel"], float(row["value"])))
        self.has_sensors = os.path.exists(sensors)
