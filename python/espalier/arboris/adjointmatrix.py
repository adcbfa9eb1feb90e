"""Adjoint matrices Ad = [R 0; [p] R  R] (6, 6), which take twists from frame to frame.

>>> import numpy as np
>>> from espalier.arboris.homogeneousmatrix import adjoint, rotzyx, transl
>>> Ad = adjoint(transl(1, 2, 3) @ rotzyx(0.1, 0.2, 0.3))
>>> isadjointmatrix(Ad), isadjointmatrix(Ad.T)
(True, False)
>>> np.allclose(inv(Ad), np.linalg.inv(Ad))
True
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def isadjointmatrix(Ad: ArrayLike, tol: float = 1e-9) -> bool:
    """Whether there is a pose of which this is the adjoint."""
    A = np.asarray(Ad, float)
    if A.shape != (6, 6) or not np.all(np.isfinite(A)):
        return False
    R, skew = A[:3, :3], A[3:, :3] @ A[:3, :3].T
    return bool(
        np.abs(R @ R.T - np.eye(3)).max() < tol
        and np.linalg.det(R) > 0
        and np.abs(A[3:, 3:] - R).max() < tol
        and np.abs(A[:3, 3:]).max() < tol
        and np.abs(skew + skew.T).max() < tol * max(1.0, np.abs(skew).max())
    )


def inv(Ad: ArrayLike) -> NDArray[np.float64]:
    """The adjoint of the inverse pose."""
    A = np.asarray(Ad, float)
    if not isadjointmatrix(A, 1e-6):
        raise ValueError("Ad is the adjoint (6, 6) of a pose")
    inverted = np.zeros((6, 6))
    inverted[:3, :3] = inverted[3:, 3:] = A[:3, :3].T
    inverted[3:, :3] = A[3:, :3].T
    return inverted
