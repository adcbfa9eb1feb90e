"""Returns and lengths of the episodes that ended last."""

from __future__ import annotations

import math
from collections import deque

import numpy as np

from .vector_task import Bools, Floats

REMEMBERED = 512


class Episodes:
    """Counts n running episodes, and remembers those that ended last."""

    def __init__(self, count: int) -> None:
        self._return = np.zeros(count)
        self._steps = np.zeros(count, np.int64)
        self._ended: deque[tuple[float, int]] = deque(maxlen=REMEMBERED)

    def step(self, rewards: Floats, ended: Bools) -> None:
        self._return += rewards
        self._steps += 1
        rows = np.flatnonzero(ended)
        self._ended.extend(zip(self._return[rows].tolist(), self._steps[rows].tolist()))
        self._return[rows] = 0
        self._steps[rows] = 0

    def mean_return(self) -> float:
        """NaN as long as none has ended."""
        return self._mean(0)

    def mean_steps(self) -> float:
        return self._mean(1)

    def _mean(self, column: int) -> float:
        if not self._ended:
            return math.nan
        return math.fsum(episode[column] for episode in self._ended) / len(self._ended)
