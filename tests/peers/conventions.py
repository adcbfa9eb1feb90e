"""Espalier's coordinates beside Pinocchio's and MuJoCo's, as the tests need them: conversions are
those of the package, python/espalier/_peer_coordinates.py, which holds the table; random states and
steps are here."""

import importlib.util
import pathlib
import sys

import numpy as np


def _peer_coordinates():
    """By its file, so that the tests need no built package."""
    path = pathlib.Path(__file__).resolve().parents[2] / "python/espalier/_peer_coordinates.py"
    spec = importlib.util.spec_from_file_location("espalier_peer_coordinates", path)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_package = _peer_coordinates()
rotation_from_quaternion = _package.rotation_of


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


def _numbers(joints, places):
    for joint, q, u in slices(joints):
        peer_q, peer_u, peer_nq = places[joint.name]
        kind = "revolute" if joint.kind == "continuous" else joint.kind
        yield _package.JointNumbers(kind, q.start, u.start, joint.nq, joint.nv, peer_q, peer_u,
                                    peer_nq)


def of_pinocchio(joints, places, nq, nv):
    """The package's conversions.   places: joint name -> (index in the peer's q, in its v, its nq)"""
    return _package.PeerCoordinates(_package.PinocchioJoints, list(_numbers(joints, places)), nq, nv)


def of_mujoco(joints, places, nq, nv):
    return _package.PeerCoordinates(_package.MujocoJoints, list(_numbers(joints, places)), nq, nv)
