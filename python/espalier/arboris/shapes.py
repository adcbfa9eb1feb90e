"""Shapes at frames, between which there may be contacts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .. import shapes as _shapes
from .. import sim
from . import homogeneousmatrix
from .frames import Frame, Shape, SubFrame

if TYPE_CHECKING:
    from .core import World

__all__ = ["Box", "Cylinder", "Plane", "Point", "Shape", "Sphere"]


class Sphere(Shape):
    """A sphere about the frame's origin; radius: m."""

    def __init__(self, frame: Frame, radius: float, name: str | None = None) -> None:
        super().__init__(frame, name)
        self.radius = float(radius)

    def _made(self, world: World) -> tuple[sim.Frame, Any]:
        return self.frame._made(world), _shapes.SphereShape(radius=self.radius)


class Point(Sphere):
    """The frame's origin."""

    def __init__(self, frame: Frame, name: str | None = None) -> None:
        super().__init__(frame, 0.0, name)


class Box(Shape):
    """A box about the frame's origin; half_extents: (3,) m, half its edges."""

    def __init__(self, frame: Frame, half_extents: ArrayLike, name: str | None = None) -> None:
        super().__init__(frame, name)
        self.half_extents = np.array(half_extents, float)

    def _made(self, world: World) -> tuple[sim.Frame, Any]:
        return self.frame._made(world), _shapes.BoxShape(size=2 * self.half_extents)


class Cylinder(Shape):
    """A cylinder along z about the frame's origin, m."""

    def __init__(
        self, frame: Frame, length: float, radius: float, name: str | None = None
    ) -> None:
        super().__init__(frame, name)
        self.length, self.radius = float(length), float(radius)

    def _made(self, world: World) -> tuple[sim.Frame, Any]:
        shape = _shapes.CylinderShape(radius=self.radius, height=self.length)
        return self.frame._made(world), shape


class Plane(Shape):
    """The half space n . p <= d of the frame; coeffs: (a, b, c, d), n = (a, b, c) of any length."""

    def __init__(
        self, frame: Frame, coeffs: ArrayLike = (0.0, 1.0, 0.0, 0.0), name: str | None = None
    ) -> None:
        super().__init__(frame, name)
        self.coeffs = np.array(coeffs, float)
        if self.coeffs.shape != (4,) or not np.linalg.norm(self.coeffs[:3]) > 0:
            raise ValueError("coeffs are (a, b, c, d) with a normal (a, b, c)")
        normal = self.coeffs[:3] / np.linalg.norm(self.coeffs[:3])
        H = homogeneousmatrix.zaligned(normal)
        H[:3, 3] = self.coeffs[3] / np.linalg.norm(self.coeffs[:3]) * normal
        self._surface = SubFrame(frame, H)

    def _made(self, world: World) -> tuple[sim.Frame, Any]:
        return self._surface._made(world), _shapes.Plane()
