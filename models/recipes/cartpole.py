"""cartpole: a cart on a rail and a pole that stands on it, upright at zero."""

from math import pi

from recipes.palette import BONE, BRASS, CLAY, INK, PINE
from recipes.robot import Limit, Robot
from recipes.solids import Box, Capsule, Cylinder, Part, Sphere

RAIL, ALONG_X, ALONG_Y = 1.0, (0.0, pi / 2, 0.0), (pi / 2, 0.0, 0.0)

ABOUT = """\
cartpole: a cart of 1 kg that a motor pushes along a rail (x, 2 m to each side), and a pole of
0.3 kg and 0.6 m that turns freely about y beside it. At zero the pole stands upright, unstable."""


def make():
    robot = Robot("cartpole", ABOUT)
    robot.link(
        "world",
        Part(Cylinder(0.015, 4.4), 0.0, (0, 0, RAIL), ALONG_X, BRASS),
        Part(Box(0.04, 0.10, RAIL), 0.0, (-2.2, 0, RAIL / 2), colour=INK),
        Part(Box(0.04, 0.10, RAIL), 0.0, (2.2, 0, RAIL / 2), colour=INK),
    )
    robot.joint(
        "slider", "prismatic", "world", "cart", xyz=(0, 0, RAIL), axis=(1, 0, 0),
        limit=Limit(-2.0, 2.0, 50, 10), dynamics={"damping": 0.1},
    )
    robot.link(
        "cart",
        Part(Box(0.24, 0.12, 0.10), 1.0, colour=PINE, collides=True),
        Part(Cylinder(0.02, 0.03), 0.0, (0, -0.07, 0), ALONG_Y, BRASS),
    )
    robot.joint("hinge", "continuous", "cart", "pole", xyz=(0, -0.09, 0), axis=(0, 1, 0))
    robot.link(
        "pole",
        Part(Capsule(0.012, 0.6), 0.2, (0, 0, 0.3), colour=BONE, collides=True),
        Part(Sphere(0.03), 0.1, (0, 0, 0.6), colour=CLAY, collides=True),
    )
    return robot
