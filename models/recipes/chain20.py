"""chain20: twenty capsules hanging one below the other on ball joints with springs."""

from recipes.palette import BRASS, CLAY, MOSS, PINE, mix
from recipes.robot import Robot
from recipes.solids import Capsule, Part, Sphere

COUNT, PITCH, RADIUS = 20, 0.15, 0.03

ABOUT = """\
chain20: twenty links of 0.15 m and 0.3 kg on spherical joints, hanging from 3.2 m.
Each joint has a spring (1.5 N m/rad) that wants the links in line, and a little damping."""


def make():
    robot = Robot("chain20", ABOUT)
    robot.link("world", Part(Sphere(0.025), 0.0, (0, 0, 3.2), colour=BRASS))
    parent, xyz = "world", (0, 0, 3.2)
    for i in range(1, COUNT + 1):
        child = f"link{i}"
        robot.joint(
            f"joint{i}", "spherical", parent, child, xyz=xyz,
            dynamics={"spring_mount": (1, 0, 0, 0), "stiffness": 1.5, "damping": 0.02},
        )
        # Neighbours leave a gap of 4 mm, so that a straight chain touches nothing.
        solid = Capsule(RADIUS, PITCH - 2 * RADIUS - 0.004)
        part = Part(solid, 0.3, (0, 0, -PITCH / 2), colour=_colour(i), collides=True)
        robot.link(child, part)
        parent, xyz = child, (0, 0, -PITCH)
    return robot


def _colour(i):
    """From clay at the top over moss to pine at the bottom."""
    t = 2 * (i - 1) / (COUNT - 1)
    return mix(CLAY, MOSS, t) if t <= 1 else mix(MOSS, PINE, t - 1)
