"""Homogeneous matrices H_ab = [R p; 0 1] (4, 4), which take points of frame b to frame a.

>>> import numpy as np
>>> H = rotzyx(0.1, 0.2, 0.3) @ transl(1, 2, 3)
>>> ishomogeneousmatrix(H)
True
>>> np.allclose(rotzyx_angles(H), (0.1, 0.2, 0.3))
True
>>> np.allclose(inv(H) @ H, np.eye(4))
True
>>> np.allclose(iadjoint(H) @ adjoint(H), np.eye(6))
True
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import adjoint as _adjoint
from .. import inverse_pose

Array = NDArray[np.float64]


def _pose(R: Any, p: Any = (0, 0, 0)) -> Array:
    H = np.eye(4)
    H[:3, :3] = R
    H[:3, 3] = p
    return H


def transl(t_x: float, t_y: float, t_z: float) -> Array:
    """A translation, m."""
    return _pose(np.eye(3), (t_x, t_y, t_z))


def rotx(angle: float) -> Array:
    """A turn about x, rad."""
    s, c = np.sin(angle), np.cos(angle)
    return _pose([[1, 0, 0], [0, c, -s], [0, s, c]])


def roty(angle: float) -> Array:
    """A turn about y, rad."""
    s, c = np.sin(angle), np.cos(angle)
    return _pose([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def rotz(angle: float) -> Array:
    """A turn about z, rad."""
    s, c = np.sin(angle), np.cos(angle)
    return _pose([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def rotzyx(angle_z: float, angle_y: float, angle_x: float) -> Array:
    """Turns about z, then the new y, then the new x, rad."""
    return rotz(angle_z) @ roty(angle_y) @ rotx(angle_x)


def rotzy(angle_z: float, angle_y: float) -> Array:
    """Turns about z, then the new y, rad."""
    return rotz(angle_z) @ roty(angle_y)


def rotzx(angle_z: float, angle_x: float) -> Array:
    """Turns about z, then the new x, rad."""
    return rotz(angle_z) @ rotx(angle_x)


def rotyx(angle_y: float, angle_x: float) -> Array:
    """Turns about y, then the new x, rad."""
    return roty(angle_y) @ rotx(angle_x)


def rotzyx_angles(H: ArrayLike) -> tuple[float, float, float]:
    """Angles of rotzyx(), rad; at a right angle about y that about x is taken as zero."""
    R = np.asarray(H, float)[:3, :3]
    angle_y = np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0]))
    if np.hypot(R[0, 0], R[1, 0]) < 1e-12:
        return float(np.arctan2(-R[0, 1], R[1, 1])), float(angle_y), 0.0
    angle_z = np.arctan2(R[1, 0], R[0, 0])
    angle_x = np.arctan2(R[2, 1], R[2, 2])
    return float(angle_z), float(angle_y), float(angle_x)


def zaligned(vec: ArrayLike) -> Array:
    """A rotation whose z axis is the unit vector vec (3,); its x axis has no part along vec's
    smallest component."""
    z = np.asarray(vec, float)
    if z.shape != (3,) or not abs(z @ z - 1) < 1e-6:
        raise ValueError("vec is a unit vector of shape (3,)")
    i = int(np.argmin(np.abs(z)))
    j, k = (i + 1) % 3, (i + 2) % 3
    x = np.zeros(3)
    x[j], x[k] = z[k], -z[j]
    x /= np.sqrt(x @ x)
    return _pose(np.column_stack((x, np.cross(z, x), z)))


def ishomogeneousmatrix(H: ArrayLike, tol: float = 1e-9) -> bool:
    """Whether H is a rotation, a position and the row 0 0 0 1."""
    A = np.asarray(H, float)
    return bool(
        A.shape == (4, 4)
        and np.all(np.isfinite(A))
        and np.abs(A[:3, :3] @ A[:3, :3].T - np.eye(3)).max() < tol
        and np.linalg.det(A[:3, :3]) > 0
        and np.abs(A[3] - (0, 0, 0, 1)).max() < tol
    )


def inv(H: ArrayLike) -> Array:
    """H_ba of H_ab."""
    return inverse_pose(H)


def pdot(H: ArrayLike, point: ArrayLike) -> Array:
    """A point (3,) of frame b in frame a."""
    A = np.asarray(H, float)
    return cast(Array, A[:3, :3] @ np.asarray(point, float) + A[:3, 3])


def vdot(H: ArrayLike, vec: ArrayLike) -> Array:
    """A vector (3,) of frame b in frame a."""
    return cast(Array, np.asarray(H, float)[:3, :3] @ np.asarray(vec, float))


def adjoint(H: ArrayLike) -> Array:
    """Ad(H_ab) = [R 0; [p] R  R] (6, 6): takes twists [angular, linear] of frame b to frame a."""
    return _adjoint(H)


def iadjoint(H: ArrayLike) -> Array:
    """Ad(H_ba) (6, 6)."""
    return adjoint(inv(H))
