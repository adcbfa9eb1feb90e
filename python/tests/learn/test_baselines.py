"""The policies that come with the package do their tasks."""
import numpy as np
import pytest

from espalier.learn import (
    BipedWalk,
    BipedWalkOptions,
    CassieWalk,
    CassieWalkOptions,
    Policy,
    StriderWalk,
    StriderWalkOptions,
    baseline,
)
from espalier.learn.baselines import baseline_names
from espalier.learn.registration import TASKS
from espalier.learn.tasks.walk_trial import walk_trial


def test_strider_walks_over_rough_ground():
    trial = walk_trial(StriderWalk, baseline("StriderWalk"), StriderWalkOptions(threads=1), speed=0.8, seconds=6,
                       worlds=24)
    assert trial.fell.sum() <= 1  # it is pushed, on stairs too
    assert np.median(trial.distance) > 4


def test_cassie_walks_five_metres():
    trial = walk_trial(CassieWalk, baseline("CassieWalk"), CassieWalkOptions(threads=1), speed=0.7, seconds=9,
                       worlds=24)
    assert trial.fell.sum() <= 2  # it is pushed
    assert np.median(trial.distance) > 5


def test_the_biped_walks():
    trial = walk_trial(BipedWalk, baseline("BipedWalk"), BipedWalkOptions(threads=1), speed=0.6, seconds=7, worlds=16)
    assert trial.fell.sum() <= 2  # it is pushed
    assert np.median(trial.distance) > 3


@pytest.mark.parametrize("name", baseline_names())
def test_baselines_are_small_and_of_their_tasks(name):
    policy = baseline(name)
    kind = TASKS[name][0]
    assert policy.observation_size == len(kind.observation_names)
    assert policy.action_size == len(kind.action_names)
    assert policy.parameters.dtype == np.float32


def test_a_task_without_one_is_told():
    with pytest.raises(ValueError, match="no baseline for 'Dog'; there are those for BipedWalk, CassieWalk, StriderWalk"):
        baseline("Dog")


def test_a_policy_without_its_critic_acts_the_same(tmp_path):
    policy = Policy(5, 2, (8, 8))
    policy.initialize(np.random.default_rng(1))
    policy.save(tmp_path / "policy.npz", critic=False)
    loaded = Policy.load(tmp_path / "policy.npz")
    rows = np.random.default_rng(2).standard_normal((3, 5)).astype(np.float32)
    assert np.array_equal(loaded.act(rows), policy.act(rows))
    assert np.array_equal(loaded.log_std, policy.log_std)
    assert loaded.critic.layers[0].weights.any()
