"""Motion of the floating bases of a batch, in the axes of each base."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from .. import Batch, Quantity
from .arrays import Ids, Real

__all__ = ["BaseMotion"]


class BaseMotion:
    """Computed by update() from the state, once a step.

    velocity  [3, n] m/s, in the axes of the base
    rate      [3, n] rad/s, likewise
    up        [3, n] the world's z axis, likewise; gravity is its opposite
    others    [k, n] what a task measures besides, computed in the same pass
    """

    world_arrays: ClassVar[tuple[str, ...]] = ("_rows",)

    def __init__(self, batch: Batch, others: Sequence[Quantity] = ()) -> None:
        self.q = batch.bind("q").T[:7]  # [7, n], live
        self.u = batch.bind("u").T[:6]
        self._observer = batch.observe(
            [Quantity("frame_velocity", axes="frame"), Quantity("frame_angular_velocity", axes="frame"),
             Quantity("gravity", scale=-1), *others], dtype=self.q.dtype)
        self._rows = np.zeros((len(self._observer.names), batch.size), self.q.dtype)
        self.velocity, self.rate, self.up = self._rows[:3], self._rows[3:6], self._rows[6:9]
        self.others = self._rows[9:]

    @property
    def position(self) -> Real:
        """[3, n] m, world"""
        return self.q[:3]

    def update(self, ids: Ids | None = None) -> None:
        """For these worlds, or for all."""
        if ids is None:
            self._observer(out=self._rows.T)
        else:
            self._rows[:, ids] = self._observer(ids).T
