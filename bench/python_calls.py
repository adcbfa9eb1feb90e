"""The suite `python`: what a call costs from Python.

`step`: world.integrate() of three scenes, beside the same steps in C++ (bench_python), whose
difference is `overhead`. `q`, `u`, `contacts`, ...: reads of a strider that stands.
Programs take turns; every figure is the least over the rounds, of blocks of about a millisecond.
"""

import json
import os
import pathlib
import subprocess
import sys
import timeit

MODELS = pathlib.Path(__file__).resolve().parent.parent / "models"
READS = ("robot.q", "robot.u", "world.contact_points", "world.contact_forces", "world.contacts",
         "robot.contacts()", "robot.mass_matrix", "world.report")


def _scenes(espalier):
    def robot_in(world, name):
        return world.add_articulated_system(MODELS / name / f"{name}.urdf")

    empty, pendulum, strider = espalier.World(), espalier.World(), espalier.World()
    robot_in(pendulum, "double_pendulum")
    strider.add_ground()
    robot = robot_in(strider, "strider")
    robot.base_position = [0, 0, -robot.lowest_collision_point]
    robot.set_pd_gains(80, 3)
    robot.set_pd_target(robot.q)
    return {"empty": empty, "double_pendulum": pendulum, "strider": strider}, robot


def _time(statement, names, seconds):
    """ns of a statement."""
    timer = timeit.Timer(statement, globals=names)
    block = max(10, int(1e-3 / (timer.timeit(200) / 200)))
    rounds = max(3, int(seconds / (timer.timeit(block) + 1e-9)))
    return min(timer.repeat(rounds, block)) / block * 1e9


def measure(seconds):
    """{"step": {scene: ns}, "read": {expression: ns}}, in this process."""
    import espalier
    worlds, robot = _scenes(espalier)
    steps = {}
    for name, world in worlds.items():
        world.step(500)
        steps[name] = _time("world.integrate()", {"world": world}, seconds)
    names = {"world": worlds["strider"], "robot": robot}
    contacts = len(worlds["strider"].contacts)
    return {"step": steps, "contacts": contacts,
            "read": {read: _time(read, names, seconds / 3) for read in READS}}


def _least(rounds):
    return {key: min(one[key] for one in rounds) for key in rounds[0]}


def run(options, row):
    package = options.build / "python"
    if not (package / "espalier").is_dir():
        print(f"without the Python package: it is not in {package}", file=sys.stderr)
        return []
    seconds = "0.05" if options.quick else "0.5"
    environment = {**os.environ, "PYTHONPATH": str(package), "ESPALIER_CACHE": "off"}
    pinned = ["taskset", "-c", str(options.core)] if options.core is not None else []
    commands = ([options.build / "bin/bench_python", MODELS, seconds],
                [sys.executable, __file__, seconds])
    native, python = [], []
    print("python ...", file=sys.stderr)
    for _ in range(1 if options.quick else options.rounds or 5):
        for command, into in zip(commands, (native, python), strict=True):
            done = subprocess.run([*pinned, *command], env=environment, capture_output=True,
                                  text=True, check=True)
            into.append(json.loads(done.stdout))
    steps, in_cpp = _least([one["step"] for one in python]), _least(native)
    rows = []
    for case, ns in steps.items():
        rows.append(row("python", case, "step", "double", ns, "ns", "C++", in_cpp[case]))
        rows.append(row("python", case, "overhead", "double", ns - in_cpp[case], "ns"))
    case = f"strider, {python[0]['contacts']} contacts"
    rows += [row("python", case, read, "double", ns, "ns")
             for read, ns in _least([one["read"] for one in python]).items()]
    return rows


if __name__ == "__main__":
    print(json.dumps(measure(float(sys.argv[1]))))
