"""Rotations of many worlds at once: quaternions [4, n], w x y z, base to world; vectors [3, n]."""

from __future__ import annotations

import numpy as np

from .arrays import Real

__all__ = ["in_base", "up_in_base", "yaw_quaternion"]


def in_base(quaternion: Real, vectors: Real) -> Real:
    """World vectors in the axes of the base: R' v = v - w t + r x t, t = 2 r x v, r = (x, y, z)."""
    w, x, y, z = quaternion
    a, b, c = vectors
    t = 2 * np.stack([y * c - z * b, z * a - x * c, x * b - y * a])
    turned = np.stack([y * t[2] - z * t[1], z * t[0] - x * t[2], x * t[1] - y * t[0]])
    rotated: Real = np.stack([a, b, c]) - w * t + turned
    return rotated


def up_in_base(quaternion: Real) -> Real:
    """The world's z axis in the axes of the base: (0, 0, 1) where it stands level."""
    w, x, y, z = quaternion
    return np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)])


def yaw_quaternion(yaw: Real) -> Real:
    """[4, n] of turns [n] about z, rad."""
    zero = np.zeros_like(yaw)
    return np.stack([np.cos(yaw / 2), zero, zero, np.sin(yaw / 2)])
