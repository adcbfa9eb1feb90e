"""delta: three arms, six rods, a platform that never turns."""

from math import cos, radians, sin, sqrt

from recipes.linkage import at, minus, rod
from recipes.palette import BONE, BRASS, CLAY, INK, MOSS, PINE
from recipes.robot import Limit, Robot
from recipes.solids import Cylinder, Part, Sphere

BASE, ARM, ROD, PLATFORM, HALF = 0.12, 0.18, 0.36, 0.05, 0.03
HEIGHT = 0.8
DROP = sqrt(ROD**2 - (BASE + ARM - PLATFORM) ** 2)

ABOUT = """\
delta: three motors move a platform that stays level. Arms of 0.18 m on a circle of 0.12 m,
rods of 0.36 m in pairs 0.06 m apart, down to a circle of 0.05 m on the platform.
Every rod has a universal joint above and a ball below: five balls close the loops, the sixth
carries the platform in the tree. At q = 0 the arms are level."""


def make():
    robot = Robot("delta", ABOUT)
    robot.link("world", Part(Cylinder(0.14, 0.02), 0.0, (0, 0, HEIGHT + 0.04), colour=INK))
    ends = []
    for arm, degrees, colour in ((1, 0, CLAY), (2, 120, PINE), (3, 240, MOSS)):
        ends += _arm(robot, f"arm{arm}", radians(degrees), colour)
    (first, ball), *others = ends

    robot.joint(
        "platform", "spherical", first, "platform", xyz=robot.seen_from(first, ball),
        independent=False,
    )
    centre = minus((0, 0, round(HEIGHT - DROP, 6)), ball)
    robot.link(
        "platform",
        Part(Cylinder(0.055, 0.012), 0.25, centre, colour=BONE),
        *(Part(Sphere(0.008), 0.0, minus(end, ball), colour=BRASS) for _, end in ends),
    )
    robot.joint("tool_mount", "fixed", "platform", "tool", xyz=centre)
    robot.link("tool")
    for i, (name, end) in enumerate(others, 2):
        robot.loop(f"ball{i}", "point", name, "platform", end)
    return robot


def _arm(robot, arm, angle, colour):
    """An arm and its two rods; (name, lower end) of each."""
    out, aside = (cos(angle), sin(angle)), (-sin(angle), cos(angle))

    def point(r, z, t=0.0):
        return at(r * out[0] + t * aside[0], z, r * out[1] + t * aside[1])

    shoulder, elbow = point(BASE, HEIGHT), point(BASE + ARM, HEIGHT)
    robot.joint(
        arm, "revolute", "world", arm, xyz=shoulder, axis=(*aside, 0.0), independent=True,
        limit=Limit(-1.0, 1.2, 20, 20), dynamics={"damping": 0.02},
    )
    robot.link(
        arm,
        rod((0, 0, 0), minus(elbow, shoulder), 0.2, 0.012, colour),
        rod(minus(point(BASE + ARM, HEIGHT, -HALF), shoulder),
            minus(point(BASE + ARM, HEIGHT, HALF), shoulder), 0.03, 0.006, colour),
    )
    ends = []
    for side, t in (("a", HALF), ("b", -HALF)):
        name = f"{arm}_rod_{side}"
        upper, lower = point(BASE + ARM, HEIGHT, t), point(PLATFORM, HEIGHT - DROP, t)
        reach = (BASE + ARM - PLATFORM) / ROD  # the rod leans in by so much, down by drop
        across = (-DROP / ROD * out[0], -DROP / ROD * out[1], reach)
        robot.joint(
            name, "universal", arm, name, xyz=minus(upper, shoulder), axis=(*aside, 0.0),
            axis2=across, independent=False,
        )
        robot.link(name, rod((0, 0, 0), minus(lower, upper), 0.05, 0.005, BONE))
        ends.append((name, lower))
    return ends
