"""gripper: two fingers on parallelograms, their cranks geared to one another."""

from recipes.linkage import Y, at, bar, knob, minus, rod
from recipes.palette import BONE, CLAY, INK, PINE, RUBBER
from recipes.robot import Limit, Robot
from recipes.solids import Box, Part

ABOUT = """\
gripper: two fingers that stay parallel, one motor on the left crank. 62 mm open at q = 0,
closed at -1.03; the cranks turn against one another by their gear."""
COLOURS = {1: CLAY, -1: PINE}


def make():
    robot = Robot("gripper", ABOUT)
    robot.link("world", Part(Box(0.12, 0.06, 0.05), 0.0, (0, 0, 0.0), colour=INK))
    for side, name in ((1, "left"), (-1, "right")):
        _finger(robot, side, name)
    robot.coupling("gear", "left_crank", "right_crank", -1)
    return robot


def _finger(robot, side, name):
    crank, follower, finger = f"{name}_crank", f"{name}_follower", f"{name}_finger"
    A, B = at(0.015 * side, 0.05), at(0.040 * side, 0.04)
    C, D = at(0.045 * side, 0.10), at(0.070 * side, 0.09)
    limit = Limit(-1.03, 0.5, 5, 10) if side > 0 else None
    kind = "revolute" if limit else "continuous"
    robot.joint(crank, kind, "world", crank, xyz=A, axis=Y, limit=limit, independent=side > 0,
                dynamics={"damping": 0.01})
    robot.link(crank, rod((0, 0, 0), minus(C, A), 0.03, 0.004), knob(length=0.03, radius=0.004))
    bar(robot, follower, "world", (B, D), 0.02, y=-0.012)
    robot.joint(finger, "continuous", crank, finger, xyz=minus(C, A), axis=Y, independent=False)
    pad = minus(at(0.035 * side, 0.13), C)
    robot.link(
        finger,
        rod((0, 0, 0), minus(D, C), 0.02, 0.004, BONE),
        Part(Box(0.008, 0.02, 0.05), 0.05, pad, colour=COLOURS[side], collides=True,
             contact="rubber"),
        Part(Box(0.001, 0.018, 0.046), 0.0, (pad[0] - 0.004 * side, 0, pad[2]), colour=RUBBER),
    )
    robot.loop(f"{name}_pin", "revolute", finger, follower, D, axis=Y)
