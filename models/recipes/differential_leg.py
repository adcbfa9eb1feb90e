"""differential_leg: a leg whose ankle two motors in the shank move by push rods."""

from recipes.linkage import ACROSS, Y, knob, rod
from recipes.palette import BONE, BRASS, CLAY, INK, PINE, RUBBER
from recipes.robot import Limit, Robot
from recipes.solids import Box, Capsule, Cylinder, Part, Sphere

HIP, THIGH, SHANK, CRANK, LEVER, HALF = 1.0, 0.40, 0.40, 0.05, 0.07, 0.05

ABOUT = """\
differential_leg: hip and knee, and an ankle of two axes that two motors in the shank move
together: both rods up, and the foot points its toes down; one up, one down, and it rolls.
The rods have universal joints at the cranks and balls at the heel, where the loops close.
At q = 0 the leg is straight, the cranks level."""


def make():
    robot = Robot("differential_leg", ABOUT)
    robot.link("world", Part(Box(0.16, 0.20, 0.06), 0.0, (0, 0, HIP + 0.09), colour=INK))
    robot.joint("hip", "revolute", "world", "thigh", xyz=(0, 0, HIP), axis=Y, independent=True,
                limit=Limit(-1.2, 1.6, 120, 15), dynamics={"damping": 0.1, "rotor_inertia": 0.02})
    robot.link("thigh", Part(Cylinder(0.06, 0.08), 1.2, (0, 0, 0), ACROSS, INK),
               Part(Capsule(0.04, THIGH - 0.1), 2.0, (0, 0, -THIGH / 2), colour=BONE))
    robot.joint("knee", "revolute", "thigh", "shank", xyz=(0, 0, -THIGH), axis=Y, independent=True,
                limit=Limit(-0.4, 2.2, 120, 15), dynamics={"damping": 0.1, "rotor_inertia": 0.02})
    robot.link("shank", Part(Cylinder(0.05, 0.07), 0.8, (0, 0, 0), ACROSS, CLAY),
               Part(Capsule(0.03, SHANK - 0.1), 1.0, (0, 0, -SHANK / 2), colour=BONE))
    robot.joint("ankle", "universal", "shank", "foot", xyz=(0, 0, -SHANK), axis=Y, axis2=(1, 0, 0),
                independent=False)
    robot.link("foot",
               Part(Box(0.22, 0.10, 0.03), 0.7, (0.04, 0, -0.06), colour=PINE, collides=True,
                    contact="rubber"),
               Part(Box(0.22, 0.10, 0.004), 0.0, (0.04, 0, -0.073), colour=RUBBER),
               *(Part(Sphere(0.012), 0.0, (-LEVER, y, 0), colour=BRASS) for y in (HALF, -HALF)))
    for side, y in (("left", HALF), ("right", -HALF)):
        _motor(robot, side, y)
    return robot


def _motor(robot, side, y):
    pin, heel = (-LEVER, y, HIP - THIGH - 0.15), (-LEVER, y, HIP - THIGH - SHANK)
    crank, push = f"{side}_crank", f"{side}_rod"
    robot.joint(crank, "revolute", "shank", crank, xyz=(CRANK - LEVER, y, -0.15), axis=Y,
                independent=True, limit=Limit(-0.9, 0.9, 40, 20),
                dynamics={"damping": 0.05, "rotor_inertia": 0.01})
    robot.link(crank, rod((0, 0, 0), (-CRANK, 0, 0), 0.1, 0.008, CLAY),
               Part(Cylinder(0.03, 0.03), 0.15, (0, 0, 0), ACROSS, INK))
    robot.joint(push, "universal", crank, push, xyz=(-CRANK, 0, 0), axis=Y, axis2=(1, 0, 0),
                independent=False)
    robot.link(push, rod((0, 0, 0), (0, 0, heel[2] - pin[2]), 0.08, 0.005, BONE),
               knob(length=0.03))
    robot.loop(f"{side}_heel", "point", push, "foot", heel)
