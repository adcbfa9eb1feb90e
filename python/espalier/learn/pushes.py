"""Pushes: horizontal impulses on the base, each as a force during one action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .arrays import Ids
from .world_random import WorldRandom

if TYPE_CHECKING:
    from .. import Batch

__all__ = ["PushOptions", "Pushes"]


@dataclass(frozen=True)
class PushOptions:
    """impulse: greatest, N s, in either direction; 0: none. seconds: from one push to the next."""

    impulse: float = 12.0
    seconds: float = 6.0


class Pushes:
    """Forces on the first body of each world, a floating base, at its origin: `wrench` of the batch."""

    world_arrays: ClassVar[tuple[str, ...]] = ("_phase", "_is_pushed")

    def __init__(self, batch: Batch, options: PushOptions, control_step: float) -> None:
        self.greatest = options.impulse / control_step  # N
        self.interval = max(1, round(options.seconds / control_step))
        self._force = batch.bind("wrench").T[:2]
        self._phase = np.zeros(batch.size, np.int64)
        self._is_pushed = np.zeros(batch.size, np.bool_)

    def reset(self, ids: Ids, random: WorldRandom) -> None:
        """No force, and the time of the next push drawn."""
        self._force[:, ids] = 0
        self._phase[ids] = random.integers(ids, self.interval)

    def after_step(self, ids: Ids, episode_step: Ids, random: WorldRandom) -> None:
        """Ends the pushes of the last action, and begins those that are due."""
        if self.greatest == 0:
            return
        self._force[:, self._is_pushed] = 0
        due = ids[(episode_step[ids] + self._phase[ids]) % self.interval == 0]
        self._force[:, due] = random.uniform(due, -self.greatest, self.greatest, k=2)
        self._is_pushed[:] = False
        self._is_pushed[due] = True
