"""Constraints of arboris."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import FreeJoint, sim
from .. import JointObject as Joint
from .frames import Frame, Shape
from .parts import Constraint

if TYPE_CHECKING:
    from .core import World

Array = NDArray[np.float64]

__all__ = ["BallAndSocketConstraint", "JointLimits", "SoftFingerContact", "get_all_contacts"]


class BallAndSocketConstraint(Constraint):
    """The origins of two frames, on different bodies, stay on each other."""

    ndol = 3

    def __init__(self, frames: Sequence[Frame], name: str | None = None) -> None:
        super().__init__(name)
        self.frames = tuple(frames)
        if len(self.frames) != 2:
            raise ValueError("a ball and socket joins two frames")

    def _new(self, world: World) -> sim.Constraint:
        first, second = (frame._made(world) for frame in self.frames)
        return sim.BallAndSocket(first, second, self.name or "")

    @property
    def gap(self) -> Array:
        """Origin of frame 1 in frame 0 (3,), m, of the last step."""
        return cast(sim.BallAndSocket, self._constraint).gap


class JointLimits(Constraint):
    """min <= gpos <= max of a joint that is no FreeJoint; proximity: rad or m."""

    def __init__(
        self,
        joint: Joint,
        min: ArrayLike,  # noqa: A002
        max: ArrayLike,  # noqa: A002
        proximity: float = 0.01,
        name: str | None = None,
    ) -> None:
        super().__init__(name)
        if isinstance(joint, FreeJoint):
            raise ValueError("a FreeJoint has no coordinate for each dof")
        self.joint = joint
        self.ndol = joint.ndof
        self._min = np.broadcast_to(np.asarray(min, float), (joint.ndof,))
        self._max = np.broadcast_to(np.asarray(max, float), (joint.ndof,))
        self._proximity = float(proximity)

    def _new(self, world: World) -> sim.Constraint:
        return sim.JointLimits(
            world._names([self.joint]), self._min, self._max, self._proximity, self.name or ""
        )


class SoftFingerContact(Constraint):
    """A contact of two shapes with friction, which resists turning about its normal, too.

    radii: (3,) of the friction ellipsoid, m, 1, 1. force: m_z, f_x, f_y, f_z on shape 1's body.
    """

    ndol = 4

    def __init__(
        self,
        shapes: Sequence[Shape],
        friction_coeff: float,
        proximity: float = 0.02,
        name: str | None = None,
        radii: ArrayLike = (1.0, 1.0, 1.0),
    ) -> None:
        super().__init__(name)
        self.shapes = tuple(shapes)
        if len(self.shapes) != 2:
            raise ValueError("a contact is between two shapes")
        self.friction_coeff = float(friction_coeff)
        self._proximity = float(proximity)
        self._radii = np.array(radii, float)

    def _new(self, world: World) -> sim.Constraint:
        (frame0, shape0), (frame1, shape1) = (shape._made(world) for shape in self.shapes)
        return sim.SoftFinger(
            frame0,
            shape0,
            frame1,
            shape1,
            self.friction_coeff,
            self._radii,
            self._proximity,
            self.name or "",
        )

    @property
    def sdist(self) -> float:
        """Distance, m, of the last step."""
        return cast(sim.SoftFinger, self._constraint).sdist


def get_all_contacts(world: World, friction_coeff: float = 1.0) -> list[SoftFingerContact]:
    """A contact for each pair of the World's shapes that are on different bodies, to be
    registered."""
    shapes = world.getshapes()
    return [
        SoftFingerContact((first, second), friction_coeff)
        for k, first in enumerate(shapes)
        for second in shapes[k + 1 :]
        if first.frame.body is not second.frame.body
    ]
