"""Specs: what a file says of robots and worlds, as plain objects that may be edited in place.

Frames as in URDF: a link's frame L is its joint's frame J at q = 0; X_AB is the pose of B in A, a
homogeneous matrix (4, 4) with p_A = X_AB p_B.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf as unlimited

import numpy as np

from . import _espalier as _e
from . import _fields as f
from ._espalier import BodyType, JointKind, LoopKind, Tape
from .shapes import Shape, SphereShape
from .shapes import kinds as _shapes

__all__ = [
    "ActuatorSpec", "BodySpec", "CollisionSpec", "ConstraintSpec", "CouplingSpec", "IgnoredPair",
    "InertialSpec", "JointDynamics", "JointLimits", "JointSpec", "LinkSpec", "LoopSpec",
    "MaterialPairSpec", "MediumSpec", "MimicSpec", "PlacedSystemSpec", "RigidInertia", "SphericalLimits", "State",
    "SystemSpec", "TendonSpec", "TransmissionSpec", "VisualSpec", "WorldSpec", "WrapSurface",
    "unlimited",
]  # fmt: skip

ShapeField = f.Field[Shape, Shape]
_all_bits = 2**64 - 1


def _shape() -> ShapeField:
    return f.one_of(SphereShape, _shapes, "one of the shapes")


@dataclass(eq=False, repr=False)
class InertialSpec(f.Fields):
    """Mass and rotational inertia of a link or body."""

    mass: f.Number = f.number(0, "kg")
    X_LC: f.ArrayField = f.pose("(4, 4) centre of mass and the axes of I, in the link")
    I: f.ArrayField = f.array(  # noqa: E741
        np.zeros((3, 3)), (3, 3), "(3, 3) kg m^2 about the centre of mass, in the axes of X_LC"
    )


@dataclass(eq=False, repr=False)
class CollisionSpec(f.Fields):
    """A shape that collides."""

    name: f.Text = f.text("may be empty: then it is known as LINK/i only")
    shape: ShapeField = _shape()
    X_LG: f.ArrayField = f.pose("(4, 4) pose of the shape in the link, or in the body's frame")
    material: f.Text = f.text("of contact", "default")
    group: f.Integer = f.integer(1, "collides with what has this bit in its mask")
    mask: f.Integer = f.integer(_all_bits, "bits of the groups it collides with")
    line: f.Integer = f.integer(0, "of the file; 0: unknown")
    mesh_scale: f.ArrayField = f.vector3((1, 1, 1), "already applied to the mesh; kept for export")


@dataclass(eq=False, repr=False)
class VisualSpec(f.Fields):
    """A shape that is drawn."""

    name: f.Text = f.text("may be empty")
    shape: ShapeField = _shape()
    mesh_scale: f.ArrayField = f.vector3((1, 1, 1), "already applied to the mesh; kept for export")
    X_LG: f.ArrayField = f.pose("(4, 4) pose of the shape in the link, or in the body's frame")
    rgba: f.ArrayField = f.array((0.7, 0.7, 0.7, 1.0), (4,), "(4,) red, green, blue, opacity")
    material: f.Text = f.text("URDF material name, may be empty")
    line: f.Integer = f.integer(0, "of the file; 0: unknown")


@dataclass(eq=False, repr=False)
class LinkSpec(f.Fields):
    """A rigid link."""

    name: f.Text = f.text("of the link")
    inertial: f.Field[InertialSpec | None, InertialSpec | None] = f.optional(
        InertialSpec, "None: massless"
    )
    gravity_compensation: f.Number = f.number(0, "share of its weight that a force takes off")
    collisions: f.Field[list[CollisionSpec], Iterable[CollisionSpec]] = f.parts(
        CollisionSpec, "shapes that collide"
    )
    visuals: f.Field[list[VisualSpec], Iterable[VisualSpec]] = f.parts(
        VisualSpec, "shapes that are drawn"
    )
    line: f.Integer = f.integer(0, "of the file; 0: unknown")
    file: f.Text = f.text("in which the line is; empty: the system's")


@dataclass(eq=False, repr=False)
class JointLimits(f.Fields):
    """Limits of a joint. `upper` of a spherical joint bounds the angle of the rotation, `lower` is
    then 0 or -upper; equal bounds are none."""

    lower: f.Number = f.number(-unlimited, "rad or m, every dof of the joint")
    upper: f.Number = f.number(unlimited, "rad or m, every dof of the joint")
    effort: f.Number = f.number(unlimited, "N m or N")
    velocity: f.Number = f.number(unlimited, "rad/s or m/s")
    swing: f.Number = f.number(
        unlimited, "rad, spherical: angle between axes[0] and where the child carries it"
    )
    twist_lower: f.Number = f.number(-unlimited, "rad, spherical: turn about axes[0]")
    twist_upper: f.Number = f.number(unlimited, "rad, spherical: turn about axes[0]")


@dataclass(eq=False, repr=False)
class JointDynamics(f.Fields):
    """Passive forces of a joint."""

    damping: f.Number = f.number(0, "N m s/rad or N s/m")
    friction: f.Number = f.number(0, "N m or N, dry")
    stiffness: f.Number = f.number(0, "N m/rad or N/m, towards spring_mount")
    spring_mount: f.ArrayField = f.numbers("(nq,) q at rest; empty: the neutral q")
    rotor_inertia: f.Number = f.number(0, "kg m^2 or kg, added to the diagonal of M")


@dataclass(eq=False, repr=False)
class ActuatorSpec(f.Fields):
    """The actuator of a joint with one dof, and what it is told at the start:
    force = feedforward + kp (target - q) + kd (target_rate - qdot), within [lower, upper]."""

    kp: f.Number = f.number(0, "N m/rad or N/m")
    kd: f.Number = f.number(0, "N m s/rad or N s/m")
    target: f.Number = f.number(0, "rad or m")
    target_rate: f.Number = f.number(0, "rad/s or m/s")
    feedforward: f.Number = f.number(0, "N m or N")
    lower: f.Number = f.number(-unlimited, "N m or N; the joint's effort limit holds too")
    upper: f.Number = f.number(unlimited, "N m or N; the joint's effort limit holds too")


@dataclass(eq=False, repr=False)
class MimicSpec(f.Fields):
    """q = multiplier * q_of(joint) + offset."""

    joint: f.Text = f.text("that is followed")
    multiplier: f.Number = f.number(1, "of its coordinate")
    offset: f.Number = f.number(0, "rad or m")


@dataclass(eq=False, repr=False)
class JointSpec(f.Fields):
    """A joint of the tree."""

    name: f.Text = f.text("of the joint")
    kind: f.Field[JointKind, JointKind] = f.choice(JointKind.FIXED, "what it leaves free")
    parent: f.Text = f.text("link name")
    child: f.Text = f.text("link name")
    X_PJ: f.ArrayField = f.pose("(4, 4) joint frame in the parent link")
    axes: f.ArrayField = f.array(
        np.eye(3), (3, 3), "(3, 3) an axis a row, in the joint frame; of any length"
    )
    pitch: f.Number = f.number(0, "m/rad, helical only")
    limits: f.Field[JointLimits, JointLimits] = f.part(JointLimits, "of position, rate and force")
    dynamics: f.Field[JointDynamics, JointDynamics] = f.part(JointDynamics, "passive forces")
    mimic: f.Field[MimicSpec | None, MimicSpec | None] = f.optional(
        MimicSpec, "the joint it follows"
    )
    independent: f.Field[bool | None, bool | None] = f.optional_flag(
        "whether its coordinates are public, where it lies in a loop; None: compile() chooses"
    )
    actuator: f.Field[ActuatorSpec | None, ActuatorSpec | None] = f.optional(
        ActuatorSpec, "None: not driven"
    )
    line: f.Integer = f.integer(0, "of the file; 0: unknown")
    file: f.Text = f.text("in which the line is; empty: the system's")


@dataclass(eq=False, repr=False)
class LoopSpec(f.Fields):
    """Two links tied where the tree has no joint: the joint between frame A on the predecessor and
    frame B on the successor."""

    name: f.Text = f.text("of the loop")
    kind: f.Field[LoopKind, LoopKind] = f.choice(LoopKind.POINT, "what it leaves free")
    predecessor: f.Text = f.text('link name; "world" is the ground')
    successor: f.Text = f.text('link name; "world" is the ground')
    X_PA: f.ArrayField = f.pose("(4, 4) A in the predecessor link")
    X_SB: f.ArrayField = f.pose("(4, 4) B in the successor link")
    axis: f.ArrayField = f.vector3((1, 0, 0), "(3,) in A; and in B where both have it")
    axis2: f.ArrayField = f.vector3((0, 1, 0), "(3,) in B, universal only")
    pitch: f.Number = f.number(0, "m/rad, screw only")
    is_bilateral: f.Flag = f.flag(False, "kept by rows of the contact problem")
    line: f.Integer = f.integer(0, "of the file; 0: unknown")
    file: f.Text = f.text("in which the line is; empty: the system's")


@dataclass(eq=False, repr=False)
class CouplingSpec(f.Fields):
    """Two links geared to one another: ratio (sum of q on the way to the predecessor) + offset =
    sum of q on the way to the successor, both from their nearest common ancestor."""

    name: f.Text = f.text("of the coupling")
    predecessor: f.Text = f.text("link name")
    successor: f.Text = f.text("link name")
    ratio: f.Number = f.number(1, "of the angles")
    offset: f.Number = f.number(0, "rad or m")
    line: f.Integer = f.integer(0, "of the file; 0: unknown")
    file: f.Text = f.text("in which the line is; empty: the system's")


@dataclass(eq=False, repr=False)
class ConstraintSpec(f.Fields):
    """Joints tied by equations of one's own, phi(q) = 0; q: their coordinates, joint after joint."""

    name: f.Text = f.text("of the constraint")
    joints: f.Field[list[str], Iterable[str]] = f.texts("names; of joints whose rates are qdot")
    phi: f.Field[Tape, Tape] = f.part(Tape, "traced by espalier.trace()")
    line: f.Integer = f.integer(0, "of the file; 0: unknown")
    file: f.Text = f.text("in which the line is; empty: the system's")


@dataclass(eq=False, repr=False)
class WrapSurface(f.Fields):
    """A sphere about the origin, or a cylinder without ends along z."""

    radius: f.Number = f.number(0, "m")
    is_cylinder: f.Flag = f.flag(False, "else a sphere")


@dataclass(eq=False, repr=False)
class TendonTerm(f.Fields):
    """A joint's share of a tendon's length."""

    joint: f.Text = f.text("of one dof")
    coefficient: f.Number = f.number(1, "of its coordinate")


@dataclass(eq=False, repr=False)
class TendonPoint(f.Fields):
    """A point that a way goes through."""

    link: f.Text = f.text('"world": the ground')
    position: f.ArrayField = f.vector3((0, 0, 0), "(3,) m, in the link")


@dataclass(eq=False, repr=False)
class TendonWrap(f.Fields):
    """A surface that a way is led round."""

    after: f.Integer = f.integer(0, "between points[after] and the next")
    link: f.Text = f.text('that carries the surface; "world": the ground')
    X_LS: f.ArrayField = f.pose("(4, 4) the surface in the link")
    surface: f.Field[WrapSurface, WrapSurface] = f.part(WrapSurface, "sphere or cylinder")
    side: f.Field[TendonPoint | None, TendonPoint | None] = f.optional(
        TendonPoint, "the way leads by this side; None: the shorter way round"
    )


@dataclass(eq=False, repr=False)
class TendonWay(f.Fields):
    """What runs from point to point; behind a pulley its length counts by 1/divisor."""

    points: f.Field[list[TendonPoint], Iterable[TendonPoint]] = f.parts(
        TendonPoint, "that it goes through"
    )
    divisor: f.Number = f.number(1, "of its length")
    wraps: f.Field[list[TendonWrap], Iterable[TendonWrap]] = f.parts(
        TendonWrap, "in the order of the points, one between two of them at most"
    )


@dataclass(eq=False, repr=False)
class TendonSpec(f.Fields):
    """A tendon. Its length is a sum of coordinates of joints of one dof, and of ways that run from
    point to point, straight or round a surface. Its tension is positive where it pushes."""

    Term = TendonTerm
    Point = TendonPoint
    Wrap = TendonWrap
    Way = TendonWay

    name: f.Text = f.text("of the tendon")
    terms: f.Field[list[TendonTerm], Iterable[TendonTerm]] = f.parts(TendonTerm, "its joints")
    ways: f.Field[list[TendonWay], Iterable[TendonWay]] = f.parts(TendonWay, "in its length")
    lower: f.Number = f.number(-unlimited, "of the length")
    upper: f.Number = f.number(unlimited, "of the length")
    stiffness: f.Number = f.number(0, "of its spring")
    rest_lower: f.Number = f.number(0, "lengths between which the spring is slack")
    rest_upper: f.Number = f.number(0, "lengths between which the spring is slack")
    damping: f.Number = f.number(0, "of its length's rate")
    friction: f.Number = f.number(0, "dry")
    actuator: f.Field[ActuatorSpec | None, ActuatorSpec | None] = f.optional(
        ActuatorSpec, "of its length"
    )
    line: f.Integer = f.integer(0, "of the file; 0: unknown")
    file: f.Text = f.text("in which the line is; empty: the robot's")


@dataclass(eq=False, repr=False)
class TransmissionSpec(f.Fields):
    """A motor that drives a joint through a gear. Kept; it does not act."""

    name: f.Text = f.text("of the transmission")
    type: f.Text = f.text("as the file says")
    joint: f.Text = f.text("that is driven")
    actuator: f.Text = f.text("that drives")
    reduction: f.Number = f.number(1, "of the gear")
    line: f.Integer = f.integer(0, "of the file; 0: unknown")


@dataclass(eq=False, repr=False)
class IgnoredPair(f.Fields):
    """Two links that never collide."""

    first: f.Text = f.text("link name")
    second: f.Text = f.text("link name")
    reason: f.Text = f.text("who says so, for listings; no influence on the model")


@dataclass(eq=False, repr=False)
class MediumSpec(f.Fields):
    """A still or streaming medium in which a whole system moves. Every link feels the drag of a box with
    its mass and inertia, as in MuJoCo; the medium does not carry."""

    density: f.Number = f.number(0, "kg/m^3")
    viscosity: f.Number = f.number(0, "Pa s, dynamic")
    wind: f.ArrayField = f.vector3((0, 0, 0), "(3,) m/s, world axes")


@dataclass(eq=False, repr=False)
class SystemSpec(f.Fields):
    """One articulated system: a tree of links, and what closes its loops. The root is the link that
    no joint has as child; a root named "world" (or fixed_base) is welded to the world, any other
    floats."""

    name: f.Text = f.text("of the robot")
    file: f.Text = f.text('for diagnostics; "<text>" where it came as text')
    links: f.Field[list[LinkSpec], Iterable[LinkSpec]] = f.parts(LinkSpec, "in order of appearance")
    joints: f.Field[list[JointSpec], Iterable[JointSpec]] = f.parts(
        JointSpec, "in order of appearance"
    )
    joint_order: f.Field[list[str], Iterable[str]] = f.texts("names; empty: order of appearance")
    loops: f.Field[list[LoopSpec], Iterable[LoopSpec]] = f.parts(LoopSpec, "that joints close")
    couplings: f.Field[list[CouplingSpec], Iterable[CouplingSpec]] = f.parts(
        CouplingSpec, "gears, belts"
    )
    constraints: f.Field[list[ConstraintSpec], Iterable[ConstraintSpec]] = f.parts(
        ConstraintSpec, "equations of one's own"
    )
    tendons: f.Field[list[TendonSpec], Iterable[TendonSpec]] = f.parts(TendonSpec, "tendons")
    transmissions: f.Field[list[TransmissionSpec], Iterable[TransmissionSpec]] = f.parts(
        TransmissionSpec, "kept; they do not act"
    )
    ignored_pairs: f.Field[list[IgnoredPair], Iterable[IgnoredPair]] = f.parts(
        IgnoredPair, "links that never collide"
    )
    self_collides: f.Flag = f.flag(True, "False: no two of its links collide")
    fixed_base: f.Flag = f.flag(False, 'weld the root although it is not named "world"')
    rotors_as_bodies: f.Flag = f.flag(False, "geared rotors stay bodies, each with its joint")
    X_WB: f.ArrayField = f.pose("(4, 4) where the root is welded, or starts")
    medium: f.Field[MediumSpec, MediumSpec] = f.part(MediumSpec, "in which it moves")
    unbounded: f.Flag = f.flag(False, "lifts the bounds on magnitudes")

    def link(self, name: str) -> LinkSpec:
        """The link of a name. KeyError where there is none."""
        return _named(self.links, name, "link")

    def joint(self, name: str) -> JointSpec:
        """The joint of a name. KeyError where there is none."""
        return _named(self.joints, name, "joint")

    def __repr__(self) -> str:
        """The tree of links with their joints."""
        try:
            return _e.spec_tree(self)
        except (TypeError, ValueError) as error:
            return f"<SystemSpec {self.__dict__.get('name')!r} that cannot be read: {error}>"


@dataclass(eq=False, repr=False)
class MaterialPairSpec(f.Fields):
    """How two materials meet."""

    first: f.Text = f.text("material", "default")
    second: f.Text = f.text("material", "default")
    friction: f.Number = f.number(0.8, "Coulomb, dynamic")
    restitution: f.Number = f.number(0, "of impacts")
    restitution_threshold: f.Number = f.number(0.01, "m/s, slower impacts do not bounce")
    static_friction: f.Number = f.number(-1, "at rest; < 0: as `friction`")
    static_velocity: f.Number = f.number(0.01, "m/s, slip at which `friction` is reached")
    rolling_friction: f.Number = f.number(0, "m, torque across the normal per normal force")
    spinning_friction: f.Number = f.number(0, "m, torque about the normal per normal force")
    line: f.Integer = f.integer(0, "of the file; 0: unknown")


@dataclass(eq=False, repr=False)
class BodySpec(f.Fields):
    """A rigid body on its own: a ball, a crate, a compound of shapes, the ground, a terrain."""

    name: f.Text = f.text("of the body")
    collisions: f.Field[list[CollisionSpec], Iterable[CollisionSpec]] = f.parts(
        CollisionSpec, "X_LG is in the body's frame B"
    )
    visuals: f.Field[list[VisualSpec], Iterable[VisualSpec]] = f.parts(
        VisualSpec, "empty: the collisions are drawn"
    )
    inertial: f.Field[InertialSpec, InertialSpec] = f.part(
        InertialSpec, "X_LC in B; for dynamic bodies the mass is > 0"
    )
    type: f.Field[BodyType, BodyType] = f.choice(BodyType.DYNAMIC, "what it does with forces")
    X_WB: f.ArrayField = f.pose("(4, 4) pose in the world")
    velocity: f.ArrayField = f.vector3((0, 0, 0), "(3,) m/s, of B's origin, world axes")
    angular_velocity: f.ArrayField = f.vector3((0, 0, 0), "(3,) rad/s, world axes")
    line: f.Integer = f.integer(0, "of the file; 0: unknown")
    file: f.Text = f.text("in which the line is; empty: the world's")


@dataclass(eq=False, repr=False)
class PlacedSystemSpec(f.Fields):
    """A robot of a world, and how it starts: public order; or all joints, in spanning order, which
    their number tells. Empty: neutral at system.X_WB, and at rest."""

    system: f.Field[SystemSpec, SystemSpec] = f.part(SystemSpec, "the robot")
    q: f.ArrayField = f.numbers("coordinates at the start")
    u: f.ArrayField = f.numbers("velocities at the start")


@dataclass(eq=False, repr=False)
class WorldSpec(f.Fields):
    """Robots, bodies, materials and settings of a world."""

    file: f.Text = f.text("for diagnostics")
    systems: f.Field[list[PlacedSystemSpec], Iterable[PlacedSystemSpec]] = f.parts(
        PlacedSystemSpec, "robots"
    )
    bodies: f.Field[list[BodySpec], Iterable[BodySpec]] = f.parts(BodySpec, "single bodies")
    materials: f.Field[list[MaterialPairSpec], Iterable[MaterialPairSpec]] = f.parts(
        MaterialPairSpec, "pairs of contact materials"
    )
    default_material: f.Field[MaterialPairSpec, MaterialPairSpec] = f.part(
        MaterialPairSpec, "of all other pairs"
    )
    gravity: f.ArrayField = f.vector3((0, 0, -9.81), "(3,) m/s^2")
    time_step: f.Number = f.number(0.005, "s")
    erp: f.Number = f.number(0, "share of a penetration removed in one step")
    slop: f.Number = f.number(0, "m, penetration left alone")
    max_depenetration_velocity: f.Number = f.number(
        3, "m/s or rad/s, > 0: at most, of a penetration or a joint beyond its limit pushed back"
    )

    def __repr__(self) -> str:
        """The robots as trees, and the names of the bodies."""
        robots = "\n".join(repr(placed.system) for placed in self.systems)
        names = ", ".join(body.name or "unnamed" for body in self.bodies)
        head = f"WorldSpec: {len(self.systems)} robots, {len(self.bodies)} bodies"
        return "\n".join(part for part in (head, robots, names) if part)


@dataclass(eq=False, repr=False)
class SphericalLimits(f.Fields):
    """Limits of a spherical joint, rad; infinite: free."""

    angle: f.Number = f.number(unlimited, "greatest angle")
    swing: f.Number = f.number(unlimited, "greatest swing")
    twist_lower: f.Number = f.number(-unlimited, "least twist")
    twist_upper: f.Number = f.number(unlimited, "greatest twist")

    @property
    def are_none(self) -> bool:
        """Whether nothing is limited."""
        return self == SphericalLimits()

    @property
    def use_axis(self) -> bool:
        """Whether a limit speaks of the joint's axis."""
        return _e.uses_axis(self)


@dataclass(eq=False, repr=False)
class RigidInertia(f.Fields):
    """Inertia about a frame's origin."""

    m: f.Number = f.number(0, "kg")
    h: f.ArrayField = f.vector3((0, 0, 0), "(3,) kg m, mass times centre of mass")
    I: f.ArrayField = f.array(  # noqa: E741
        np.zeros((3, 3)), (3, 3), "(3, 3) kg m^2 about the origin"
    )


@dataclass(eq=False, repr=False)
class State(f.Fields):
    """Everything that moves, as a value: copy it, compare it, put it back.

    Two are equal where q, u and time are.
    """

    q: f.ArrayField = f.numbers("(nq,) internal order; of a world: system after system")
    u: f.ArrayField = f.numbers("(nv,) internal order; of a world: system after system")
    time: f.Number = f.number(0, "s")
    history: f.ArrayField = f.numbers(
        "of a world: what its steps leave behind for the next one; ignored where q or u were written "
        "since, and empty where there is none"
    )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return (
            np.array_equal(self.q, other.q)
            and np.array_equal(self.u, other.u)
            and self.time == other.time
        )

    def __repr__(self) -> str:
        q, u = self.q.tolist(), self.u.tolist()
        after = f", history of {self.history.size} numbers" if self.history.size else ""
        return f"State(q={q}, u={u}, time={self.time!r}{after})"


def _named(things: list[f.T], name: str, what: str) -> f.T:
    for thing in things:
        if getattr(thing, "name") == name:
            return thing
    names = ", ".join(getattr(thing, "name") for thing in things)
    raise KeyError(f"no {what} {name!r}; there are: {names}")
