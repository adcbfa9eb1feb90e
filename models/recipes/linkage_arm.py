"""linkage_arm: an arm whose elbow is driven from the shoulder through a four-bar."""

from recipes.linkage import ACROSS, Y, at, bar, knob, rod
from recipes.palette import BONE, BRASS, CLAY, INK, PINE, RUBBER
from recipes.robot import Limit, Robot
from recipes.solids import Cylinder, Part, Sphere

SHOULDER, ELBOW, TOOL = at(0.0, 0.40), at(0.18, 0.70), at(0.50, 0.55)
PIN, HEEL = at(-0.09, 0.44), at(0.10, 0.73)  # of the rod: on the crank, on the forearm

ABOUT = """\
linkage_arm: a turntable, an upper arm of 0.35 m, and a forearm of 0.35 m whose heel behind the
elbow a rod moves; both motors stand at the shoulder, so that the elbow carries none.
Upper arm 0.350, crank 0.098, rod 0.347, heel 0.085 m: nearly a parallelogram, but no change
point. The ball at the end of the forearm is the tool."""


def motor(effort):
    return {"dynamics": {"damping": 0.2, "rotor_inertia": 0.02},
            "limit": Limit(-1.2, 1.2, effort, 8), "independent": True}


def make():
    robot = Robot("linkage_arm", ABOUT)
    robot.link("world", Part(Cylinder(0.10, 0.20), 0.0, at(0.0, 0.10), colour=INK))
    robot.joint("yaw", "revolute", "world", "turntable", xyz=at(0.0, 0.20), axis=(0, 0, 1),
                **motor(150))
    robot.link("turntable", Part(Cylinder(0.07, 0.16), 4.05, (0, 0, 0.08), colour=PINE),
               Part(Cylinder(0.06, 0.16), 2.0, (0, 0, 0.20), ACROSS, INK))
    robot.joint("shoulder", "revolute", "turntable", "upper_arm",
                xyz=robot.seen_from("turntable", SHOULDER), axis=Y, **motor(150))
    robot.link("upper_arm", _limb(SHOULDER, ELBOW, 0.035, 2.0),
               Part(Cylinder(0.045, 0.10), 0.5, _from(SHOULDER, ELBOW), ACROSS, INK))
    robot.joint("elbow", "revolute", "upper_arm", "forearm", xyz=_from(SHOULDER, ELBOW), axis=Y,
                limit=Limit(-2.0, 2.0, 1000, 20), independent=False)
    tool = _from(ELBOW, TOOL)
    robot.link("forearm", _limb(ELBOW, TOOL, 0.025, 1.2),
               rod((0, 0, 0), _from(ELBOW, HEEL), 0.2, 0.012, CLAY), knob(length=0.10),
               Part(Sphere(0.03), 0.2, tool, colour=RUBBER, collides=True, contact="rubber"))
    robot.joint("crank", "revolute", "turntable", "crank",
                xyz=robot.seen_from("turntable", SHOULDER), axis=Y, **motor(150))
    robot.link("crank", rod((0, 0, 0), _from(SHOULDER, PIN), 0.3, 0.012, CLAY, y=-0.06),
               Part(Cylinder(0.03, 0.03), 0.3, (0, -0.06, 0), ACROSS, BRASS))
    bar(robot, "rod", "crank", (PIN, HEEL), 0.25, y=-0.06)
    robot.loop("heel", "revolute", "rod", "forearm", HEEL, axis=Y)
    return robot


def _from(a, b):
    return tuple(round(q - p, 6) for p, q in zip(a, b))


def _limb(a, b, radius, mass):
    """A thick rod from the joint at a to b, in the frame of a."""
    return rod((0, 0, 0), _from(a, b), mass, radius, BONE)
