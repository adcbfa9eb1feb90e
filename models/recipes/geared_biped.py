"""geared_biped: the biped with what drives it: rotors, belts over the hips, parallel ankles."""

from dataclasses import replace

from recipes import biped
from recipes.geared import rotor
from recipes.linkage import ACROSS, Y, knob, minus, rod
from recipes.palette import BONE, BRASS, CLAY, INK
from recipes.robot import Limit, Robot
from recipes.solids import Cylinder, Part, Sphere

RATIO = 16
# A disc of 1 g for each N m of its motor: reflected 2.5e-4 kg m^2, the armatures of the biped.
RADIUS, MASS_PER_EFFORT = 0.044, 0.001

# Levers on the foot as long as the cranks, rods as long as the cranks are above the ankle: with no
# roll both linkages are parallelograms, and the cranks turn as the ankle pitches.
CRANK, RISE, HALF = 0.06, 0.20, 0.05
CRANK_LIMIT = Limit(-1.4, 1.2, 80, 12)

ABOUT = f"""\
geared_biped: the biped, driven as such robots are. Every motor's rotor is a wheel on the link
before, geared {RATIO} to 1. The knee's sits beside the hip pitch's before the thigh, and a belt runs
round that axis down to the knee: it turns with the sum of both angles. Pitch and roll of each
ankle follow from two motors in the shank, by cranks and push rods with universal joints on top and
balls at the heel, where the loops close: both rods up, and the toes point down; one up, one down,
and the foot rolls."""


def make():
    plain = biped.make()
    robot = Robot("geared_biped", ABOUT, plain.base_height)
    carried = {joint.child: joint for joint in plain.joints}
    for link in plain.links:
        joint = carried.get(link.name)
        if joint is None or joint.kind == "fixed":
            robot.joints += [joint] if joint else []
            robot.links.append(link)
        elif "_ankle_" in joint.name:
            robot.joints.append(replace(joint, dynamics={}, independent=False))
            robot.links.append(replace(link, parts=link.parts + _levers(link)))
            if link.name.endswith("_foot"):
                _cranks(robot, link.name, carried[joint.parent])
        else:
            damping = {"damping": joint.dynamics["damping"]}
            robot.joints.append(replace(joint, dynamics=damping, independent=True))
            robot.links.append(link)
            _rotor(robot, joint, carried)
    return robot


def _rotor(robot, joint, carried):
    parent, xyz = joint.parent, joint.xyz
    if joint.name.endswith("knee"):  # past the hip pitch, towards the middle
        hip = carried[parent]
        parent, inwards = hip.parent, -1 if joint.name[0] == "L" else 1
        xyz = (hip.xyz[0], hip.xyz[1] + 0.03 * inwards, hip.xyz[2])
    rotor(robot, joint.name, parent, xyz, joint.axis, joint.child, RATIO,
          MASS_PER_EFFORT * joint.limit.effort, RADIUS)


def _levers(link):
    if not link.name.endswith("_foot"):
        return ()
    return tuple(Part(Sphere(0.012), 0.0, (-CRANK, y, 0), colour=BRASS) for y in (HALF, -HALF))


def _cranks(robot, foot, pitch):
    """`pitch`: the joint whose axis carries the ankle, on the shank."""
    shank = pitch.parent
    for side, y in (("left", HALF), ("right", -HALF)):
        crank, push = f"{foot[0]}_{side}_crank", f"{foot[0]}_{side}_rod"
        pivot = (0.0, y, pitch.xyz[2] + RISE)
        robot.joint(crank, "revolute", shank, crank, xyz=pivot, axis=Y, limit=CRANK_LIMIT,
                    dynamics={"damping": CRANK_LIMIT.effort / 400}, nominal=pitch.nominal,
                    independent=True)
        robot.link(crank, rod((0, 0, 0), (-CRANK, 0, 0), 0.1, 0.008, CLAY),
                   Part(Cylinder(0.025, 0.02), 0.1, (0, 0, 0), ACROSS, INK))
        rotor(robot, crank, shank, (0.0, 0.4 * y, pivot[2]), Y, crank, RATIO,
              MASS_PER_EFFORT * CRANK_LIMIT.effort, RADIUS)
        robot.joint(push, "universal", crank, push, xyz=(-CRANK, 0, 0), axis=Y, axis2=(1, 0, 0),
                    independent=False)
        robot.link(push, rod((0, 0, 0), (0, 0, -RISE), 0.08, 0.005, BONE), knob(length=0.02))
        # Of the pelvis, where the ankle is with the lever to its heel.
        ankle = minus((0.0, 0.0, 0.0), robot.seen_from(foot, (0.0, 0.0, 0.0)))
        heel = (ankle[0] - CRANK, ankle[1] + y, ankle[2])
        robot.loop(f"{foot[0]}_{side}_heel", "point", push, foot, heel)
