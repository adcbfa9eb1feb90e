"""The walking robots in models/ stand on their feet in their nominal poses."""

from math import cos, sin

import pytest
from model_files import floats, load, nominal


def multiply(A, B):
    return [[sum(a * b for a, b in zip(row, column)) for column in zip(*B)] for row in A]


def apply(R, v):
    return [sum(r * x for r, x in zip(row, v)) for row in R]


def turn(axis, angle):
    """Rodrigues' formula, for a unit axis."""
    (x, y, z), c, s = axis, cos(angle), sin(angle)
    return [
        [c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
        [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
        [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)],
    ]


def place(name):
    """Pose (R, p) of every link of a floating robot in its nominal pose."""
    robot, (height, pose) = load(name), nominal(name)
    unit = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    at = {robot.find("link").get("name"): (unit, [0, 0, height])}
    for joint in robot.findall("joint"):
        R, p = at[joint.find("parent").get("link")]
        p = [a + b for a, b in zip(p, apply(R, floats(joint.find("origin"), "xyz")))]
        if joint.get("type") != "fixed":
            (angle,) = pose[joint.get("name")]
            R = multiply(R, turn(floats(joint.find("axis"), "xyz"), angle))
        at[joint.find("child").get("link")] = (R, p)
    return at


def centre_of_mass(name):
    robot, at, total, moment = load(name), place(name), 0, [0, 0, 0]
    for link in robot.findall("link"):
        inertial = link.find("inertial")
        if inertial is None:
            continue
        R, p = at[link.get("name")]
        mass = float(inertial.find("mass").get("value"))
        c = apply(R, floats(inertial.find("origin"), "xyz"))
        total += mass
        moment = [m + mass * (a + b) for m, a, b in zip(moment, p, c)]
    return [m / total for m in moment]


def test_strider_stands_square_on_its_feet():
    robot, at, com = load("strider"), place("strider"), centre_of_mass("strider")
    for leg in ("LF", "RF", "LH", "RH"):
        ball = robot.find(f"link[@name='{leg}_foot']/collision/geometry/sphere")
        hip, foot = at[f"{leg}_thigh"][1], at[f"{leg}_foot"][1]
        assert foot[2] == pytest.approx(float(ball.get("radius")), abs=1e-6)
        assert foot[0] == pytest.approx(hip[0], abs=1e-9)
    feet = [at[f"{leg}_foot"][1] for leg in ("LF", "RF", "LH", "RH")]
    assert com[:2] == pytest.approx([sum(f[i] for f in feet) / 4 for i in (0, 1)], abs=1e-6)


def test_biped_stands_on_level_soles():
    robot, at, com = load("biped"), place("biped"), centre_of_mass("biped")
    for side in ("L", "R"):
        sole = robot.find(f"link[@name='{side}_foot']/collision")
        x, y, z = floats(sole.find("geometry/box"), "size")
        R, p = at[f"{side}_foot"]
        centre = [a + b for a, b in zip(p, apply(R, floats(sole.find("origin"), "xyz")))]
        for i in (-1, 1):
            for j in (-1, 1):
                corner = apply(R, [i * x / 2, j * y / 2, -z / 2])
                assert centre[2] + corner[2] == pytest.approx(0, abs=1e-6)
        assert abs(com[0] - centre[0]) < x / 2 - 0.05  # the weight is well inside the sole
    assert com[1] == pytest.approx(0, abs=1e-6)


def test_cassie_like_stands_on_level_soles():
    robot, (height, _) = load("cassie_like"), nominal("cassie_like")
    at = {"pelvis": [0, 0, height]}  # all joints are at zero, and frames are parallel
    for joint in robot.findall("joint"):
        parent = at[joint.find("parent").get("link")]
        at[joint.find("child").get("link")] = [
            a + b for a, b in zip(parent, floats(joint.find("origin"), "xyz"))]
    total, moment = 0, [0, 0, 0]
    for link in robot.findall("link"):
        mass = float(link.find("inertial/mass").get("value"))
        com = floats(link.find("inertial/origin"), "xyz")
        total += mass
        moment = [m + mass * (a + b) for m, a, b in zip(moment, at[link.get("name")], com)]
    com = [m / total for m in moment]
    for side in ("L", "R"):
        sole = robot.find(f"link[@name='{side}_foot_link']/collision")
        assert floats(sole.find("origin"), "rpy") == pytest.approx([0, 1.5707963, 0])  # along x
        centre = [a + b for a, b in zip(at[f"{side}_foot_link"], floats(sole.find("origin"), "xyz"))]
        capsule = sole.find("geometry/capsule")
        assert centre[2] - float(capsule.get("radius")) == pytest.approx(0, abs=5e-6)
        assert abs(com[0] - centre[0]) < 0.02
    assert com[1] == pytest.approx(0, abs=1e-6)
