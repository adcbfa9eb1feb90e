"""Linkages in the x-z plane: pins about y, rods from pin to pin.

Pins lie on whole micrometres and no frame is turned, so that what the URDF says in six digits
closes to rounding; a rod is then as long as it is called to half a micrometre.
"""

from math import atan2, hypot, sqrt

from recipes.palette import BONE, BRASS, INK
from recipes.solids import Capsule, Cylinder, Part

ACROSS = (1.5707963267948966, 0.0, 0.0)
Y = (0, 1, 0)


def at(x, z, y=0.0):
    """A pin on whole micrometres."""
    return (round(x, 6), round(y, 6), round(z, 6))


def meet(p, r, q, s, side):
    """Where rods of length r from pin p and s from pin q meet: left of the way from p to q
    (side 1) or right of it (-1), as seen with x to the right and z up."""
    dx, dz = q[0] - p[0], q[2] - p[2]
    d = hypot(dx, dz)
    along = (r * r - s * s + d * d) / (2 * d)
    across = side * sqrt(r * r - along * along)
    return at(
        p[0] + (along * dx - across * dz) / d, p[2] + (along * dz + across * dx) / d, p[1]
    )


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def rod(a, b, mass, radius=0.01, colour=BONE, y=0.0):
    """A round rod from a to b, its axis y away from theirs."""
    d = minus(b, a)
    length = sqrt(sum(x * x for x in d))
    middle = tuple((p + q) / 2 for p, q in zip(a, b))
    pitch = atan2(hypot(d[0], d[1]), d[2])
    return Part(
        Capsule(radius, length), mass, (middle[0], middle[1] + y, middle[2]),
        (0.0, pitch, atan2(d[1], d[0])), colour,
    )


def knob(point=(0.0, 0.0, 0.0), length=0.05, radius=0.008):
    """What a pin looks like."""
    return Part(Cylinder(radius, length), 0.0, point, ACROSS, BRASS)


def stand(robot, *pivots):
    """The fixed link, with a block below each pivot."""
    robot.link("world", *(
        Part(Cylinder(0.016, 0.03), 0.0, (x, y + 0.03, z), ACROSS, INK) for x, y, z in pivots
    ))


def bar(robot, name, parent, pins, mass, independent=False, colour=BONE, y=0.0):
    """A link that hangs by a pin: rods from pins[0], where its joint is, to the next pin and so
    on, and from the last one back if there are three. Pins in the root's frame."""
    robot.joint(
        name, "continuous", parent, name, xyz=robot.seen_from(parent, pins[0]), axis=Y,
        independent=independent,
    )
    own = [minus(pin, pins[0]) for pin in pins]
    ways = list(zip(own, own[1:])) + ([(own[-1], own[0])] if len(own) > 2 else [])
    total = sum(hypot(b[0] - a[0], b[2] - a[2]) for a, b in ways)
    rods = [
        rod(a, b, mass * hypot(b[0] - a[0], b[2] - a[2]) / total, colour=colour, y=y)
        for a, b in ways
    ]
    robot.link(name, *rods, knob())
