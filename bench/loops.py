"""The cases of the suite loops: mechanisms with closed loops and with geared rotors.

Espalier reads the mechanism itself; MuJoCo an MJCF of the same bodies and joints, its loops as
`connect` or `weld` between two sites, all else as MuJoCo has it by default. But for one thing: its
loops give way, by 15 mm in Cassie's legs, which then fall; there they have a time constant of 2 ms.
The digit-like leg has loops in the middle of rods of 6 g, which MuJoCo makes as soft as they are
light: there their impedance is 0.9999, too. Beside MIDPOINT these robots run with our scheme of the
order that MuJoCo's has. What rotors cost is measured against the same robot without them.
"""

import json
import subprocess
import xml.etree.ElementTree as ET

import robots
import scenes

HERE = robots.REPOSITORY / "bench"
SERVO = {"swing": 0.0, "phase": 0.0}


GEARED = {name: robots.SHARED / f"models/urdf_plus/{name}.urdf"
          for name in ("mini_cheetah", "mit_humanoid")}
LOOPED = {"cassie": robots.SHARED / "models/cassie/robots/cassie_v2.sdf",
          "digit_like": robots.SHARED / "models/parallel_digit_like/robot.urdf"}


def names():
    """Of all cases, and {name: file} of those whose robot is not here."""
    files = {**GEARED, **LOOPED}
    return (["strider_stand", "beest", *files],
            {name: file for name, file in files.items() if not file.exists()})


def needs_pinocchio(tasks):
    """Whether one of the cases wanted (none: all) is held against Pinocchio's plain tree."""
    return any(path.exists() and (not tasks or name in tasks) for name, path in GEARED.items())


def floating(root):
    """Without the massless link that some files hang a floating base on: the base is the root."""
    for joint in root.findall("joint[@type='floating']"):
        parent = joint.find("parent").get("link")
        root.remove(joint)
        root.remove(root.find(f"link[@name='{parent}']"))
    return root


def plain_tree(text):
    """The robot without its rotors and whatever ties them."""
    root = ET.fromstring(text)
    for coupling in root.findall("coupling"):
        rotor = coupling.find("successor").get("link")
        root.remove(coupling)
        root.remove(root.find(f"link[@name='{rotor}']"))
        for joint in root.findall("joint"):
            if joint.find("child").get("link") == rotor:
                root.remove(joint)
    assert not root.findall("loop"), "only rotors can be left out"
    return ET.tostring(root, encoding="unicode")


def _flight(name, file, quick):
    """Falling freely: what its dynamics cost, without contacts."""
    case = scenes._case(name, {"espalier": file}, 1.0, [], {}, time=0.1 if quick else 0.5,
                        dt=1e-3, ground=False, forward=True)
    return case


def geared(folder, quick):
    """[(case, case of the plain tree, its URDF)] of the robots whose rotors come from URDF+."""
    found = []
    for name, path in GEARED.items():
        if not path.exists():
            continue
        text = ET.tostring(floating(ET.parse(path).getroot()), encoding="unicode")
        files = {}
        for kind, urdf in (("", text), ("_plain", plain_tree(text))):
            files[kind] = folder / f"{name}{kind}" / "robot.urdf"
            files[kind].parent.mkdir(parents=True, exist_ok=True)
            files[kind].write_text(urdf)
        found.append((_flight(name, files[""], quick),
                      _flight(f"{name}_plain", files["_plain"], quick), files["_plain"]))
    return found


def _prepared(urdf, pose):
    """Motors' joints marked independent, so that they are what users speak of, and as strong as
    they need be; where the pose has a foot, that is all that collides."""
    root = ET.fromstring(urdf)
    for joint in root.findall("joint"):
        if joint.get("name") in pose["motors"]:
            joint.set("independent", "true")
        limit = joint.find("limit")
        if limit is not None:
            limit.attrib.pop("effort", None)
    foot = pose.get("foot")
    if foot:
        for link in root.findall("link"):
            for tag in ("collision", "visual"):
                for shape in link.findall(tag):
                    link.remove(shape)
        link = root.find(f"link[@name='{foot['link']}']")
        link.append(ET.fromstring(
            f'<collision><origin xyz="{foot["xyz"]}" rpy="{foot["rpy"]}"/><geometry>'
            f'<box size="{foot["size"]}"/></geometry></collision>'))
    return ET.tostring(root, encoding="unicode")


def _standing(name, source, export, folder, time):
    """A robot in the pose of bench/loops/NAME.json, upright and its loops closed (found by
    tests/support/standing). Its angles are those of all joints."""
    pose = json.loads((HERE / f"loops/{name}.json").read_text())
    urdf = subprocess.run([export, source], capture_output=True, text=True, check=True).stdout
    urdf = _prepared(urdf, pose)
    files = scenes.write_robot(folder / name, urdf, damping=True, closing=pose.get("closing"))
    servos = [{**SERVO, "joint": joint, "rest": pose["angles"][joint], "kp": kp, "kd": kd}
              for joint, (kp, kd) in pose["motors"].items()]
    return scenes._case(name, files, pose["height"], servos, pose["angles"], time=time,
                        dt=pose["dt"], forward=True)


def _beest(folder, time):
    files = scenes.write_robot(folder / "beest", scenes.own("beest"), damping=True)
    height = json.loads((robots.REPOSITORY / "models/beest/nominal.json").read_text())["q"][2]
    crank = [{**SERVO, "joint": "crank", "rest": 0.0, "kp": 0.0, "kd": 20.0, "speed": 3.0}]
    return scenes._case("beest", files, height, crank, {}, time=time, forward=True)


def cases(folder, export, quick=False):
    """[{engine: case}] of robots on the ground."""
    time = 1.0 if quick else scenes.TIME
    angles, height = scenes.nominal("strider")
    strider = scenes._case("strider_stand",
                           scenes.write_robot(folder / "strider", scenes.own("strider"),
                                              damping=True),
                           height + 0.03, scenes._servos_at(angles), angles, time=time,
                           forward=True)
    looped = [_beest(folder, time)]
    for name, file in LOOPED.items():
        if file.exists():
            looped.append(_standing(name, file, export, folder, time))
    return [strider, *looped, *map(scenes.of_equal_order, looped)]
