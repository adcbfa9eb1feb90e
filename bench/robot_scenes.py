"""The scenes of the suite `robots`, for Espalier and for MuJoCo.

A scene is an MJCF file, which both read as it is, or a robot's file, which Espalier puts on the
ground as `espalier sim` does; MuJoCo is given the same robot as bench/mjcf.py makes it of what
Espalier has read. Both start alike: in the first keyframe of an MJCF file, else where its
coordinates are zero; a robot where `espalier sim` starts.

Limp: no actuator acts. Held: joints under servos of the same gains. Where an MJCF file has servos
they are it, with the controls of the keyframe; where it has motors, or nothing, the gains are those
of `espalier sim`, and MuJoCo has them as an actuator's stiffness and a joint's damping.
"""

import dataclasses
import json
import pathlib
import subprocess
import xml.etree.ElementTree as ET

import numpy as np
import robots

try:
    import mjcf
    import mujoco
    import servos
except ImportError:  # Espalier alone is measured then
    mujoco = None

DRIVES = ("limp", "held")
SCHEMES = ("midpoint", "semi_implicit")  # our default, and that of the order of MuJoCo's Euler
MENAGERIE = ("unitree_go2/scene", "unitree_go2/scene_mjx", "booster_t1/scene",
             "agility_cassie/scene", "robotiq_2f85/scene", "wonik_allegro/scene_left",
             "wonik_allegro/scene_right")
BIG = ("icub_description/robots/icub", "icub_description/robots/icub_reduced",
       "talos_data/robots/talos_reduced", "talos_data/robots/talos_full_v2")
FRICTION = 0.8  # of robots on the ground
ROBOT_TIME, SCENE_TIME = 3.0, 5.0  # s
TOLERANCE = 1e-8  # m/s
BUDGET = 10.0     # s of CPU time after which a run ends

# The initial values that MuJoCo's guide recommends for new models ("Model tuning"): implicitfast,
# elliptic cones with impratio 10, contacts and loops stiffer than by default. Solver, iterations
# and tolerance are to stay, and what a file says itself stays, too.
GUIDE_CONTACT, GUIDE_LOOP, GUIDE_IMPRATIO, GUIDE_HULL = 0.01, 0.005, 10.0, 64
DEFAULT_TIME_CONSTANT = 0.02


@dataclasses.dataclass
class Scene:
    name: str
    path: pathlib.Path
    is_mjcf: bool
    group: str  # "menagerie", "mjcf", "big", "own"

    def steps(self, dt, is_quick):
        time = SCENE_TIME if self.is_mjcf else ROBOT_TIME
        return round(time / dt / (10 if is_quick else 1))


def scenes():
    """All that are asked for, whether their files are there or not."""
    models = robots.SHARED / "models"
    found = [Scene(name.removesuffix("/scene").replace("/scene", ""),
                   models / "menagerie" / f"{name}.xml", True, "menagerie") for name in MENAGERIE]
    found += [Scene(name, models / f"mjcf/{name}.xml", True, "mjcf")
              for name in ("anymal_scene", "car", "humanoid")]
    found += [Scene(pathlib.Path(name).name, models / f"example-robot-data/robots/{name}.urdf",
                    False, "big") for name in BIG]
    found += [Scene(path.stem, path, False, "own")
              for name, path in robots.own().items()]
    return found


def names():
    """Of all scenes, and {name: file} of those that are not here."""
    return ([scene.name for scene in scenes()],
            {scene.name: scene.path for scene in scenes() if not scene.path.exists()})


def _search():
    return [str(robots.SHARED / "models")]


def _case(scene, scheme, drive, known, dt, steps):
    """Of Espalier's program."""
    case = {"file": str(scene.path), "search": _search(), "dt": dt, "steps": steps,
            "scheme": scheme, "tolerance": TOLERANCE, "budget": BUDGET, "start": known.start,
            "servos": known.servos if drive == "held" else []}
    return case if scene.is_mjcf else {**case, "friction": FRICTION}


def describe(scene, program, folder):
    """What Espalier's program says of the scene as `espalier sim` has it."""
    file = folder / "describe.json"
    case = {"file": str(scene.path), "search": _search(), "tolerance": TOLERANCE}
    file.write_text(json.dumps(case))
    done = subprocess.run([program, file, "--describe"], capture_output=True, text=True)
    if done.returncode != 0:
        raise ValueError(done.stderr.strip())
    return json.loads(done.stdout)


@dataclasses.dataclass
class Known:
    """A scene's start and servos, by name, and MuJoCo's models of it."""
    start: dict
    servos: list   # [{"joint", "kp", "kd", "target" where it is not the start}]
    models: dict   # {(settings, drive): (MjModel, qpos, ctrl)}


def take_guide(spec):
    option = spec.option
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.impratio = max(option.impratio, GUIDE_IMPRATIO)
    for made, wanted in ((spec.geoms, GUIDE_CONTACT), (spec.equalities, GUIDE_LOOP)):
        for each in made:
            if each.solref[0] == DEFAULT_TIME_CONSTANT:
                each.solref[0] = max(wanted, 2 * option.timestep)
    for mesh in spec.meshes:
        if mesh.maxhullvert < 0:
            mesh.maxhullvert = GUIDE_HULL


def _compile(make, settings, drive, extra, qpos):
    """(model, ctrl) with servos beside the file's own actuators.

    in  extra  [(servo, strength)] that the file does not have"""
    spec = make()
    if settings == "guide":
        take_guide(spec)
    if drive == "held":
        for servo, strength in extra:
            servos.hold(spec, servo, strength)
    model = spec.compile()
    if drive == "limp":
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_ACTUATION
    ctrl = np.zeros(model.nu)
    if drive == "held":
        for servo, _ in extra:
            name = f"hold {servo['joint']}"
            if mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_ACTUATOR, name) >= 0:
                at = model.joint(servo["joint"]).qposadr[0]
                ctrl[model.actuator(name).id] = servo.get("target", qpos[at])
    return model, ctrl


def _start_of(model, qpos):
    """The state by names, as Espalier's program takes it."""
    joints, bases = {}, {}
    for i in range(model.njnt):
        joint = model.joint(i)
        count = {int(mujoco.mjtJoint.mjJNT_FREE): 7,
                 int(mujoco.mjtJoint.mjJNT_BALL): 4}.get(int(joint.type[0]), 1)
        own = [float(x) for x in qpos[joint.qposadr[0]:joint.qposadr[0] + count]]
        if count == 7:
            bases[model.body(joint.bodyid[0]).name] = own
        else:
            joints[joint.name] = own
    return {"joints": joints, "bases": bases}


def _of_mjcf(scene, described):
    make = lambda: mujoco.MjSpec.from_file(str(scene.path))
    model = make().compile()
    if abs(model.opt.timestep - described["dt"]) > 1e-12:
        raise ValueError(f"MuJoCo reads another time step, {model.opt.timestep} s")
    has_key = model.nkey > 0
    qpos = np.array(model.key_qpos[0] if has_key else model.qpos0)
    ctrl = np.array(model.key_ctrl[0] if has_key else np.zeros(model.nu))
    own, motors = servos.servos_of(model, ctrl)
    own_gains = {servo["joint"]: servo for servo in described["servos"]}
    if model.nu == 0:
        motors = {model.joint(i).name: 0.0 for i in range(model.njnt)}
    # A motor beside a servo on one joint only adds to it.
    extra = [(own_gains[joint], strength) for joint, strength in motors.items()
             if joint in own_gains and joint not in own]
    models = {}
    for settings in ("own", "guide"):
        for drive in DRIVES:
            made, added = _compile(make, settings, drive, extra, qpos)
            full = np.concatenate([ctrl if drive == "held" else 0 * ctrl, added[model.nu:]])
            models[settings, drive] = made, qpos, full
    return Known(_start_of(model, qpos), [*own.values(), *(servo for servo, _ in extra)], models)


def _of_robot(scene, described, export):
    done = subprocess.run([export, scene.path, *_search()], capture_output=True, text=True)
    if done.returncode != 0:
        raise ValueError(done.stderr.strip())
    urdf = done.stdout
    strengths = {joint.get("name"): float(joint.find("limit").get("effort", "0"))
                 for joint in ET.fromstring(urdf).findall("joint")
                 if joint.find("limit") is not None}
    extra = []

    def make():
        spec = mjcf.spec(urdf, mjcf.WHOLE)
        spec.option.timestep = described["dt"]
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1])
        for geom in spec.geoms:
            geom.friction[0] = FRICTION
        for a, b in described["apart"]:
            if spec.body(a) is not None and spec.body(b) is not None:
                spec.add_exclude(bodyname1=a, bodyname2=b)
        return spec

    model = make().compile()
    qpos = np.array(model.qpos0)
    start = described["start"]
    for name, own in start["joints"].items():
        for k, value in enumerate(own):
            at = model.joint(name if k == 0 or len(own) == 4 else f"{name} {k}").qposadr[0]
            qpos[at + (k if len(own) == 4 else 0)] = value
    for _, own in start["bases"].items():
        qpos[:7] = own  # the root is the first body
    for servo in described["servos"]:
        count = len(start["joints"][servo["joint"]])
        names = [servo["joint"]] + [f"{servo['joint']} {k}" for k in range(1, count) if count < 4]
        extra += [({**servo, "joint": name}, strengths.get(servo["joint"], 0.0)) for name in names]
    models = {}
    for settings in ("own", "guide"):
        for drive in DRIVES:
            made, ctrl = _compile(make, settings, drive, extra, qpos)
            models[settings, drive] = made, qpos, ctrl
    return Known(start, described["servos"], models)


@dataclasses.dataclass
class Prepared:
    dt: float       # s
    files: dict     # {(engine, drive): case file}; engine: a scheme of ours, "MuJoCo own" or "guide"
    without: str    # why MuJoCo has no files, or none
    warnings: list  # what Espalier says of the scene's file


def prepare(scene, folder, build, is_quick=False):
    """errors  ValueError where Espalier cannot read the scene"""
    folder.mkdir(parents=True, exist_ok=True)
    described = describe(scene, build / "bin/bench_robots", folder)
    known, reason = Known(described["start"], described["servos"], {}), None
    try:
        known = (known if mujoco is None else _of_mjcf(scene, described) if scene.is_mjcf
                 else _of_robot(scene, described, build / "bin/bench_export"))
    except (ValueError, AssertionError, KeyError) as error:
        reason = str(error)
    made = Prepared(described["dt"], {}, reason, described["warnings"])

    def write(engine, drive, case):
        made.files[engine, drive] = folder / f"{engine.replace(' ', '_')}-{drive}.json"
        made.files[engine, drive].write_text(json.dumps(case))

    steps = scene.steps(described["dt"], is_quick)
    for drive in DRIVES:
        for scheme in SCHEMES:
            write(scheme, drive, _case(scene, scheme, drive, known, described["dt"], steps))
    for (settings, drive), (model, qpos, ctrl) in known.models.items():
        binary = folder / f"{settings}-{drive}.mjb"
        mujoco.mj_saveModel(model, str(binary))
        write(f"MuJoCo {settings}", drive,
              {"file": str(binary), "qpos": list(map(float, qpos)), "ctrl": list(map(float, ctrl)),
               "steps": steps, "budget": BUDGET})
    return made
