"""The tasks by their names: gymnasium's make() and make_vec(), and its checkers."""
import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env, data_equivalence  # noqa: E402

import espalier.learn  # noqa: E402
from counting_task import CountingTask  # noqa: E402
from espalier.learn.registration import TASKS, make_task, register  # noqa: E402
from espalier.learn.single_env import SingleEnv  # noqa: E402

SMALL = {"threads": 1}


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_make_vec(name, mode):
    env = gymnasium.make_vec(f"espalier/{name}-v0", num_envs=3, autoreset_mode=mode, **SMALL)
    obs, infos = env.reset(seed=2)
    assert env.num_envs == 3 and env.spec.id == f"espalier/{name}-v0"
    assert env.observation_space.contains(obs) and np.isfinite(obs).all()
    env.action_space.seed(1)
    for _ in range(3):
        obs, reward, terminated, truncated, infos = env.step(env.action_space.sample())
        assert env.observation_space.contains(obs) and np.isfinite(reward).all()
        if mode == "Disabled" and (terminated | truncated).any():
            env.reset(options={"reset_mask": terminated | truncated})
    env.close()


@pytest.mark.parametrize("name", TASKS)
def test_the_checker_of_gymnasium_is_content(name):
    env = gymnasium.make(f"espalier/{name}-v0").unwrapped
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        check_env(env, skip_close_check=False)
    texts = [str(each.message) for each in told]
    # Observations have no bounds, on purpose: there is no greatest velocity.
    assert all("minimum value is -infinity" in t or "maximum value is infinity" in t for t in texts), texts


@pytest.mark.parametrize("name", TASKS)
def test_seeded_runs_are_equal(name):
    def run():
        env = gymnasium.make_vec(f"espalier/{name}-v0", num_envs=4, autoreset_mode="SameStep", **SMALL)
        env.action_space.seed(5)
        came = [env.reset(seed=11)]
        return came + [env.step(env.action_space.sample()) for _ in range(20)]

    assert data_equivalence(run(), run(), exact=True)


def test_one_world_alone_is_the_first_of_many():
    env = gymnasium.make_vec("espalier/StriderWalk-v0", num_envs=3, rough=False, **SMALL)
    one = gymnasium.make("espalier/StriderWalk-v0", rough=False)
    many, alone = env.reset(seed=5)[0], one.reset(seed=5)[0]
    assert np.array_equal(many[0], alone)
    for _ in range(10):
        assert np.array_equal(env.step(np.full((3, 12), 0.1, np.float32))[0][0],
                              one.step(np.full(12, 0.1, np.float32))[0])


def test_single_env_takes_one_world():
    with pytest.raises(ValueError, match="has 2 worlds"):
        SingleEnv(CountingTask(2))


def test_wrong_names_are_told():
    with pytest.raises(ValueError, match="there is no task 'Strider'; there are ArmReach, BeestSteer, BipedStand, BipedWalk, CassieWalk, StriderWalk"):
        make_task("Strider", 1)
    with pytest.raises(TypeError, match="StriderWalk has no option roughness; it has mode"):
        make_task("StriderWalk", 1, roughness=1)


def test_registering_twice_is_quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        register()
    assert espalier.learn.RolloutEnv  # which registered them first
