"""quadruped: 33.947 kg on four ball feet, with legs of 0.25 m and 0.30 m, for comparisons."""

from math import cos, pi

from recipes.palette import BONE, CLAY, INK, PINE, RUBBER
from recipes.robot import Limit, Robot
from recipes.solids import Box, Capsule, Cylinder, Part, Sphere

THIGH, SHANK, FOOT = 0.25, 0.30, 0.03
HAA, HFE, KFE = 0.03, 0.4, -0.8  # of the left front leg, standing
MOTOR = Limit(0, 0, 80, 20)  # a continuous joint has no range
TOTAL, HIP, UPPER, LOWER, BALL = 33.947, 1.42, 1.64, 0.26, 0.06
ALONG_X, ALONG_Y = (0.0, pi / 2, 0.0), (pi / 2, 0.0, 0.0)

ABOUT = """\
quadruped: the mass and the lengths of the ANYmal that SimBenchmark uses, 33.947 kg, 12 motors.
x forward, y left, z up; legs L/R F/H (left, right, front, hind), each with
HAA (hip abduction, about x), HFE (hip flexion, about y), KFE (knee flexion, about y).
No limits of its angles, no damping, no rotors: its energy and momentum are those of its links."""


def make():
    robot = Robot("quadruped", ABOUT, base_height=(THIGH + SHANK) * cos(HFE) + FOOT)
    trunk = TOTAL - 4 * (HIP + UPPER + LOWER + BALL)
    robot.link(
        "base",
        Part(Box(0.53, 0.27, 0.24), trunk - 4.0, (0, 0, 0.05), colour=BONE, collides=True),
        Part(Box(0.53, 0.16, 0.08), 4.0, (0, 0, -0.09), colour=PINE),
    )
    for leg, front, left in (("LF", 1, 1), ("RF", 1, -1), ("LH", -1, 1), ("RH", -1, -1)):
        _leg(robot, leg, front, left)
    return robot


def _leg(robot, leg, front, left):
    hip, thigh, shank, foot = (f"{leg}_{part}" for part in ("hip", "thigh", "shank", "foot"))

    robot.joint(f"{leg}_HAA", "continuous", "base", hip, xyz=(0.27 * front, 0.12 * left, 0),
                axis=(1, 0, 0), limit=MOTOR, nominal=HAA * left)
    robot.link(hip, Part(Cylinder(0.06, 0.09), HIP, (0.055 * front, 0, 0), ALONG_X, INK, True))

    robot.joint(f"{leg}_HFE", "continuous", hip, thigh, xyz=(0.06 * front, 0.06 * left, 0),
                axis=(0, 1, 0), limit=MOTOR, nominal=HFE * front)
    robot.link(
        thigh,
        Part(Capsule(0.035, 0.15), 0.74, (0, 0.03 * left, -0.12), colour=BONE, collides=True),
        Part(Cylinder(0.055, 0.10), 0.9, (0, 0.05 * left, -THIGH), ALONG_Y, CLAY, True),
    )

    robot.joint(f"{leg}_KFE", "continuous", thigh, shank, xyz=(0, 0.10 * left, -THIGH),
                axis=(0, 1, 0), limit=MOTOR, nominal=KFE * front)
    robot.link(shank, Part(Capsule(0.016, 0.20), LOWER, (0, 0, -0.16), colour=INK, collides=True))

    robot.joint(f"{leg}_foot_mount", "fixed", shank, foot, xyz=(0, 0, -SHANK))
    robot.link(foot, Part(Sphere(FOOT), BALL, colour=RUBBER, collides=True, contact="rubber"))
