"""RolloutPool over several processes: the rollouts, and the training, of one process."""
import numpy as np
import pytest

pytest.importorskip("ray.exceptions", reason="ray is not installed", exc_type=ModuleNotFoundError)
pytest.importorskip("gymnasium")

import ray_tasks  # noqa: E402
from counting_task import CountingTask  # noqa: E402
from espalier.learn import Policy, Ppo, PpoConfig, RolloutEnv, make_task  # noqa: E402
from espalier.learn.collector import Collector, LocalCollector  # noqa: E402
from espalier.learn.curve import fingerprint  # noqa: E402
from espalier.learn.rollout import Rollout  # noqa: E402
from espalier.learn.workers import Workers  # noqa: E402
from espalier.ray import RolloutPool  # noqa: E402

FIELDS = ["observations", "actions", "means", "log_densities", "rewards", "ended", "values", "advantages", "returns"]
STRIDER = {"tilt": 0.2, "episode_seconds": 0.5}
CHUNK, STEPS = 4, 12


def rollout_of(collector, seed=3):
    policy = Policy(collector.observation_size, collector.action_size, hidden=(16,))
    policy.initialize(np.random.default_rng(seed))
    return Rollout(collector, policy, STEPS, CHUNK, Workers(1), seed)


def assert_same_rollouts(pool, task, before=lambda k: None, count=5):
    here, there = rollout_of(LocalCollector(RolloutEnv(task), CHUNK, Workers(1))), rollout_of(pool)
    first, second = np.random.default_rng(7), np.random.default_rng(7)
    ended = 0
    for k in range(count):
        here.collect(first, 0.99, 0.95)
        before(k)
        there.collect(second, 0.99, 0.95)
        for name in FIELDS:
            np.testing.assert_array_equal(getattr(here, name), getattr(there, name), err_msg=name)
        for name, array in here.policy.normalizer.arrays().items():
            np.testing.assert_array_equal(array, there.policy.normalizer.arrays()[name])
        assert here.reward == there.reward
        ended += here.ended.sum()
    assert here.episodes.mean_return() == there.episodes.mean_return()
    return ended


def test_rollouts_are_those_of_one_process(cluster, kill):
    """Chunks of 4 rows and workers of 3 and 4 worlds: no part begins where a chunk does."""
    with RolloutPool("StriderWalk", 10, workers=3, chunk=CHUNK, checkpoint_every=20, **STRIDER) as pool:
        assert isinstance(pool, Collector)

        def before(k):
            if k == 3:
                kill(pool, 2, "process")
                kill(pool, 0)

        ended = assert_same_rollouts(pool, make_task("StriderWalk", 10, threads=1, **STRIDER), before)
        assert ended >= 20 and pool.replaced == 2


@pytest.mark.parametrize("options", [{}, {"mode": "accurate", "scalar": "double"}])
def test_a_process_that_ends_amid_a_rollout_changes_no_number(cluster, tmp_path, options):
    options = {"threads": 1, **STRIDER, **options}
    make = ray_tasks.Failing(5, action=31, how="exit", file=tmp_path / "failed", name="StriderWalk", **options)
    with RolloutPool(make, 6, workers=2, chunk=CHUNK, checkpoint_every=STEPS) as pool:
        assert_same_rollouts(pool, make_task("StriderWalk", 6, **options))
        assert pool.replaced == 1 and (tmp_path / "failed").exists()


def test_worlds_keep_their_order_whoever_answers_first(cluster):
    with RolloutPool(ray_tasks.slow_first, 5, workers=2, chunk=CHUNK) as pool:
        assert assert_same_rollouts(pool, CountingTask(5), count=1) > 5


def test_training_gives_the_same_curve(cluster, kill):
    config = PpoConfig(hidden=(16, 16), steps=8, chunk=8, epochs=2, minibatches=2)
    curves = [Ppo(RolloutEnv(make_task("ArmReach", 12, threads=1)), config, seed=4).train(updates=3)]
    with RolloutPool("ArmReach", 12, workers=2, chunk=config.chunk) as pool:
        curves.append(Ppo(pool, config, seed=4).train(updates=3, report=lambda p: p.update == 2 and kill(pool, 1)))
        assert pool.replaced == 1
    assert fingerprint(curves[0]) == fingerprint(curves[1])


def test_mistakes_are_told(cluster):
    with pytest.raises(ValueError, match="chunk is 0"):
        RolloutPool(ray_tasks.counting, 4, workers=2, chunk=0)
    with RolloutPool(ray_tasks.counting, 4, workers=2) as pool:
        policy = Policy(4, 2)
        with pytest.raises(RuntimeError, match=r"call reset\(\)"):
            pool.collect(policy, np.zeros((3, 4, 2), np.float32))
        pool.reset(0)
        with pytest.raises(ValueError, match=r"not \(steps, 4, 2\)"):
            pool.collect(policy, np.zeros((3, 5, 2), np.float32))
    with pytest.raises(RuntimeError, match="the workers have ended"):
        pool.reset(0)
