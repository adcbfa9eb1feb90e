"""The suite `batch`: thousands of worlds of one robot, Espalier's Batch beside MuJoCo's and MotrixSim.

Every engine steps the same robot with the same servos, from the same poses, in a process of its own
with one thread. Figures are steps of worlds a second, of process CPU time. Beside a speed stand, of
the call after which the clock starts, how far the contacts miss their law, how many worlds are
flagged, and how far the base is from its height in accurate mode.

Four steps a call; the targets of trots follow a sine, written before each call, and count. Robots that
are to stand tell how fast their bases drift over the ground, as they sway and as their feet creep.
"""

import importlib.util
import json
import math
import os
import pathlib
import subprocess
import sys
import time

import batch_cases
import google

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
STEPS_A_CALL, SETTLING, DRIFTING, ROUNDS = 4, 50, 50, 3
MODES = (("accurate", "double"), ("throughput", "double"), ("throughput", "float"))


def drift(begin, end, seconds):
    """m/s, the median of the bases' speeds over the ground between two arrays of their places, [n, 2] m."""
    import numpy as np
    return float(np.median(np.linalg.norm(end - begin, axis=1)) / seconds)


def measure(engine, case, worlds, seconds, first, second):
    """steps/s and the state at the end, in this process."""
    import batch_engines
    made = batch_engines.ENGINES[engine](case, worlds, first, second)
    clock, swings = 0.0, [s for s in case["servos"] if s["swing"]] if case["swings"] else []

    def call():
        nonlocal clock
        for servo in swings:
            phase = 2 * math.pi * case["frequency"] * clock + servo["phase"]
            made.aim(servo["joint"], servo["rest"] + servo["swing"] * max(0.0, math.sin(phase)))
        made.step(STEPS_A_CALL)
        clock += STEPS_A_CALL * case["dt"]

    for _ in range(SETTLING):
        call()
    settled = made.state()
    if case["servos"] and not swings and not any(servo.get("speed") for servo in case["servos"]):
        begin = made.places()
        for _ in range(DRIFTING):
            call()
        settled["drift"] = drift(begin, made.places(), DRIFTING * STEPS_A_CALL * case["dt"])
    best = 0.0
    for _ in range(ROUNDS):
        calls, begin = 0, time.process_time()
        while time.process_time() - begin < seconds:
            call()
            calls += 1
        best = max(best, calls * STEPS_A_CALL * worlds / (time.process_time() - begin))
    return {"speed": best, **settled}


def run(options, row, folder):
    package = options.build / "python"
    if not (package / "espalier").is_dir():
        print(f"without the Python package: it is not in {package}", file=sys.stderr)
        return []
    worlds, seconds = (64, "0.1") if options.quick else (4096, "1")
    environment = {**os.environ, "PYTHONPATH": str(package), "OMP_NUM_THREADS": "1"}
    pinned = ["taskset", "-c", str(options.core)] if options.core is not None else []
    rows = []
    for case in batch_cases.cases(folder, options.quick):
        if options.task and case["name"] not in options.task:
            continue
        print(f"batch: {case['name']} ...", file=sys.stderr)

        def tried(*arguments):
            done = subprocess.run([*pinned, sys.executable, __file__, json.dumps(case),
                                   str(worlds), seconds, *arguments], env=environment,
                                  capture_output=True, text=True)
            told = done.stdout.strip().splitlines()  # MotrixSim greets on stdout
            return (None if done.returncode else json.loads(told[-1])), done.stderr

        def ask(*arguments):
            answer, errors = tried(*arguments)
            if answer is None:
                raise SystemExit(f"batch: {case['name']} {arguments}: {errors}")
            return answer

        peers = {}
        if "mujoco" in case["files"]:
            peers = {f"MuJoCo {settings}": ask("mujoco", settings, "-") for settings in ("own", "guide")}
            if importlib.util.find_spec("motrixsim"):
                found, errors = tried("motrixsim", "-", "-")
                if found:
                    peers["MotrixSim"] = found
                else:  # it does not take every model
                    print(f"batch: {case['name']} without MotrixSim: {errors.strip().splitlines()[-1]}",
                          file=sys.stderr)
        own = {}
        for mode, scalar in MODES:
            own[mode, scalar] = found = ask("espalier", mode, scalar)
            for peer, theirs in peers.items() or [("MuJoCo", {"speed": None})]:
                rows.append(row("batch", case["name"], mode, scalar, found["speed"], "steps/s",
                                peer, theirs["speed"]))
            for key in ("residual", "residual_99", "drift"):
                if key in found:
                    rows.append(row("batch", case["name"], f"{mode} {key}", scalar, found[key], "m/s"))
            rows.append(row("batch", case["name"], f"{mode} flagged", scalar, found["flagged"], ""))
            away = found["height"] - own["accurate", "double"]["height"]
            rows.append(row("batch", case["name"], f"{mode} height off", scalar, 1e3 * away, "mm"))
        for peer, theirs in peers.items():
            away = theirs["height"] - own["accurate", "double"]["height"]
            rows.append(row("batch", case["name"], f"{peer} height off", "", 1e3 * away, "mm"))
            if "drift" in theirs:
                rows.append(row("batch", case["name"], f"{peer} drift", "", theirs["drift"], "m/s"))
        if case.get("forward"):
            rows += _beside_forward_dynamics(case, own, options, row, folder)
    return rows


def _beside_forward_dynamics(case, own, options, row, folder):
    """Rows of a whole step beside one call of its forward dynamics in lanes, ns for a world."""
    file = folder / f"{case['name']}.json"
    file.write_text(json.dumps([{key: value for key, value in case.items() if key != "files"}]))
    program = [options.build / "bin/bench_contact", file]
    found = google.run_once([*program, "--benchmark_filter=forward/lanes"], options.core, 3, 0.1)
    rows = []
    for name, (ns, counters) in found.items():
        scalar = name.rpartition("_")[2]
        step = 1e9 / own["throughput", scalar]["speed"]
        rows.append(row("batch", case["name"], "throughput step", scalar, step, "ns",
                        "its forward dynamics", ns / counters["worlds"]))
    return rows


if __name__ == "__main__":
    told, count, duration, which, *settings_of_engine = sys.argv[1:]
    print(json.dumps(measure(which, json.loads(told), int(count), float(duration),
                             *settings_of_engine)))
