"""The suite `batch`: thousands of worlds of one robot, Espalier's Batch beside MuJoCo's and MotrixSim.

Every engine steps the same robot with the same servos, from the same poses, in a process of its own
with one thread. Figures are steps of worlds a second, of process CPU time. Beside a speed stand, of
the call after which the clock starts, how far the contacts miss their law, how many worlds are
flagged, and how far the base is from its height in accurate mode.

Four steps a call; the targets of trots follow a sine, written before each call, and count. Robots of
MuJoCo's menagerie are held in their keyframe by servos of these gains, beside what their files say;
MuJoCo's humanoid falls limp, and so does Cassie, whose scene is taken as it is.
"""

import importlib.util
import json
import math
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
STEPS_A_CALL, SETTLING, ROUNDS = 4, 50, 3
MODES = (("accurate", "double"), ("throughput", "double"), ("throughput", "float"))


# {name: (file, kp, kd)}; without gains the robot is limp
SHIPPED = {"go2": ("menagerie/unitree_go2/go2.xml", 60.0, 2.0),
           "t1": ("menagerie/booster_t1/t1.xml", 75.0, 3.0),
           "humanoid_fall": ("mjcf/humanoid.xml", 0.0, 0.0),
           "cassie_fall": ("menagerie/agility_cassie/scene.xml", 0.0, 0.0)}
SCENES = ("cassie_fall",)  # from their keyframe, with their own ground and friction


def _files():
    """{name: (file, kp, kd)}"""
    import robots
    return {name: (robots.SHARED / "models" / file, *gains)
            for name, (file, *gains) in SHIPPED.items()}


def names(quick=False):
    """As scenes.names()."""
    import scenes
    found, absent = scenes.names(quick)
    is_ours = lambda name: "heightmap" not in name and not name.startswith("pile")
    absent = {name: file for name, file in absent.items() if is_ours(name)}
    absent |= {name: file for name, (file, *_) in _files().items() if not file.exists()}
    return [*filter(is_ours, found), *SHIPPED], absent


def _shipped():
    """Cases of others' robots that are here and MuJoCo can say how they stand."""
    try:
        import mujoco
    except ImportError:
        return
    for name, (file, kp, kd) in _files().items():
        if not file.exists():
            continue
        model = mujoco.MjModel.from_xml_path(str(file))
        q = model.key_qpos[0] if model.nkey else model.qpos0
        hinges = [model.joint(i) for i in range(model.njnt)
                  if model.jnt_type[i] == mujoco.mjtJoint.mjJNT_HINGE]
        angles = {joint.name: float(q[joint.qposadr[0]]) for joint in hinges}
        held = angles if kp > 0 else {}
        if name in SCENES:  # loops and the keyframe say where the joints are
            angles = {}
        yield {"name": name, "isScene": name in SCENES, "dt": 0.002, "scheme": "MIDPOINT",
               "friction": 0.8, "kp": kp, "kd": kd,
               "height": float(q[2]), "swings": False,
               "angles": [{"joint": joint, "value": x} for joint, x in angles.items()],
               "servos": [{"joint": joint, "rest": x, "swing": 0.0} for joint, x in held.items()],
               "files": {"espalier": str(file), "mujoco": str(file)}}


def cases(folder, quick=False):
    """[case]: what an engine is told, with {engine: robot file}."""
    import scenes
    ours = names(quick)[0]
    written = [{**made["espalier"], "files": {engine: own["robot"] for engine, own in made.items()}}
               for made in scenes.robot_cases(folder, quick) if made["espalier"]["name"] in ours]
    return [*written, *_shipped()]


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
    for case in cases(folder, options.quick):
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
            for key in ("residual", "residual_99"):
                rows.append(row("batch", case["name"], f"{mode} {key}", scalar, found[key], "m/s"))
            rows.append(row("batch", case["name"], f"{mode} flagged", scalar, found["flagged"], ""))
            away = found["height"] - own["accurate", "double"]["height"]
            rows.append(row("batch", case["name"], f"{mode} height off", scalar, 1e3 * away, "mm"))
        for peer, theirs in peers.items():
            away = theirs["height"] - own["accurate", "double"]["height"]
            rows.append(row("batch", case["name"], f"{peer} height off", "", 1e3 * away, "mm"))
    return rows


if __name__ == "__main__":
    told, count, duration, which, *settings_of_engine = sys.argv[1:]
    print(json.dumps(measure(which, json.loads(told), int(count), float(duration),
                             *settings_of_engine)))
