"""Cluster joints."""

from typing import Any
from collections.abc import Sequence

import numpy
import numpy.typing

import espalier._espalier.loop_constraint
import espalier.cluster_joint


class Base:
    """A cluster joint."""

    def update_kinematics(self, position: numpy.typing.ArrayLike, velocity: numpy.typing.ArrayLike) -> None:
        """
        Sets S, vJ, cJ, G, g, K, k. position, velocity: independent ones (position: of an explicit constraint), or all of them. ValueError where all of them do not agree with the constraint to 1e-8; nothing has changed then.
        """

    @property
    def S(self) -> numpy.typing.NDArray[numpy.float64]:
        """(6N, ny) vJ = S ydot"""

    @property
    def vJ(self) -> numpy.typing.NDArray[numpy.float64]:
        """(6N,) twists of the bodies over their output body"""

    @property
    def cJ(self) -> numpy.typing.NDArray[numpy.float64]:
        """(6N,) rate of vJ's numbers at yddot = 0"""

    @property
    def G(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv, ny)"""

    @property
    def K(self) -> numpy.typing.NDArray[numpy.float64]:
        """(rows, nv)"""

    @property
    def g(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,)"""

    @property
    def k(self) -> numpy.typing.NDArray[numpy.float64]:
        """(rows,)"""

    @property
    def spanning_position(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nq,) all coordinates"""

    @property
    def spanning_velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,) all rates"""

    def pose(self, body: int) -> numpy.typing.NDArray[numpy.float64]:
        """(4, 4) of a body in its output body."""

    @property
    def num_bodies(self) -> int:
        """N"""

    @property
    def num_positions(self) -> int:
        """number of independent coordinates"""

    @property
    def num_velocities(self) -> int:
        """ny"""

    @property
    def bodies(self) -> list[espalier.cluster_joint.ClusterBody]:
        """list of ClusterBody, copies"""

    @property
    def loop_constraint(self) -> espalier._espalier.loop_constraint.Base:
        """what ties its coordinates"""

    def __repr__(self) -> str: ...

class Free(Base):
    """
    A floating base. q: x y z, quaternion w x y z; its velocity is the twist in its own coordinates.
    """

    def __init__(self) -> None: ...

class Revolute(Base):
    """One hinge."""

    def __init__(self, link: espalier.cluster_joint.ClusterBody) -> None: ...

class RevolutePair(Base):
    """Two links in series, not tied. q: link 1, link 2."""

    def __init__(self, link_1: espalier.cluster_joint.ClusterBody, link_2: espalier.cluster_joint.ClusterBody) -> None: ...

class RevoluteWithRotor(Base):
    """A geared joint. q: link, rotor; y: link."""

    def __init__(self, module: espalier.cluster_joint.GearedTransmissionModule) -> None: ...

class RevolutePairWithRotor(Base):
    """
    Two links in series driven by belts. q: link 1, rotor 1, rotor 2, link 2; y: the links.
    """

    def __init__(self, proximal: espalier.cluster_joint.ParallelBeltTransmissionModule, distal: espalier.cluster_joint.ParallelBeltTransmissionModule) -> None: ...

class RevoluteTripleWithRotor(Base):
    """
    Three links in series driven by belts. q: links 1, 2, 3, rotors 1, 2, 3; y: the links.
    """

    def __init__(self, proximal: espalier.cluster_joint.ParallelBeltTransmissionModule, intermediate: espalier.cluster_joint.ParallelBeltTransmissionModule, distal: espalier.cluster_joint.ParallelBeltTransmissionModule) -> None: ...

class TelloDifferential(Base):
    """q: rotor 1, rotor 2, link 1, link 2; y: the rotors behind their gears."""

    def __init__(self, kind: espalier._espalier.loop_constraint.TelloDifferential.Kind, module: espalier.cluster_joint.TelloDifferentialModule) -> None: ...

    @property
    def differential(self) -> espalier._espalier.loop_constraint.TelloDifferential:
        """its loop constraint"""

class FourBar(Base):
    """
    A planar four-bar in the xy plane of its frame. q: first link of the first path, link of the second path, second link of the first path.
    """

    def __init__(self, path1: Sequence[float], path2: float, offset: Sequence[float], independent: int, X_PF: numpy.typing.ArrayLike = ...) -> None:
        """
        path1 (2,), path2: lengths of the links, m; offset (2,) where the second path begins; independent: place in q; X_PF (4, 4) where the first joint stands, in the output body.
        """

class Generic(Base):
    """Any bodies, any joints, any constraint."""

    def __init__(self, bodies: Sequence[espalier.cluster_joint.ClusterBody], constraint: espalier._espalier.loop_constraint.Base) -> None:
        """
        bodies: list of ClusterBody, parents first. A constraint that knows which coordinates are quaternions of spherical joints.
        """
