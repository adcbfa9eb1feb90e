"""The differential drives of the Tello humanoid: two rotors turn two joints by rods of constant
length, whose equations stand in the file. Lengths of the rods are the robot's; links are ours."""

from math import atan2, cos, pi, sin, sqrt

from recipes.linkage import ACROSS, Y
from recipes.palette import BONE, BRASS, CLAY, INK, PINE, RUBBER
from recipes.robot import Limit, Robot
from recipes.solids import Box, Capsule, Cylinder, Part

GEAR = 6
HIP, THIGH, SHANK = 0.80, 0.26, 0.26
X = (1, 0, 0)

HIP_ABOUT = """\
tello_hip: the hip of the Tello humanoid. Two rotors, geared 6 to 1, swing the leg by two rods: both
together pitch it, one against the other rolls it.
No friction at all: energy must stay."""
LEG_ABOUT = """\
tello_leg: a leg of the Tello humanoid, hung up by its pelvis: hip and knee with ankle are
differentials. Two rotors of the hip roll and pitch the thigh; of the two in the thigh the mean
bends the knee and the difference the ankle.
No friction; energy goes where the ankle meets its stops."""


def solution(a, b, c):
    """The angle with a sin y + b cos y = c at which the left side grows."""
    d = sqrt(a * a + b * b - c * c)
    return atan2(a * c - b * d, b * c + a * d)


# Rotors stand at zero where the joints do.
HIP_ZERO = solution(0.0228, -0.0128, 0.0098 - 3021 / 160000)
P, R, E = 1979 * pi / 4500, 493 * pi / 1500, 231 * pi / 500
KNEE_ZERO = solution(
    -0.00336 * sin(P) + 0.0208 * sin(R) - 0.0028 * cos(E),
    0.00336 * cos(P) - 0.0208 * cos(R) - 0.0028 * sin(E),
    0.02184 * cos(pi / 9) - 0.0182 * sin(2 * pi / 15) + 0.00294 * sin(pi / 45)
    - 163349 / 6250000)


def hip():
    robot = Robot("tello_hip", HIP_ABOUT, recipe="tello")
    _hip(robot)
    return robot


def leg():
    robot = Robot("tello_leg", LEG_ABOUT, recipe="tello")
    _hip(robot)
    _knee(robot)
    return robot


def _hip(robot):
    robot.link("world", Part(Box(0.08, 0.20, 0.06), 0.0, (-0.06, 0, HIP + 0.08), colour=INK))
    for side, y in (("left", 0.06), ("right", -0.06)):
        _rotor(robot, f"hip_{side}_rotor", "world", (-0.06, y, HIP + 0.02))
    robot.joint("hip_roll", "revolute", "world", "hip", xyz=(0, 0, HIP), axis=X,
                limit=Limit(-0.5, 0.5, 60, 20), independent=False)
    robot.link("hip", Part(Cylinder(0.03, 0.08), 0.6, (-0.02, 0, 0), (0.0, pi / 2, 0.0), PINE))
    robot.joint("hip_pitch", "revolute", "hip", "thigh", axis=Y,
                limit=Limit(-0.6, 0.6, 60, 20), independent=False)
    robot.link("thigh", _limb(THIGH, 1.5), Part(Cylinder(0.035, 0.07), 0.8, (0, 0, -0.03),
                                                ACROSS, CLAY))
    robot.constraint(
        "hip_rods",
        {"hip_left_rotor": "r1", "hip_right_rotor": "r2", "hip_roll": "a", "hip_pitch": "b"},
        [("y1", f"r1 / {GEAR} + {HIP_ZERO:.14f}"), ("y2", f"r2 / {GEAR} + {HIP_ZERO:.14f}")],
        [_hip_rod("y1", "-", "+"), _hip_rod("y2", "+", "-")])


def _hip_rod(y, minus, plus):
    return (f"0.0228*sin({y}) - 0.0128*cos({y})*cos(b) - 0.0098*cos(a) {minus} 0.01995*sin(a)"
            f" - 0.0228*cos(a)*sin(b) {minus} 0.0112*sin({y})*sin(a) {plus} 0.0112*sin(a)*sin(b)"
            f" - 0.0128*cos(a)*sin({y})*sin(b) + 3021/160000")


def _knee(robot):
    for side, y in (("left", 0.05), ("right", -0.05)):
        _rotor(robot, f"knee_{side}_rotor", "thigh", (0, y, -0.08))
    robot.joint("knee", "revolute", "thigh", "shank", xyz=(0, 0, -THIGH), axis=Y,
                limit=Limit(-2.0, 2.0, 60, 20), independent=False)
    robot.link("shank", _limb(SHANK, 0.8))
    robot.joint("ankle", "revolute", "shank", "foot", xyz=(0, 0, -SHANK), axis=Y,
                limit=Limit(-1.2, 0.6, 40, 20), independent=False)
    robot.link("foot", Part(Box(0.16, 0.04, 0.02), 0.3, (0.03, 0, -0.03), colour=RUBBER,
                            collides=True, contact="rubber"))
    robot.constraint(
        "knee_rods",
        {"knee_left_rotor": "r1", "knee_right_rotor": "r2", "knee": "a", "ankle": "b"},
        [("d", f"(r1 - r2) / {2 * GEAR} + {KNEE_ZERO:.14f}")],
        ["0.00336*cos(d + 1979*pi/4500) - 0.0208*cos(d + 493*pi/1500) - 0.02184*cos(pi/9)"
         " - 0.0028*sin(d + b + 231*pi/500) + 0.0182*sin(b + 2*pi/15) - 0.00294*sin(b + pi/45)"
         " + 163349/6250000",
         f"a - (r1 + r2) / {2 * GEAR}"])


def _rotor(robot, name, parent, xyz):
    robot.joint(name, "continuous", parent, name, xyz=xyz, axis=Y, independent=True)
    robot.link(name, Part(Cylinder(0.038, 0.012), 0.07, rpy=ACROSS, colour=BRASS))


def _limb(length, mass):
    return Part(Capsule(0.022, length), mass, (0, 0, -length / 2), colour=BONE)
