"""Commanded velocities: forward, sideways, and the rate of turning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .arrays import Ids
from .world_random import WorldRandom

__all__ = ["CommandOptions", "VelocityCommands"]


@dataclass(frozen=True)
class CommandOptions:
    """Ranges from which commands are drawn.

    vx, vy    m/s, in the axes of the base
    yaw_rate  rad/s
    least     slower commands, m/s, become standing still
    seconds   from one command to the next
    """

    vx: tuple[float, float] = (-1.0, 1.0)
    vy: tuple[float, float] = (-0.5, 0.5)
    yaw_rate: tuple[float, float] = (-1.0, 1.0)
    least: float = 0.15
    seconds: float = 8.0

    def __post_init__(self) -> None:
        for name in ("vx", "vy", "yaw_rate"):
            low, high = getattr(self, name)
            if low > high:
                raise ValueError(f"the range {name} = ({low}, {high}) ends before it begins")


class VelocityCommands:
    """What each world is told.

    values  [3, n] vx, vy, yaw rate
    speed   [n] m/s, of vx and vy together
    """

    world_arrays: ClassVar[tuple[str, ...]] = ("values", "speed")

    def __init__(self, n: int, options: CommandOptions, control_step: float) -> None:
        self.options = options
        self.values = np.zeros((3, n), np.float32)
        self.speed = np.zeros(n, np.float32)
        self.interval = max(1, round(options.seconds / control_step))
        self._low, self._high = zip(options.vx, options.vy, options.yaw_rate, strict=True)

    def draw(self, ids: Ids, random: WorldRandom) -> None:
        """New commands for these worlds."""
        drawn = random.uniform(ids, self._low, self._high, k=3)
        speed = np.hypot(drawn[0], drawn[1])
        is_still = speed < self.options.least
        drawn[:, is_still] = 0
        self.values[:, ids] = drawn
        self.speed[ids] = np.where(is_still, 0, speed)

    def draw_due(self, ids: Ids, episode_step: Ids, random: WorldRandom) -> None:
        """New commands for those of these worlds whose time has come."""
        due = ids[episode_step[ids] % self.interval == 0]
        if due.size:
            self.draw(due, random)
