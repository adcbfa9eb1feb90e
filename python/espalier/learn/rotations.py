"""Rotations of many worlds at once: quaternions [4, n], w x y z, base to world."""

from __future__ import annotations

import numpy as np

from .arrays import Real

__all__ = ["yaw_of", "yaw_quaternion"]


def yaw_quaternion(yaw: Real) -> Real:
    """[4, n] of turns [n] about z, rad."""
    zero = np.zeros_like(yaw)
    return np.stack([np.cos(yaw / 2), zero, zero, np.sin(yaw / 2)])


def yaw_of(quaternion: Real) -> Real:
    """[n] rad of quaternions [4, n]: from the world's x axis to the base's as seen from above."""
    w, x, y, z = quaternion
    yaw: Real = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    return yaw
