"""The suite `batch`: thousands of worlds of one robot, Espalier's Batch beside MuJoCo's.

Every engine steps the same robot with the same servos, from the same poses, in a process of its own
with one thread. Figures are steps of worlds a second, of process CPU time. Beside a speed stand, of
the call after which the clock starts, how far the contacts miss their law, how many worlds are
flagged, and how far the base is from its height in accurate mode.

Four steps a call; the targets of trots follow a sine, written before each call, and count. Robots of
MuJoCo's menagerie are held in their keyframe by servos of these gains, beside what their files say;
MuJoCo's humanoid falls limp, and so does Cassie, whose scene is taken as it is.
"""

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
ENGINES = (("accurate", "double"), ("throughput", "double"), ("throughput", "float"))


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


class Espalier:
    def __init__(self, case, worlds, mode, scalar):
        import espalier
        if case.get("isScene"):
            world = espalier.World(case["files"]["espalier"])
        else:
            world = espalier.World()
            world.set_default_material(case["friction"], 0, 0.01)
            world.add_ground()
            world.add_articulated_system(case["files"]["espalier"])
        world.time_step = case["dt"]
        world.integration_scheme = espalier.Scheme[case["scheme"]]
        [robot] = [made for made in world.objects if isinstance(made, espalier.ArticulatedSystem)]
        q = robot.q.copy()
        q[2] = case["height"]
        angles = {a["joint"]: a["value"] for a in case["angles"]}
        self.places = {name: robot.generalized_coordinate_index(name) for name in angles}
        for name, place in self.places.items():
            q[place] = angles[name]
        robot.set_state(q, robot.u * 0)
        self.batch = espalier.Batch(world, worlds, mode=mode, scalar=scalar, threads=1)
        self.batch.bind("kp")[:, 6:] = case["kp"] if case["servos"] else 0
        self.batch.bind("kd")[:, 6:] = case["kd"] if case["servos"] else 0
        self.target = self.batch.bind("target_q")
        self.target[:] = self.batch.bind("q")

    def aim(self, joint, angle):
        self.target[:, self.places[joint]] = angle

    def step(self, count):
        self.batch.step(nstep=count)

    def state(self):
        import numpy as np
        residual = self.batch.residual
        return {"height": float(np.median(self.batch.bind("q")[:, 2])),
                "residual": float(np.median(residual)),
                "residual_99": float(np.quantile(residual, 0.99)),
                "flagged": float(np.mean(self.batch.flags != 0))}


class Mujoco:
    def __init__(self, case, worlds, settings, _):
        import mujoco
        import mujoco.batch
        spec = mujoco.MjSpec.from_file(case["files"]["mujoco"])
        spec.option.timestep = case["dt"]
        if settings == "guide":
            spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
            spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
            spec.option.impratio = 10
        if not any(geom.type == mujoco.mjtGeom.mjGEOM_PLANE for geom in spec.geoms):
            spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1])
        if not case.get("isScene"):
            for geom in spec.geoms:
                geom.friction[0] = case["friction"]
        self.controls = {}
        for servo in case["servos"]:
            spec.joint(servo["joint"]).damping[0] += case["kd"]
            made = spec.add_actuator(name=f"hold {servo['joint']}", target=servo["joint"],
                                     trntype=mujoco.mjtTrn.mjTRN_JOINT,
                                     biastype=mujoco.mjtBias.mjBIAS_AFFINE)
            made.gainprm[0], made.biasprm[1] = case["kp"], -case["kp"]
            self.controls[servo["joint"]] = made
        model = spec.compile()
        self.controls = {joint: made.id for joint, made in self.controls.items()}
        self.batch = mujoco.batch.Batch(model, worlds, nthread=1)
        if model.nkey:
            self.batch.reset(keyframe=0)
        q = self.batch.bind("qpos")
        q[:, 2] = case["height"]
        for angle in case["angles"]:
            q[:, model.joint(angle["joint"]).qposadr[0]] = angle["value"]
        self.q = q
        if self.controls:
            self.control = self.batch.bind("ctrl")
        for servo in case["servos"]:
            self.aim(servo["joint"], servo["rest"])

    def aim(self, joint, angle):
        self.control[:, self.controls[joint]] = angle

    def step(self, count):
        self.batch.step(nstep=count)

    def state(self):
        import numpy as np
        return {"height": float(np.median(self.q[:, 2]))}


def measure(engine, case, worlds, seconds, first, second):
    """steps/s and the state at the end, in this process."""
    made = (Espalier if engine == "espalier" else Mujoco)(case, worlds, first, second)
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

        def ask(*arguments):
            done = subprocess.run([*pinned, sys.executable, __file__, json.dumps(case),
                                   str(worlds), seconds, *arguments], env=environment,
                                  capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(f"batch: {case['name']} {arguments}: {done.stderr}")
            return json.loads(done.stdout)

        peers = {}
        if "mujoco" in case["files"]:
            peers = {settings: ask("mujoco", settings, "-") for settings in ("own", "guide")}
        own = {}
        for mode, scalar in ENGINES:
            own[mode, scalar] = found = ask("espalier", mode, scalar)
            for settings, peer in peers.items() or [("", {"speed": None})]:
                rows.append(row("batch", case["name"], mode, scalar, found["speed"], "steps/s",
                                f"MuJoCo {settings}".strip(), peer["speed"]))
            for key in ("residual", "residual_99"):
                rows.append(row("batch", case["name"], f"{mode} {key}", scalar, found[key], "m/s"))
            rows.append(row("batch", case["name"], f"{mode} flagged", scalar, found["flagged"], ""))
            away = found["height"] - own["accurate", "double"]["height"]
            rows.append(row("batch", case["name"], f"{mode} height off", scalar, 1e3 * away, "mm"))
    return rows


if __name__ == "__main__":
    told, count, duration, which, *settings_of_engine = sys.argv[1:]
    print(json.dumps(measure(which, json.loads(told), int(count), float(duration),
                             *settings_of_engine)))
