"""Espalier's coordinates beside those of Pinocchio and MuJoCo: joint by joint, by numbers alone.

With R = R_PB, the orientation of a floating, spherical or planar joint's body in the joint frame:

            q                               velocity
Espalier    floating p, wxyz                floating v, w in the joint frame, at the body's origin
            spherical wxyz                  spherical w in the joint frame
            planar x, y, angle              planar v in the joint frame, rate
Pinocchio   floating p, xyzw                floating v, w in the body frame
            spherical xyzw                  spherical w in the body frame
            continuous cos, sin or angle    continuous, as Espalier
            planar x, y, cos, sin           planar v in the body frame, rate
            others in sequence, as Espalier
MuJoCo      floating p, wxyz in the world   floating v in the world, w in the body frame
            spherical wxyz                  spherical w in the body frame

A peer's velocity is v = T u and its acceleration a = T udot + gamma, gamma = Tdot u; T is made of
rotations and a permutation, so that its inverse is its transpose. From the peer's
M_v a + b_v = tau_v follow, by the power of the same force, tau = T^T tau_v and so

    M = T^T M_v T,   h = T^T (b_v + M_v gamma),   J = J_v T.

R^T w has the derivative R^T wdot, for Rdot = [w]x R and w x w = 0; R^T v has R^T (vdot - w x v).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class JointNumbers:
    """Where a joint's numbers are: first q and u here and there, and how many q there."""

    kind: str
    q: int
    u: int
    nq: int
    nv: int
    peer_q: int
    peer_u: int
    peer_nq: int
    # (4, 4) of a floating joint on a fixed base: its joint frame; else the identity
    X_WJ: Array = field(default_factory=lambda: np.eye(4))


@dataclass(frozen=True)
class JointAt:
    """One joint at one q: T (nv, nv), and gamma (nv,) of a u (nv,)."""

    T: Array
    gamma: Callable[[Array], Array]


def rotation_of(wxyz: Array) -> Array:
    """R of a unit quaternion (w, x, y, z)."""
    w, x, y, z = wxyz
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _quaternion_of(R: Array) -> Array:
    """(w, x, y, z) of a rotation, the row of 4 q q' with the largest diagonal made unit."""
    w = [1 + np.trace(R), R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]
    K = np.block([[np.array([w])], [np.array(w[1:])[:, None], R + R.T + (1 - np.trace(R)) * np.eye(3)]])
    row = K[np.argmax(np.diag(K))]
    q: Array = row / np.linalg.norm(row)
    return q


def _carried(X: Array, q: Array) -> Array:
    """X times the pose (p, wxyz)."""
    R = X[:3, :3]
    return np.concatenate([R @ q[:3] + X[:3, 3], _quaternion_of(R @ rotation_of(q[3:]))])


def _is_identity(X: Array) -> bool:
    return np.array_equal(X, np.eye(4))


def _zeros(u: Array) -> Array:
    return np.zeros(len(u))


def _block(upper: Array, lower: Array) -> Array:
    n = len(upper)
    T = np.zeros((n + len(lower),) * 2)
    T[:n, :n], T[n:, n:] = upper, lower
    return T


class PinocchioJoints:
    """How single joints go to Pinocchio and back."""

    name = "Pinocchio"

    @staticmethod
    def q_to(joint: JointNumbers, q: Array) -> Array:
        if joint.kind == "floating":
            return np.concatenate([q[:3], q[4:], q[3:4]])
        if joint.kind == "spherical":
            return np.concatenate([q[1:], q[:1]])
        if joint.kind in ("revolute", "planar") and joint.peer_nq == joint.nq + 1:
            return np.concatenate([q[:-1], [np.cos(q[-1]), np.sin(q[-1])]])
        return q

    @staticmethod
    def q_from(joint: JointNumbers, q: Array) -> Array:
        if joint.kind == "floating":
            return np.concatenate([q[:3], q[6:], q[3:6]])
        if joint.kind == "spherical":
            return np.concatenate([q[3:], q[:3]])
        if joint.kind in ("revolute", "planar") and joint.peer_nq == joint.nq + 1:
            return np.concatenate([q[:-2], [np.arctan2(q[-1], q[-2])]])
        return q

    @staticmethod
    def at(joint: JointNumbers, q: Array) -> JointAt | None:
        if joint.kind == "floating":
            R = rotation_of(q[3:])

            def gamma(u: Array) -> Array:
                return np.concatenate([-R.T @ np.cross(u[3:], u[:3]), np.zeros(3)])

            return JointAt(_block(R.T, R.T), gamma)
        if joint.kind == "spherical":
            return JointAt(rotation_of(q).T, _zeros)
        if joint.kind == "planar" and joint.peer_nq == joint.nq + 1:
            c, s = np.cos(q[2]), np.sin(q[2])
            Rt = np.array([[c, s], [-s, c]])

            def carried(u: Array) -> Array:
                return np.append(-Rt @ (u[2] * np.array([-u[1], u[0]])), 0.0)

            return JointAt(_block(Rt, np.eye(1)), carried)
        return None


class MujocoJoints:
    """How single joints go to MuJoCo and back."""

    name = "MuJoCo"

    @staticmethod
    def q_to(joint: JointNumbers, q: Array) -> Array:
        return q if _is_identity(joint.X_WJ) else _carried(joint.X_WJ, q)

    @staticmethod
    def q_from(joint: JointNumbers, q: Array) -> Array:
        return q if _is_identity(joint.X_WJ) else _carried(np.asarray(np.linalg.inv(joint.X_WJ), np.float64), q)

    @staticmethod
    def at(joint: JointNumbers, q: Array) -> JointAt | None:
        if joint.kind == "floating":
            return JointAt(_block(joint.X_WJ[:3, :3], rotation_of(q[3:]).T), _zeros)
        if joint.kind == "spherical":
            return JointAt(rotation_of(q).T, _zeros)
        return None


class PeerCoordinates:
    """Both ways between Espalier's numbers and a peer's. q and u are Espalier's; with closed loops
    those of all joints (spanning). Forces, accelerations and matrices belong to the same state."""

    def __init__(
        self,
        rules: type[PinocchioJoints] | type[MujocoJoints],
        joints: Sequence[JointNumbers],
        peer_nq: int,
        peer_nv: int,
    ) -> None:
        self.joints = tuple(joints)
        self.nq = sum(joint.nq for joint in joints)
        self.nv = sum(joint.nv for joint in joints)
        self.peer_nq, self.peer_nv = peer_nq, peer_nv
        self._rules = rules
        self._places = np.zeros(self.nv, int)
        for joint in joints:
            self._places[joint.u : joint.u + joint.nv] = joint.peer_u + np.arange(joint.nv)

    def __repr__(self) -> str:
        return f"conventions of {self._rules.name} for {len(self.joints)} joints, {self.nv} dofs"

    # ---- configurations

    def q_to(self, q: ArrayLike) -> Array:
        """The peer's q (peer nq,)."""
        ours, theirs = self._sized(q, self.nq, "q"), np.zeros(self.peer_nq)
        for j in self.joints:
            theirs[j.peer_q : j.peer_q + j.peer_nq] = self._rules.q_to(j, ours[j.q : j.q + j.nq])
        return theirs

    def q_from(self, q: ArrayLike) -> Array:
        """q (nq,) of the peer's (peer nq,); an angle given as cosine and sine in (-pi, pi]."""
        theirs, ours = self._sized(q, self.peer_nq, "the peer's q"), np.zeros(self.nq)
        for j in self.joints:
            ours[j.q : j.q + j.nq] = self._rules.q_from(
                j, theirs[j.peer_q : j.peer_q + j.peer_nq]
            )
        return ours

    # ---- velocities, accelerations, forces

    def u_to(self, q: ArrayLike, u: ArrayLike) -> Array:
        """The peer's velocity T u (peer nv,)."""
        return self._turned(q, self._sized(u, self.nv, "u"))

    def u_from(self, q: ArrayLike, v: ArrayLike) -> Array:
        """u (nv,) of the peer's velocity (peer nv,)."""
        return self._turned_back(q, self._sized(v, self.peer_nv, "the peer's velocity"))

    def udot_to(self, q: ArrayLike, u: ArrayLike, udot: ArrayLike) -> Array:
        """The peer's acceleration T udot + gamma (peer nv,)."""
        return self._turned(q, self._sized(udot, self.nv, "udot")) + self.gamma(q, u)

    def udot_from(self, q: ArrayLike, u: ArrayLike, a: ArrayLike) -> Array:
        """udot (nv,) of the peer's acceleration (peer nv,)."""
        theirs = self._sized(a, self.peer_nv, "the peer's acceleration")
        return self._turned_back(q, theirs - self.gamma(q, u))

    def tau_to(self, q: ArrayLike, tau: ArrayLike) -> Array:
        """The peer's generalized force (peer nv,) of tau (nv,): of the same power."""
        return self._turned(q, self._sized(tau, self.nv, "tau"))

    def tau_from(self, q: ArrayLike, tau: ArrayLike) -> Array:
        """tau (nv,) of the peer's generalized force (peer nv,)."""
        return self._turned_back(q, self._sized(tau, self.peer_nv, "the peer's force"))

    # ---- matrices

    def T(self, q: ArrayLike) -> Array:
        """(peer nv, nv): the peer's velocity is T u; orthogonal."""
        ours = self._sized(q, self.nq, "q")
        T = np.zeros((self.peer_nv, self.nv))
        T[self._places, np.arange(self.nv)] = 1
        for j, block in self._blocks(ours):
            T[j.peer_u : j.peer_u + j.nv, j.u : j.u + j.nv] = block.T
        return T

    def gamma(self, q: ArrayLike, u: ArrayLike) -> Array:
        """The peer's acceleration (peer nv,) at udot = 0: Tdot u."""
        ours, gamma = self._sized(u, self.nv, "u"), np.zeros(self.peer_nv)
        for j, block in self._blocks(self._sized(q, self.nq, "q")):
            gamma[j.peer_u : j.peer_u + j.nv] = block.gamma(ours[j.u : j.u + j.nv])
        return gamma

    def jacobian_to(self, q: ArrayLike, J: ArrayLike) -> Array:
        """J (m, nv) by the peer's velocity (m, peer nv); its rows stay as they are."""
        return self._columns(J, self.nv, "J") @ self.T(q).T

    def jacobian_from(self, q: ArrayLike, J: ArrayLike) -> Array:
        """The peer's Jacobian (m, peer nv) by u (m, nv); its rows stay as they are."""
        return self._columns(J, self.peer_nv, "the peer's J") @ self.T(q)

    def mass_matrix_to(self, q: ArrayLike, M: ArrayLike) -> Array:
        """The peer's mass matrix (peer nv, peer nv) of M (nv, nv)."""
        T = self.T(q)
        return T @ self._columns(M, self.nv, "M") @ T.T

    def mass_matrix_from(self, q: ArrayLike, M: ArrayLike) -> Array:
        """M (nv, nv) of the peer's mass matrix (peer nv, peer nv)."""
        T = self.T(q)
        return T.T @ self._columns(M, self.peer_nv, "the peer's M") @ T

    def nonlinearities_to(self, q: ArrayLike, u: ArrayLike, M: ArrayLike, h: ArrayLike) -> Array:
        """The peer's bias force (peer nv,) of M (nv, nv) and h (nv,)."""
        return self.tau_to(q, h) - self.mass_matrix_to(q, M) @ self.gamma(q, u)

    def nonlinearities_from(
        self, q: ArrayLike, u: ArrayLike, M: ArrayLike, b: ArrayLike
    ) -> Array:
        """h (nv,) of the peer's mass matrix (peer nv, peer nv) and bias force (peer nv,)."""
        theirs = self._sized(b, self.peer_nv, "the peer's bias force")
        M_v = self._columns(M, self.peer_nv, "the peer's M")
        return self._turned_back(q, theirs + M_v @ self.gamma(q, u))

    # ---- parts

    def _blocks(self, q: Array) -> list[tuple[JointNumbers, JointAt]]:
        found = ((j, self._rules.at(j, q[j.q : j.q + j.nq])) for j in self.joints)
        return [(j, block) for j, block in found if block is not None]

    def _turned(self, q: ArrayLike, u: Array) -> Array:
        v = np.zeros(self.peer_nv)
        v[self._places] = u
        for j, block in self._blocks(self._sized(q, self.nq, "q")):
            v[j.peer_u : j.peer_u + j.nv] = block.T @ u[j.u : j.u + j.nv]
        return v

    def _turned_back(self, q: ArrayLike, v: Array) -> Array:
        u: Array = v[self._places]
        for j, block in self._blocks(self._sized(q, self.nq, "q")):
            u[j.u : j.u + j.nv] = block.T.T @ v[j.peer_u : j.peer_u + j.nv]
        return u

    @staticmethod
    def _sized(x: ArrayLike, size: int, what: str) -> Array:
        array = np.asarray(x, float)
        if array.shape != (size,):
            raise ValueError(f"{what} has shape {array.shape}, expected ({size},)")
        return array

    @staticmethod
    def _columns(x: ArrayLike, size: int, what: str) -> Array:
        array = np.asarray(x, float)
        if array.ndim != 2 or array.shape[1] != size:
            raise ValueError(f"{what} has shape {array.shape}, expected (m, {size})")
        return array

