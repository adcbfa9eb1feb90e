"""The standing and trotting quadruped, written once for Espalier and for MuJoCo.

A scene is a folder with scene.json (what C++ reads), robot.urdf (Espalier) and, where MuJoCo is
installed, robot.mjb. Robot: ANYmal as the shared MJCF has it, four sphere feet and no other
collision bodies, or without the shared folder the project's own strider reduced to its feet.
"""

import json
import math
import re
import xml.etree.ElementTree as ET

import conventions
import numpy as np
import robots

DT, TIME, KP, KD, FRICTION, FREQUENCY = 0.0025, 10.0, 100.0, 2.0, 0.8, 1.5

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


def write(folder):
    """Writes the scene into `folder`; returns its name and whether MuJoCo has its part."""
    folder.mkdir(parents=True, exist_ok=True)
    mjcf = robots.SHARED / "models/mjcf/anymal_scene.xml"
    if mjcf.exists():
        name, height, servos, urdf = "anymal", 0.56, anymal_servos(), urdf_from_mjcf(mjcf)
    else:
        name, height, servos, urdf = strider()
    (folder / "robot.urdf").write_text(urdf)
    (folder / "scene.json").write_text(json.dumps({
        "name": name, "urdf": str(folder / "robot.urdf"), "height": height, "time": TIME,
        "dt": DT, "kp": KP, "kd": KD, "friction": FRICTION, "frequency": FREQUENCY,
        "servos": servos}, indent=1))
    return name, _write_mujoco(folder, mjcf if mjcf.exists() else None, urdf)


def strider():
    """The project's own quadruped at its nominal pose; its legs swing as ANYmal's do."""
    folder = robots.REPOSITORY / "models/strider"
    urdf = with_only_sphere_feet((folder / "strider.urdf").read_text())
    q = json.loads((folder / "nominal.json").read_text())["q"]
    names = re.findall(r'<joint name="([^"]+)" type="(?:revolute|continuous)"', urdf)
    servos = []
    for k, (joint, rest) in enumerate(zip(names, q[7:], strict=True)):
        leg, part = divmod(k, 3)
        swing = 0.0 if part == 0 else math.copysign((0.25, 0.5)[part - 1], rest)
        servos.append({"joint": joint, "rest": rest, "swing": swing,
                       "phase": math.pi if leg in (1, 2) else 0.0})
    return "strider", q[2] + 0.03, servos, urdf


def _write_mujoco(folder, mjcf, urdf):
    try:
        import mujoco
        import mujoco_peer
        import urdf_tree
    except ImportError:
        return False
    if mjcf:
        spec = mujoco.MjSpec.from_file(str(mjcf))
    else:
        spec = mujoco_peer.build_spec(urdf_tree.parse(urdf))
        for link in ET.fromstring(urdf).findall("link"):
            for collision in link.findall("collision"):
                body = spec.body(link.get("name")) or spec.body("base of " + link.get("name"))
                origin = collision.find("origin")
                position = _numbers(origin, "xyz", "0 0 0") if origin is not None else np.zeros(3)
                radius = float(collision.find("geometry/sphere").get("radius"))
                body.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[radius, 0, 0], pos=position,
                              friction=[FRICTION, 0.005, 0.0001])
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1],
                                friction=[FRICTION, 0.005, 0.0001])
    model = spec.compile()
    if not mjcf:
        mujoco_peer.set_masses(model, urdf_tree.parse(urdf))
    model.opt.timestep = DT
    mujoco.mj_saveModel(model, str(folder / "robot.mjb"))
    return True
