"""On which tile of the terrain a world starts: harder ones for who got far."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from .arrays import Ids, Mask, Real
from .terrain import TerrainOptions
from .world_random import WorldRandom

__all__ = ["Curriculum"]


class Curriculum:
    """Level and kind of the tile of each world.

    Who walked as commanded for half a tile starts one level higher next time; who fell, or made less
    than half of the commanded way, one lower. Who passes the last level starts at any.

    level    [n] 0: easiest
    kind     [n] index into TerrainOptions.kinds
    made     [n] m, way along the command since the reset
    ordered  [n] m, way that was commanded
    """

    world_arrays: ClassVar[tuple[str, ...]] = ("level", "kind", "made", "ordered")

    def __init__(self, n: int, terrain: TerrainOptions, highest_start: int) -> None:
        self.terrain = terrain
        self.starts = min(highest_start + 1, terrain.levels)
        self.level = np.zeros(n, np.int64)
        self.kind = np.zeros(n, np.int64)
        self.made = np.zeros(n)
        self.ordered = np.zeros(n)

    def begin(self, ids: Ids, random: WorldRandom) -> None:
        """Draws a kind, and a level among the first ones."""
        self.kind[ids] = random.integers(ids, len(self.terrain.kinds))
        self.level[ids] = random.integers(ids, self.starts)
        self._clear(ids)

    def add(self, velocity: Real, command: Real, speed: Real, dt: float) -> None:
        """Adds a step: velocity and command [2, n] m/s in the same axes; speed [n], the command's."""
        along = (velocity[0] * command[0] + velocity[1] * command[1]) / np.maximum(speed, 1e-6)
        self.made += dt * np.minimum(along, speed)
        self.ordered += dt * speed

    def advance(self, ids: Ids, fell: Mask, random: WorldRandom) -> None:
        """Changes the levels of these worlds, which are being reset; fell: [len(ids)]."""
        made, ordered = self.made[ids], self.ordered[ids]
        up = ~fell & (made > self.terrain.tile / 2)
        down = fell | (made < 0.5 * ordered)
        level = self.level[ids] + up - (down & ~up)
        anywhere = random.integers(ids, self.terrain.levels)
        self.level[ids] = np.where(level >= self.terrain.levels, anywhere, np.maximum(level, 0))
        self._clear(ids)

    def _clear(self, ids: Ids) -> None:
        self.made[ids] = 0
        self.ordered[ids] = 0
