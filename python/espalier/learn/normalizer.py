"""Running mean and variance of observations, and observations scaled by them.

Moments of two sets are merged exactly (Chan, Golub and LeVeque 1983), in double:

    n = n_a + n_b,   d = mean_b - mean_a
    mean = mean_a + d n_b / n,   M2 = M2_a + M2_b + d^2 n_a n_b / n
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .vector_task import Floats

VARIANCE_FLOOR = 1e-4  # an observation that never changes is not magnified beyond a hundredfold
BOUND = 10.0  # of scaled observations: one world that explodes must not move all weights


class Normalizer:
    """Scales observations [..., size] to mean 0 and variance 1 of all that update() has seen until
    the last refresh(), so that a rollout is scaled in one way from its first step to its last."""

    def __init__(self, size: int) -> None:
        self.count = 0
        self.mean = np.zeros(size)
        self.square = np.zeros(size)  # M2: sum of squared deviations from the mean
        self.refresh()

    def update(self, observations: Floats) -> None:
        """Takes in the rows of [n, size]. ValueError where one is not finite."""
        count = len(observations)
        mean = observations.mean(axis=0, dtype=np.float64)
        offset = observations - mean.astype(np.float32)
        square = np.einsum("ij,ij->j", offset, offset, dtype=np.float64)
        if not (np.isfinite(mean).all() and np.isfinite(square).all()):
            columns = np.flatnonzero(~(np.isfinite(mean) & np.isfinite(square)))
            raise ValueError(f"observations {columns.tolist()} are not finite: the task must reset "
                             "a world that diverges before it observes it")
        delta = mean - self.mean
        total = self.count + count
        self.mean = self.mean + delta * (count / total)
        self.square = self.square + square + delta**2 * (self.count * count / total)
        self.count = total

    def refresh(self) -> None:
        """What was seen takes effect. Before anything was seen observations are only clipped."""
        variance = self.square / self.count if self.count else np.ones_like(self.mean)
        self._shift = self.mean.astype(np.float32)
        self._scale = (1 / np.sqrt(variance + VARIANCE_FLOOR)).astype(np.float32)

    def apply(self, observations: Floats, out: Floats) -> None:
        """out may be the observations themselves."""
        np.subtract(observations, self._shift, out=out)
        np.multiply(out, self._scale, out=out)
        np.clip(out, np.float32(-BOUND), np.float32(BOUND), out=out)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """For a file: what was seen, and the scaling in effect, which may be older."""
        return {"count": np.array(self.count), "mean": self.mean, "square": self.square,
                "shift": self._shift, "scale": self._scale}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        self.count = int(arrays["count"])
        self.mean = np.array(arrays["mean"], np.float64)
        self.square = np.array(arrays["square"], np.float64)
        self._shift = np.array(arrays["shift"], np.float32)
        self._scale = np.array(arrays["scale"], np.float32)
