"""Espalier against Pinocchio and MuJoCo: every quantity of `espalier compute`, 100 states each of
the project's own robots, the shared ones where they are there (mechanisms as their spanning trees),
and 200 random trees."""

import numpy as np
import pytest

import compare
import conventions
import espalier_cli
import robots
import urdf_tree
from random_tree import random_tree

STATES = 100
FILES = {**robots.own(), **robots.shared()}


def _pinocchio():
    pytest.importorskip("pinocchio", reason="Pinocchio is not installed (pip install pin)")
    from pinocchio_peer import PinocchioPeer
    return PinocchioPeer


def _mujoco():
    pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")
    from mujoco_peer import MujocoPeer
    return MujocoPeer


PEERS = {"pinocchio": _pinocchio, "mujoco": _mujoco}


def as_the_peers_count(tree, answer, at_rest):
    """On a fixed base potential energy counts from the neutral state: see conventions.rest."""
    if tree.fixed_base:
        answer["potential_energy"] -= at_rest["potential_energy"]
    return answer


def assert_agrees(peer, tree, path, seed, folder):
    rng = np.random.default_rng(seed)
    states = [conventions.random_state(tree.movable, rng) for _ in range(STATES)]
    at_rest, *ours = espalier_cli.compute(path, [conventions.rest(tree.movable), *states], folder)
    assert (at_rest["nq"], at_rest["nv"]) == (tree.nq, tree.nv)
    for i, (state, answer) in enumerate(zip(states, ours, strict=True)):
        compare.assert_same(as_the_peers_count(tree, answer, at_rest), peer.answer(**state),
                            f"state {i} against {peer.name}")


@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("name", FILES)
def test_files(name, peer, tmp_path):
    path = robots.spanning_tree(FILES[name], tmp_path)
    try:
        tree = urdf_tree.read(path)
    except ValueError as error:
        pytest.skip(f"{name}: {error}")
    assert_agrees(PEERS[peer]()(tree), tree, path, 7, tmp_path)


@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("seed", range(200))
def test_random_trees(seed, peer, tmp_path):
    Peer, path = PEERS[peer](), tmp_path / "random.urdf"
    path.write_text(random_tree(seed, Peer.without))
    tree = urdf_tree.parse(path.read_text())
    assert_agrees(Peer(tree), tree, path, seed, tmp_path)


@pytest.mark.parametrize("name", FILES)
def test_joint_order_is_the_order_of_appearance(name, tmp_path):
    path = robots.spanning_tree(FILES[name], tmp_path)
    tree = urdf_tree.read(path)
    answer = espalier_cli.compute(path, [conventions.rest(tree.movable)], tmp_path)[0]
    names = [j.name for j in tree.movable if j.name != urdf_tree.ROOT_JOINT]
    assert [n for n in answer["joints"] if n in names] == names
