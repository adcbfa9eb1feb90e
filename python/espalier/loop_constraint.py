"""Loop constraints by the names of generalized_rbda: how the coordinates q of the bodies of a
cluster follow from fewer, y.

                 position        velocity       acceleration
    implicit   phi(q) = 0      K u = 0        K udot = k          k = -Kdot u
    explicit   q = gamma(y)    u = G ydot     udot = G yddot + g  g = Gdot ydot

    pin = Generic([True, False, False], lambda q: [
        0.4 * np.cos(q[0]) + np.cos(q[0] + q[1]) - 1.0 - 0.8 * np.cos(q[2]),
        0.4 * np.sin(q[0]) + np.sin(q[0] + q[1]) - 0.8 * np.sin(q[2])])
    q = pin.gamma([0.3], near=[0.3, 0.5, 1.5])
    pin.K(q), pin.G(q)
"""

from ._espalier.loop_constraint import (
    Base,
    ConstraintValues,
    FourBar,
    Free,
    Generic,
    Static,
    TelloDifferential,
)

__all__ = ["Base", "ConstraintValues", "FourBar", "Free", "Generic", "Static", "TelloDifferential"]
