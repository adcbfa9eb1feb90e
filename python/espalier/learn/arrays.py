"""Types of the arrays of tasks and environments.

Outside, an array has one row a world: [n, k], C-contiguous. Inside a task it lies as in the batch's
memory, one row a quantity: [k, n], so that arithmetic runs along contiguous memory.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Real: TypeAlias = NDArray[np.floating[Any]]
Float32: TypeAlias = NDArray[np.float32]
Mask: TypeAlias = NDArray[np.bool_]
Ids: TypeAlias = NDArray[np.int64]

__all__ = ["Float32", "Ids", "Mask", "Real"]
