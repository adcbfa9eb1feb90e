"""Homogeneous solids and what they weigh together.

Principal moments of a solid of mass m about its centre; the axis of symmetry is z.
  sphere     2/5 m r^2
  box        m/12 (y^2 + z^2), and cyclic
  cylinder   axial m r^2/2, across m (3 r^2 + l^2)/12
  capsule    the sum of its cylinder and its two half spheres, each of which has its centre of mass
             3/8 r beyond the cylinder's end; h = distance of the sphere centres
Solids are added up by Steiner: I = sum of R J R' + m (|d|^2 1 - d d').
"""

from dataclasses import dataclass
from math import cos, pi, sin

from recipes.palette import BONE


@dataclass(frozen=True)
class Sphere:
    radius: float

    def moments(self, mass):
        return (0.4 * mass * self.radius**2,) * 3

    def attributes(self):
        return {"radius": self.radius}


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    z: float

    def moments(self, mass):
        xx, yy, zz = self.x**2, self.y**2, self.z**2
        return tuple(mass / 12 * s for s in (yy + zz, zz + xx, xx + yy))

    def attributes(self):
        return {"size": (self.x, self.y, self.z)}


@dataclass(frozen=True)
class Cylinder:
    radius: float
    length: float

    def moments(self, mass):
        across = mass * (3 * self.radius**2 + self.length**2) / 12
        return (across, across, mass * self.radius**2 / 2)

    def attributes(self):
        return {"radius": self.radius, "length": self.length}


@dataclass(frozen=True)
class Capsule:
    radius: float
    height: float

    def moments(self, mass):
        r, h = self.radius, self.height
        tube_volume, ball_volume = pi * r**2 * h, 4 / 3 * pi * r**3
        tube = mass * tube_volume / (tube_volume + ball_volume)
        ball = mass - tube
        axial = tube * r**2 / 2 + 0.4 * ball * r**2
        # Across, a half sphere has 2/5 m r^2 about the sphere's centre, h/2 away from ours;
        # moved there through its own centre of mass that adds m (h^2/4 + 3/8 r h).
        across = tube * (3 * r**2 + h**2) / 12 + ball * (0.4 * r**2 + h**2 / 4 + 3 / 8 * r * h)
        return (across, across, axial)

    def attributes(self):
        return {"radius": self.radius, "height": self.height}


@dataclass(frozen=True)
class Part:
    """One solid of a link. Without mass it is decoration; `collides` makes it a collision body,
    of the contact material `contact` if that is named."""

    solid: object
    mass: float = 0.0
    xyz: tuple = (0.0, 0.0, 0.0)
    rpy: tuple = (0.0, 0.0, 0.0)
    colour: str = BONE
    collides: bool = False
    contact: str = ""


def rotation(rpy):
    """R = Rz(yaw) Ry(pitch) Rx(roll), by rows."""
    (cr, cp, cy), (sr, sp, sy) = map(cos, rpy), map(sin, rpy)
    return (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )


def mass_properties(parts):
    """Mass, centre of mass and inertia (3 x 3, about it, in link axes) of parts taken together."""
    mass = sum(part.mass for part in parts)
    com = tuple(sum(part.mass * part.xyz[i] for part in parts) / mass for i in range(3))
    inertia = [[0.0] * 3 for _ in range(3)]
    for part in parts:
        R = rotation(part.rpy)
        J = part.solid.moments(part.mass)
        d = tuple(part.xyz[i] - com[i] for i in range(3))
        for i in range(3):
            for j in range(3):
                turned = sum(R[i][k] * J[k] * R[j][k] for k in range(3))
                square = sum(x * x for x in d) if i == j else 0.0
                inertia[i][j] += turned + part.mass * (square - d[i] * d[j])
    return mass, com, inertia
