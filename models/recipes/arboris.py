"""The robots of arboris-python: simplearm, snake and human36.

arboris has y up, x forward and z to the right; here z is up, x forward and y to the left, so that a
turn about its z is one about -y here and a turn about its y one about z. Joints, lengths, masses and
inertias are the same, and with them every matrix in joint coordinates.
"""

from math import sqrt

from recipes.palette import BONE, CLAY, INK, MOSS, PINE, RUBBER
from recipes.robot import Robot
from recipes.solids import Box, Capsule, Part, Sphere

X, Y, Z, RIGHT = (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, -1, 0)


# ---- simplearm

ARM = (("Arm", 0.5, 1.0, CLAY), ("Forearm", 0.4, 0.8, BONE), ("Hand", 0.2, 0.2, MOSS))

ABOUT_ARM = """\
simplearm: arboris' planar arm of three hinges: boxes of 0.5, 0.4 and 0.2 m, 1, 0.8 and 0.2 kg, a
tenth as wide as they are long, one upon the other. The frame EndEffector is its tip.
At zero it points straight up. No friction, no limits."""


def simplearm():
    robot = Robot("simplearm", ABOUT_ARM, recipe="arboris")
    robot.link("world", Part(Box(0.08, 0.08, 0.04), 0.0, (0, 0, -0.02), colour=INK))
    parent, at = "world", 0.0
    for name, length, mass, colour in ARM:
        robot.joint(f"{name}Joint", "continuous", parent, name, xyz=(0, 0, at), axis=RIGHT)
        box = Box(length / 10, length / 10, length)
        robot.link(name, Part(box, mass, (0, 0, length / 2), colour=colour))
        parent, at = name, length
    robot.joint("EndEffector", "fixed", parent, "EndEffector_frame", xyz=(0, 0, at))
    robot.link("EndEffector_frame")
    return robot


# ---- snake

ABOUT_SNAKE = """\
{name}: {count} links of {length} m and {mass} kg in a row, joined by hinges about y, hanging
from {holder}. No friction, no limits: arboris' test of energy."""


def snake(count=9, free=False, length=0.5, mass=2.0, name=None):
    """A row of links that turn about y. `free`: the first link floats, the others hang on it; else
    the first one hangs from the world."""
    name = name or ("snake_free" if free else "snake")
    height = (count + 1) * length
    holder = "its first one, which floats" if free else "the world"
    about = ABOUT_SNAKE.format(name=name, count=count, length=length, mass=mass, holder=holder)
    robot = Robot(name, about, base_height=height if free else 0.0, recipe="arboris")
    if not free:
        robot.link("world", Part(Box(0.1, 0.1, 0.05), 0.0, (0, 0, height + 0.025), colour=INK))
    radius = length / 20
    for k in range(count):
        link = f"link{k + 1}"
        if k or not free:
            parent, xyz = (f"link{k}", (0, 0, -length)) if k else ("world", (0, 0, height))
            robot.joint(f"joint{k + (0 if free else 1)}", "continuous", parent, link, xyz=xyz, axis=Y)
        capsule = Capsule(radius, length - 2 * radius)
        colour = MOSS if k % 2 else PINE
        robot.link(link, Part(capsule, mass, (0, 0, -length / 2), colour=colour))
    return robot


# ---- human36

ABOUT_HUMAN = """\
human36: arboris' human of 36 joint coordinates, {height} m and {mass} kg; 16 joints of one to three
hinges that meet in a point, without limits, motors and friction.
Lengths are in proportion to the stature, masses to the whole, as the anthropometric tables of de Leva
(1996) have them; every body's inertia is that of a box. The scapulae have no mass.
Eight balls of 5 mm under the feet touch where arboris' eight points do.
At zero it stands upright, arms hanging."""

# Mass over the whole; radii of gyration about arboris' x, y, z over the segment's length.
BODIES = {
    "LPT": (0.2750, (0.2722, 0.2628, 0.2260)),
    "Thigh": (0.1416, (0.329, 0.149, 0.329)),
    "Shank": (0.0433, (0.255, 0.103, 0.249)),
    "Foot": (0.0137, (0.124, 0.257, 0.245)),
    "UPT": (0.1596, (0.716, 0.659, 0.454)),
    "Arm": (0.0271, (0.285, 0.158, 0.269)),
    "Forearm": (0.0162, (0.276, 0.121, 0.265)),
    "HandR": (0.0061, (0.235, 0.184, 0.288)),
    "HandL": (0.0061, (0.288, 0.184, 0.235)),
    "Head": (0.0694, (0.303, 0.261, 0.315)),
}
STATURE, MASS = 1.741, 73.0
STERNUM = 0.0127  # m from the middle to where a scapula turns, of a human of 1.741 m


def human36(height=STATURE, mass=MASS, name="human36"):
    """A human of that stature (m) and mass (kg), in proportion."""

    def of(share):
        return share * height

    def part(body, length, forward, up):
        """The box that weighs as the body; its middle at (forward, up), m."""
        share, gyration = BODIES[body]
        gx, gz, gy = ((ratio * length) ** 2 for ratio in gyration)  # x, y, z there: x, z, -y here
        sides = (gy + gz - gx, gz + gx - gy, gx + gy - gz)
        box = Box(*(sqrt(6 * side) for side in sides))
        colour = {"LPT": INK, "UPT": PINE, "Head": BONE}.get(body, CLAY if "Foot" in body else BONE)
        return Part(box, share * mass, (forward, 0, up), colour=colour)

    robot = Robot(name, ABOUT_HUMAN.format(height=height, mass=mass),
                  base_height=of(0.5140), recipe="arboris")
    robot.link("LPT", part("LPT", of(0.2075), 0, 0.5108 * of(0.2075)))
    for side, left in (("R", -1), ("L", 1)):
        robot.joint(f"Thigh{side}Joint", "euler", "LPT", f"Thigh{side}",
                    xyz=(0, left * of(0.0501), 0), axis=RIGHT, axis2=Z, axis3=X)
        robot.link(f"Thigh{side}", part("Thigh", of(0.2425), 0, -0.4095 * of(0.2425)))
        robot.joint(f"Shank{side}Joint", "continuous", f"Thigh{side}", f"Shank{side}",
                    xyz=(0, 0, -of(0.2425)), axis=RIGHT)
        robot.link(f"Shank{side}", part("Shank", of(0.2493), 0, -0.4459 * of(0.2493)))
        robot.joint(f"Foot{side}Joint", "universal", f"Shank{side}", f"Foot{side}",
                    xyz=(0, 0, -of(0.2493)), axis=RIGHT, axis2=X)
        foot = part("Foot", of(0.1482), 0.4415 * of(0.1482) - of(0.0248), -of(0.0111))
        robot.link(f"Foot{side}", foot, *_sole(of, left))
    robot.joint("UPTJoint", "euler", "LPT", "UPT", xyz=(-of(0.0526), 0, of(0.2075)),
                axis=RIGHT, axis2=Z, axis3=X)
    robot.link("UPT", part("UPT", of(0.0980), of(0.0526), 0.7001 * of(0.0980)))
    sternum = STERNUM * height / STATURE
    for side, left in (("R", -1), ("L", 1)):
        robot.joint(f"Scapula{side}Joint", "universal", "UPT", f"Scapula{side}",
                    xyz=(of(0.1052), left * sternum, of(0.0980)), axis=Z, axis2=X)
        robot.link(f"Scapula{side}")
        robot.joint(f"Arm{side}Joint", "euler", f"Scapula{side}", f"Arm{side}",
                    xyz=(-of(0.0526), left * (of(0.1295) - sternum), of(0.0104)),
                    axis=RIGHT, axis2=Z, axis3=X)
        robot.link(f"Arm{side}", part("Arm", of(0.1618), 0, -0.5772 * of(0.1618)))
        robot.joint(f"Forearm{side}Joint", "universal", f"Arm{side}", f"Forearm{side}",
                    xyz=(0, 0, -of(0.1618)), axis=RIGHT, axis2=Z)
        robot.link(f"Forearm{side}", part("Forearm", of(0.1544), 0, -0.4574 * of(0.1544)))
        robot.joint(f"Hand{side}Joint", "universal", f"Forearm{side}", f"Hand{side}",
                    xyz=(0, 0, -of(0.1544)), axis=RIGHT, axis2=X)
        robot.link(f"Hand{side}", part(f"Hand{side}", of(0.1091), 0, -0.3691 * of(0.1091)))
    robot.joint("HeadJoint", "euler", "UPT", "Head", xyz=(of(0.0526), 0, of(0.1390)),
                axis=RIGHT, axis2=Z, axis3=X)
    robot.link("Head", part("Head", of(0.1395), 0, 0.4998 * of(0.1395)))
    return robot


def _sole(of, left):
    """Toe tip, heel and the two outer phalanges: balls whose lowest points these are."""
    radius = 0.005
    points = ((0.1235, 0), (-0.0248, 0), (0.0662, 0.0305), (0.0662, -0.0305))
    return tuple(
        Part(Sphere(radius), 0.0, (of(x), left * of(y), radius - of(0.0222)), colour=RUBBER,
             collides=True, contact="rubber")
        for x, y in points
    )
