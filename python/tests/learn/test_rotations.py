"""Rotations of many worlds."""
import numpy as np

from espalier.learn.rotations import yaw_quaternion


def test_a_quarter_turn():
    quarter = yaw_quaternion(np.array([np.pi / 2, 0]))
    assert np.allclose(quarter, [[np.sqrt(0.5), 1], [0, 0], [0, 0], [np.sqrt(0.5), 0]])
