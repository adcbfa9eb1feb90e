"""The suite `batch_scaling`: what a world and step of a batch cost by the number of worlds and threads.

A strider stands on its feet, held by servos, in throughput mode; four steps a call. Times are wall-clock
time over worlds and steps, the least of several rounds; `own masses` is the cost in per cent of giving every
world inertias of its own. Each size runs in a process of its own.

    bench/run.py batch_scaling --plot FILE.png      draws the times as well
"""

import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
MODEL = HERE.parent / "models/strider"
WORLDS, FEW_WORLDS = (1, 4, 16, 64, 256, 1024, 4096, 16384), (1, 64)
STEPS_A_CALL, SETTLING, ROUNDS = 4, 30, 5
TIME_STEP, KP, KD = 0.002, 100.0, 2.0  # s, N m/rad, N m s/rad


def _batch(worlds, scalar, threads, has_own_masses):
    import espalier
    world = espalier.World()
    world.time_step = TIME_STEP
    world.add_ground()
    world.add_articulated_system(MODEL / "strider.urdf").q = json.loads(
        (MODEL / "nominal.json").read_text())["q"]
    batch = espalier.Batch(world, worlds, mode="throughput", scalar=scalar, threads=threads)
    batch.bind("kp")[:, 6:], batch.bind("kd")[:, 6:] = KP, KD
    batch.bind("target_q")[:] = batch.bind("q")
    if has_own_masses:
        for w in range(worlds):
            batch.bind("mass")[w, 0] = 1 + 0.01 * (w % 7)
    return batch


def measure(worlds, scalar, threads, has_own_masses, seconds):
    """ns of wall-clock time for a world and step."""
    batch = _batch(worlds, scalar, threads, has_own_masses)
    for _ in range(SETTLING):
        batch.step(nstep=STEPS_A_CALL)
    best = float("inf")
    for _ in range(ROUNDS):
        calls, begin = 0, time.perf_counter()
        while time.perf_counter() - begin < seconds:
            batch.step(nstep=STEPS_A_CALL)
            calls += 1
        best = min(best, (time.perf_counter() - begin) / (calls * STEPS_A_CALL * worlds))
    return 1e9 * best


def run(options, row, _):
    package = options.build / "python"
    if not (package / "espalier").is_dir():
        print(f"without the Python package: it is not in {package}", file=sys.stderr)
        return []
    environment = {**os.environ, "PYTHONPATH": str(package)}
    seconds = 0.05 if options.quick else 0.3

    def ask(*arguments):
        done = subprocess.run([sys.executable, __file__, *map(str, arguments)], env=environment,
                              capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"batch_scaling: {arguments}: {done.stderr}")
        return float(done.stdout)

    rows = []
    threads = [n for n in (1, 2, 4, 8, 16) if n <= len(os.sched_getaffinity(0))]
    for worlds in FEW_WORLDS if options.quick else WORLDS:
        print(f"batch_scaling: {worlds} worlds ...", file=sys.stderr)
        for scalar in ("double", "float"):
            alone = ask(worlds, scalar, 1, 0, seconds)
            rows.append(row("batch_scaling", f"{worlds} worlds", "1 thread", scalar, alone, "ns"))
            for n in threads[1:]:
                shared = ask(worlds, scalar, n, 0, seconds)
                rows.append(row("batch_scaling", f"{worlds} worlds", f"{n} threads", scalar, shared,
                                "ns", "1 thread", alone))
            own = ask(worlds, scalar, 1, 1, seconds)
            rows.append(row("batch_scaling", f"{worlds} worlds", "own masses", scalar,
                            100 * (own / alone - 1), "%"))
    if options.plot:
        plot(rows, options.plot)
    return rows


def plot(rows, file):
    """Times over the number of worlds, a line for each scalar and number of threads."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    lines = {}
    for made in rows:
        if made["unit"] == "ns":
            line = lines.setdefault((made["scalar"], made["metric"]), ([], []))
            line[0].append(int(made["case"].split()[0]))
            line[1].append(made["value"])
    figure, axes = pyplot.subplots(figsize=(6, 3.6), dpi=110, layout="constrained")
    for (scalar, threads), (worlds, times) in lines.items():
        axes.loglog(worlds, times, "-o" if threads == "1 thread" else "--s", markersize=4,
                    color="#3a6ea5" if scalar == "double" else "#c46d3b", label=f"{scalar}, {threads}")
    axes.set_xlabel("worlds in the batch")
    axes.set_ylabel("ns for a world and step")
    axes.grid(True, which="both", linewidth=0.3)
    axes.legend(frameon=False)
    figure.savefig(file)


if __name__ == "__main__":
    count, kind, share, masses, duration = sys.argv[1:]
    print(measure(int(count), kind, int(share), masses == "1", float(duration)))
