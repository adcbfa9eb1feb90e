"""PPO on StriderWalk: the same bits again, a World that shows what the batch does, trials."""
from dataclasses import replace

import numpy as np
import pytest

from espalier.learn import (Playback, Policy, Ppo, PpoConfig, RolloutEnv, StriderWalk,
                            StriderWalkOptions)
from espalier.learn.curve import fingerprint
from espalier.learn.tasks.walk_trial import walk_options, walk_trial

ACCURATE = StriderWalkOptions(mode="accurate", scalar="double", threads=1)
FLAT = replace(ACCURATE, rough=False)


def standing():
    """A policy that holds the nominal pose."""
    policy = Policy(48, 12, (8,))
    policy.initialize(np.random.default_rng(0))
    policy.actor.layers[-1].weights[...] = 0
    return policy


def trained(seed, threads, mode, scalar):
    task = StriderWalk(32, StriderWalkOptions(mode=mode, scalar=scalar, threads=threads))
    trainer = Ppo(RolloutEnv(task), PpoConfig(hidden=(32,), steps=12, threads=threads, chunk=64),
                  seed=seed)
    curve = trainer.train(updates=3)
    return fingerprint(curve), trainer.policy.parameters.tobytes()


@pytest.mark.parametrize("of_batch", [("throughput", "float"), ("accurate", "double")])
def test_a_training_is_repeated_to_the_bit(of_batch, monkeypatch):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    first = trained(1, 1, *of_batch)
    assert first == trained(1, 1, *of_batch)
    assert first == trained(1, 2, *of_batch)
    assert first != trained(2, 1, *of_batch)


def test_the_world_that_is_shown_does_what_the_batch_does_to_the_bit():
    options = replace(ACCURATE, load=(1, 1), friction=(1, 1))
    task = StriderWalk(1, options)
    world = task.make_world()
    policy = standing()
    policy.actor.layers[-1].weights[...] = 0.05 * np.random.default_rng(2).standard_normal((8, 12))
    playback = Playback(task, world, policy, seed=3)
    steps = []

    def step():
        world.integrate()
        steps.append(world.time)

    pushes = 0
    for k in range(1, 330):  # there is a push each 6 s
        pushes += bool(task.batch.bind("wrench").any())
        if not playback.act(step):
            break
        assert len(steps) == 5 * k
        state = task.batch.state(0)
        assert np.array_equal(world.state.q, state.q) and np.array_equal(world.state.u, state.u)
    assert k > 50 and (pushes > 0 or playback.episodes == 1)


def test_an_episode_that_ends_begins_anew():
    task = StriderWalk(1, replace(FLAT, episode_seconds=0.1))
    playback = Playback(task, task.make_world(), standing())
    assert [playback.act() for _ in range(10)] == [True, True, True, True, False] * 2
    assert playback.episodes == 2


def test_a_policy_of_another_task_is_refused():
    task = StriderWalk(1, FLAT)
    with pytest.raises(ValueError, match="observes 7 numbers and the task has 48"):
        Playback(task, task.make_world(), Policy(7, 12, (8,)))
    two = StriderWalk(2, FLAT)
    with pytest.raises(ValueError, match="the task has 2 worlds"):
        Playback(two, two.make_world(), standing())


def test_a_trial_counts_who_falls_and_how_fast_the_others_went():
    assert walk_options(FLAT, 0.7).commands.vx == (0.7, 0.7)
    trial = walk_trial(StriderWalk, standing(), FLAT, worlds=16, seconds=1)
    assert trial.worlds == 16 and not trial.fell.any()
    assert np.abs(trial.speed).max() < 0.3 and trial.distance == pytest.approx(trial.speed)
    weak = replace(FLAT, kp=0.0, kd=0.1)
    assert walk_trial(StriderWalk, standing(), weak, worlds=16, seconds=2).fell.sum() > 8  # others sit on their legs
