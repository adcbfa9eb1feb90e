"""Shapes of collision bodies and visuals. A shape's own frame is its centre, axes along z; m."""

from __future__ import annotations

import typing
from dataclasses import dataclass

from . import _fields as f
from ._espalier import HeightfieldData, TriangleMesh

__all__ = [
    "BoxShape", "CapsuleShape", "CylinderShape", "EllipsoidShape", "Heightfield", "MeshShape",
    "Plane", "Shape", "SphereShape", "TerrainProperties",
]  # fmt: skip


@dataclass(eq=False, repr=False)
class SphereShape(f.Fields):
    """A ball."""

    radius: f.Number = f.number(0, "m")


@dataclass(eq=False, repr=False)
class BoxShape(f.Fields):
    """A box."""

    size: f.ArrayField = f.vector3((0, 0, 0), "(3,) m, whole edge lengths")


@dataclass(eq=False, repr=False)
class CylinderShape(f.Fields):
    """A cylinder."""

    radius: f.Number = f.number(0, "m")
    height: f.Number = f.number(0, "m, along z")


@dataclass(eq=False, repr=False)
class CapsuleShape(f.Fields):
    """A cylinder with half spheres at both ends."""

    radius: f.Number = f.number(0, "m")
    height: f.Number = f.number(0, "m, distance of the two sphere centres, along z")


@dataclass(eq=False, repr=False)
class EllipsoidShape(f.Fields):
    """(x/a)^2 + (y/b)^2 + (z/c)^2 <= 1."""

    radii: f.ArrayField = f.vector3((0, 0, 0), "(3,) m, half axes a, b, c along x, y, z")


@dataclass(eq=False, repr=False)
class Plane(f.Fields):
    """The half space z <= 0 of its frame."""


@dataclass(eq=False, repr=False)
class MeshShape(f.Fields):
    """A closed triangle mesh. It collides as its convex hull; only a static single body, which is
    terrain, collides by its triangles."""

    file: f.Text = f.text("where it was read from, resolved")
    data: f.Field[TriangleMesh | None, TriangleMesh | None] = f.optional(
        TriangleMesh, "the triangles, shared; None where the file was missing"
    )
    is_convex: f.Flag = f.flag(False, "collides as its hull where it is static, too")
    max_hull_vertices: f.Integer = f.integer(64, "of the hull, >= 4")
    part: f.Integer = f.integer(
        0, "1, 2, ...: one of the hulls that `file`, a convex decomposition, has; 0: the whole mesh"
    )


@dataclass(eq=False, repr=False)
class Heightfield(f.Fields):
    """Heights on a regular grid over x and y, centred on its frame; solid below."""

    data: f.Field[HeightfieldData | None, HeightfieldData | None] = f.optional(
        HeightfieldData, "the heights, shared"
    )


Shape = (
    SphereShape | BoxShape | CylinderShape | CapsuleShape | EllipsoidShape | Plane | MeshShape
    | Heightfield
)  # fmt: skip
kinds = typing.get_args(Shape)


@dataclass(eq=False, repr=False)
class TerrainProperties(f.Fields):
    """Terrain made of noise: the same properties give the same heights, on any machine."""

    x_size: f.Number = f.number(20, "m")
    y_size: f.Number = f.number(20, "m")
    x_samples: f.Integer = f.integer(100, ">= 2")
    y_samples: f.Integer = f.integer(100, ">= 2")
    z_scale: f.Number = f.number(2, "m, largest possible deviation from height_offset")
    frequency: f.Number = f.number(0.1, "1/m, of the coarsest octave")
    fractal_octaves: f.Integer = f.integer(5, ">= 1")
    fractal_lacunarity: f.Number = f.number(3, "each octave's frequency over that before")
    fractal_gain: f.Number = f.number(0.25, "each octave's amplitude over that before")
    step_size: f.Number = f.number(0, "m; heights are whole steps of it, 0: any")
    seed: f.Integer = f.integer(10000, "of the noise")
    height_offset: f.Number = f.number(0, "m")
