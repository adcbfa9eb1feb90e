"""strider: a quadruped of 30 kg, the same seen from the front, the back and either side."""

from math import cos, pi

from recipes.palette import BONE, BRASS, CLAY, INK, PINE, RUBBER
from recipes.robot import Limit, Robot
from recipes.solids import Box, Capsule, Cylinder, Part, Sphere

THIGH, SHANK, FOOT = 0.30, 0.30, 0.03
HFE, KFE = 0.6, -1.2  # front legs; each foot stands right below its hip
ALONG_X, ALONG_Y = (0.0, pi / 2, 0.0), (pi / 2, 0.0, 0.0)

ABOUT = """\
strider: a quadruped of 30 kg on four ball feet, 12 motors.
x forward, y left, z up; legs L/R F/H (left, right, front, hind), each with
HAA (hip abduction, about x), HFE (hip flexion, about y), KFE (knee flexion, about y).
Front and hind knees point at each other, so that a stance that sags does not wander."""


def make():
    # Thigh and shank are equally long, so the nominal angles make an isosceles triangle.
    robot = Robot("strider", ABOUT, base_height=(THIGH + SHANK) * cos(HFE) + FOOT)
    robot.link(
        "base",
        Part(Box(0.44, 0.20, 0.13), 10.68, colour=BONE, collides=True),
        Part(Box(0.70, 0.05, 0.06), 2.0, colour=INK),
        Part(Box(0.05, 0.19, 0.11), 1.2, (0.355, 0, 0), colour=PINE, collides=True),
        Part(Box(0.05, 0.19, 0.11), 1.2, (-0.355, 0, 0), colour=PINE, collides=True),
        Part(Box(0.36, 0.12, 0.02), 0.0, (0, 0, 0.07), colour=PINE),
        Part(Cylinder(0.022, 0.012), 0.0, (0.381, 0.05, 0.015), ALONG_X, BRASS),
        Part(Cylinder(0.022, 0.012), 0.0, (0.381, -0.05, 0.015), ALONG_X, BRASS),
    )
    robot.joint("imu_mount", "fixed", "base", "imu", xyz=(0.08, 0, 0.075))
    robot.link("imu", Part(Box(0.03, 0.03, 0.01), 0.0, (0, 0, 0.01), colour=BRASS))
    for leg, front, left in (("LF", 1, 1), ("RF", 1, -1), ("LH", -1, 1), ("RH", -1, -1)):
        _leg(robot, leg, front, left)
    return robot


def _leg(robot, leg, front, left):
    hip, thigh, shank, foot = (f"{leg}_{part}" for part in ("hip", "thigh", "shank", "foot"))

    robot.joint(
        f"{leg}_HAA", "revolute", "base", hip, xyz=(0.275 * front, 0.08 * left, 0), axis=(1, 0, 0),
        limit=Limit(-0.9, 0.9, 60, 20), dynamics={"damping": 0.1, "rotor_inertia": 0.012},
    )
    robot.link(
        hip,
        Part(Cylinder(0.052, 0.09), 1.2, rpy=ALONG_X, colour=INK, collides=True),
        Part(Cylinder(0.035, 0.05), 0.2, (0, 0.05 * left, 0), ALONG_Y, INK),
    )

    robot.joint(
        f"{leg}_HFE", "revolute", hip, thigh, xyz=(0, 0.10 * left, 0), axis=(0, 1, 0),
        limit=_facing(front, -1.6, 2.4, 60, 20), nominal=HFE * front,
        dynamics={"damping": 0.1, "rotor_inertia": 0.012},
    )
    robot.link(
        thigh,
        Part(Cylinder(0.055, 0.05), 1.0, rpy=ALONG_Y, colour=INK, collides=True),
        Part(Cylinder(0.030, 0.006), 0.0, (0, 0.027 * left, 0), ALONG_Y, BRASS),
        Part(Capsule(0.032, 0.20), 0.6, (0, 0, -0.15), colour=BONE, collides=True),
        Part(Cylinder(0.038, 0.05), 0.25, (0, 0, -THIGH), ALONG_Y, CLAY),
    )

    robot.joint(
        f"{leg}_KFE", "revolute", thigh, shank, xyz=(0, 0, -THIGH), axis=(0, 1, 0),
        limit=_facing(front, -2.6, 0.3, 80, 18), nominal=KFE * front,
        dynamics={"damping": 0.1, "rotor_inertia": 0.018},
    )
    robot.link(shank, Part(Capsule(0.019, 0.22), 0.4, (0, 0, -0.155), colour=INK, collides=True))

    robot.joint(f"{leg}_foot_mount", "fixed", shank, foot, xyz=(0, 0, -SHANK))
    robot.link(foot, Part(Sphere(FOOT), 0.08, colour=RUBBER, collides=True, contact="rubber"))


def _facing(front, lower, upper, effort, velocity):
    """A limit of a front leg, seen in the mirror for a hind one."""
    return Limit(*((lower, upper) if front > 0 else (-upper, -lower)), effort, velocity)
