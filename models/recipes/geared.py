"""Joints driven by rotors of their own: wheels about their axes, geared by couplings."""

from dataclasses import replace

from recipes import strider
from recipes.linkage import ACROSS, Y
from recipes.palette import BONE, BRASS, CLAY, INK, MOSS, PINE
from recipes.robot import Robot
from recipes.solids import Box, Capsule, Cylinder, Part, Sphere

HEIGHT, LENGTH = 1.2, 0.3
ALONG_X = (0.0, 1.5707963267948966, 0.0)


def rotor(robot, joint, parent, xyz, axis, link, ratio, mass=0.2, radius=0.045):
    """A wheel on the parent, geared to turn `ratio` times as fast as the link against it."""
    name = f"{joint}_rotor"
    robot.joint(name, "continuous", parent, name, xyz=xyz, axis=axis, independent=False)
    rpy = ALONG_X if axis[0] else ACROSS if axis[1] else (0.0, 0.0, 0.0)
    robot.link(name, Part(Cylinder(radius, 0.02), mass, rpy=rpy, colour=BRASS))
    robot.coupling(f"{joint}_gear", link, name, ratio)


def chain(name, about, colours, ratios):
    """Links hanging from one another; every rotor sits on the ground and, through belts that run
    round the joints before, turns with the sum of the angles down to its link."""
    robot = Robot(name, f"{name}: {about}\nNo friction at all: energy must stay.", recipe="geared")
    robot.link("world", Part(Box(0.10, 0.02, 0.10), 0.0, (0, 0.04, HEIGHT), colour=INK))
    parent = "world"
    for i, colour in enumerate(colours, 1):
        link = f"link{i}"
        xyz = (0, 0, -LENGTH) if i > 1 else (0, 0, HEIGHT)
        robot.joint(f"joint{i}", "continuous", parent, link, xyz=xyz, axis=Y, independent=True)
        robot.link(
            link,
            Part(Capsule(0.02, LENGTH), 0.6, (0, 0, -LENGTH / 2), colour=BONE),
            Part(Sphere(0.035), 0.4, (0, 0, -LENGTH), colour=colour),
        )
        rotor(robot, f"joint{i}", "world", (0, 0.07 + 0.03 * i, HEIGHT), Y, link, ratios[i - 1])
        parent = link
    return robot


def revolute_with_rotor():
    return chain(
        "revolute_with_rotor", "a pendulum driven through a gear of 6.", (CLAY,), (6,))


def revolute_pair_with_rotor():
    return chain(
        "revolute_pair_with_rotor", "two links, both motors on the ground: gears of 6,\n"
        "and a belt over the first joint to the second link.", (CLAY, PINE), (6, 6))


def revolute_triple_with_rotor():
    return chain(
        "revolute_triple_with_rotor", "three links, all motors on the ground: gears of\n"
        "6, 8 and -5, and belts over the joints before.", (CLAY, PINE, MOSS), (6, 8, -5))


def geared_strider():
    """The strider with its armatures as what they are: 0.2 kg and 2.025e-4 kg m^2 a rotor, times
    8^2 or 9^2 that is 0.0130 and 0.0164 kg m^2 at the joint."""
    plain = strider.make()
    about = plain.about.replace("strider: a quadruped of 30 kg", "geared_strider: a strider")
    about += "\nEvery motor's rotor is a wheel on the link before, geared 8 to 1, at the knees 9."
    robot = Robot("geared_strider", about, plain.base_height, recipe="geared")
    carried = {joint.child: joint for joint in plain.joints}
    for link in plain.links:
        joint = carried.get(link.name)
        if joint is None:
            robot.links.append(link)
            continue
        if joint.kind == "fixed":
            robot.joints.append(joint)
            robot.links.append(link)
            continue
        ratio = 9 if joint.name.endswith("KFE") else 8
        robot.joints.append(replace(joint, dynamics={"damping": 0.1}, independent=True))
        robot.links.append(link)
        # The knee's motor sits in the hip.
        xyz = (0, 0, 0) if joint.name.endswith("KFE") else joint.xyz
        rotor(robot, joint.name, joint.parent, xyz, joint.axis, link.name, ratio)
    return robot
