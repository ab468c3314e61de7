"""Measures vector environments of ants on one thread and on two: wall time of a step, alternately, and how the CPU time is
shared. Usage: PYTHONPATH=python python3 python/benchmarks/vector_env.py [NUM_ENVS] [SECONDS]

The ratio of wall times needs two idle cores. That of CPU times, of all threads to the one that has most, is the speed-up
that such cores would give, and also holds on a busy machine.
"""

import statistics
import sys
from time import perf_counter, process_time, thread_time

import abut.env

ACTIONS = 20


def main() -> None:
    worlds = int(sys.argv[1]) if len(sys.argv) > 1 else 64
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 20.0
    envs = {threads: abut.env.make_vec("ant", worlds, threads) for threads in (1, 2)}
    envs[1].action_space.seed(1)
    actions = [envs[1].action_space.sample() for _ in range(ACTIONS)]
    wall: "dict[int, list[float]]" = {1: [], 2: []}
    shares = []
    end = perf_counter() + seconds
    while perf_counter() < end:
        for threads, env in envs.items():
            env.reset(seed=1)
            start, all_cpu, own_cpu = perf_counter(), process_time(), thread_time()
            for action in actions:
                env.step(action)
            wall[threads].append((perf_counter() - start) / ACTIONS)
            total, own = process_time() - all_cpu, thread_time() - own_cpu
            if threads == 2:
                shares.append(total / max(own, total - own))
    for threads, times in wall.items():
        print(f"{threads} threads: {1e3 * statistics.median(times):.2f} ms a step of {worlds} ants, least {1e3 * min(times):.2f}")
    print(f"speed-up of wall times {statistics.median(wall[1]) / statistics.median(wall[2]):.2f}, of CPU times {statistics.median(shares):.2f}")


if __name__ == "__main__":
    main()
