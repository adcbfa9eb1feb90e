"""double_pendulum: two rods with bobs, free of friction, swinging side by side about y."""

from math import pi

from recipes.palette import BONE, BRASS, CLAY, INK, PINE
from recipes.robot import Robot
from recipes.solids import Box, Capsule, Cylinder, Part, Sphere

LENGTH, ACROSS = 0.5, (pi / 2, 0.0, 0.0)

ABOUT = """\
double_pendulum: two equal rods of 0.5 m with a bob of 1 kg each, turning freely about y.
It hangs from 1.4 m; no friction, no damping, no motors, so that its energy must stay."""


def make():
    robot = Robot("double_pendulum", ABOUT)
    robot.link(
        "world",
        Part(Box(0.30, 0.20, 0.02), 0.0, (0, 0.11, 0.01), colour=INK),
        Part(Cylinder(0.018, 1.40), 0.0, (0, 0.11, 0.70), colour=INK),
        Part(Cylinder(0.012, 0.13), 0.0, (0, 0.055, 1.40), ACROSS, BRASS),
    )
    robot.joint("shoulder", "continuous", "world", "upper", xyz=(0, 0, 1.4), axis=(0, 1, 0))
    robot.link("upper", *_rod(CLAY))
    # The rods pass each other: the second one swings in a plane of its own.
    robot.joint("elbow", "continuous", "upper", "lower", xyz=(0, -0.07, -LENGTH), axis=(0, 1, 0))
    pin = Part(Cylinder(0.010, 0.07), 0.0, (0, 0.035, 0), ACROSS, BRASS)
    robot.link("lower", pin, *_rod(PINE))
    return robot


def _rod(colour):
    return (
        Part(Capsule(0.012, LENGTH), 0.2, (0, 0, -LENGTH / 2), colour=BONE, collides=True),
        Part(Sphere(0.04), 1.0, (0, 0, -LENGTH), colour=colour, collides=True),
    )
