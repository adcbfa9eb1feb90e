"""A world lives the same life whatever the batch, the way of resetting and the moment of a checkpoint, also where
observations remember: history, noise, delay."""
import copy
import pickle

import numpy as np
import pytest

pytest.importorskip("gymnasium")

import espalier
from espalier.learn import Policy, Ppo, PpoConfig, RolloutEnv, Task, TaskOptions, make_task
from espalier.learn.vector_env import VectorEnv
from espalier.learn.weighted_rewards import WeightedRewards
from package_paths import ROOT


class Poles(Task):
    """Cart and pole, observed with memory. How far the cart came decides where its next episode begins."""

    observation_names = ("cart", "pole", "cart_rate", "pole_rate") * 3
    action_names = ("force",)
    world_arrays = ("level", "tips")

    def __init__(self, n, noise=0.0, delay=0, **options):
        super().__init__(espalier.Batch(self.world, n), TaskOptions(
            **{"mode": "accurate", "scalar": "double", "episode_seconds": 0.4, **options}))
        self.q, self.u = self.batch.bind("q").T, self.batch.bind("u").T
        self.force = self.batch.bind("feedforward").T
        self.level, self.tips = np.zeros(n), np.zeros(n)
        self.observer = self.batch.observe(["q", "u"], history=3, noise=noise, delay=delay,
                                           first_world=self.options.first_world)

    @staticmethod
    def world():
        made = espalier.World()
        made.time_step = 0.004
        made.add_articulated_system(ROOT / "models/cartpole/cartpole.urdf")
        return made

    def act(self, actions):
        self.force[0] = 10 * actions[:, 0]

    def observe(self, ids=None):
        return self.observer(ids)

    def reward(self):
        return np.cos(self.q[1])

    def terminated(self):
        self.tips += np.abs(self.q[1]) > 0.3
        return np.abs(self.q[1]) > 0.3

    def prepare(self, ids, random):
        self.level[ids] = self.tips[ids] = self.q[0, ids] = 0

    def restart(self, ids):
        self.level[ids] += np.abs(self.q[0, ids]) + self.tips[ids]
        return super().restart(ids)

    def reset(self, ids, random):
        self.q[:, ids] = random.uniform(ids, -0.1, 0.1, k=2)
        self.q[0, ids] += self.level[ids]
        self.tips[ids] = 0
        self.observer.reset(ids)


def episodes(env, n, steps=60):
    """[n] lists: the observations of each world, without those that a reset gives."""
    rng = np.random.default_rng(5)
    drawn = [np.random.default_rng(world) for world in range(n)]
    env.reset(seed=3)
    lives = [[] for _ in range(n)]
    waiting = np.zeros(n, bool)
    for _ in range(steps):
        actions = np.zeros((n, 1), np.float32)
        for world in np.flatnonzero(~waiting):
            actions[world] = drawn[world].uniform(-1, 1)
        actions[waiting] = rng.uniform(-1, 1)  # to be ignored
        observation, _, terminated, truncated, infos = env.step(actions)
        for world in range(n):
            if not waiting[world]:
                final = infos["final_obs"][world] if "final_obs" in infos and infos["_final_obs"][world] else None
                lives[world].append(observation[world] if final is None else final)
        waiting = (terminated | truncated) & (env.autoreset_mode.value == "NextStep")
    return lives


def expect_same_lives(a, b):
    for world, (one, other) in enumerate(zip(a, b)):
        shared = min(len(one), len(other))
        assert shared > 40
        np.testing.assert_array_equal(one[:shared], other[:shared], err_msg=f"world {world}")


@pytest.mark.parametrize("memory", [{}, {"noise": 0.1}, {"noise": 0.1, "delay": 2}])
def test_reset_in_the_next_step_or_in_the_same(memory):
    n = 7
    same = episodes(VectorEnv(Poles(n, **memory), "SameStep"), n)
    later = episodes(VectorEnv(Poles(n, **memory), "NextStep"), n)
    expect_same_lives(same, later)
    expect_same_lives(same, episodes(VectorEnv(Poles(1, **memory), "NextStep"), 1))


def test_a_seed_gives_the_same_noise_again():
    env = RolloutEnv(Poles(4, noise=0.1, delay=1))
    first = env.reset(3)
    env.step(np.ones((4, 1)))
    np.testing.assert_array_equal(env.reset(3), first)
    assert (env.reset(4) != first).any()


def test_a_state_holds_what_observers_remember():
    one, other = (Poles(4, noise=0.1, delay=2) for _ in range(2))
    one.begin(1)
    other.begin(2)
    for _ in range(5):
        one.step(np.ones((4, 1)))
    other.set_state(one.state())
    for _ in range(5):
        np.testing.assert_array_equal(one.step(np.zeros((4, 1))).observation, other.step(np.zeros((4, 1))).observation)
    with pytest.raises(ValueError, match="another task"):
        Poles(4).set_state({name: values for name, values in one.state().items() if "observer" not in name})


def test_resetting_one_world_is_no_observation_of_another():
    seen = []
    for mask in (None, np.array([False, False, True])):
        env = VectorEnv(Poles(3, noise=0.1), "Disabled")
        env.reset(seed=1)
        last = env.step(np.zeros((3, 1), np.float32))[0]
        if mask is not None:
            after = env.reset(options={"reset_mask": mask})[0]
            np.testing.assert_array_equal(after[:2], last[:2])
            assert (after[2] != last[2]).any()
        seen.append(env.step(np.zeros((3, 1), np.float32))[0][:2])
    np.testing.assert_array_equal(*seen)


def test_rewards_do_not_depend_on_the_number_of_worlds():
    terms = {f"term{k}": (lambda task, k=k: task[k]) for k in range(9)}
    weights = type("Weights", (), {name: 1 + 0.1 * k for k, name in enumerate(terms)})
    given = np.random.default_rng(0).uniform(0, 1, (9, 200)).astype(np.float32)
    many = WeightedRewards(200, terms, weights).compute(given, 0.02)
    alone = [WeightedRewards(1, terms, weights).compute(given[:, [w]], 0.02)[0] for w in range(200)]
    np.testing.assert_array_equal(many, alone)


def test_rewards_of_worlds_that_broke_down_do_not_count():
    rewards = WeightedRewards(2, {"one": lambda task: task}, type("Weights", (), {"one": 1.0}))
    rewards.compute(np.array([np.nan, 1], np.float32), 0.5)
    np.testing.assert_array_equal(rewards.sums["one"], [0, 0.5])


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda policy: pickle.loads(pickle.dumps(policy))])
def test_copies_of_a_policy_train_and_are_saved(copied, tmp_path):
    config = PpoConfig(steps=8, minibatches=2)
    first = Ppo(RolloutEnv(make_task("ArmReach", 16)), config, seed=1).policy
    twin = copied(first)
    before = first.parameters.copy()
    Ppo(RolloutEnv(make_task("ArmReach", 16)), config, seed=2, policy=twin).train(updates=2)
    np.testing.assert_array_equal(first.parameters, before)
    assert (twin.parameters != before).any() and np.may_share_memory(twin.log_std, twin.parameters)
    twin.save(tmp_path / "twin.npz")
    observation = np.ones((1, twin.observation_size), np.float32)
    np.testing.assert_array_equal(Policy.load(tmp_path / "twin.npz").act(observation), twin.act(observation))
    assert (twin.act(observation) != first.act(observation)).any()


def test_a_policy_of_another_task_is_refused():
    with pytest.raises(ValueError, match="the policy has 3 observations"):
        Ppo(RolloutEnv(make_task("ArmReach", 4)), PpoConfig(), policy=Policy(3, 2))
