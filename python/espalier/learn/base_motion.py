"""Motion of the floating bases of a batch, in the axes of each base."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .arrays import Ids, Real
from .rotations import in_base, up_in_base

if TYPE_CHECKING:
    from .. import Batch

__all__ = ["BaseMotion"]


class BaseMotion:
    """Computed by update() from the state, once a step.

    velocity  [3, n] m/s, in the axes of the base
    rate      [3, n] rad/s, likewise
    up        [3, n] the world's z axis, likewise; gravity is its opposite
    """

    world_arrays: ClassVar[tuple[str, ...]] = ("velocity", "rate", "up")

    def __init__(self, batch: Batch) -> None:
        self.q = batch.bind("q").T[:7]  # [7, n], live
        self.u = batch.bind("u").T[:6]
        self.velocity = np.zeros((3, batch.size), self.q.dtype)
        self.rate = np.zeros_like(self.velocity)
        self.up = np.zeros_like(self.velocity)

    @property
    def position(self) -> Real:
        """[3, n] m, world"""
        return self.q[:3]

    def update(self, ids: Ids | None = None) -> None:
        """For these worlds, or for all."""
        where = slice(None) if ids is None else ids
        quaternion, u = self.q[3:, where], self.u[:, where]
        self.velocity[:, where] = in_base(quaternion, u[:3])
        self.rate[:, where] = in_base(quaternion, u[3:])
        self.up[:, where] = up_in_base(quaternion)
