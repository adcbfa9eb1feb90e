"""Rotations of many worlds, against matrices."""
import numpy as np

from espalier.learn.rotations import in_base, up_in_base, yaw_quaternion


def matrix(quaternion):
    """R of a unit quaternion, base to world, from the product q v q*."""
    w, v = quaternion[0], quaternion[1:]
    cross = np.cross(np.eye(3), v)
    return np.outer(v, v) + w * w * np.eye(3) + 2 * w * cross + cross @ cross


def test_vectors_are_those_of_the_matrix():
    rng = np.random.default_rng(0)
    quaternions = rng.normal(size=(4, 50))
    quaternions /= np.linalg.norm(quaternions, axis=0)
    vectors = rng.normal(size=(3, 50))
    turned, up = in_base(quaternions, vectors), up_in_base(quaternions)
    for i in range(50):
        R = matrix(quaternions[:, i])
        assert np.allclose(R @ R.T, np.eye(3))
        assert np.allclose(turned[:, i], R.T @ vectors[:, i])
        assert np.allclose(up[:, i], R[2])


def test_a_quarter_turn():
    quarter = yaw_quaternion(np.array([np.pi / 2]))
    assert np.allclose(in_base(quarter, np.array([[0.0], [1], [0]])), [[1], [0], [0]])
