"""Types of the arrays of tasks and environments.

Outside, an array has one row a world: [n, k], C-contiguous. Inside a task it lies as in the batch's
memory, one row a quantity: [k, n], so that arithmetic runs along contiguous memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Real: TypeAlias = NDArray[np.floating[Any]]
Float32: TypeAlias = NDArray[np.float32]
Mask: TypeAlias = NDArray[np.bool_]
Ids: TypeAlias = NDArray[np.int64]

__all__ = ["Float32", "Ids", "Mask", "Real", "by_world"]


def by_world(parts: Sequence[Real]) -> Float32:
    """Quantities [k, n], one part below the other, as rows of worlds: [n, m], float32, C-contiguous.

    In between they stand an odd number of cache lines apart: with a power of two between them all
    quantities of a world would share the same few places of the cache, which takes ten times as long.
    """
    n = parts[0].shape[1]
    lines = -(-n // 16) | 1
    rows = np.empty((sum(map(len, parts)), 16 * lines), np.float32)[:, :n]
    np.concatenate(parts, out=rows)
    return np.ascontiguousarray(rows.T)
