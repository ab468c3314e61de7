"""Hostile calls with wrong types, sizes and objects, in groups. `python3 hostile_values.py GROUP` is a child process of
test_hostile.py: it prints the name of each call before it makes it, and compares a small simulation with its result at
the start.
"""

import contextlib
import os
import resource
import sys
import tempfile
import warnings
from typing import Any, Callable, Iterator

import numpy as np
from support import FLOOR, MESHES, SCENES, abut, one_body, shapes

Call = Callable[[], Any]
Place = Callable[[Any], Any]
NAN, INF = float("nan"), float("inf")
CUBE = str(SCENES / "cube_drop.json")
BOX = shapes.box([0.5, 0.5, 0.5])
TETRAHEDRON = (np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]), [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


class Liar:
    """An object that answers every question of NumPy and ctypes wrongly."""

    def __len__(self) -> int:
        return 2**62

    def __getitem__(self, index: Any) -> float:
        raise IndexError(index)

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("no array")

    def __index__(self) -> int:
        raise RuntimeError("no index")

    def __float__(self) -> float:
        raise RuntimeError("no number")


def endless() -> list[Any]:
    """A list that holds itself."""
    out: list[Any] = [1.0]
    out.append(out)
    return out


# --- values ---

INTEGERS: list[Any] = [None, "7", b"7", 1.5, NAN, -1, 2**31, 2**32 + 1, 2**63, 2**64 + 1, 10**400, [1], np.float64(2),
                       np.int64(2**40), np.array([1, 2]), Liar(), 1j]  # fmt: skip
NUMBERS: list[Any] = [None, "1", b"1", NAN, INF, -INF, -1.0, 0.0, 1e300, -1e300, 5e-324, 10**400, 1j, [1.0], Liar()]
TEXTS: list[Any] = [None, 5, b"x", "", "a\0b", "\ud800", "x" * 100000, "/", ".", "%s%n%s", "\u202e", "../" * 2000, ["x"], Liar()]


def arrays(good: Any) -> list[Any]:
    """Arrays like `good`, of wrong contents, shapes, types and layouts."""
    a = np.array(good, dtype=float)
    return [
        None, "x", b"x", [], [[]], {}, 5, NAN, endless(), Liar(), object(),
        np.full_like(a, NAN), np.full_like(a, INF), np.full_like(a, 1e300), np.full_like(a, -1e300), np.zeros_like(a),
        a[:0], a[..., :-1], a[None], np.stack([a, a]), a.ravel(), np.zeros((1000, 1000)),
        a.astype(complex), a.astype(">f8"), a.astype(np.float16), a.astype(object), a.astype(str), a.astype("S8"),
        np.asfortranarray(a), a[::-1], np.broadcast_to(a.ravel()[:1], a.shape), np.ma.masked_all(a.shape),
        np.array([(1.0, 2)], dtype="f8,i4"), np.full(a.shape, None), np.full(a.shape, 10**400, dtype=object),
        np.zeros(a.shape, dtype="M8[s]"), np.full(a.shape, np.iinfo(np.int64).max), np.full(a.shape, True),
    ]  # fmt: skip


OUTPUTS: list[Any] = ["x", 5, [], [0.0] * 26, np.zeros((2, 13), np.float32), np.zeros((2, 13), ">f8"), np.zeros((3, 13)),
                      np.zeros((13, 2)).T, np.zeros((4, 13))[::2], np.broadcast_to(0.0, (2, 13)), np.zeros(26), Liar()]  # fmt: skip


# --- places ---


def sim(**keys: Any) -> Any:
    return abut.Simulation(CUBE, **keys)


def stepped(of: Any) -> Any:
    """Steps a simulation or a batch whose data were set; its state must be finite."""
    with contextlib.suppress(abut.StepFailed):
        of.step()
    return of.states


def setting(make: Call, name: str) -> Place:
    """Sets a property, then steps."""

    def place(value: Any) -> Any:
        owner = make()
        setattr(owner, name, value)
        return stepped(owner)

    return place


def restored(function: str) -> Place:
    def place(value: Any) -> Any:
        owner = sim()
        getattr(owner, function)(value)
        return stepped(owner)

    return place


def recorded() -> tuple[Any, Any]:
    model = abut.Model(CUBE)
    simulation, rollout = abut.Simulation(model), abut.Rollout(model, 3)
    for _ in range(3):
        rollout.step(simulation)
    return simulation, rollout


def differentiated() -> Any:
    simulation = sim()
    result = abut.Gradient(simulation.model, 1e-4, ["friction"])
    result.step(simulation)
    return result


def one(spec: Any) -> Any:
    return abut.Model({"bodies": [FLOOR, spec]})


def mesh() -> Any:
    return abut.Mesh(*TETRAHEDRON)


def pose(value: Any) -> Any:
    return abut.Collision(BOX, BOX).solve(value, [3, 0, 0])[1:3]


INTEGER_PLACES: dict[str, Place] = {
    "Simulation(threads)": lambda v: stepped(sim(threads=v)),
    "Simulation(log)": lambda v: stepped(sim(log=v)),
    "steps": lambda v: sim().steps(v),
    "Batch(worlds)": lambda v: abut.Batch(CUBE, v),
    "Batch(threads)": lambda v: stepped(abut.Batch(CUBE, 2, v)),
    "Batch.step": lambda v: abut.Batch(CUBE, 2, 1).step(v),
    "Batch.info": lambda v: abut.Batch(CUBE, 2, 1).info(v),
    "Batch.time": lambda v: abut.Batch(CUBE, 2, 1).time(v),
    "Batch.motion": lambda v: abut.Batch(CUBE, 2, 1).motion(v),
    "Batch.restart": lambda v: abut.Batch(CUBE, 2, 1).restart(v),
    "Rollout(steps)": lambda v: abut.Rollout(CUBE, v),
    "Rollout(segment)": lambda v: abut.Rollout(CUBE, 5, segment=v),
    "hull": lambda v: mesh().hull(max_faces=v),
    "decompose(parts)": lambda v: mesh().decompose(max_parts=v),
    "decompose(faces)": lambda v: mesh().decompose(max_faces=v),
    "body": lambda v: sim().body(v).position,
    "set_body": lambda v: sim().set_body(v, position=[0, 0, 3]),
    "Gradient.next": lambda v: differentiated().next(v),
    "Parameter(body)": lambda v: abut.Model(CUBE).value(abut.Parameter("mass", v)),
    "Parameter(other)": lambda v: abut.Model(CUBE).value(abut.Parameter("friction", 0, v)),
    "Parameter(part)": lambda v: abut.Model(CUBE).value(abut.Parameter("size", 1, -1, v)),
    "Parameter(index)": lambda v: abut.Model(CUBE).describe(abut.Parameter("gravity", -1, -1, -1, v)),
    "triangle": lambda v: abut.Mesh(TETRAHEDRON[0], [[0, 1, v]]).hull(),
    "exponent": lambda v: shapes.superellipsoid([1, 1, 1], v),
}

NUMBER_PLACES: dict[str, Place] = {
    "Gradient(kappa)": lambda v: abut.gradient(sim(), v).matrix(),
    "Rollout(kappa)": lambda v: abut.Rollout(CUBE, 2, v),
    "solve(kappa)": lambda v: abut.collide(BOX, [0, 0, 0], BOX, [0, 0, 3], v)[1:3],
    "solve_all(kappa)": lambda v: abut.Collision(BOX, BOX).solve_all([[0] * 3 + [1, 0, 0, 0]], [[3, 0, 0, 1, 0, 0, 0]], v),
    "sphere": lambda v: shapes.sphere(v).mass,
    "box": lambda v: shapes.box([v, 1, 1]).mass,
    "capsule": lambda v: shapes.capsule(1, v).mass,
    "cylinder": lambda v: shapes.cylinder(v, 1).mass,
    "cone": lambda v: shapes.cone(v, 1).mass,
    "halfspace": lambda v: shapes.halfspace([0, 0, 1], v),
    "ellipsoid": lambda v: shapes.ellipsoid([1, v, 1]).mass,
    "superellipsoid": lambda v: shapes.superellipsoid([1, v, 1], 4).mass,
    "concavity": lambda v: mesh().decompose(concavity=v),
    "Mesh.load(scale)": lambda v: abut.Mesh.load(MESHES / "tetrahedron.ascii.stl", scale=v).vertices,
    "Mesh.load(weld)": lambda v: abut.Mesh.load(MESHES / "tetrahedron.ascii.stl", weld=v).vertices,
    "repaired(weld)": lambda v: mesh().repaired(v).vertices,
    "changed": lambda v: stepped(abut.Simulation(abut.Model(CUBE).changed({abut.Parameter("mass", 1): v}))),
    "timestep": lambda v: stepped(sim(overrides={"timestep": v})),
    "gravity": lambda v: stepped(sim(overrides={"gravity": [0, v, 0]})),
    "mass": lambda v: stepped(sim(overrides={"bodies.cube.mass": v})),
    "friction": lambda v: stepped(sim(overrides={"friction": v})),
    "kappa": lambda v: stepped(sim(overrides={"solver.kappa": v})),
    "duration": lambda v: abut.Scene.load(CUBE, {"duration": v}).steps,
    "position": lambda v: stepped(abut.Simulation(one_body(BOX, position=[0, v, 2]))),
    "velocity": lambda v: stepped(abut.Simulation(one_body(BOX, position=[0, 0, 2], linear_velocity=[v, 0, 0]))),
    "spin": lambda v: stepped(abut.Simulation(one_body(BOX, position=[0, 0, 2], angular_velocity=[v, 0, 0]))),
}

ARRAY_PLACES: dict[str, tuple[Any, Place]] = {
    "states": (np.zeros((2, 13)), setting(sim, "states")),
    "inputs": (np.zeros((2, 6)), setting(sim, "inputs")),
    "Batch.states": (np.zeros((2, 2, 13)), setting(lambda: abut.Batch(CUBE, 2, 1), "states")),
    "Batch.inputs": (np.zeros((2, 2, 6)), setting(lambda: abut.Batch(CUBE, 2, 1), "inputs")),
    "restore": (sim().snapshot(), restored("restore")),
    "restore_motion": (sim().snapshot(), restored("restore_motion")),
    "set_body(position)": (np.zeros(3), lambda v: sim().set_body(1, position=v)),
    "set_body(orientation)": (np.array([1.0, 0, 0, 0]), lambda v: sim().set_body(1, orientation=v)),
    "jvp": (np.zeros((1, 18)), lambda v: differentiated().jvp(v)),
    "jvp(parameters)": (np.zeros(1), lambda v: differentiated().jvp(np.zeros((1, 18)), v)),
    "vjp": (np.zeros((1, 12)), lambda v: differentiated().vjp(v)),
    "vjp_states": (np.zeros((2, 13)), lambda v: differentiated().vjp_states(sim().states, sim().states, v)),
    "backward": (np.zeros((4, 1, 12)), lambda v: recorded()[1].backward(v)),
    "forward": (np.zeros((1, 12)), lambda v: recorded()[1].forward(v)),
    "forward(inputs)": (np.zeros((3, 1, 6)), lambda v: recorded()[1].forward(np.zeros((1, 12)), v)),
    "pose": (np.zeros(3), pose),
    "solve_all": (np.tile([0.0, 0, 0, 1, 0, 0, 0], (3, 1)), lambda v: abut.Collision(BOX, BOX).solve_all(v, v)),
    "vertices": (TETRAHEDRON[0], lambda v: abut.Mesh(v, TETRAHEDRON[1]).mass),
    "triangles": (np.array(TETRAHEDRON[1]), lambda v: abut.Mesh(TETRAHEDRON[0], v).mass),
    "polytope(vertices)": (TETRAHEDRON[0], lambda v: shapes.polytope(vertices=v).mass),
    "polytope(A)": (np.vstack([np.eye(3), -np.eye(3)]), lambda v: shapes.polytope(A=v, b=np.ones(6)).mass),
    "polytope(b)": (np.ones(6), lambda v: shapes.polytope(A=np.vstack([np.eye(3), -np.eye(3)]), b=v).mass),
    "box": (np.ones(3), lambda v: shapes.box(v).mass),
    "support": (np.ones(3), lambda v: BOX.support(v)[0]),
    "difference": (np.zeros((2, 13)), lambda v: str(abut.difference(sim().model, sim().states, v))),
    "gravity": (np.zeros(3), lambda v: stepped(sim(overrides={"gravity": v}))),
}

TEXT_PLACES: dict[str, Place] = {
    "Scene.load": abut.Scene.load,
    "from_string": abut.Scene.from_string,
    "from_string(name)": lambda v: abut.Scene.from_string("{}", v),
    "override": lambda v: abut.Scene.load(CUBE, {v: 1}),
    "overrides": lambda v: abut.Scene.load(CUBE, [v]),
    "overrides, as such": lambda v: abut.Scene.load(CUBE, v),
    "name": lambda v: one({"name": v, "mass": 1, "shape": BOX}).bodies,
    "shape": lambda v: one({"name": "a", "mass": 1, "shape": v}),
    "type": lambda v: one({"name": "a", "mass": 1, "shape": {"type": v}}),
    "mesh file": lambda v: one({"name": "a", "mass": 1, "shape": {"type": "mesh", "file": v}}),
    "method": lambda v: sim(overrides={"solver.method": v}),
    "Mesh.load": abut.Mesh.load,
    "unit": lambda v: abut.Mesh.load(MESHES / "tetrahedron.ascii.stl", unit=v),
    "up": lambda v: abut.Mesh.load(MESHES / "tetrahedron.ascii.stl", up=v),
    "fit": lambda v: mesh().hull(fit=v),
    "body": lambda v: sim().body(v),
    "Parameter": lambda v: abut.Model(CUBE).value(abut.Parameter(v)),
    "parameters": lambda v: abut.Model(CUBE).parameters(v),
    "Gradient(parameters)": lambda v: abut.Gradient(CUBE, 1e-4, v),
    "save_snapshot": lambda v: sim().save_snapshot(v),
    "load_snapshot": lambda v: sim().load_snapshot(v),
    "Scene.save": lambda v: abut.Scene.load(CUBE).save(v),
    "gradient_rows": lambda v: abut.Collision(BOX, BOX).gradient_rows(v),
    "shapes.from_dict": lambda v: shapes.from_dict({"type": v}),
}


def damaged(data: bytes) -> Iterator[bytes]:
    """Cut, lengthened and changed copies."""
    yield from (b"", data[:7], data[:-1], data[:-8], data + b"\0", data * 2, data[::-1], b"\xff" * len(data))
    random = np.random.default_rng(5)
    for _ in range(40):
        copy = bytearray(data)
        copy[random.integers(len(copy))] ^= 1 << random.integers(8)
        yield bytes(copy)


def closed_and_alive() -> Iterator[tuple[str, Call]]:
    """Every attribute of objects that are closed, empty, or of another model."""
    model, other = abut.Model(CUBE), abut.Model(SCENES / "stack_4.json")
    closed = [abut.Simulation(model), abut.Batch(model, 2, 1), abut.Gradient(model), abut.Rollout(model, 2),
              abut.Collision(BOX, BOX), mesh(), abut.Model(CUBE), abut.Scene.load(CUBE)]  # fmt: skip
    for owner in closed:
        owner.close()
        for name in dir(owner):
            if not name.startswith("__"):
                yield f"closed {type(owner).__name__}.{name}", lambda o=owner, n=name: getattr(o, n)  # type: ignore[misc]
    for owner in (abut.Gradient(model), abut.Rollout(model, 2), abut.Collision(BOX, BOX)):
        for name in ("matrix", "by_state", "by_input", "by_parameters", "gradient", "forget", "begin"):
            yield f"empty {type(owner).__name__}.{name}", (
                lambda o=owner, n=name: v() if callable(v := getattr(o, n)) else v  # type: ignore[misc]
            )
    yield "differentiate of another model", lambda: abut.Simulation(other).differentiate(abut.Gradient(model))
    yield "record of another model", lambda: abut.Simulation(other).record(abut.Rollout(model, 2))
    yield "inverse of another model", lambda: abut.Simulation(other).inverse(abut.Simulation(model))
    yield "inverse of itself", lambda: (lambda s: s.inverse(s))(sim(overrides={"solver.method": "convex"}))
    yield "lcp_gradient of another method", lambda: sim().lcp_gradient()
    yield "lcp_gradient before a step", lambda: sim(overrides={"solver.method": "lcp"}).lcp_gradient()
    yield "restore of another model", lambda: abut.Simulation(other).restore(sim().snapshot_bytes())
    yield "changed closed model", lambda: closed[6].changed({})
    yield "closed twice", lambda: [owner.close() for owner in closed]


def odd() -> Iterator[tuple[str, Call]]:
    """What fits no table."""
    for i, data in enumerate(damaged(sim().snapshot_bytes())):
        yield f"damaged snapshot {i}", lambda d=data: restored("restore")(d)  # type: ignore[misc]
    for i, value in enumerate(OUTPUTS):
        yield f"get_states(out {i})", lambda v=value: sim().get_states(v)  # type: ignore[misc]
        yield f"Batch.get_states(out {i})", lambda v=value: abut.Batch(CUBE, 2, 1).get_states(v)  # type: ignore[misc]
    for i, value in enumerate([None, 5, "x", [], {}, endless(), {"bodies": endless()}, {"bodies": []}, Liar(),
                               {"abut": 2**70}, {"bodies": [{}] * 3}, {b"bodies": []}, {"bodies": [FLOOR] * 2}]):  # fmt: skip
        yield f"Model({i})", lambda v=value: abut.Model(v)  # type: ignore[misc]
        yield f"Simulation({i})", lambda v=value: abut.Simulation(v)  # type: ignore[misc]
        yield f"Collision({i})", lambda v=value: abut.Collision(BOX, v)  # type: ignore[misc]
    deep: Any = BOX.to_dict()
    for _ in range(200):
        deep = {"type": "union", "parts": [deep]}
    yield "deep union", lambda: shapes.from_dict(deep)
    yield "many unions", lambda: shapes.union([shapes.sphere(1)] * 20001)
    yield "sum of halfspaces", lambda: shapes.minkowski_sum([shapes.halfspace([0, 0, 1])] * 2)
    yield "two halfspaces", lambda: abut.Collision(shapes.halfspace([0, 0, 1]), shapes.halfspace([0, 0, 1]))
    yield "empty intersection", lambda: shapes.intersection([shapes.sphere(1), shapes.sphere(1, position=[9, 0, 0])])
    yield "progress that raises", lambda: mesh().decompose(progress=lambda *_: 1 / 0)
    yield "progress of one argument", lambda: mesh().decompose(progress=lambda _: True)  # type: ignore[misc, arg-type]
    yield "progress that stops", lambda: mesh().decompose(progress=lambda *_: False)
    yield "no progress function", lambda: mesh().decompose(progress=5)  # type: ignore[arg-type]
    yield "log of a changed capacity", changed_capacity
    yield "inputs of a changed array", changed_inputs
    yield "made twice", made_twice
    yield "without its members", lambda: (lambda s: (s.__dict__.clear(), s.step()))(sim())
    yield "made without __init__", lambda: abut.Simulation.__new__(abut.Simulation).step()
    for kind in (abut.Simulation, abut.Batch, abut.Model, abut.Collision, abut.Rollout, abut.Gradient, abut.Mesh):
        yield f"{kind.__name__} without arguments", kind  # type: ignore[misc]


def changed_capacity() -> Any:
    owner = sim(log=5)
    owner.info.raw.log.capacity = 0
    owner.steps(60)
    return owner.log


def changed_inputs() -> Any:
    owner = sim()
    inputs = owner.inputs
    owner._inputs = np.zeros((1, 1))
    del inputs
    return stepped(owner)


def made_twice() -> Any:
    owner = sim()
    motion = owner.motion
    owner.__init__(SCENES / "stack_4.json")
    owner.steps(3)
    return motion, owner.states


def crossed(values: list[Any], places: dict[str, Place]) -> Iterator[tuple[str, Call]]:
    for name, place in places.items():
        for i, value in enumerate(values):
            yield f"{name} of value {i}", lambda p=place, v=value: p(v)  # type: ignore[misc]


def crossed_arrays() -> Iterator[tuple[str, Call]]:
    for name, (good, place) in ARRAY_PLACES.items():
        yield from crossed(arrays(good), {name: place})


GROUPS: dict[str, Callable[[], Iterator[tuple[str, Call]]]] = {
    "integers": lambda: crossed(INTEGERS, INTEGER_PLACES),
    "numbers": lambda: crossed(NUMBERS, NUMBER_PLACES),
    "arrays": crossed_arrays,
    "texts": lambda: crossed(TEXTS, TEXT_PLACES),
    "objects": closed_and_alive,
    "odd": odd,
}


def numbers_of(result: Any) -> Iterator[np.typing.NDArray[np.float64]]:
    """The numbers in a result."""
    if isinstance(result, (float, np.ndarray)) and np.asarray(result).dtype.kind == "f":
        yield np.asarray(result)
    elif isinstance(result, (tuple, list)):
        for part in result:
            yield from numbers_of(part)


def child(group: str) -> None:
    """Makes the calls of a group; prints their number at the end."""
    if not os.environ.get("PYTHON_SANITIZE"):  # a sanitizer reserves terabytes
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    warnings.simplefilter("ignore")
    os.chdir(tempfile.mkdtemp(dir=os.environ["HOSTILE_FOLDER"]))
    expected, n = sim().steps(70, record=True), 0
    for name, call in GROUPS[group]():
        print(name, flush=True)
        try:
            result = call()
        except Exception:  # any exception will do; only a crash, a hang or a wrong number is a failure
            result = None
        n += 1
        for numbers in numbers_of(result):
            if not np.isfinite(numbers).all():
                sys.exit(f"{name}: returned {numbers}")
        if n % 10 == 0 and not np.array_equal(sim().steps(70, record=True), expected):
            sys.exit(f"{name}: another simulation has changed")
    print(f"made {n} calls")


if __name__ == "__main__":
    child(sys.argv[1])
