"""Mass matrices [I, m [c]; -m [c], m] (6, 6) of rigid bodies about their frames.

>>> import numpy as np
>>> ball = sphere(0.1, 2.0)
>>> ismassmatrix(ball)
True
>>> from espalier.arboris.homogeneousmatrix import transl
>>> shifted = transport(ball, transl(0.3, 0, 0))
>>> np.allclose(principalframe(shifted), transl(-0.3, 0, 0))
True
"""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import homogeneousmatrix

Array = NDArray[np.float64]


def _about(moments: ArrayLike, mass: float) -> Array:
    M = np.zeros((6, 6))
    M[:3, :3] = np.diag(np.asarray(moments, float))
    M[3:, 3:] = mass * np.eye(3)
    return M


def box(lengths: ArrayLike, mass: float) -> Array:
    """A homogeneous box with these whole edges (3,), m, about its centre; mass: kg."""
    x, y, z = np.asarray(lengths, float)
    return _about([mass * (y**2 + z**2) / 12, mass * (x**2 + z**2) / 12, mass * (x**2 + y**2) / 12],
                  mass)


def ellipsoid(radii: ArrayLike, mass: float) -> Array:
    """A homogeneous ellipsoid with these half axes (3,), m, about its centre."""
    x, y, z = np.asarray(radii, float)
    return _about([mass * (y**2 + z**2) / 5, mass * (x**2 + z**2) / 5, mass * (x**2 + y**2) / 5],
                  mass)


def sphere(radius: float, mass: float) -> Array:
    """A homogeneous sphere, m, about its centre."""
    return ellipsoid((radius, radius, radius), mass)


def cylinder(length: float, radius: float, mass: float) -> Array:
    """A homogeneous cylinder along z, m, about its centre."""
    across = mass * (3 * radius**2 + length**2) / 12
    return _about([across, across, mass * radius**2 / 2], mass)


def transport(M: ArrayLike, H: ArrayLike) -> Array:
    """The mass matrix about frame b of M about frame a, with H = H_ab."""
    Ad = homogeneousmatrix.adjoint(H)
    return cast(Array, Ad.T @ np.asarray(M, float) @ Ad)


def principalframe(M: ArrayLike) -> Array:
    """H (4, 4): the centre of mass and the principal axes of inertia, in M's frame."""
    A = np.asarray(M, float)
    if not ismassmatrix(A) or not A[5, 5] > 0:
        raise ValueError("M is the mass matrix (6, 6) of a body with mass")
    c = np.array([A[2, 4], A[0, 5], A[1, 3]]) / A[5, 5]
    H = homogeneousmatrix.transl(*c)
    about = transport(A, H)[:3, :3]
    if np.abs(about - np.diag(np.diag(about))).max() > 1e-12 * np.abs(about).max():
        _, R = np.linalg.eigh(about)
        H[:3, :3] = R if np.linalg.det(R) > 0 else -R
    return H


def ismassmatrix(M: ArrayLike, semi: bool = False, tol: float = 1e-9) -> bool:
    """Whether M is that of a rigid body: its form, and positive definite (or semidefinite)."""
    A = np.asarray(M, float)
    if A.shape != (6, 6) or not np.all(np.isfinite(A)):
        return False
    size = max(1e-300, float(np.abs(A).max()))
    skew = A[:3, 3:]
    least = np.linalg.eigvalsh((A + A.T) / 2).min()
    return bool(
        np.abs(A - A.T).max() <= tol * size
        and np.abs(skew + skew.T).max() <= tol * size
        and np.abs(A[3:, 3:] - A[5, 5] * np.eye(3)).max() <= tol * size
        and (least >= -tol * size if semi else least > 0)
    )
