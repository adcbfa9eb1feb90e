"""The linkages of the textbooks, each in the x-z plane with a crank at the origin's height."""

from math import cos, radians, sin, sqrt

from recipes.linkage import Y, at, bar, knob, meet, stand
from recipes.palette import CLAY, INK, MOSS, PINE
from recipes.robot import Limit, Robot
from recipes.solids import Box, Part

HEIGHT = 0.5  # of the pivots on the ground
A = at(0.0, HEIGHT)


def robot_of(name, about):
    return Robot(name, f"{name}: {about}\nNo friction at all: energy must stay.", recipe="planar")


def four_bar_of(name, about, B, C, D):
    """Crank A-B, coupler B-C, rocker D-C; the loop closes at C."""
    robot = robot_of(name, about)
    stand(robot, A, D)
    bar(robot, "crank", "world", (A, B), 0.3, True, CLAY)
    bar(robot, "coupler", "crank", (B, C), 0.6, y=-0.02)
    bar(robot, "rocker", "world", (D, C), 0.5, colour=PINE)
    robot.loop("pin", "revolute", "coupler", "rocker", C, axis=Y)
    return robot


def four_bar():
    B, D = turned(0.12, 60), at(0.40, HEIGHT)
    return four_bar_of(
        "four_bar", "a crank-rocker: ground 0.40 m, crank 0.12, coupler 0.36, rocker 0.28.\n"
        "0.12 + 0.40 < 0.36 + 0.28, so that the crank turns round (Grashof).",
        B, meet(B, 0.36, D, 0.28, 1), D,
    )


def triple_rocker():
    B, D = turned(0.25, 80), at(0.30, HEIGHT)
    return four_bar_of(
        "triple_rocker", "ground 0.30 m, crank 0.25, coupler 0.35, rocker 0.25.\n"
        "0.25 + 0.35 > 0.30 + 0.25: no link turns round, and every joint has dead points.",
        B, meet(B, 0.35, D, 0.25, 1), D,
    )


def parallelogram():
    """Lengths exact as written: both sides move by the same 3-4-5 triangle."""
    B, D = at(0.09, HEIGHT + 0.12), at(0.30, HEIGHT)
    return four_bar_of(
        "parallelogram", "cranks 0.15 m, ground and coupler 0.30 m.\n"
        "Flat, it may go on as a parallelogram or as an antiparallelogram: a change point.",
        B, at(0.39, HEIGHT + 0.12), D,
    )


def slider_crank():
    robot = robot_of(
        "slider_crank", "crank 0.10 m, rod 0.30 m, the slider on the level of the crank.")
    B = turned(0.10, 60)
    C = at(B[0] + sqrt(0.30**2 - (B[2] - HEIGHT) ** 2), HEIGHT)
    robot.link(
        "world", Part(Box(0.50, 0.03, 0.02), 0.0, (0.30, 0.03, HEIGHT - 0.035), colour=INK),
    )
    bar(robot, "crank", "world", (A, B), 0.3, True, CLAY)
    bar(robot, "rod", "crank", (B, C), 0.5, y=-0.02)
    robot.joint(
        "slider", "prismatic", "world", "slider", xyz=C, axis=(1, 0, 0), independent=False,
        limit=Limit(-0.4, 0.4, 1000, 100),
    )
    robot.link("slider", Part(Box(0.07, 0.04, 0.05), 0.8, colour=PINE), knob(length=0.08))
    robot.loop("pin", "revolute", "rod", "slider", C, axis=Y)
    return robot


def five_bar():
    robot = robot_of(
        "five_bar", "two motors 0.10 m apart, upper links 0.20 m, lower links 0.25 m.\n"
        "Both cranks are free: two degrees of freedom, the pin at the bottom is the tool.")
    hips = {"left": at(-0.05, HEIGHT), "right": at(0.05, HEIGHT)}
    knees = {"left": at(-0.17, HEIGHT - 0.16), "right": at(0.17, HEIGHT - 0.16)}
    tool = meet(knees["left"], 0.25, knees["right"], 0.25, -1)
    stand(robot, *hips.values())
    for side, colour, y in (("left", CLAY, 0.0), ("right", PINE, -0.02)):
        bar(robot, f"{side}_upper", "world", (hips[side], knees[side]), 0.4, True, colour)
        bar(robot, f"{side}_lower", f"{side}_upper", (knees[side], tool), 0.3, y=y)
    robot.loop("tool", "revolute", "left_lower", "right_lower", tool, axis=Y)
    return robot


def six_bar():
    robot = robot_of(
        "six_bar", "Stephenson's: the crank-rocker A-B-C-D (0.10, 0.30, 0.25 on 0.30 m), and from\n"
        "the coupler's corner E the rod E-F (0.30 m) to a second rocker G-F (0.22 m).\n"
        "It is drawn open: at q = 0 both loops gape by 7 cm, and it has to be assembled.")
    B, D, G = at(0.0, HEIGHT + 0.10), at(0.30, HEIGHT), at(0.45, HEIGHT + 0.10)
    C, E = at(B[0] + 0.24, B[2] + 0.18), at(B[0] + 0.12, B[2] + 0.16)
    F, C_rocker, F_rocker = at(E[0] + 0.30, E[2]), at(D[0], D[2] + 0.25), at(G[0], G[2] + 0.22)
    stand(robot, A, D, G)
    bar(robot, "crank", "world", (A, B), 0.3, True, CLAY)
    bar(robot, "coupler", "crank", (B, C, E), 0.9, y=-0.02)
    bar(robot, "rocker", "world", (D, C_rocker), 0.5, colour=PINE)
    bar(robot, "strut", "coupler", (E, F), 0.5)
    bar(robot, "output", "world", (G, F_rocker), 0.5, colour=MOSS)
    robot.loop("C", "revolute", "coupler", "rocker", C, C_rocker, axis=Y)
    robot.loop("F", "revolute", "strut", "output", F, F_rocker, axis=Y)
    return robot


def turned(length, degrees):
    """The pin at the end of a crank on A."""
    return at(length * cos(radians(degrees)), HEIGHT + length * sin(radians(degrees)))

