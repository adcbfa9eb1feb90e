"""Twists [angular, linear] (6,).

>>> import numpy as np
>>> np.allclose(exp([0, 0, np.pi / 2, 0, 0, 0])[:3, :3], [[0, -1, 0], [1, 0, 0], [0, 0, 1]])
True
"""

from __future__ import annotations



import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import FreeJoint

Array = NDArray[np.float64]


def exp(tw: ArrayLike) -> Array:
    """The pose (4, 4) that the twist reaches in a unit of time."""
    joint = FreeJoint(gvel=tw)
    joint.integrate(1.0)
    return joint.gpos.copy()


def adjacency(tw: ArrayLike) -> Array:
    """ad(tw) = [[w] 0; [v] [w]] (6, 6)."""
    t = np.asarray(tw, float)
    if t.shape != (6,):
        raise ValueError("a twist has shape (6,)")

    def skew(a: Array) -> Array:
        return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])

    ad = np.zeros((6, 6))
    ad[:3, :3] = ad[3:, 3:] = skew(t[:3])
    ad[3:, :3] = skew(t[3:])
    return ad
