"""A MuJoCo file read by MuJoCo itself: what `espalier compute` is compared with."""

import dataclasses

import numpy as np
import pytest

import compare
import conventions
import espalier_cli

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")

STATES = 50
TOLERANCE = 1e-9

KINDS = {mujoco.mjtJoint.mjJNT_HINGE: ("revolute", 1, 1),
         mujoco.mjtJoint.mjJNT_SLIDE: ("prismatic", 1, 1),
         mujoco.mjtJoint.mjJNT_BALL: ("spherical", 4, 3),
         mujoco.mjtJoint.mjJNT_FREE: ("floating", 7, 6)}


@dataclasses.dataclass
class Joint:
    name: str
    kind: str
    nq: int
    nv: int

    @property
    def parts(self):
        return [(self.kind, None)] * self.nq


class Peer:
    """The model itself, read by MuJoCo."""

    def __init__(self, path):
        self.model = mujoco.MjModel.from_xml_path(str(path))
        self.model.opt.disableflags |= (
            mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_CONTACT
            | mujoco.mjtDisableBit.mjDSBL_SPRING | mujoco.mjtDisableBit.mjDSBL_DAMPER
            | mujoco.mjtDisableBit.mjDSBL_ACTUATION)
        self.data = mujoco.MjData(self.model)
        self.joints, self.places = [], {}
        for j in range(self.model.njnt):
            kind, nq, nv = KINDS[mujoco.mjtJoint(self.model.jnt_type[j])]
            self.joints.append(Joint(str(j), kind, nq, nv))
            self.places[str(j)] = self.model.jnt_qposadr[j], self.model.jnt_dofadr[j], nq
        self.conventions = conventions.of_mujoco(self.joints, self.places, self.model.nq,
                                                 self.model.nv)

    def answer(self, q, u, **_):
        model, data = self.model, self.data
        c = self.conventions
        data.qpos, data.qvel = c.q_to(q), c.u_to(q, u)
        mujoco.mj_forward(model, data)
        M = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, M)
        return {"M": c.mass_matrix_from(q, M),
                "h": c.nonlinearities_from(q, u, M, data.qfrc_bias)}

    def places_of_joints(self):
        """Joint name -> where its anchor has gone, and how its body stands."""
        model, data, result = self.model, self.data, {}
        for j in range(model.njnt):
            if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_FREE or not model.joint(j).name:
                continue
            anchor, at = data.xanchor[j].copy(), model.jnt_qposadr[j]
            if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_SLIDE:
                anchor += data.xaxis[j] * (data.qpos[at] - model.qpos0[at])
            result[model.joint(j).name] = anchor, data.xmat[model.jnt_bodyid[j]]
        return result


def assert_agrees(path, folder, tolerance=TOLERANCE):
    peer, rng = Peer(path), np.random.default_rng(11)
    states = [conventions.random_state(peer.joints, rng) for _ in range(STATES)]
    for state, ours in zip(states, espalier_cli.compute(path, states, folder), strict=True):
        theirs = peer.answer(**state)
        for key, value in theirs.items():
            apart = compare.relative_difference(ours[key], value)
            assert apart <= tolerance, f"{key} by {apart:.1e}"
        last_of_body = {peer.model.jnt_bodyid[j]: j for j in range(peer.model.njnt)}
        last = {peer.model.joint(j).name for j in last_of_body.values()}
        for name, (position, rotation) in peer.places_of_joints().items():
            frame = ours["frames"][name]
            assert compare.relative_difference(frame["position"], position) <= TOLERANCE, name
            if name in last:  # the others carry links that MuJoCo does not have
                turn = np.asarray(frame["rotation"]).reshape(3, 3)
                assert compare.relative_difference(turn, rotation.reshape(3, 3)) <= TOLERANCE, name
