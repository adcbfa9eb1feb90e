"""cassie_like: a biped with the legs of Agility Robotics' Cassie: leaf springs and rods that close loops.

Lengths, masses, gear ratios and stiffnesses are Cassie's, rounded; the shapes are primitives.
"""

from dataclasses import replace
from math import cos, hypot, sin

from recipes.linkage import ACROSS, Y, at, knob, minus, rod
from recipes.palette import BONE, BRASS, CLAY, INK, PINE, RUBBER
from recipes.robot import Limit, Robot
from recipes.solids import Box, Capsule, Cylinder, Part, Sphere

X, Z = (1, 0, 0), (0, 0, 1)
ALONG_X = (0.0, 1.5707963267948966, 0.0)

# The stance that is drawn, in the x-z plane of a leg. Angles from straight down, forward positive.
HIP = (-0.05, -0.09)  # of the pitch axis; yaw is above it, roll 0.07 m before that
SIDE = 0.135
THIGH, THIGH_ANGLE = 0.12, 0.50
KNEE = 0.077  # from the knee's axis down to the hinge of the leaf spring
SHIN, SHIN_ANGLE = 0.435, -0.656
TARSUS, TARSUS_ANGLE = 0.41, 0.59
HEEL = (-0.031, -0.011)  # hinge of the heel spring, from the tarsus' axis
HEEL_SPRING, HEEL_ANGLE = 0.119, 3.445
CRANK_PIVOT = (0.013, -0.066)  # from the tarsus' axis
CRANK, CRANK_ANGLE = 0.055, -0.80
ANKLE = 0.057  # above the ground
TOE, REAR, SOLE = 0.10, -0.06, 0.02  # of the foot's capsule: ends from the ankle, radius
ROD_INSIDE = 0.045  # upper end of the achilles rod, from the leg's plane towards the other leg
CRANK_OUTSIDE = 0.015

# Reflected inertia: rotors of 6.1e-5, 3.65e-4 and 4.9e-6 kg m^2 times the squares of 25, 16 and 50.
HIP_MOTOR = {"damping": 1.0, "rotor_inertia": 0.038}
LEG_MOTOR = {"damping": 1.0, "rotor_inertia": 0.093}
FOOT_MOTOR = {"damping": 1.0, "rotor_inertia": 0.012}

ABOUT = """\
cassie_like: a biped of 33 kg with the mechanism of Cassie, 10 motors.
x forward, y left, z up; legs L and R, each with motors at hip_roll, hip_yaw, hip_pitch, knee and
crank. The shin hangs on the knee by a leaf spring (shin). A rod from the hip to a second leaf
spring at the heel of the tarsus (achilles, heel_spring) folds the tarsus as the knee bends. The crank
in the tarsus moves the foot by another rod (plantar), a parallelogram: shin and tarsus may move, and
the foot keeps its angle to the crank's. Feet are blades: a capsule each, without an ankle roll.
Positive knee bends the leg; a positive crank points the toes down. At q = 0 it stands on bent legs,
its springs without load."""


def _towards(point, length, angle):
    return (point[0] + length * sin(angle), point[1] - length * cos(angle))


def make():
    robot = Robot("cassie_like", ABOUT, base_height=round(ANKLE - _points()["foot"][1], 6))
    robot.link(
        "pelvis",
        Part(Box(0.16, 0.15, 0.17), 5.6, (0.07, 0, 0.045), colour=BONE, collides=True),
        Part(Cylinder(0.062, 0.12), 2.0, (0.01, SIDE, 0), ALONG_X, INK),
        Part(Cylinder(0.062, 0.12), 2.0, (0.01, -SIDE, 0), ALONG_X, INK),
        Part(Box(0.10, 0.10, 0.04), 0.7, (0.075, 0, 0.15), colour=PINE),
        Part(Cylinder(0.022, 0.012), 0.0, (0.152, 0.04, 0.06), ALONG_X, BRASS),
        Part(Cylinder(0.022, 0.012), 0.0, (0.152, -0.04, 0.06), ALONG_X, BRASS),
    )
    for side, left in (("L", 1), ("R", -1)):
        _leg(robot, side, left)
    return robot


def _points():
    """x and z of the pins in the frame of the pelvis."""
    pins = {"hip": HIP}
    pins["knee"] = _towards(HIP, THIGH, THIGH_ANGLE)
    pins["shin"] = (pins["knee"][0], pins["knee"][1] - KNEE)
    pins["tarsus"] = _towards(pins["shin"], SHIN, SHIN_ANGLE)
    pins["foot"] = _towards(pins["tarsus"], TARSUS, TARSUS_ANGLE)
    pins["heel"] = (pins["tarsus"][0] + HEEL[0], pins["tarsus"][1] + HEEL[1])
    pins["tip"] = _towards(pins["heel"], HEEL_SPRING, HEEL_ANGLE)
    pins["crank"] = (pins["tarsus"][0] + CRANK_PIVOT[0], pins["tarsus"][1] + CRANK_PIVOT[1])
    pins["upper"] = _towards(pins["crank"], CRANK, CRANK_ANGLE)
    pins["lower"] = _towards(pins["foot"], CRANK, CRANK_ANGLE)
    return pins


def _leg(robot, side, left):
    def name(part):
        return f"{side}_{part}"

    def pin(point, y=SIDE):
        x, z = _points()[point]
        return at(x, z, y * left)

    def hinge(joint, parent, child, point, **more):
        robot.joint(name(joint), "revolute" if "limit" in more else "continuous", parent, child,
                    xyz=robot.seen_from(parent, point), axis=Y, **more)

    def own(link, point):
        return robot.seen_from(link, point)

    origin = (0.0, 0.0, 0.0)
    robot.joint(
        name("hip_roll"), "revolute", "pelvis", name("hip_roll_link"), xyz=(HIP[0] + 0.07, SIDE * left, 0),
        axis=X, limit=_mirrored(left, -0.35, 0.45, 112, 12), dynamics=HIP_MOTOR, independent=True)
    robot.link(name("hip_roll_link"), Part(Cylinder(0.05, 0.10), 1.8, (-0.05, 0, 0.02), colour=INK))
    robot.joint(
        name("hip_yaw"), "revolute", name("hip_roll_link"), name("hip_yaw_link"), xyz=(-0.07, 0, 0), axis=Z,
        limit=Limit(-0.39, 0.39, 112, 12), dynamics=HIP_MOTOR, independent=True)
    robot.link(name("hip_yaw_link"), Part(Cylinder(0.042, 0.07), 1.2, (0, 0, -0.05), colour=BONE))

    thigh, knee = name("thigh"), name("knee_link")
    hinge("hip_pitch", name("hip_yaw_link"), thigh, pin("hip"), limit=Limit(-0.9, 1.37, 195, 8.5),
          dynamics=LEG_MOTOR, independent=True)
    robot.link(
        thigh,
        Part(Cylinder(0.06, 0.07), 2.4, (0, 0.05 * left, 0), ACROSS, INK),
        Part(Cylinder(0.06, 0.07), 2.4, tuple(a + b for a, b in zip(own(thigh, pin("knee")), (0, 0.05 * left, 0))),
             ACROSS, INK),
        rod(origin, own(thigh, pin("knee")), 0.7, 0.04, BONE),
    )
    _achilles(robot, name, left, pin)

    hinge("knee", thigh, knee, pin("knee"), limit=Limit(-0.55, 1.66, 195, 8.5), dynamics=LEG_MOTOR,
          independent=True)
    robot.link(knee, rod(origin, own(knee, pin("shin")), 0.76, 0.032, CLAY),
               rod(own(knee, pin("shin")), tuple(0.35 * t + 0.65 * s for s, t in zip(
                   own(knee, pin("shin")), own(knee, pin("tarsus")))), 0.19, 0.012, BRASS))
    shin, tarsus, heel = name("shin_link"), name("tarsus_link"), name("heel_spring_link")
    hinge("shin", knee, shin, pin("shin"), limit=Limit(-0.35, 0.35, 200, 20),
          dynamics={"damping": 0.1, "stiffness": 1500, "spring_mount": 0}, independent=True)
    robot.link(shin, rod(origin, own(shin, pin("tarsus")), 0.58, 0.025, BONE))
    hinge("tarsus", shin, tarsus, pin("tarsus"), dynamics={"damping": 0.1}, independent=False)
    robot.link(
        tarsus,
        Part(Sphere(0.033), 0.2, colour=CLAY),
        replace(rod(origin, own(tarsus, pin("foot")), 0.58, 0.02, BONE), collides=True),
    )
    hinge("heel_spring", tarsus, heel, pin("heel"), limit=Limit(-0.35, 0.35, 200, 20),
          dynamics={"damping": 0.1, "stiffness": 1250, "spring_mount": 0}, independent=True)
    robot.link(heel, rod(origin, own(heel, pin("tip")), 0.13, 0.010, BRASS))
    robot.loop(name("achilles_end"), "point", name("achilles_rod"), heel, pin("tip"))
    _foot(robot, name, left, pin)


def _achilles(robot, name, left, pin):
    """The rod from the hip: two axes across it, so that it cannot spin about itself."""
    thigh, end = name("thigh"), name("achilles_rod")
    upper, lower = pin("hip", SIDE - ROD_INSIDE), pin("tip")
    d = minus(lower, upper)
    flat = hypot(d[0], d[2])
    robot.joint(name("achilles"), "universal", thigh, end, xyz=robot.seen_from(thigh, upper), axis=Y,
                axis2=(-d[2] / flat, 0.0, d[0] / flat), independent=False)
    robot.link(end, rod((0.0, 0.0, 0.0), d, 0.16, 0.006, PINE))


def _foot(robot, name, left, pin):
    tarsus, crank, plantar, foot = (name(link) for link in ("tarsus_link", "crank_link", "plantar_rod", "foot_link"))
    outside = SIDE + CRANK_OUTSIDE
    pivot, upper, lower = pin("crank", outside), pin("upper", outside), pin("lower", outside)
    robot.joint(name("crank"), "revolute", tarsus, crank, xyz=robot.seen_from(tarsus, pivot), axis=Y,
                limit=Limit(-0.92, 0.92, 45, 11.5), dynamics=FOOT_MOTOR, independent=True)
    robot.link(crank, rod((0.0, 0.0, 0.0), minus(upper, pivot), 0.04, 0.008, CLAY),
               Part(Cylinder(0.028, 0.02), 0.09, (0, 0, 0), ACROSS, INK))
    robot.joint(name("plantar"), "continuous", crank, plantar, xyz=minus(upper, pivot), axis=Y,
                independent=False)
    robot.link(plantar, rod((0.0, 0.0, 0.0), minus(lower, upper), 0.12, 0.005, PINE), knob(length=0.02))
    ankle = pin("foot")
    robot.joint(name("foot"), "continuous", tarsus, foot, xyz=robot.seen_from(tarsus, ankle), axis=Y,
                independent=False)
    sole = SOLE - ANKLE
    robot.link(
        foot,
        Part(Capsule(SOLE, TOE - REAR), 0.12, ((TOE + REAR) / 2, 0, sole), ALONG_X, RUBBER, collides=True,
             contact="rubber"),
        rod((0.0, 0.0, 0.0), (0.02, 0.0, sole), 0.03, 0.014, INK),
    )
    robot.loop(name("plantar_end"), "revolute", plantar, foot, lower, axis=Y)


def _mirrored(left, lower, upper, effort, velocity):
    """A limit of the left leg, seen in the mirror for the right one."""
    return Limit(*((lower, upper) if left > 0 else (-upper, -lower)), effort, velocity)
