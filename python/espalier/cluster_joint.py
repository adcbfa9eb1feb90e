"""Cluster joints by the names of generalized_rbda: several bodies, the joints that carry them, and
the loop constraint that ties the coordinates of these. One answers for itself:

    S    (6N, ny)  vJ = S ydot, the twist of each of its N bodies over its output body (the nearest
                   one outside the cluster), [angular; linear] in the body's coordinates
    vJ   (6N,)
    cJ   (6N,)     Sring ydot: the rate of vJ's numbers at yddot = 0
    G, g, K, k     of the loop constraint (espalier.loop_constraint)

    hinge = ClusterBody(axes=[[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    knee = RevoluteWithRotor(GearedTransmissionModule(hinge, hinge, 6.0))
    knee.update_kinematics([0.3], [1.2])
    knee.S, knee.vJ, knee.cJ, knee.G
"""

from __future__ import annotations

from dataclasses import dataclass

from . import _fields as f
from ._espalier import JointKind
from ._espalier.cluster_joint import (
    Base,
    FourBar,
    Free,
    Generic,
    Revolute,
    RevolutePair,
    RevolutePairWithRotor,
    RevoluteTripleWithRotor,
    RevoluteWithRotor,
    TelloDifferential,
)

__all__ = [
    "Base", "ClusterBody", "FourBar", "Free", "GearedTransmissionModule", "Generic",
    "ParallelBeltTransmissionModule", "Revolute", "RevolutePair", "RevolutePairWithRotor",
    "RevoluteTripleWithRotor", "RevoluteWithRotor", "TelloDifferential", "TelloDifferentialModule",
]  # fmt: skip


@dataclass(eq=False, repr=False)
class ClusterBody(f.Fields):
    """A body of a cluster and the joint that carries it."""

    parent: f.Integer = f.integer(-1, "place in the cluster, before its own; -1: its output body")
    X_PJ: f.ArrayField = f.pose("(4, 4) the joint in the parent")
    axes: f.ArrayField = f.array(
        [[0, 0, 1], [0, 1, 0], [1, 0, 0]], (3, 3), "(3, 3) unit, one a row, in the joint"
    )
    kind: f.Field[JointKind, JointKind] = f.choice(JointKind.REVOLUTE, "of the joint")
    pitch: f.Number = f.number(0, "m/rad, helical only")


@dataclass(eq=False, repr=False)
class GearedTransmissionModule(f.Fields):
    """A link, its rotor on the link's output body, and the ratio of their angles."""

    link: f.Field[ClusterBody, ClusterBody] = f.part(ClusterBody, "the link")
    rotor: f.Field[ClusterBody, ClusterBody] = f.part(ClusterBody, "the rotor")
    gear_ratio: f.Number = f.number(1, "rotor over link")


@dataclass(eq=False, repr=False)
class ParallelBeltTransmissionModule(f.Fields):
    """Link i of a chain, its rotor on the chain's output body, and a belt round the joints 1 .. i:
    q_rotor = gear_ratio sum_{j <= i} (prod_{m <= j} belt_ratios[m]) q_link_j."""

    link: f.Field[ClusterBody, ClusterBody] = f.part(ClusterBody, "the link")
    rotor: f.Field[ClusterBody, ClusterBody] = f.part(ClusterBody, "the rotor")
    gear_ratio: f.Number = f.number(1, "of the rotor")
    belt_ratios: f.ArrayField = f.numbers("(i,) of the belt at each joint")


@dataclass(eq=False, repr=False)
class TelloDifferentialModule(f.Fields):
    """Two rotors that drive two joints in series."""

    rotor_1: f.Field[ClusterBody, ClusterBody] = f.part(ClusterBody, "first rotor")
    rotor_2: f.Field[ClusterBody, ClusterBody] = f.part(ClusterBody, "second rotor")
    link_1: f.Field[ClusterBody, ClusterBody] = f.part(ClusterBody, "first link")
    link_2: f.Field[ClusterBody, ClusterBody] = f.part(ClusterBody, "second link")
    gear_ratio: f.Number = f.number(6, "of the rotors")
