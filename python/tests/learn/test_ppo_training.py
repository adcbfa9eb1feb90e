"""PPO as a whole: it learns, repeats itself to the bit, and its policies go through files."""
import dataclasses
import math

import numpy as np
import pytest

from espalier.errors import EspalierWarning
from espalier.learn.policy import Policy
from espalier.learn.ppo import Ppo, PpoConfig
from learn_toys import Clock, PointMass

SMALL = PpoConfig(hidden=(32, 32), chunk=256, gamma=0.97)
TIMES = {"collect_seconds", "learn_seconds", "seconds"}


def untimed(curve):
    return [repr({k: v for k, v in dataclasses.asdict(progress).items() if k not in TIMES})
            for progress in curve]


@pytest.mark.parametrize("activation", ["elu", "tanh"])
def test_it_learns_to_hold_a_mass_at_rest(activation):
    trainer = Ppo(PointMass(), dataclasses.replace(SMALL, activation=activation), seed=1)
    curve = trainer.train(updates=60)
    assert curve[0].reward < 0.3 < 0.75 < curve[-1].reward
    assert curve[-1].steps == 60 * 24 * 64
    assert curve[-1].episode_steps > 59
    # The mean action, without noise, brings a mass from far away to rest.
    x = np.array([[1.0, 0.5]], np.float32)
    for _ in range(100):
        x[:, 1] += 0.1 * np.clip(trainer.policy.act(x)[:, 0], -2, 2)
        x[:, 0] += 0.1 * x[:, 1]
    assert np.abs(x).max() < 0.2


def test_an_episode_that_is_truncated_is_worth_what_would_have_followed():
    config = PpoConfig(hidden=(16,), gamma=0.9, lam=0.8, chunk=256)
    on = Ppo(Clock(fails=False), config, seed=2)
    on.train(updates=150)
    assert np.allclose(on.rollout.values, 1 / (1 - 0.9), rtol=0.05)
    ends = Ppo(Clock(fails=True), config, seed=2)
    ends.train(updates=150)
    left = 4 - np.round(ends.rollout.collector.task.age)
    assert np.allclose(ends.rollout.values[-1], (1 - 0.9**left) / (1 - 0.9), rtol=0.1)
    assert ends.rollout.episodes.mean_steps() == 4
    assert ends.rollout.episodes.mean_return() == 4


def test_the_same_seed_gives_the_same_bits_with_any_number_of_threads(monkeypatch):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    runs = []
    for seed, threads in [(3, 1), (3, 1), (3, 2), (4, 1)]:
        trainer = Ppo(PointMass(), dataclasses.replace(SMALL, threads=threads), seed=seed)
        curve = untimed(trainer.train(updates=4))
        runs.append((curve, trainer.policy.parameters.tobytes()))
    assert runs[0] == runs[1] == runs[2]
    assert runs[0] != runs[3]


def test_training_goes_on_with_a_policy_that_is_given():
    first = Ppo(PointMass(), SMALL, seed=1)
    first.train(updates=30)
    second = Ppo(PointMass(), SMALL, seed=2, policy=first.policy)
    assert second.train(updates=1)[0].reward > 0.4 > Ppo(PointMass(), SMALL, seed=2).update().reward


def test_the_learning_rate_stays_where_no_divergence_is_asked_for():
    trainer = Ppo(PointMass(), dataclasses.replace(SMALL, target_divergence=None), seed=1)
    assert {progress.learning_rate for progress in trainer.train(updates=3)} == {1e-3}


def test_training_ends_with_the_time(monkeypatch):
    trainer = Ppo(PointMass(), SMALL, seed=1)
    told = []
    assert trainer.train(minutes=1e-9, updates=5, report=told.append) == told == []
    with pytest.raises(ValueError, match="updates, minutes or both"):
        trainer.train()
    assert math.isnan(trainer.rollout.episodes.mean_return())


def test_a_policy_is_read_as_it_was_written(tmp_path):
    trainer = Ppo(PointMass(), dataclasses.replace(SMALL, activation="tanh"), seed=5)
    trainer.train(updates=2)
    file = tmp_path / "policy.npz"
    trainer.policy.save(file)
    again = Policy.load(file)
    x = np.random.default_rng(6).standard_normal((50, 2), dtype=np.float32)
    assert np.array_equal(again.act(x), trainer.policy.act(x))
    again.normalizer.refresh()  # what the last rollout saw takes effect with the next one
    trainer.policy.normalizer.refresh()
    assert np.array_equal(again.act(x), trainer.policy.act(x))
    assert again.act(x[0]).shape == (1,)
    assert again.activation == "tanh" and again.hidden == (32, 32)
    with pytest.raises(ValueError, match="observes 2 numbers, and was given 3"):
        again.act(np.zeros((4, 3), np.float32))


def test_a_file_that_holds_no_policy_is_refused(tmp_path):
    text = tmp_path / "text.npz"
    text.write_text("nothing")
    arrays = tmp_path / "arrays.npz"
    np.savez(arrays, parameters=np.zeros(3))
    for file in (text, arrays):
        with pytest.raises(ValueError, match=f"{file.name}: not a policy"):
            Policy.load(file)
    with pytest.raises(FileNotFoundError):
        Policy.load(tmp_path / "absent.npz")


def test_tasks_that_break_the_contract_are_told():
    class Short(PointMass):
        def reset(self, seed):
            return super().reset(seed)[1:]

    class WithoutFinal(PointMass):
        def step(self, actions):
            return *super().step(actions)[:4], {}

    with pytest.raises(ValueError, match=r"\(63, 2\) and not \(64, 2\)"):
        Ppo(Short(), SMALL)
    with pytest.raises(ValueError, match="final_obs"):
        Ppo(WithoutFinal(), SMALL).train(updates=5)
    with pytest.raises(ValueError, match="7 equal minibatches"):
        Ppo(PointMass(), dataclasses.replace(SMALL, minibatches=7))
    with pytest.raises(ValueError, match="no activation 'relu6'; there are tanh, elu"):
        Ppo(PointMass(), dataclasses.replace(SMALL, activation="relu6"))


def test_several_threads_want_a_blas_with_one(monkeypatch):
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    with pytest.warns(EspalierWarning, match="OPENBLAS_NUM_THREADS=1"):
        Ppo(PointMass(), dataclasses.replace(SMALL, threads=2))
