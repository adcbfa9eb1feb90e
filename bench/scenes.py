"""The robots and the cases of the contact suite, written once for Espalier and for its peers.

A robot is a folder with robot.urdf (Espalier) and, where MuJoCo is installed, robot.xml. A suite is
a list of cases for each engine; what bench/contact makes of them is the same for all.
"""

import json
import math
import re
import xml.etree.ElementTree as ET

import conventions
import numpy as np
import robots

DT, TIME, KP, KD, FRICTION, FREQUENCY = 0.0025, 10.0, 100.0, 2.0, 0.8, 1.5
SCHEMES = {"espalier": "MIDPOINT", "mujoco": "Euler"}
PILE_DT, PILE_SETTLE, PILE_TIME = 0.005, 2.0, 1.0

# Standing angles and swing amplitudes of the hip's flexion and the knee; hind legs mirror them.
# Diagonal pairs lift in turn.
ANYMAL_LEGS = {"LF": (1, 1, 0), "RF": (-1, 1, math.pi), "LH": (1, -1, math.pi), "RH": (-1, -1, 0)}


def anymal_servos():
    servos = []
    for leg, (left, front, phase) in ANYMAL_LEGS.items():
        for joint, rest, swing in (("HAA", 0.03 * left, 0.0), ("HFE", 0.4 * front, 0.25 * front),
                                   ("KFE", -0.8 * front, -0.5 * front)):
            servos.append({"joint": f"{leg}_{joint}", "rest": rest, "swing": swing, "phase": phase})
    return servos


def _row(numbers):
    return " ".join(repr(float(x)) for x in numbers)


def _numbers(element, name, default):
    return np.array([float(x) for x in element.get(name, default).split()])


def urdf_from_mjcf(path):
    """A URDF of the few elements that the scene's MJCF uses: bodies, hinges, sphere geoms."""
    links, joints = [], []

    def visit(body, parent):
        name, inertial = body.get("name"), body.find("inertial")
        R = conventions.rotation_from_quaternion(_numbers(inertial, "quat", "1 0 0 0"))
        J = R @ np.diag(_numbers(inertial, "diaginertia", "")) @ R.T
        entries = "".join(f' i{"xyz"[i]}{"xyz"[j]}="{float(J[i, j])!r}"'
                          for i in range(3) for j in range(i, 3))
        spheres = "".join(
            f'<collision><origin xyz="{_row(_numbers(g, "pos", "0 0 0"))}"/><geometry>'
            f'<sphere radius="{g.get("size")}"/></geometry></collision>'
            for g in body.findall("geom"))
        links.append(f'<link name="{name}"><inertial><origin xyz="{inertial.get("pos")}"/>'
                     f'<mass value="{inertial.get("mass")}"/><inertia{entries}/></inertial>'
                     f"{spheres}</link>")
        if parent is not None:
            joint = body.find("joint")
            joints.append(f'<joint name="{joint.get("name")}" type="continuous">'
                          f'<origin xyz="{body.get("pos")}"/><parent link="{parent}"/>'
                          f'<child link="{name}"/><axis xyz="{joint.get("axis")}"/></joint>')
        for child in body.findall("body"):
            visit(child, name)

    root = ET.parse(path).getroot()
    visit(root.find("worldbody/body"), None)
    return "\n".join([f'<robot name="{root.get("model")}">', *links, *joints, "</robot>"])


def with_only_sphere_feet(urdf):
    robot = ET.fromstring(urdf)
    for link in robot.findall("link"):
        for collision in link.findall("collision"):
            if collision.find("geometry/sphere") is None:
                link.remove(collision)
        for visual in link.findall("visual"):
            link.remove(visual)
    return ET.tostring(robot, encoding="unicode")


ANYMAL = robots.SHARED / "models/mjcf/anymal_scene.xml"
WALKS = ("stand", "trot", "heightmap")
OTHERS = ("strider_stand", "biped_fall")


def anymal():
    """The URDF of ANYmal with its four ball feet and no other shape, or None without the file."""
    return urdf_from_mjcf(ANYMAL) if ANYMAL.exists() else None


def own(name):
    return (robots.REPOSITORY / "models" / name / f"{name}.urdf").read_text()


def nominal(name):
    """{joint: angle} and the base's height."""
    q = json.loads((robots.REPOSITORY / "models" / name / "nominal.json").read_text())["q"]
    hinges = re.findall(r'<joint name="([^"]+)" type="(?:revolute|continuous)"', own(name))
    return dict(zip(hinges, q[7:], strict=True)), q[2]


def write_robot(folder, urdf, damping=False, closing=None):
    """{engine: file} of a robot; MuJoCo's where it is installed."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {"espalier": folder / "robot.urdf"}
    files["espalier"].write_text(urdf)
    try:
        import mjcf
    except ImportError:
        return files
    files["mujoco"] = folder / "robot.xml"
    files["mujoco"].write_text(mjcf.text(urdf, damping, closing))
    return files


def _servos_at(angles):
    return [{"joint": joint, "rest": rest, "swing": 0.0, "phase": 0.0}
            for joint, rest in angles.items()]


def _case(name, files, height, servos, angles, **more):
    case = {"name": name, "height": height, "servos": servos, "dt": DT, "time": TIME, "kp": KP,
            "kd": KD, "friction": FRICTION, "frequency": FREQUENCY, "swings": False,
            "terrain": False, **more}
    case["angles"] = [{"joint": joint, "value": value} for joint, value in angles.items()]
    return {engine: {**case, "robot": str(file), "scheme": SCHEMES[engine],
                     "lanes": engine == "espalier" and more.get("forward", False)}
            for engine, file in files.items()}


EQUAL_ORDER = "_semi_implicit"


def of_equal_order(case):
    """The same with our scheme of the order that MuJoCo's has."""
    made = {engine: {**own, "name": own["name"] + EQUAL_ORDER, "forward": False}
            for engine, own in case.items()}
    made["espalier"]["scheme"] = "SEMI_IMPLICIT"
    return made


def names(quick=False):
    """Of all cases, and {name: file} of those whose robot is not here."""
    walks = lambda robot: [f"{robot}_{walk}{order}" for order in ("", EQUAL_ORDER)
                           for walk in WALKS]
    piles = [case["espalier"]["name"] for case in pile_cases(quick)]
    here, other = ("anymal", "quadruped") if ANYMAL.exists() else ("quadruped", "anymal")
    absent = {name: ANYMAL for name in walks(other)} if other == "anymal" else {}
    return [*walks(here), *OTHERS, *piles, *absent], absent


def robot_cases(folder, quick=False):
    """[{engine: case}]. Without the shared ANYmal the project's quadruped takes its place."""
    shared = anymal()
    feet = shared or with_only_sphere_feet(own("quadruped"))
    prefix = "anymal" if shared else "quadruped"
    files, servos = write_robot(folder / prefix, feet), anymal_servos()
    angles = {servo["joint"]: servo["rest"] for servo in servos}
    time = 2.0 if quick else TIME
    walks = [
        _case(f"{prefix}_stand", files, 0.56, servos, angles, time=time),
        _case(f"{prefix}_trot", files, 0.56, servos, angles, time=time, swings=True),
        _case(f"{prefix}_heightmap", files, 0.62, servos, angles, time=time, swings=True,
              terrain=True),
    ]
    cases = walks + [of_equal_order(case) for case in walks]
    for name, pose in (("strider_stand", "strider"), ("biped_fall", "biped")):
        angles, height = nominal(pose)
        files = write_robot(folder / pose, own(pose), damping=True)
        servos = _servos_at(angles) if name == "strider_stand" else []
        cases.append(_case(name, files, height + 0.03, servos, angles, time=min(time, 5.0)
                           if name == "biped_fall" else time))
    return cases


def pile_cases(quick=False):
    """As robot_cases(). The peers' solvers are as they are by default; Bullet's makes ten sweeps.
    Ours makes fourteen, which take less time than its ten: speed and depth are to be read
    together."""
    side = 6 if quick else 10
    cases = []
    for what in ("spheres", "boxes"):
        case = {"name": f"pile_{what}_{side ** 3}", "side": side, "boxes": what == "boxes",
                "dt": PILE_DT, "settle": PILE_SETTLE, "time": PILE_TIME}
        cases.append({"espalier": {**case, "scheme": "SEMI_IMPLICIT", "iterations": 14,
                                   "tolerance": 1e-3},
                      "bullet": {**case, "scheme": "SI"}, "mujoco": {**case, "scheme": "Euler"}})
    return cases
