"""Hostile calls: wrong types and sizes, threads, forks, signals, closed objects. None may end the process, hang, or return
a number that is not finite as if it were a result.

Calls run in child processes, so that a crash is seen: `python3 test_hostile.py GROUP` is such a child. It prints the name
of each call before it makes it. Freed memory is overwritten (MALLOC_PERTURB_), and a small simulation is compared with
its result at the start.
"""

import contextlib
import os
import resource
import subprocess
import sys
import tempfile
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Iterator

import numpy as np
from support import FLOOR, MESHES, SCENES, abut, one_body, shapes, unittest

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
        except Exception:  # whatever it is, Python tells it
            result = None
        n += 1
        for numbers in numbers_of(result):
            if not np.isfinite(numbers).all():
                sys.exit(f"{name}: returned {numbers}")
        if n % 10 == 0 and not np.array_equal(sim().steps(70, record=True), expected):
            sys.exit(f"{name}: another simulation has changed")
    print(f"made {n} calls")


PROCESS = f"""if True:
    import copy, faulthandler, gc, os, pickle, signal, sys, threading, time, traceback, warnings
    import numpy as np
    import abut
    warnings.simplefilter("ignore")
    PILE, CUBE = {str(SCENES / "pile_10.json")!r}, {CUBE!r}
    def quiet(work):
        try:
            work()
        except (abut.Error, TypeError, AttributeError):
            pass
    def together(*works):
        threads = [threading.Thread(target=quiet, args=(work,)) for work in works]
        [thread.start() for thread in threads]
        return threads
    def forked(work):
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            quiet(work)
            os._exit(0)
        sys.exit(os.waitpid(child, 0)[1] != 0)
    def interrupt(after=0.1):
        threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT)).start()
    def stopped(work):
        try:
            work()
        except KeyboardInterrupt:
            return
        sys.exit("the interrupt was lost")
    class Alarm(Exception):
        pass
    def alarm(*_):
        raise Alarm
    def stopped_inside(work):
        "Checks that the handler of a signal ran when the library asked, and that its exception arrived."
        signal.signal(signal.SIGALRM, alarm)
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        try:
            work()
        except Alarm as problem:
            assert "answers" in [frame.name for frame in traceback.extract_tb(problem.__traceback__)]
            return
        sys.exit("the alarm was lost")
    """

# Each in a process of its own.
PROCESSES = {
    "one simulation, four threads": """
    sim = abut.Simulation(PILE)
    def work():
        for _ in range(40):
            quiet(sim.step), quiet(lambda: sim.contacts), quiet(sim.snapshot), quiet(lambda: sim.states)
    [thread.join() for thread in together(*4 * [work])]
    assert np.isfinite(sim.states).all()
    """,
    "one batch, three threads": """
    batch = abut.Batch(PILE, 4, 2)
    def work():
        for _ in range(10):
            quiet(batch.step), quiet(lambda: batch.states), quiet(lambda: setattr(batch, "states", batch.states))
    [thread.join() for thread in together(*3 * [work])]
    assert np.isfinite(batch.states).all()
    """,
    "one gradient and rollout, three threads": """
    model = abut.Model(CUBE)
    sim, gradient, rollout = abut.Simulation(model), abut.Gradient(model, 1e-4), abut.Rollout(model, 2000)
    def work():
        for _ in range(60):
            quiet(lambda: gradient.step(sim)), quiet(lambda: gradient.matrix(True)), quiet(lambda: rollout.step(sim))
            quiet(lambda: rollout.backward(np.ones((len(rollout) + 1, 1, 12)))), quiet(rollout.begin)
    [thread.join() for thread in together(*3 * [work])]
    """,
    "one collision, three threads": """
    query = abut.Collision(abut.shapes.cone(1, 1), abut.shapes.cylinder(1, 1))
    poses = np.tile([0, 0, 0, 1.0, 0, 0, 0], (500, 1))
    def work():
        for _ in range(10):
            quiet(lambda: query.solve_all(poses, poses + [3, 0, 0, 0, 0, 0, 0], 1e-6)), quiet(query.gradient), query.forget
    [thread.join() for thread in together(*3 * [work])]
    """,
    "closed while it steps": """
    for make, work in ((lambda: abut.Simulation(PILE), lambda o: o.steps(300)), (lambda: abut.Batch(PILE, 8, 2), lambda o: o.step(40))):
        owner = make()
        thread = together(lambda: work(owner))[0]
        time.sleep(0.02)
        owner.close(), owner.model.close(), gc.collect()
        junk = [bytearray(3000) for _ in range(2000)]
        thread.join()
    """,
    "closed while it differentiates": """
    model = abut.Model(PILE)
    sim, gradient = abut.Simulation(model), abut.Gradient(model, 1e-4)
    thread = together(lambda: [gradient.step(sim) for _ in range(200)])[0]
    time.sleep(0.02)
    gradient.close(), sim.close(), model.close(), gc.collect()
    thread.join()
    """,
    "closed while it decomposes": f"""
    mesh = abut.Mesh.load({str(MESHES / "bracket.stl")!r})
    thread = together(mesh.decompose)[0]
    time.sleep(0.02)
    mesh.close(), gc.collect()
    junk = [bytearray(100000) for _ in range(100)]
    thread.join()
    """,
    "deleted in a callback": f"""
    mesh = abut.Mesh.load({str(MESHES / "bracket.stl")!r})
    def progress(*_):
        mesh.close(), gc.collect()
        return True
    quiet(lambda: mesh.decompose(progress=progress))
    """,
    "exit while daemons step": """
    sims = [abut.Simulation(PILE), abut.Batch(PILE, 16, 2)]
    for work in (lambda: sims[0].steps(10**6), lambda: sims[1].step(10**6), lambda: [abut.Simulation(CUBE).step() for _ in range(10**6)]):
        threading.Thread(target=work, daemon=True).start()
    time.sleep(0.1)
    """,
    "exit while daemons read meshes": f"""
    for _ in range(2):
        threading.Thread(target=lambda: [abut.Mesh.load({str(MESHES / "bracket.stl")!r}).decompose() for _ in range(99)], daemon=True).start()
    time.sleep(0.1)
    """,
    "os._exit while a thread steps": """
    together(lambda: abut.Batch(PILE, 16, 2).step(10**6))
    time.sleep(0.05)
    os._exit(0)
    """,
    "fork after threads": """
    sim, batch = abut.Simulation(PILE, threads=2), abut.Batch(CUBE, 8, 2)
    sim.steps(2), batch.step(2)
    forked(lambda: (sim.steps(2), batch.step(2), sim.close(), batch.close(), gc.collect()))
    """,
    "fork while a thread steps": """
    sim = abut.Simulation(PILE)
    together(lambda: sim.steps(3000))
    time.sleep(0.05)
    forked(lambda: (quiet(sim.step), quiet(lambda: sim.states), abut.Simulation(PILE).steps(5)))
    """,
    "fork in a thread": """
    sim = abut.Simulation(PILE)
    together(lambda: forked(lambda: (sim.steps(5), abut.Batch(CUBE, 4, 2).step(5))))[0].join()
    """,
    "multiprocessing": """
    import multiprocessing
    sim = abut.Simulation(PILE, threads=2)
    sim.steps(2)
    def work(n):
        sim.steps(n)
        return float(sim.energy)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert np.isfinite(pool.map(work, [3, 3, 3, 3])).all()
    """,
    "copies": """
    box = abut.shapes.box([1, 1, 1])
    mesh = abut.Mesh(np.vstack([np.eye(3), np.zeros(3)]), [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    for owner in (abut.Simulation(CUBE), abut.Batch(CUBE, 2, 1), abut.Model(CUBE), mesh, box, abut.Collision(box, box), abut.Scene.load(CUBE),
                  abut.Gradient(CUBE), abut.Rollout(CUBE, 2)):
        for function in (copy.copy, copy.deepcopy, pickle.dumps):
            try:
                other = function(owner)
                del other
            except TypeError:
                pass
            gc.collect()
    """,
    "interrupted steps": """
    sim = abut.Simulation(PILE, overrides={"timestep": 1e-3})
    interrupt()
    stopped(lambda: sim.steps(10**7))
    assert 0 < sim.time < 1e4 and np.isfinite(sim.states).all()
    sim.step()
    """,
    "interrupted batch": """
    batch = abut.Batch(PILE, 8, 2)
    interrupt()
    stopped(lambda: batch.step(10**7))
    batch.step()
    assert np.isfinite(batch.states).all()
    """,
    "interrupted rollout": """
    sim = abut.Simulation(PILE)
    rollout = abut.Rollout(sim.model, 2**31 - 1)
    interrupt()
    stopped(lambda: [rollout.step(sim) for _ in range(10**7)])
    """,
    "interrupted decomposition": f"""
    mesh = abut.Mesh.load({str(MESHES / "mug.obj")!r})
    for progress in (None, lambda *_: True):
        interrupt()
        stopped(lambda: mesh.decompose(concavity=1e-3, progress=progress))
        for _ in range(5):
            stopped_inside(lambda: mesh.decompose(concavity=1e-3, progress=progress))
    """,
    "interrupted derivatives of a rollout": """
    sim = abut.Simulation(PILE)
    rollout = abut.Rollout(sim.model, 6000, kappa=1e-6, segment=100)
    for _ in range(6000):
        rollout.step(sim)
    costs = np.ones((6001, rollout.n, 12))
    stopped_inside(lambda: rollout.backward(costs))
    stopped_inside(lambda: rollout.forward(costs[0]))
    """,
    "interrupted step of a simulation from another thread": """
    ball = {"mass": 1, "shape": {"type": "sphere", "radius": 1}}
    bodies = [dict(ball, name=f"b{i}", position=[1e-3 * i, 0, 1]) for i in range(30)]
    warnings.simplefilter("ignore")
    model, made = abut.Model({"abut": 1, "bodies": bodies}), []
    together(lambda: made.append(abut.Simulation(model)))[0].join()
    stopped_inside(made[0].step)
    assert made[0].time == 0
    """,
    "handler that steps the same simulation": """
    sim = abut.Simulation(PILE, overrides={"timestep": 1e-3})
    def handler(*_):
        quiet(sim.step), quiet(lambda: sim.contacts), sim.close()
        raise KeyError("from the handler")
    signal.signal(signal.SIGINT, handler)
    interrupt()
    try:
        sim.steps(10**7)
    except KeyError:
        sys.exit(0)
    sys.exit("the exception was lost")
    """,
    "handler that raises nothing": """
    sim, seen = abut.Simulation(PILE, overrides={"timestep": 1e-3}), []
    signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    interrupt()
    sim.steps(4000)
    assert abs(sim.time - 4) < 1e-9
    """,
    "interrupted again and again": """
    sim = abut.Simulation(PILE, overrides={"timestep": 1e-3})
    armed, raised = [], []
    def handler(*_):
        if armed:
            armed.clear(), raised.append(1)
            raise ValueError
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.0007)
    end = time.time() + 1
    while time.time() < end:
        try:
            armed.append(1)
            for _ in range(20):
                sim.step(), sim.states, sim.contacts, sim.energy
            armed.clear()
        except ValueError:
            pass
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert len(raised) > 100, len(raised)
    assert np.isfinite(sim.motion).all()
    """,
    "structs of what is gone": """
    raw, definition = abut.shapes.box([1, 2, 3]).raw, abut.Scene.load(CUBE).definition
    vertices, pointer = abut.shapes.box([1, 2, 3]).parts[0].raw, abut.Model(CUBE).pointer
    gc.collect()
    junk = [bytearray(n) for n in range(1, 3000)]
    assert list(raw.size) == [1, 2, 3] and list(vertices.size) == [1, 2, 3]
    assert definition.timestep == 0.01 and definition.name == b"cube drop"
    with abut.Scene.load(CUBE) as scene:
        model = abut.Model(scene)
    gradient, rollout = abut.Gradient(model), abut.Rollout(model, 2)
    assert gradient.kappa == 0 and rollout.kappa == 0
    """,
    "closed while it is read": """
    for _ in range(20):
        sim, batch, scene = abut.Simulation(PILE), abut.Batch(CUBE, 3, 1), abut.Scene.load(PILE)
        sim.inputs, batch.inputs
        def work(sim=sim, batch=batch, scene=scene):
            for _ in range(50):
                quiet(sim.step), quiet(lambda: sim.contacts), quiet(sim.snapshot), quiet(lambda: sim.steps(2)), quiet(lambda: sim.motion)
                quiet(batch.step), quiet(lambda: batch.states), quiet(lambda: batch.time(1)), quiet(lambda: scene.bodies), quiet(lambda: scene.warnings)
        thread = together(work)[0]
        time.sleep(0.001)
        sim.close(), batch.close(), scene.close(), gc.collect()
        junk = [bytearray(3000) for _ in range(200)]
        thread.join()
    """,
    "views of what is gone": """
    sim = abut.Simulation(CUBE)
    motion, log = sim.motion, sim.log
    sim.close()
    del sim
    gc.collect()
    junk = [np.full(26, 7e300) for _ in range(1000)]
    assert np.abs(motion).max() < 10
    """,
    "cycles": """
    for _ in range(30):
        sim = abut.Simulation(CUBE)
        sim.me, sim.model.me, sim.model.scene.me = sim, sim, sim
        gradient = abut.Gradient(sim.model)
        gradient.other, sim.other = sim, gradient
        del sim, gradient
    gc.collect()
    """,
    "recursion to the limit": """
    def deep(n):
        try:
            abut.Simulation(CUBE).step()
            return deep(n + 1)
        except Exception:
            return n
    deep(0)
    """,
}


class TestHostile(unittest.TestCase):
    def run_apart(self, *arguments: str) -> str:
        path = os.pathsep.join(path for path in sys.path if path)
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, "-X", "faulthandler", *arguments],
                env={**os.environ, "PYTHONPATH": path, "HOSTILE_FOLDER": folder, "MALLOC_PERTURB_": "85"},
                stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=120,
            )  # fmt: skip
        last = done.stdout.strip().splitlines()[-1:]
        self.assertEqual(done.returncode, 0, f"{arguments[-1][-200:]}: last call {last}: {done.stderr[-2000:]}")
        return done.stdout

    def in_parallel(self, calls: dict[str, tuple[str, ...]]) -> dict[str, str]:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = {name: pool.submit(self.run_apart, *arguments) for name, arguments in calls.items()}
        out = {}
        for name, job in jobs.items():
            with self.subTest(name):
                out[name] = job.result()
        return out

    def test_values(self) -> None:
        printed = self.in_parallel({group: (__file__, group) for group in GROUPS})
        made = sum(int(text.split()[-2]) for text in printed.values())
        self.assertGreater(made, 2000)

    def test_processes(self) -> None:
        self.in_parallel({name: ("-c", PROCESS + code) for name, code in PROCESSES.items()})


if __name__ == "__main__":
    child(sys.argv[1])
