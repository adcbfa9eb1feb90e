"""Feet of a batch: when they touch the ground, and how long they were in the air."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from .arrays import Ids, Mask

__all__ = ["Feet"]


class Feet:
    """Updated once an action.

    touching       [f, n] whether it touches now
    landed         [f, n] whether it has touched down in the last action
    air_time       [f, n] s since it left the ground; 0 on it
    last_air_time  [f, n] s, of the flight that ended last
    """

    world_arrays: ClassVar[tuple[str, ...]] = ("touching", "landed", "air_time", "last_air_time")

    def __init__(self, feet: int, n: int) -> None:
        self.touching = np.zeros((feet, n), np.bool_)
        self.landed = np.zeros((feet, n), np.bool_)
        self.air_time = np.zeros((feet, n), np.float32)
        self.last_air_time = np.zeros((feet, n), np.float32)

    def reset(self, ids: Ids) -> None:
        """On the ground, as if for long."""
        self.touching[:, ids] = True
        self.landed[:, ids] = False
        self.air_time[:, ids] = 0
        self.last_air_time[:, ids] = 0

    def update(self, touching: Mask, dt: float) -> None:
        """touching: [f, n] at the new state"""
        self.landed = touching & ~self.touching
        np.copyto(self.last_air_time, self.air_time, where=self.landed)
        self.air_time += dt
        self.air_time *= ~touching
        self.touching = touching
