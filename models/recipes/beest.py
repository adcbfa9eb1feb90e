"""beest: a walking machine of Theo Jansen's kind, twelve legs on one crankshaft; beest_steered: on two.

His proportions (a to m, here in centimetres) and the pins of one leg, seen with the leg to the
left of the crank: crank pin Z (m from the shaft O), fixed pivot P (a to the left of O and l
below it), and
  X: j from Z, b from P, above;      W: d from P, e from X, outside;
  V: k from Z, c from P, below;      U: f from W, g from V, outside;
  S, the foot: h from U, i from V, below.
"""

from math import cos, radians, sin

from recipes.linkage import Y, at, bar, meet, minus, rod
from recipes.palette import BONE, BRASS, CLAY, INK, MOSS, PINE, RUBBER
from recipes.robot import Robot
from recipes.solids import Box, Cylinder, Part, Sphere

CM = 0.01
a, b, c, d, e, f = (CM * x for x in (38, 41.5, 39.3, 40.1, 55.8, 39.4))
g, h, i, j, k, l, m = (CM * x for x in (36.7, 65.7, 49, 50, 61.9, 7.8, 15))
FOOT, SPACING, PER_METRE = 0.025, 0.14, 0.4  # m, m, kg/m
# Phases of the crank pins from right to left: whichever half of them bears the machine, it has
# legs on both sides of the middle.
PHASES = (0, 120, 240, 60, 180, 300)

ABOUT = """\
beest: a walking machine after Theo Jansen's: a frame, one crankshaft, and on each of its six
pins a leg to the front and a leg to the back; 74 bodies, 36 pins that close loops, 7 degrees of
freedom. Turn the crank by its one motor, and it walks; a positive turn moves it forward."""

ABOUT_STEERED = """\
beest_steered: the beest with a crankshaft for the three pins on each side, and so with two motors and
8 degrees of freedom. Turned alike, they move it forward; the slower side is inside of the curve."""


def make():
    return _machine("beest", ABOUT, {"crank": range(6)})


def steered():
    return _machine("beest_steered", ABOUT_STEERED, {"right_crank": range(3), "left_crank": range(3, 6)})


def _machine(name, about, cranks):
    """cranks: {joint: the rows of legs on it, from right to left}"""
    legs = [
        _pins(facing, phase, (row - 2.5) * SPACING)
        for row, phase in enumerate(PHASES) for facing in (1, -1)
    ]
    height = FOOT - min(pins["S"][2] for pins in legs)
    robot = Robot(name, about, base_height=round(height, 6))
    width = 6.4 * SPACING
    beams = [
        Part(Box(0.03, width, 0.03), 1.0, (x, 0, z), colour=INK)
        for x, z in ((-a, -l), (a, -l), (0, 0.16))
    ]
    sides = [
        rod((x, y, -l), (0, y, 0.16), 0.5, 0.012, INK)
        for x in (-a, a) for y in (-width / 2, width / 2)
    ]
    robot.link("frame", *beams, *sides)

    for crank, rows in cranks.items():
        _crank(robot, crank, [legs[2 * row]["Z"] for row in rows], width * len(rows) / 6)
        for row in rows:
            for facing, leg in zip(("front", "back"), legs[2 * row:2 * row + 2]):
                _leg(robot, f"{facing}{row + 1}", crank, leg)
    return robot


def _crank(robot, name, pins, width):
    middle = sum(pin[1] for pin in pins) / len(pins)
    robot.joint(name, "continuous", "frame", name, axis=Y, independent=True)
    shaft = Part(Cylinder(0.012, width), width / 6.4 / SPACING, (0, middle, 0), (1.5707963267948966, 0, 0), BRASS)
    arms = [rod((0, z[1], 0), z, 0.1, 0.01, BRASS) for z in pins]
    robot.link(name, shaft, *arms)


def _pins(facing, phase, y):
    """The pins of a leg to the front (facing 1) or to the back (-1)."""
    O, P = at(0, 0, y), at(a * facing, -l, y)
    Z = at(m * cos(radians(phase)), m * sin(radians(phase)), y)
    # Mirrored, left and right of a way change places.
    X = meet(Z, j, P, b, facing)
    W = meet(P, d, X, e, -facing)
    V = meet(Z, k, P, c, -facing)
    U = meet(W, f, V, g, facing)
    S = meet(U, h, V, i, facing)
    return {"O": O, "P": P, "Z": Z, "X": X, "W": W, "V": V, "U": U, "S": S, "facing": facing}


def _leg(robot, name, crank, p):
    def link(part, parent, letters, length, colour):
        bar(robot, f"{name}_{part}", parent, [p[x] for x in letters], PER_METRE * length,
            independent=False, colour=colour)

    def close(letter, predecessor, successor):
        robot.loop(f"{name}_{letter}", "revolute", f"{name}_{predecessor}",
                   f"{name}_{successor}", p[letter], axis=Y)

    light = p["facing"] > 0
    link("upper_rod", crank, "ZX", j, CLAY)
    link("lower_rod", crank, "ZV", k, CLAY)
    link("shoulder", "frame", "PXW", b + d + e, PINE if light else MOSS)
    link("rocker", "frame", "PV", c, BONE)
    link("link", f"{name}_shoulder", "WU", f, BONE)
    link("shank", f"{name}_rocker", "VUS", g + h + i, PINE if light else MOSS)
    ball = Part(Sphere(FOOT), 0.05, minus(p["S"], p["V"]), colour=RUBBER, collides=True,
                contact="rubber")
    robot.links[-1] = type(robot.links[-1])(
        robot.links[-1].name, (*robot.links[-1].parts, ball))
    close("X", "upper_rod", "shoulder")
    close("V", "lower_rod", "shank")
    close("U", "link", "shank")
