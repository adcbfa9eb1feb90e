"""Stable-Baselines3's and rsl_rl's VecEnv: with stand-ins everywhere, with the packages where they are."""
import importlib
import importlib.util

import numpy as np
import pytest

import stand_ins
from counting_task import CountingTask

pytest.importorskip("gymnasium")


def has(name):
    return importlib.util.find_spec(name) is not None


PACKAGES = {"stable_baselines3": has("stable_baselines3"), "rsl_rl": has("rsl_rl")}


@pytest.fixture(params=["stand-in", "package"])
def adapter(request, monkeypatch):
    """Imports an adapter over the stand-in or the package."""
    def load(name):
        if request.param == "stand-in":
            stand_ins.install(monkeypatch)
        elif not PACKAGES[name]:
            pytest.skip(f"{name} is not installed (it needs torch)")
        return importlib.import_module(f"espalier.learn.{name}")

    return load


def stable_baselines3_env(adapter, n=3):
    return adapter("stable_baselines3").StableBaselines3Env(CountingTask(n))


def test_stable_baselines3_steps(adapter):
    env = stable_baselines3_env(adapter)
    env.seed(4)
    first = env.reset()
    assert first.shape == (3, 4) == (env.num_envs, *env.observation_space.shape)
    env.step(np.full((3, 2), 0.5, np.float32))
    obs, rewards, dones, infos = env.step(np.full((3, 2), 0.5, np.float32))
    assert dones.tolist() == [True, False, False] and rewards.tolist() == [0.5] * 3
    assert obs[0, 1] == 0 and infos[0]["terminal_observation"][1] == 10
    assert infos[0]["episode"] == {"r": 1.0, "l": 2} and infos[0]["TimeLimit.truncated"] is False
    assert infos[1] == {}


def test_stable_baselines3_tells_time_from_failure(adapter):
    env = stable_baselines3_env(adapter, 4)
    env.reset()
    for _ in range(4):
        infos = env.step(np.zeros((4, 2), np.float32))[3]
    assert [info.get("TimeLimit.truncated") for info in infos] == [False, None, False, True]


def test_stable_baselines3_seeds(adapter):
    env = stable_baselines3_env(adapter)
    env.seed(4)
    seeded, unseeded = env.reset(), env.reset()
    env.seed(4)
    assert np.array_equal(env.reset(), seeded) and not np.array_equal(unseeded, seeded)


def test_stable_baselines3_attributes(adapter):
    env = stable_baselines3_env(adapter)
    assert env.get_attr("episode_length") == [4] * 3 and env.get_attr("episode_length", [0, 2]) == [4] * 2
    assert env.get_attr("render_mode") == [None] * 3 and env.env_is_wrapped(object, 1) == [False]
    env.set_attr("episode_length", 7)
    assert env.task.episode_length == 7
    assert env.env_method("truncated", indices=[0, 1, 2])[0].tolist() == [False] * 3
    with pytest.raises(ValueError, match="part of the worlds"):
        env.set_attr("episode_length", 5, indices=[1])
    with pytest.raises(RuntimeError, match="step_async"):
        env.step_wait()


def test_rsl_rl_steps(adapter):
    env = adapter("rsl_rl").RslRlEnv(CountingTask(4), seed=3)
    torch = importlib.import_module("torch")
    for name in stand_ins.RSL_RL_ATTRIBUTES:
        assert getattr(env, name) is not None
    assert (env.num_envs, env.num_actions, env.max_episode_length) == (4, 2, 4)
    assert env.get_observations()["policy"].shape == (4, 4)
    for _ in range(4):
        obs, rewards, dones, extras = env.step(torch.from_numpy(np.full((4, 2), 0.25, np.float32)))
    assert np.asarray(dones).tolist() == [1, 0, 1, 1]
    assert np.asarray(extras["time_outs"]).tolist() == [False, False, False, True]
    assert extras["log"]["/episode_length"] == pytest.approx(10 / 3)
    assert extras["log"]["/mean_world"] == pytest.approx(5 / 3)
    assert np.asarray(obs["policy"])[:, 1].tolist() == [0, 5, 0, 0]
    assert np.asarray(rewards).tolist() == [0.25] * 4


def test_rsl_rl_lengths_are_the_tasks(adapter):
    env = adapter("rsl_rl").RslRlEnv(CountingTask(3))
    torch = importlib.import_module("torch")
    env.episode_length_buf = torch.from_numpy(np.array([0, 1, 3]))
    assert env.task.episode_step.tolist() == [0, 1, 3]
    dones = env.step(torch.from_numpy(np.zeros((3, 2), np.float32)))[2]
    assert np.asarray(dones).tolist() == [0, 0, 1]
    assert np.asarray(env.episode_length_buf).tolist() == [1, 2, 0]


@pytest.mark.parametrize("name", PACKAGES)
def test_what_is_missing_is_told(name, monkeypatch):
    needed = {"stable_baselines3": "stable_baselines3", "rsl_rl": "torch"}[name]
    stand_ins.install(monkeypatch)
    monkeypatch.setitem(stand_ins.sys.modules, needed, None)
    monkeypatch.setitem(stand_ins.sys.modules, f"{name}.common.vec_env", None)
    with pytest.raises(ModuleNotFoundError, match="pip install"):
        importlib.import_module(f"espalier.learn.{name}")


@pytest.mark.skipif(not PACKAGES["stable_baselines3"], reason="stable_baselines3 is not installed")
def test_record_of_stable_baselines3_holds():
    from stable_baselines3.common.vec_env import VecEnv

    assert VecEnv.__abstractmethods__ == set(stand_ins.STABLE_BASELINES3)
    for name, arguments in stand_ins.STABLE_BASELINES3.items():
        assert stand_ins.arguments(getattr(VecEnv, name)) == arguments


@pytest.mark.skipif(not PACKAGES["rsl_rl"], reason="rsl_rl is not installed")
def test_record_of_rsl_rl_holds():
    from rsl_rl.env import VecEnv

    assert VecEnv.__abstractmethods__ == set(stand_ins.RSL_RL)
    assert list(VecEnv.__annotations__) == stand_ins.RSL_RL_ATTRIBUTES
    for name, arguments in stand_ins.RSL_RL.items():
        assert stand_ins.arguments(getattr(VecEnv, name)) == arguments


@pytest.mark.parametrize("name, kind, record", [
    ("stable_baselines3", "StableBaselines3Env", stand_ins.STABLE_BASELINES3),
    ("rsl_rl", "RslRlEnv", stand_ins.RSL_RL),
])
def test_adapters_have_the_recorded_arguments(name, kind, record, monkeypatch):
    stand_ins.install(monkeypatch)
    made = getattr(importlib.import_module(f"espalier.learn.{name}"), kind)
    assert not made.__abstractmethods__
    for method, arguments in record.items():
        assert stand_ins.arguments(getattr(made, method)) == arguments


@pytest.mark.skipif(not PACKAGES["stable_baselines3"], reason="stable_baselines3 is not installed")
def test_stable_baselines3_learns_on_it():
    from stable_baselines3 import PPO

    from espalier.learn.stable_baselines3 import StableBaselines3Env

    env = StableBaselines3Env(CountingTask(16))
    model = PPO("MlpPolicy", env, n_steps=64, batch_size=256, seed=0, device="cpu", learning_rate=0.01)
    model.learn(16 * 64 * 12)
    actions = model.predict(env.reset(), deterministic=True)[0]
    assert actions[:, 0].mean() > 0.3  # the reward is the first action


@pytest.mark.skipif(not PACKAGES["rsl_rl"], reason="rsl_rl is not installed")
def test_rsl_rl_runs_on_it(tmp_path):
    import torch
    from rsl_rl.runners import OnPolicyRunner

    from espalier.learn.rsl_rl import RslRlEnv

    env = RslRlEnv(CountingTask(16))
    network = {"class_name": "MLPModel", "hidden_dims": [32], "activation": "elu"}
    runner = OnPolicyRunner(env, {
        "num_steps_per_env": 16, "save_interval": 100,
        "obs_groups": {"actor": ["policy"], "critic": ["policy"]},
        "actor": {**network, "distribution_cfg": {"class_name": "GaussianDistribution", "init_std": 0.5}},
        "critic": network, "algorithm": {"class_name": "PPO"},
    }, log_dir=str(tmp_path), device="cpu")
    runner.learn(2)
    with torch.inference_mode():
        actions = runner.get_inference_policy(device="cpu")(env.get_observations())
    assert actions.shape == (16, 2)
