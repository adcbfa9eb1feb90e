"""To and from Pinocchio's conventions.

    c = espalier.pinocchio.Conventions(model, pin_model)
    pin.crba(pin_model, data, c.q_to(q))         # and back: c.q_from(pin_q)
    J = c.jacobian_from(q, pin_jacobian)         # columns; for the rows see swapped()

Needs no package of Pinocchio: what it reads is the pin_model that is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._peer_coordinates import PeerCoordinates, PinocchioJoints
from ._peer_matching import PeerJoint, match

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._espalier import Model

__all__ = ["Conventions", "swapped"]


class Conventions(PeerCoordinates):
    """Both ways between a Model and a pinocchio.Model of the same robot, joints matched by name.

    A floating base is matched with Pinocchio's free-flyer at the root, whatever it is called. With
    closed loops q and u are those of all joints (spanning). ValueError where joints are missing or
    have other numbers of dofs.
    """

    def __init__(self, model: Model, pin_model: Any) -> None:
        base, joints = None, {}
        for i in range(1, pin_model.njoints):
            joint = pin_model.joints[i]
            found = PeerJoint(joint.idx_q, joint.idx_v, joint.nq, joint.nv)
            if i == 1 and (joint.nq, joint.nv) == (7, 6):
                base = found
            else:
                joints[pin_model.names[i]] = found
        super().__init__(
            PinocchioJoints, match(model, joints, base, "Pinocchio"), pin_model.nq, pin_model.nv
        )


def swapped(twists: ArrayLike) -> NDArray[np.float64]:
    """Twists, wrenches or Jacobians (6, ...) with both halves of their rows exchanged: Espalier has
    the angular part first, Pinocchio the linear one. Its own inverse."""
    array = np.asarray(twists, float)
    if array.ndim == 0 or array.shape[0] != 6:
        raise ValueError(f"six rows are needed, not shape {array.shape}")
    return np.concatenate([array[3:], array[:3]])
