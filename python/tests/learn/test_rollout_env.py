"""Tasks, and the environment that resets worlds in the step that ends them."""
import numpy as np
import pytest

from counting_task import CountingTask
from espalier import StepFlag
from espalier.learn import RolloutEnv, TaskOptions


def test_worlds_are_reset_where_they_end():
    env = RolloutEnv(CountingTask(4))
    assert (env.num_envs, env.observation_size, env.action_size) == (4, 4, 2)
    first = env.reset(seed=1)
    assert first.dtype == np.float32 and first[:, 1].tolist() == [0, 0, 0, 0]
    actions = np.full((4, 2), 0.5, np.float32)
    env.step(actions)
    obs, reward, terminated, truncated, info = env.step(actions)
    assert terminated.tolist() == [True, False, False, False] and not truncated.any()
    assert obs[:, 1].tolist() == [0, 10, 10, 10] and obs[0, 2] == 0  # five steps an action
    assert info["final_obs"][0, 1] == 10 and info["final_obs"][0, 3] == first[0, 3]
    assert obs[0, 3] != first[0, 3]
    assert info["episode_return"][0] == 1 and info["episode_length"][0] == 2
    assert reward.dtype == np.float32 and reward.tolist() == [0.5] * 4
    assert info["log"] == {"mean_world": 0} and env.step(actions)[4]["log"] == {"mean_world": 1}


def test_time_truncates_what_did_not_terminate():
    env = RolloutEnv(CountingTask(4))
    env.reset(0)
    for _ in range(4):
        _, _, terminated, truncated, info = env.step(np.zeros((4, 2)))
    assert terminated.tolist() == [True, False, True, False]  # world 0 for the second time
    assert truncated.tolist() == [False, False, False, True]
    assert info["episode_length"].tolist() == [2, 1, 4, 4]


def test_actions_are_clipped_and_checked():
    task = CountingTask(2)
    task.begin(0)
    assert task.step([[3, 0], [-3, 0]]).reward.tolist() == [1, -1]
    with pytest.raises(ValueError, match=r"shape \(2,\), not \(2, 2\)"):
        task.step(np.zeros(2))
    with pytest.raises(ValueError, match="action of world 1 is not finite"):
        task.step([[0, 0], [np.nan, 0]])


def test_a_world_that_broke_down_ends():
    env = RolloutEnv(CountingTask(4))
    env.reset(0)
    env.task.batch.flags[1] = StepFlag.NOT_FINITE.value
    env.task.batch.flags[2] = StepFlag.SOLVER_NOT_CONVERGED.value  # no reason to end
    env.task.batch.u[3] = -501
    obs, reward, terminated, _, info = env.step(np.ones((4, 2)))
    assert terminated.tolist() == info["diverged"].tolist() == [False, True, False, True]
    assert reward.tolist() == [1, 0, 1, 0]
    assert obs[:, 1].tolist() == [5, 0, 5, 0] and not info["final_obs"][[1, 3]].any()
    assert not env.step(np.ones((4, 2)))[4]["diverged"].any()


def test_what_was_returned_is_not_written_again():
    env = RolloutEnv(CountingTask(3))
    kept = [env.reset(0)]
    for k in range(3):
        obs, reward, terminated, truncated, info = env.step(np.full((3, 2), k / 4))
        kept += [obs, reward, terminated, truncated, *(v for k, v in info.items() if k != "log")]
    copies = [each.copy() for each in kept]
    for _ in range(6):
        env.step(np.ones((3, 2)))
    assert all(np.array_equal(each, copy) for each, copy in zip(kept, copies, strict=True))


def test_the_same_seed_gives_the_same():
    def run(seed):
        env = RolloutEnv(CountingTask(3))
        return [env.reset(seed)] + [env.step(np.zeros((3, 2)))[0] for _ in range(5)]

    assert np.array_equal(run(3), run(3)) and not np.array_equal(run(3), run(4))


def test_observations_go_to_other_libraries_without_a_copy():
    obs = RolloutEnv(CountingTask(3)).reset(0)
    assert obs.flags.c_contiguous and np.shares_memory(obs, np.from_dlpack(obs))


@pytest.mark.parametrize("options, told", [
    ({"time_step": 0}, "positive"), ({"decimation": 0}, "one step or more"),
    ({"episode_seconds": 0.001}, "less than one action"),
])
def test_options_are_checked(options, told):
    with pytest.raises(ValueError, match=told):
        TaskOptions(**options)
