"""Which joint of a Model is which of a peer's model, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ._espalier import joint_places
from ._peer_coordinates import JointNumbers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ._espalier import Model


class PeerJoint(NamedTuple):
    """Where a joint's numbers are in the peer's q and v, and how many there are."""

    q: int
    u: int
    nq: int
    nv: int


def match(
    model: Model, peer: Mapping[str, PeerJoint], base: PeerJoint | None, name: str
) -> list[JointNumbers]:
    """JointNumbers of all joints of the model, in spanning order.

    base: the peer's floating base, whatever it is called.
    ValueError where joints are missing here or there, or have other numbers of dofs.
    """
    left = dict(peer)
    joints = []
    for place in joint_places(model):
        kind = place.kind.name.lower()
        isBase = place.spanning_u == 0 and kind == "floating" and base is not None
        found = left.pop(place.joint, None) or (base if isBase else None)
        if found is None:
            raise ValueError(
                f"the model of {name} has no joint '{place.joint}'; it has {', '.join(peer) or 'none'}"
            )
        if found.nv != place.nv:
            raise ValueError(
                f"joint '{place.joint}' has {place.nv} dofs, and {found.nv} in the model of {name}"
            )
        joints.append(
            JointNumbers(
                kind, place.spanning_q, place.spanning_u, place.nq, place.nv, found.q, found.u,
                found.nq, place.X_WJ,
            )
        )
    if left:
        raise ValueError(
            f"joints of the model of {name} that '{model.name}' does not have: {', '.join(left)}"
        )
    return joints
