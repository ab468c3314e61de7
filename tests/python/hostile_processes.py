"""Programs with threads, forks, signals and closed objects. test_hostile.py runs each in a process of its own."""

from support import MESHES, SCENES

CUBE = str(SCENES / "cube_drop.json")

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
        sim._me, sim.model._me, sim.model.scene._me = sim, sim, sim
        gradient = abut.Gradient(sim.model)
        gradient._other, sim._other = sim, gradient
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
