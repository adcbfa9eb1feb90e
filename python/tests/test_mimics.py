"""Joints that mimic others against Pinocchio, whose mimic joints are exact, too: places of links, the
mass matrix, h and tau in the coordinates of the leaders, on random trees and on robots as they are
shipped.

The columns of the mass matrix are taken from Pinocchio's `rnea`, because the upper triangle that its
`crba` fills is not that of `rnea` on some of these trees.
"""

import sys

import numpy as np
import pytest
from package_paths import ROOT

import espalier
from espalier import dynamics

sys.path.append(str(ROOT / "tests/peers"))
import robots  # noqa: E402
from random_tree import random_mimics  # noqa: E402

pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed (pip install pin)")

ROBOTS = {name: path for name, path in robots.shared().items() if "<mimic " in path.read_text()}


def difference(ours, theirs):
    return np.abs(ours - theirs).max() / max(1.0, np.abs(theirs).max())


def assert_same(model, peer, seed):
    data, rng = peer.createData(), np.random.default_rng(seed)
    order = [peer.joints[peer.getJointId(name)].idx_v for name in model.dof_names()]
    n, none = peer.nv, np.zeros(peer.nv)
    for _ in range(3):
        ours = rng.normal(size=(3, n))
        theirs = np.zeros((3, n))
        theirs[:, order] = ours
        q, u, udot = theirs

        at = dynamics.ModelDynamics(model, ours[0], ours[1])
        rest = pin.rnea(peer, data, q, none, none)
        M = np.array([pin.rnea(peer, data, q, none, e) - rest for e in np.eye(n)])
        assert difference(at.mass_matrix(), M[np.ix_(order, order)]) < 1e-12
        assert difference(at.nonlinearities(), pin.rnea(peer, data, q, u, none)[order]) < 1e-12
        tau = pin.rnea(peer, data, q, u, udot)[order]
        assert difference(at.inverse_dynamics(ours[2]), tau) < 1e-12
        condition = np.linalg.cond(M)
        assert difference(at.forward_dynamics(tau), ours[2]) < 1e-13 * condition

        pin.forwardKinematics(peer, data, q, u)
        for i, name in enumerate(peer.names):
            if name != "universe":
                pose = at.frame_pose(name)
                assert difference(pose[:3, 3], data.oMi[i].translation) < 1e-12
                assert difference(pose[:3, :3], data.oMi[i].rotation) < 1e-12


@pytest.mark.peers
@pytest.mark.parametrize("seed", range(40))
def test_random_trees(seed):
    text, leaders = random_mimics(seed)
    model = espalier.load(text, diagnostics=espalier.Diagnostics())
    peer = pin.buildModelFromXML(text, mimic=True)
    assert model.dof_names() == leaders and peer.nv == len(leaders)
    assert_same(model, peer, seed)


@pytest.mark.peers
@pytest.mark.parametrize("name", ROBOTS)
def test_robots_as_shipped(name):
    model = espalier.load(ROBOTS[name], fixed_base=True, load_meshes=False,
                          diagnostics=espalier.Diagnostics())
    try:
        peer = pin.buildModelFromUrdf(str(ROBOTS[name]), mimic=True)
    except ValueError as error:  # it wants leaders above their followers
        pytest.skip(f"Pinocchio: {error}")
    assert peer.nv == len(model.dof_names())  # in some the followers are fixed
    assert_same(model, peer, 1)
