"""Espalier's coordinates beside Pinocchio's and MuJoCo's: the one place that knows all three.

With R = R_PB, the orientation of a floating or spherical joint's body in the joint frame:

            q                               velocity
Espalier    floating p, wxyz                floating v, w in the joint frame, at the body's origin
            spherical wxyz                  spherical w in the joint frame
Pinocchio   floating p, xyzw                floating v, w in the body frame
            spherical xyzw                  spherical w in the body frame
            continuous cos, sin or angle    continuous, as Espalier
            planar and others in sequence, as Espalier
MuJoCo      floating p, wxyz                floating v in the world, w in the body frame
            spherical wxyz                  spherical w in the body frame

A peer's velocity is v = T u and its acceleration a = T udot + gamma, gamma = Tdot u. From the
peer's M_v a + b_v = tau_v follow, by the power of the same force, tau = T^T tau_v and so

    M = T^T M_v T,   h = T^T (b_v + M_v gamma),   J = J_v T.

R^T w has the derivative R^T wdot, for Rdot = [w]x R and w x w = 0; R^T v has R^T (vdot - w x v).
"""

import dataclasses

import numpy as np


def rotation_from_quaternion(wxyz):
    w, x, y, z = wxyz
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


def quaternion_from_rotation(R):
    """wxyz of R by the largest of its four components, so that no division is by a small one."""
    trace = np.trace(R)
    squares = np.array([trace, R[0, 0], R[1, 1], R[2, 2]])
    k = int(np.argmax(squares))
    if k == 0:
        q = np.array([1 + trace, R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    else:
        i, j, l = k - 1, k % 3, (k + 1) % 3
        q = np.empty(4)
        q[0] = R[l, j] - R[j, l]
        q[1 + i] = 1 + 2 * R[i, i] - trace
        q[1 + j] = R[j, i] + R[i, j]
        q[1 + l] = R[l, i] + R[i, l]
    return q / np.linalg.norm(q)


def quaternion_product(a, b):
    aw, av, bw, bv = a[0], a[1:], b[0], b[1:]
    return np.concatenate([[aw * bw - av @ bv], aw * bv + bw * av + np.cross(av, bv)])


def quaternion_exp(rotation_vector):
    angle = np.linalg.norm(rotation_vector)
    if angle == 0:
        return np.array([1.0, 0.0, 0.0, 0.0])
    return np.concatenate([[np.cos(angle / 2)],
                           np.sin(angle / 2) / angle * np.asarray(rotation_vector)])


def neutral_q(joint):
    q = np.zeros(joint.nq)
    if joint.kind in ("spherical", "floating"):
        q[-4] = 1.0
    return q


def rest(joints):
    """The neutral state. On a fixed base potential energies are measured from here, since a peer
    may or may not count what is welded to the world."""
    q = np.concatenate([neutral_q(j) for j in joints])
    nv = sum(j.nv for j in joints)
    return {"q": q, "u": np.zeros(nv), "tau": np.zeros(nv)}


def slices(joints):
    """[(joint, its range in q, its range in u)] of joints in Espalier's order."""
    result, iq, iv = [], 0, 0
    for joint in joints:
        result.append((joint, slice(iq, iq + joint.nq), slice(iv, iv + joint.nv)))
        iq, iv = iq + joint.nq, iv + joint.nv
    return result


def integrate(joints, q, du):
    """q moved by the tangent increment du (angular parts act in the joint frame, from the left)."""
    q = np.array(q, float)
    for joint, sq, sv in slices(joints):
        if joint.kind in ("spherical", "floating"):
            increment = quaternion_exp(du[sv][-3:])
            q[sq.stop - 4:sq.stop] = quaternion_product(increment, q[sq.stop - 4:sq.stop])
        linear = {"spherical": 0, "floating": 3}.get(joint.kind, joint.nv)
        q[sq.start:sq.start + linear] += du[sv][:linear]
    return q


def _reach(joint, k):
    """How far coordinate k of a joint is tried. The middle one of three turns may not come to
    where the first and the last axis fall together."""
    slides = joint.parts[k][0] == "prismatic"
    return 1.0 if slides or (joint.kind == "euler" and k == 1) else 3.0


def random_state(joints, rng):
    """q, u, tau as one sees them in practice: angles over the circle, rates of some rad/s."""
    q, nv = [], sum(j.nv for j in joints)
    for joint in joints:
        if joint.kind in ("spherical", "floating"):
            quaternion = rng.normal(size=4)
            position = rng.uniform(-2, 2, joint.nq - 4)
            q += [*position, *(quaternion / np.linalg.norm(quaternion))]
        else:
            q += [rng.uniform(-1, 1) * _reach(joint, k) for k in range(joint.nq)]
    return {"q": np.array(q), "u": rng.uniform(-3, 3, nv), "tau": rng.uniform(-20, 20, nv)}


@dataclasses.dataclass
class Coordinates:
    """One state in a peer's coordinates, and the way back."""
    q: np.ndarray
    v: np.ndarray
    T: np.ndarray
    gamma: np.ndarray

    def force(self, tau):
        return np.linalg.solve(self.T.T, tau)

    def mass_matrix(self, M_v):
        return self.T.T @ M_v @ self.T

    def bias(self, M_v, b_v):
        return self.T.T @ (b_v + M_v @ self.gamma)

    def acceleration(self, a):
        return np.linalg.solve(self.T, a - self.gamma)

    def jacobian(self, J_v):
        return J_v @ self.T


def _pinocchio_joint(joint, q, u, peer_nq):
    """Peer q, T and gamma of one joint; see the table above."""
    if joint.kind == "floating":
        Rt = rotation_from_quaternion(q[3:]).T
        T = np.zeros((6, 6))
        T[:3, :3] = T[3:, 3:] = Rt
        gamma = np.concatenate([-Rt @ np.cross(u[3:], u[:3]), np.zeros(3)])
        return np.concatenate([q[:3], q[4:], q[3:4]]), T, gamma
    if joint.kind == "spherical":
        return np.concatenate([q[1:], q[:1]]), rotation_from_quaternion(q).T, np.zeros(3)
    if joint.kind == "continuous" and peer_nq == 2:
        return np.array([np.cos(q[0]), np.sin(q[0])]), np.eye(1), np.zeros(1)
    return q, np.eye(joint.nv), np.zeros(joint.nv)


def _mujoco_joint(joint, q, _, __):
    if joint.kind == "floating":
        T = np.eye(6)
        T[3:, 3:] = rotation_from_quaternion(q[3:]).T
        return q, T, np.zeros(6)
    if joint.kind == "spherical":
        return q, rotation_from_quaternion(q).T, np.zeros(3)
    return q, np.eye(joint.nv), np.zeros(joint.nv)


def _coordinates(convert, joints, places, nq, nv, q, u):
    result = Coordinates(np.zeros(nq), np.zeros(nv), np.zeros((nv, nv)), np.zeros(nv))
    for joint, sq, sv in slices(joints):
        iq, iv, peer_nq = places[joint.name]
        q_j, T_j, gamma_j = convert(joint, q[sq], u[sv], peer_nq)
        result.q[iq:iq + peer_nq] = q_j
        result.T[iv:iv + joint.nv, sv] = T_j
        result.gamma[iv:iv + joint.nv] = gamma_j
    result.v = result.T @ u
    return result


def to_pinocchio(joints, places, nq, nv, q, u):
    """places: joint name -> (index in the peer's q, index in its v, its nq)."""
    return _coordinates(_pinocchio_joint, joints, places, nq, nv, np.asarray(q), np.asarray(u))


def to_mujoco(joints, places, nq, nv, q, u):
    return _coordinates(_mujoco_joint, joints, places, nq, nv, np.asarray(q), np.asarray(u))
