"""To and from MuJoCo's conventions.

    c = espalier.mujoco.Conventions(model, mj_model)
    data.qpos[:], data.qvel[:] = c.q_to(q), c.u_to(q, u)
    u = c.u_from(c.q_from(data.qpos), data.qvel)

Needs no package of MuJoCo: what it reads is the mj_model that is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._espalier import joint_places
from ._peer_coordinates import MujocoJoints, PeerCoordinates
from ._peer_matching import PeerJoint, match

if TYPE_CHECKING:
    from ._espalier import Model

__all__ = ["Conventions"]

_NUMBERS = ((7, 6), (4, 3), (1, 1), (1, 1))  # by mjtJoint: free, ball, slide, hinge
_FREE = 0


class Conventions(PeerCoordinates):
    """Both ways between a Model and a mujoco.MjModel of the same robot, joints matched by name.

    A floating base is matched with the free joint of the same name, or of the body of that name, or
    the only one there is. A joint of several dofs is the MuJoCo joint of its name and those behind
    it in the same body. q and u of joints that are not the Model's, as of other bodies of the scene,
    are left at zero by q_to() and u_to(). With closed loops q and u are those of all joints
    (spanning). ValueError where joints are missing or have other numbers of dofs.
    """

    def __init__(self, model: Model, mj_model: Any) -> None:
        named, free = {}, {}
        for i in range(mj_model.njnt):
            name = str(mj_model.joint(i).name)
            if mj_model.jnt_type[i] == _FREE:
                free[name] = free[_body(mj_model, i)] = _from(mj_model, i, 6)
            else:
                named[name] = i
        places = joint_places(model)
        joints = {p.joint: _from(mj_model, named[p.joint], p.nv) for p in places if p.joint in named}
        joints |= {p.joint: free[p.joint] for p in places if p.joint in free}
        base = next(iter(free.values())) if len(set(free.values())) == 1 else None
        super().__init__(MujocoJoints, match(model, joints, base, "MuJoCo"), mj_model.nq, mj_model.nv)


def _body(mj_model: Any, joint: int) -> str:
    return str(mj_model.body(mj_model.jnt_bodyid[joint]).name)


def _from(mj_model: Any, first: int, nv: int) -> PeerJoint:
    """Joint `first` and those behind it in its body, until there are nv dofs."""
    total_q = total_v = 0
    for i in range(first, mj_model.njnt):
        if total_v >= nv or mj_model.jnt_bodyid[i] != mj_model.jnt_bodyid[first]:
            break
        nq, dofs = _NUMBERS[mj_model.jnt_type[i]]
        total_q, total_v = total_q + nq, total_v + dofs
    return PeerJoint(
        int(mj_model.jnt_qposadr[first]), int(mj_model.jnt_dofadr[first]), total_q, total_v
    )
