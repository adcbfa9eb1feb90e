"""A robot built in code, link by link, in RaiSim's names.

    pole = Child(name="pole")
    pole.body.set_mass(1)
    pole.body.set_com([0, 0, -0.5])
    pole.body.set_inertia([0.1, 0.1, 0.01])
    pole.body.add_collision(CapsuleShape(0.05, 0.9), [0, 0, -0.5])
    pole.joint.name = "hinge"
    pole.joint.type = Joint.REVOLUTE
    pole.joint.joint_axis([0, 1, 0])
    root = Child(name="world")          # welded to the world
    root.add_child(pole)
    world.add_articulated_system(root)  # or to_spec(root, ["hinge"]), with a joint order
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

import numpy as np
import numpy.typing as npt

from . import _fields as f
from ._espalier import ChildJointType
from .shapes import Shape
from .spec import CollisionSpec, InertialSpec, VisualSpec

__all__ = ["Child", "Joint"]


@dataclass(eq=False, repr=False)
class ChildJoint(f.Fields):
    """The joint that carries a Child."""

    Type = ChildJointType
    FIXED = ChildJointType.FIXED
    REVOLUTE = ChildJointType.REVOLUTE
    PRISMATIC = ChildJointType.PRISMATIC
    SPHERICAL = ChildJointType.SPHERICAL
    FLOATING = ChildJointType.FLOATING

    type: f.Field[ChildJointType, ChildJointType] = f.choice(ChildJointType.FIXED, "its kind")
    name: f.Text = f.text("empty: PARENT-CHILD")
    axis: f.ArrayField = f.vector3((0, 0, 1), "(3,) in the joint frame")
    pos_P: f.ArrayField = f.vector3((0, 0, 0), "(3,) m, in the parent link")
    rot: f.ArrayField = f.array(np.eye(3), (3, 3), "(3, 3) joint frame in the parent link")
    limit: f.ArrayField = f.array((0, 0), (2,), "(2,) rad or m, lower and upper; equal: none")
    effort: f.Number = f.number(inf, "N m or N")
    velocity_limit: f.Number = f.number(0, "rad/s or m/s; 0: none")
    damping: f.Number = f.number(0, "N m s/rad or N s/m")
    friction: f.Number = f.number(0, "N m or N, dry")
    stiffness: f.Number = f.number(0, "N m/rad or N/m")
    spring_mount: f.ArrayField = f.numbers("q at rest; empty: the neutral q")
    rotor_inertia: f.Number = f.number(0, "kg m^2 or kg")

    @staticmethod
    def floating_base_joint() -> ChildJoint:
        """The joint of a root that floats."""
        return ChildJoint(type=ChildJointType.FLOATING)

    def joint_axis(self, axis: npt.ArrayLike) -> None:
        """Sets the axis, (3,) in the joint frame."""
        self.axis = axis

    def joint_position(self, position: npt.ArrayLike) -> None:
        """Sets the position, (3,) m in the parent link."""
        self.pos_P = position


Joint = ChildJoint


@dataclass(eq=False, repr=False)
class ChildBody(f.Fields):
    """The link of a Child: its mass and its shapes."""

    inertial: f.Field[InertialSpec, InertialSpec] = f.part(InertialSpec, "all zero: massless")
    col_obj: f.Field[list[CollisionSpec], Iterable[CollisionSpec]] = f.parts(
        CollisionSpec, "shapes that collide"
    )
    vis_obj: f.Field[list[VisualSpec], Iterable[VisualSpec]] = f.parts(
        VisualSpec, "shapes that are drawn"
    )

    @property
    def mass(self) -> float:
        """kg"""
        return self.inertial.mass

    @mass.setter
    def mass(self, mass: float) -> None:
        self.inertial.mass = mass

    @property
    def com(self) -> f.Array:
        """(3,) m, centre of mass in the link"""
        return self.inertial.X_LC[:3, 3].copy()

    @com.setter
    def com(self, com: npt.ArrayLike) -> None:
        self.inertial.X_LC[:3, 3] = np.asarray(com, dtype=np.float64).reshape(3)

    def set_mass(self, mass: float) -> None:
        """kg"""
        self.mass = mass

    def set_com(self, com: npt.ArrayLike) -> None:
        """(3,) m, in the link"""
        self.com = com

    def set_inertia(self, inertia: npt.ArrayLike) -> None:
        """kg m^2 about the centre of mass, axes of the link: (3,) of the diagonal, (6,) xx, xy, xz,
        yy, yz, zz, or (3, 3)."""
        given = np.asarray(inertia, dtype=np.float64)
        if given.shape == (3,):
            given = np.diag(given)
        elif given.shape == (6,):
            xx, xy, xz, yy, yz, zz = given
            given = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        self.inertial.I = given

    def add_collision(
        self, shape: Shape, position: npt.ArrayLike = (0, 0, 0), material: str = "default"
    ) -> CollisionSpec:
        """Adds a shape that collides, at (3,) m in the link; returns it, to be edited."""
        added = CollisionSpec(shape=shape, material=material)
        added.X_LG[:3, 3] = np.asarray(position, dtype=np.float64).reshape(3)
        self.col_obj.append(added)
        return added

    def add_visual(self, shape: Shape, position: npt.ArrayLike = (0, 0, 0)) -> VisualSpec:
        """Adds a shape that is drawn, at (3,) m in the link; returns it, to be edited."""
        added = VisualSpec(shape=shape)
        added.X_LG[:3, 3] = np.asarray(position, dtype=np.float64).reshape(3)
        self.vis_obj.append(added)
        return added


@dataclass(eq=False, repr=False)
class Child(f.Fields):
    """A link, the joint that carries it, and what it carries."""

    Joint = ChildJoint
    Body = ChildBody

    name: f.Text = f.text("of the link")
    body: f.Field[ChildBody, ChildBody] = f.part(ChildBody, "of the link")
    joint: f.Field[ChildJoint, ChildJoint] = f.part(
        ChildJoint, "of the root: FIXED welds it to the world, FLOATING does not"
    )
    child: f.Field[list[Child], Iterable[Child]] = f.parts_later(
        lambda: Child, "on joints that move"
    )
    fixed_bodies: f.Field[list[Child], Iterable[Child]] = f.parts_later(
        lambda: Child, "welded to this link"
    )

    def add_child(self, below: Child) -> None:
        """Adds a copy: among the welded ones if its joint is FIXED, else among the moving ones.
        ValueError for a FLOATING joint: only the root may have it."""
        if below.joint.type == ChildJoint.FLOATING:
            raise ValueError(f"only the root may have a floating joint, not {below.name!r}")
        welded = below.joint.type == ChildJoint.FIXED
        (self.fixed_bodies if welded else self.child).append(copy.deepcopy(below))
