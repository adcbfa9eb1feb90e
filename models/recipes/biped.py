"""biped: a humanoid of 60 kg and 1.6 m with box feet and 25 motors."""

from math import cos, pi

from recipes.palette import BONE, BRASS, CLAY, INK, MOSS, PINE, RUBBER
from recipes.robot import Limit, Robot
from recipes.solids import Box, Capsule, Cylinder, Part, Sphere

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
ALONG_X, ALONG_Y = (0.0, pi / 2, 0.0), (pi / 2, 0.0, 0.0)

HIP_DROP, HIP_SIDE = 0.10, 0.09  # from the pelvis' origin to where the three hip axes meet
THIGH, SHANK, ANKLE = 0.37, 0.37, 0.09
BEND = 0.35  # hips and ankles of the nominal pose; knees bend twice that, so the soles are level

ABOUT = """\
biped: a humanoid of 60 kg, 1.6 m tall when straight, 25 motors.
x forward, y left, z up; legs of six joints, arms of four, a waist of three, a neck of two.
At zero it stands straight with hanging arms. A positive pitch (about y) swings a hanging limb
back: hips and elbows bend with negative angles, knees with positive ones."""


def make():
    height = HIP_DROP + (THIGH + SHANK) * cos(BEND) + ANKLE
    robot = Robot("biped", ABOUT, base_height=height)
    robot.link(
        "pelvis",
        Part(Box(0.15, 0.22, 0.10), 6.0, (0, 0, 0.005), colour=BONE, collides=True),
        Part(Cylinder(0.06, 0.05), 1.0, (0, 0, 0.045), colour=INK),
    )
    robot.joint("imu_mount", "fixed", "pelvis", "imu", xyz=(-0.08, 0, 0.02))
    robot.link("imu", Part(Box(0.01, 0.03, 0.03), colour=BRASS))
    for side, left in (("L", 1), ("R", -1)):
        _leg(robot, side, left)
    _trunk(robot)
    for side, left in (("L", 1), ("R", -1)):
        _arm(robot, side, left)
    return robot


def _motor(robot, name, parent, child, xyz, axis, limit, nominal=0.0):
    """A revolute joint whose reflected rotor inertia and damping grow with its strength."""
    effort = limit[2]
    robot.joint(
        name, "revolute", parent, child, xyz=xyz, axis=axis, limit=Limit(*limit), nominal=nominal,
        dynamics={"damping": effort / 400, "rotor_inertia": effort / 4000},
    )


def _mirrored(left, lower, upper, effort, velocity):
    """A limit of the left side, seen in the mirror for the right one."""
    return (lower, upper, effort, velocity) if left > 0 else (-upper, -lower, effort, velocity)


def _leg(robot, side, left):
    def name(part):
        return f"{side}_{part}"

    _motor(robot, name("hip_yaw"), "pelvis", name("hip_yaw_link"),
           (0, HIP_SIDE * left, 0.07 - HIP_DROP), Z, _mirrored(left, -0.6, 0.9, 80, 12))
    robot.link(name("hip_yaw_link"), Part(Cylinder(0.05, 0.05), 1.2, (0, 0, -0.02), colour=INK))

    _motor(robot, name("hip_roll"), name("hip_yaw_link"), name("hip_roll_link"),
           (0, 0, -0.07), X, _mirrored(left, -0.4, 0.8, 120, 12))
    robot.link(name("hip_roll_link"), Part(Cylinder(0.048, 0.11), 1.2, rpy=ALONG_X, colour=INK))

    _motor(robot, name("hip_pitch"), name("hip_roll_link"), name("thigh"),
           (0, 0, 0), Y, (-2.0, 0.9, 180, 12), -BEND)
    robot.link(
        name("thigh"),
        Part(Cylinder(0.055, 0.12), 1.8, rpy=ALONG_Y, colour=INK),
        Part(Capsule(0.060, 0.20), 3.2, (0, 0, -0.18), colour=BONE, collides=True),
        Part(Cylinder(0.035, 0.126), 0.0, rpy=ALONG_Y, colour=BRASS),
    )

    _motor(robot, name("knee"), name("thigh"), name("shank"),
           (0, 0, -THIGH), Y, (-0.1, 2.3, 200, 14), 2 * BEND)
    robot.link(
        name("shank"),
        Part(Cylinder(0.052, 0.09), 1.2, rpy=ALONG_Y, colour=CLAY),
        Part(Capsule(0.045, 0.20), 1.8, (0, 0, -0.18), colour=BONE, collides=True),
    )

    _motor(robot, name("ankle_pitch"), name("shank"), name("ankle"),
           (0, 0, -SHANK), Y, (-0.9, 0.7, 120, 12), -BEND)
    robot.link(name("ankle"), Part(Cylinder(0.032, 0.07), 0.4, rpy=ALONG_Y, colour=INK))

    _motor(robot, name("ankle_roll"), name("ankle"), name("foot"),
           (0, 0, 0), X, (-0.5, 0.5, 80, 12))
    robot.link(
        name("foot"),
        Part(Box(0.24, 0.10, 0.03), 0.8, (0.03, 0, 0.015 - ANKLE), colour=RUBBER, collides=True,
             contact="rubber"),
        Part(Box(0.09, 0.06, 0.045), 0.2, (0, 0, 0.052 - ANKLE), colour=INK),
    )


def _trunk(robot):
    _motor(robot, "waist_yaw", "pelvis", "waist_yaw_link", (0, 0, 0.07), Z, (-1.2, 1.2, 100, 10))
    robot.link("waist_yaw_link", Part(Cylinder(0.055, 0.04), 1.0, (0, 0, 0.01), colour=PINE))

    _motor(robot, "waist_roll", "waist_yaw_link", "waist_roll_link",
           (0, 0, 0.04), X, (-0.5, 0.5, 100, 10))
    robot.link("waist_roll_link", Part(Cylinder(0.045, 0.11), 1.0, rpy=ALONG_X, colour=INK))

    _motor(robot, "waist_pitch", "waist_roll_link", "torso",
           (0, 0, 0.03), Y, (-0.4, 1.0, 150, 10))
    robot.link(
        "torso",
        Part(Cylinder(0.045, 0.14), 1.6, rpy=ALONG_Y, colour=INK),
        Part(Box(0.17, 0.25, 0.23), 11.5, (0, 0, 0.165), colour=BONE, collides=True),
        Part(Capsule(0.055, 0.16), 2.5, (0, 0, 0.26), ALONG_Y, PINE, collides=True),
        Part(Box(0.012, 0.15, 0.09), 0.0, (0.086, 0, 0.19), colour=PINE),
        Part(Cylinder(0.022, 0.012), 0.0, (0.093, 0, 0.19), ALONG_X, BRASS),
    )

    _motor(robot, "neck_yaw", "torso", "neck", (0, 0, 0.31), Z, (-1.4, 1.4, 20, 8))
    robot.link("neck", Part(Cylinder(0.035, 0.06), 0.4, (0, 0, 0.02), colour=INK))

    _motor(robot, "neck_pitch", "neck", "head", (0, 0, 0.04), Y, (-0.7, 0.8, 20, 8))
    robot.link(
        "head",
        Part(Sphere(0.09), 2.6, (0.01, 0, 0.09), colour=BONE, collides=True),
        Part(Capsule(0.026, 0.07), 0.0, (0.082, 0, 0.10), ALONG_Y, INK),
    )


def _arm(robot, side, left):
    def name(part):
        return f"{side}_{part}"

    _motor(robot, name("shoulder_pitch"), "torso", name("shoulder"),
           (0, 0.17 * left, 0.24), Y, (-2.8, 1.2, 60, 10))
    motor = Part(Cylinder(0.045, 0.06), 0.8, (0, 0.01 * left, 0), ALONG_Y, INK)
    robot.link(name("shoulder"), motor)

    _motor(robot, name("shoulder_roll"), name("shoulder"), name("shoulder_roll_link"),
           (0, 0.06 * left, 0), X, _mirrored(left, -0.3, 2.4, 60, 10), 0.15 * left)
    robot.link(name("shoulder_roll_link"), Part(Sphere(0.05), 0.7, colour=MOSS))

    _motor(robot, name("shoulder_yaw"), name("shoulder_roll_link"), name("upper_arm"),
           (0, 0, -0.07), Z, (-1.4, 1.4, 40, 10))
    robot.link(
        name("upper_arm"),
        Part(Capsule(0.038, 0.11), 1.1, (0, 0, -0.085), colour=BONE, collides=True),
        Part(Cylinder(0.040, 0.07), 0.4, (0, 0, -0.19), ALONG_Y, CLAY),
    )

    _motor(robot, name("elbow"), name("upper_arm"), name("forearm"),
           (0, 0, -0.19), Y, (-2.3, 0.1, 40, 10), -0.5)
    robot.link(
        name("forearm"),
        Part(Capsule(0.033, 0.12), 1.0, (0, 0, -0.11), colour=BONE, collides=True),
        Part(Sphere(0.042), 0.4, (0, 0, -0.235), colour=INK, collides=True),
    )
    robot.joint(name("hand_mount"), "fixed", name("forearm"), name("hand"), xyz=(0, 0, -0.235))
    robot.link(name("hand"))
