"""Random numbers for many worlds at once, a stream for each world."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import Ids

__all__ = ["WorldRandom"]

_GAMMA = np.uint64(0x9E3779B97F4A7C15)


def _mixed(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The output function of SplitMix64 (Steele, Lea, Flood 2014)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: NDArray[np.uint64] = z ^ (z >> np.uint64(31))
    return mixed


class WorldRandom:
    """SplitMix64, a counter and a key for each world.

    What a world draws depends on the seed, on its number and on what it has drawn before, not on the
    other worlds: a batch gives each world the same numbers as any part of the batch would.

    n      number of worlds
    seed   not negative
    first  number of the first world, where these are part of a larger batch
    """

    world_arrays: ClassVar[tuple[str, ...]] = ("_key", "_drawn")

    def __init__(self, n: int, seed: int = 0, first: int = 0) -> None:
        self._number = np.arange(first, first + n, dtype=np.uint64)
        self._number.setflags(write=False)
        self._key = np.zeros(n, np.uint64)
        self._drawn = np.zeros(n, np.uint64)
        self.seed(seed)

    def seed(self, seed: int, ids: Ids | None = None) -> None:
        """Starts the streams of these worlds anew, or of all."""
        if seed < 0:
            raise ValueError(f"a seed is not negative, but {seed} is")
        where = slice(None) if ids is None else ids
        run = _mixed(np.array([seed % 2**64], np.uint64) + _GAMMA)
        self._key[where] = _mixed((self._number[where] + np.uint64(1)) * _GAMMA ^ run)
        self._drawn[where] = 0

    def uniform(self, ids: Ids, low: ArrayLike, high: ArrayLike, k: int = 1) -> NDArray[np.float64]:
        """[k, len(ids)] numbers in [low, high): the next k of each world.

        low and high are numbers, or arrays of k.
        """
        count = np.arange(1, k + 1, dtype=np.uint64)[:, None] + self._drawn[ids]
        self._drawn[ids] += np.uint64(k)
        unit = (_mixed(self._key[ids] + count * _GAMMA) >> np.uint64(11)) * 2.0**-53
        lower = np.asarray(low, float).reshape(-1, 1)
        numbers: NDArray[np.float64] = lower + (np.asarray(high, float).reshape(-1, 1) - lower) * unit
        return numbers

    def integers(self, ids: Ids, end: int) -> Ids:
        """[len(ids)] whole numbers from 0 to end - 1, one of each world."""
        drawn: Ids = self.uniform(ids, 0, end)[0].astype(np.int64)
        return drawn
