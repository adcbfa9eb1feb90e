"""arm7: a bench arm of seven joints, shoulder, elbow and wrist, axes crossing in each."""

from math import pi

from recipes.palette import BONE, BRASS, INK, PINE
from recipes.robot import Limit, Robot
from recipes.solids import Box, Capsule, Cylinder, Part

ACROSS = (pi / 2, 0.0, 0.0)

ABOUT = """\
arm7: a fixed arm of seven revolute joints, which roll (about z) and pitch (about y) in turn.
Reach 1.2 m from the shoulder, at 0.34 m, to the tool frame; at zero it points straight up."""

# joint origin, axis, range, effort, velocity, rotor inertia, nominal angle: from the base out
JOINTS = (
    (0.16, "z", 2.9, 180, 2.2, 0.60, 0.0),
    (0.18, "y", 2.0, 180, 2.2, 0.60, 0.4),
    (0.26, "z", 2.9, 110, 2.6, 0.30, 0.0),
    (0.24, "y", 2.3, 110, 2.6, 0.30, 1.5),
    (0.24, "z", 2.9, 60, 3.2, 0.12, 0.0),
    (0.24, "y", 2.1, 40, 3.2, 0.08, 1.24),
    (0.10, "z", 3.0, 30, 4.0, 0.04, 0.0),
)

# radius and mass of each moving link; its length is the way to the next joint
LINKS = ((0.070, 4.4), (0.065, 4.0), (0.058, 3.2), (0.054, 2.8), (0.048, 2.0), (0.044, 1.5))
TOOL = 0.12


def make():
    robot = Robot("arm7", ABOUT)
    robot.link("world")
    robot.joint("base_mount", "fixed", "world", "base")
    robot.link(
        "base",
        Part(Box(0.26, 0.26, 0.02), 3.0, (0, 0, 0.01), colour=INK, collides=True),
        Part(Cylinder(0.08, 0.13), 4.0, (0, 0, 0.085), colour=BONE, collides=True),
    )
    parent = "base"
    for i, (height, axis, bound, effort, velocity, rotor, nominal) in enumerate(JOINTS, start=1):
        child = f"link{i}"
        robot.joint(
            f"joint{i}", "revolute", parent, child, xyz=(0, 0, height),
            axis=(0, 0, 1) if axis == "z" else (0, 1, 0), nominal=nominal,
            limit=Limit(-bound, bound, effort, velocity),
            dynamics={"damping": effort / 200, "friction": effort / 400, "rotor_inertia": rotor},
        )
        robot.link(child, *(_hand() if i == len(JOINTS) else _segment(i, axis)))
        parent = child
    robot.joint("tool_mount", "fixed", parent, "tool", xyz=(0, 0, TOOL))
    robot.link("tool")
    return robot


def _segment(i, axis):
    """A tube up to the next joint. Pitching links carry their own motor drum at their foot."""
    (radius, mass), length = LINKS[i - 1], JOINTS[i][0]
    if axis == "z":
        tube = Cylinder(radius, length - 0.05)
        return (
            Part(tube, mass, (0, 0, (length - 0.05) / 2), colour=BONE, collides=True),
            Part(Cylinder(radius + 0.002, 0.018), 0.0, (0, 0, 0.012), colour=PINE),
        )
    tube = Capsule(radius - 0.008, length - 2 * radius)
    drum = Cylinder(radius, 2.3 * radius)
    cap = Cylinder(0.55 * radius, 2.3 * radius + 0.01)
    return (
        Part(drum, 0.6 * mass, rpy=ACROSS, colour=INK, collides=True),
        Part(cap, 0.0, rpy=ACROSS, colour=BRASS),
        Part(tube, 0.4 * mass, (0, 0, length / 2 + 0.01), colour=BONE, collides=True),
    )


def _hand():
    """A flange and two fingers, closed on nothing, that end at the tool frame."""
    finger = Box(0.02, 0.012, 0.07)
    return (
        Part(Cylinder(0.036, 0.05), 0.5, (0, 0, 0.025), colour=INK, collides=True),
        Part(finger, 0.1, (0, 0.025, 0.085), colour=BRASS, collides=True),
        Part(finger, 0.1, (0, -0.025, 0.085), colour=BRASS, collides=True),
    )
