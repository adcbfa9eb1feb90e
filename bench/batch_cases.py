"""The cases of the suite `batch`: what batch_engines.py is told, written once for all engines.

Beside the robots of the contact suite: robots of MuJoCo's menagerie, held in their keyframe by servos of
these gains beside what their files say; MuJoCo's humanoid, which falls limp, and so does Cassie, whose
scene is taken as it is; the strider and ANYmal at many places of rough terrain; the beest, whose crank turns;
the MIT Humanoid with all of its rotors, which stands on boxes; and the Mini Cheetah in flight, whose step
is held against its forward dynamics.
"""

import math
import xml.etree.ElementTree as ET

# {name: (file, kp, kd)}; without gains the robot is limp
SHIPPED = {"go2": ("menagerie/unitree_go2/go2.xml", 60.0, 2.0),
           "t1": ("menagerie/booster_t1/t1.xml", 75.0, 3.0),
           "humanoid_fall": ("mjcf/humanoid.xml", 0.0, 0.0),
           "cassie_fall": ("menagerie/agility_cassie/scene.xml", 0.0, 0.0)}
SCENES = ("cassie_fall",)  # from their keyframe, with their own ground and friction
ROUGH, BEEST, HUMANOID, FLIGHT = "strider_rough", "beest", "mit_humanoid_stand", "mini_cheetah_flight"
SOLE = {"size": "0.18 0.07 0.02", "xyz": "0.022 0 -0.03"}  # of the MIT Humanoid, whose file has no shapes
STANDING = 0.751  # m, its base with straight legs and 5 mm of air


def _files():
    """{name: (file, kp, kd)}"""
    import robots
    return {name: (robots.SHARED / "models" / file, *gains)
            for name, (file, *gains) in SHIPPED.items()}


def names(quick=False):
    """As scenes.names()."""
    import loops
    import scenes
    found, absent = scenes.names(quick)
    is_ours = lambda name: not name.startswith("pile")
    absent = {name: file for name, file in absent.items() if is_ours(name)}
    absent |= {name: file for name, (file, *_) in _files().items() if not file.exists()}
    absent |= {name: loops.GEARED[robot]
               for name, robot in ((HUMANOID, "mit_humanoid"), (FLIGHT, "mini_cheetah"))
               if not loops.GEARED[robot].exists()}
    return [*filter(is_ours, found), ROUGH, BEEST, HUMANOID, FLIGHT, *SHIPPED], absent


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


def _with_soles(file):
    """The MIT Humanoid on two boxes."""
    import loops
    root = loops.floating(ET.parse(file).getroot())
    for side in ("left", "right"):
        link = root.find(f"link[@name='{side}_ankle_link']")
        link.append(ET.fromstring(f'<collision><origin xyz="{SOLE["xyz"]}"/><geometry>'
                                  f'<box size="{SOLE["size"]}"/></geometry></collision>'))
    return ET.tostring(root, encoding="unicode")


def _geared(folder):
    import loops
    import scenes
    file = loops.GEARED["mit_humanoid"]
    if file.exists():
        text = _with_soles(file)
        hinges = [joint.get("name") for joint in ET.fromstring(text).findall("joint")
                  if joint.get("independent") != "false"]
        angles = dict.fromkeys(hinges, 0.0)
        yield scenes._case(HUMANOID, scenes.write_robot(folder / HUMANOID, text), STANDING,
                           scenes._servos_at(angles), angles, kp=400.0, kd=10.0)
    file = loops.GEARED["mini_cheetah"]
    if file.exists():
        text = ET.tostring(loops.floating(ET.parse(file).getroot()), encoding="unicode")
        yield scenes._case(FLIGHT, scenes.write_robot(folder / FLIGHT, text), 1.0, [], {},
                           time=0.1, dt=1e-3, ground=False, forward=True)


def cases(folder, quick=False):
    """[case]: what an engine is told, with {engine: robot file}."""
    import loops
    import scenes
    made = scenes.robot_cases(folder, quick)
    strider = next(case for case in made if case["espalier"]["name"] == "strider_stand")
    made.append({engine: {**own, "name": ROUGH, "height": own["height"] + 0.03, "terrain": True}
                 for engine, own in strider.items()})
    made += [loops._beest(folder, 1.0), *_geared(folder)]
    ours = names(quick)[0]
    written = [{**case["espalier"], "files": {engine: own["robot"] for engine, own in case.items()}}
               for case in made]
    return [*(case for case in written if case["name"] in ours), *_shipped()]


GRID, PITCH = 161, 0.05  # of the terrain: samples a side, m


def terrain():
    """[y, x] m: waves of 3 cm over a metre and half a centimetre of noise, like roughTerrain() of bench/contact."""
    import numpy as np
    at = PITCH * (np.arange(GRID) - (GRID - 1) / 2)
    x, y = np.meshgrid(at, at)
    noise = np.random.default_rng(1).uniform(-1, 1, x.shape)
    return 0.015 * (np.sin(6.3 * x) + np.cos(5.1 * y + x)) + 0.005 * noise


def places(worlds):
    """[worlds, 2] m: where robots stand on the terrain, on a grid of 6 m."""
    import numpy as np
    side = math.ceil(math.sqrt(worlds))
    grid = np.stack(np.meshgrid(*2 * [np.linspace(-3, 3, side)]), axis=-1)
    return grid.reshape(-1, 2)[:worlds]
