"""The peers against each other and against first principles, through our conventions: what fails
here is a mistake in tests/peers, not in Espalier."""

import numpy as np
import pytest

pytest.importorskip("pinocchio", reason="Pinocchio is not installed (pip install pin)")
pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")

import compare
import conventions
import robots
import urdf_tree
from mujoco_peer import MujocoPeer
from pinocchio_peer import PinocchioPeer, model_from_tree
from random_tree import random_tree

FILES = {**robots.own(), **robots.shared()}


def load(path):
    try:
        return urdf_tree.read(path)
    except ValueError as error:
        pytest.skip(str(error))


def mujoco_peer(tree):
    try:
        return MujocoPeer(tree)
    except ValueError as error:
        pytest.skip(f"MuJoCo refuses it: {error}")


def assert_agree(tree, states=10):
    pinocchio, mujoco = PinocchioPeer(tree), mujoco_peer(tree)
    rng = np.random.default_rng(1)
    for i in range(states):
        state = conventions.random_state(tree.movable, rng)
        compare.assert_same(pinocchio.answer(**state), mujoco.answer(**state), f"state {i}")


@pytest.mark.parametrize("name", FILES)
def test_files(name):
    assert_agree(load(FILES[name]))


@pytest.mark.parametrize("seed", range(50))
def test_random_trees(seed):
    assert_agree(urdf_tree.parse(random_tree(seed, MujocoPeer.without)))


@pytest.mark.parametrize("name", FILES)
def test_our_tree_is_the_peers_own_reading(name):
    tree = load(FILES[name])
    if not tree.is_standard:
        pytest.skip("has joints that Pinocchio's reader does not know")
    by_reader, by_tree = PinocchioPeer(tree), PinocchioPeer(tree, model_from_tree(tree))
    rng = np.random.default_rng(2)
    for i in range(5):
        state = conventions.random_state(tree.movable, rng)
        compare.assert_same(by_tree.answer(**state), by_reader.answer(**state), f"state {i}")


@pytest.mark.parametrize("name", FILES)
def test_merging_fixed_links_changes_nothing(name):
    tree = load(FILES[name])
    whole, merged = mujoco_peer(tree), mujoco_peer(urdf_tree.merged(tree))
    state = conventions.random_state(tree.movable, np.random.default_rng(3))
    compare.assert_same(whole.answer(**state), merged.answer(**state), "merged")


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kind", [PinocchioPeer, MujocoPeer])
def test_velocity_is_the_rate_of_position_and_power_is_the_rate_of_energy(kind, seed):
    """The meaning of q, u, tau and h by central differences: independent of the matrices T."""
    tree = urdf_tree.parse(random_tree(seed, kind.without))
    peer = kind(tree)
    state = conventions.random_state(tree.movable, np.random.default_rng(seed))
    now = peer.answer(**state)
    step = 1e-5

    def moved(dt):
        u = state["u"] + dt * now["udot"]
        mean = state["u"] + dt / 2 * now["udot"]
        q = conventions.integrate(tree.movable, state["q"], dt * mean)
        return peer.answer(q, u, state["tau"])

    before, after = moved(-step), moved(step)

    def rate(get):
        return (np.asarray(get(after)) - np.asarray(get(before))) / (2 * step)

    for name, frame in now["frames"].items():
        np.testing.assert_allclose(rate(lambda a: a["frames"][name]["position"]), frame["velocity"],
                                   atol=1e-5)
        R_rate = rate(lambda a: a["frames"][name]["rotation"]) @ frame["rotation"].T
        w = np.array([R_rate[2, 1], R_rate[0, 2], R_rate[1, 0]])
        np.testing.assert_allclose(w, frame["angular_velocity"], atol=1e-5)
        np.testing.assert_allclose(frame["jacobian"] @ state["u"], frame["velocity"], atol=1e-9)
    power = state["u"] @ state["tau"]
    energy = rate(lambda a: a["kinetic_energy"] + a["potential_energy"])
    assert abs(energy - power) < 1e-5 * max(1.0, abs(power), abs(now["kinetic_energy"]))
