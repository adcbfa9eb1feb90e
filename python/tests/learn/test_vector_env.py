"""gymnasium's vector environments: the three ways of resetting, and the forms of what is returned."""
import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from counting_task import CountingTask  # noqa: E402
from espalier.learn.vector_env import VectorEnv  # noqa: E402

MODES = ["NextStep", "SameStep", "Disabled"]


def run(mode, steps, n=3, seed=7):
    """[(observations, rewards, terminated, truncated, infos)]; Disabled is reset as soon as worlds end."""
    env = VectorEnv(CountingTask(n), mode)
    obs, infos = env.reset(seed=seed)
    came = [(obs, np.zeros(n), np.zeros(n, bool), np.zeros(n, bool), infos)]
    for k in range(steps):
        came.append(env.step(np.full((n, 2), k / 10, np.float32)))
        ended = came[-1][2] | came[-1][3]
        if mode == "Disabled" and ended.any():
            came.append((env.reset(options={"reset_mask": ended})[0], None, None, None, {}))
    return came


@pytest.mark.parametrize("mode", MODES)
def test_forms(mode):
    env = VectorEnv(CountingTask(3), mode)
    assert env.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode(mode)
    assert env.observation_space.shape == (3, 4) and env.single_observation_space.shape == (4,)
    assert env.action_space.shape == (3, 2) and env.single_action_space.high.tolist() == [1, 1]
    for obs, reward, terminated, truncated, infos in run(mode, 6)[1:]:
        assert env.observation_space.contains(obs) and isinstance(infos, dict)
        if reward is not None:
            assert reward.shape == (3,) and reward.dtype == np.float64
            assert terminated.dtype == truncated.dtype == np.bool_


def test_next_step_resets_in_the_step_after():
    came = run("NextStep", 4)
    assert [c[0][0, 1] for c in came] == [0, 5, 10, 0, 5]  # world 0 ends with its second action
    assert [c[1][0] for c in came] == pytest.approx([0, 0, 0.1, 0, 0.3])  # the third action is ignored
    assert [bool(c[2][0]) for c in came] == [False, False, True, False, False]
    infos = came[2][4]
    assert infos["_episode_length"].tolist() == [True, False, False] and infos["episode_length"][0] == 2


def test_same_step_gives_the_last_observation():
    came = run("SameStep", 4)
    assert [c[0][0, 1] for c in came] == [0, 5, 0, 5, 0]
    infos = came[2][4]
    assert infos["_final_obs"].tolist() == [True, False, False] == infos["_final_info"].tolist()
    assert infos["final_obs"][0][1] == 10 and infos["final_obs"][1] is None
    assert infos["final_info"]["episode_return"][0] == pytest.approx(0.1)
    assert "final_obs" not in came[1][4]


def test_disabled_waits_for_the_caller():
    came = run("Disabled", 4)
    assert came[3][0][:, 1].tolist() == [0, 10, 10]
    env = VectorEnv(CountingTask(3), "Disabled")
    env.reset(seed=0)
    for _ in range(2):
        env.step(np.zeros((3, 2)))
    with pytest.raises(RuntimeError, match="worlds 0 have ended: call reset"):
        env.step(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="array of 3 bool"):
        env.reset(options={"reset_mask": [True, False, False]})
    with pytest.raises(ValueError, match="names no world"):
        env.reset(options={"reset_mask": np.zeros(3, bool)})
    before = env.reset(options={"reset_mask": np.array([True, False, False])})[0]
    assert before[:, 1].tolist() == [0, 10, 10]


def test_a_world_lives_the_same_life_in_all_modes():
    def drawn(mode):
        """What world 0 drew at each reset."""
        lives = [obs[0, 3] for obs, *_ in run(mode, 9)]
        return list(dict.fromkeys(lives))

    assert len(drawn("SameStep")) >= 4
    assert drawn("NextStep") == drawn("SameStep")[:len(drawn("NextStep"))]
    assert drawn("Disabled") == drawn("SameStep")


def test_seeds():
    first, again, other = (run("SameStep", 5, seed=seed) for seed in (3, 3, 4))
    for a, b in zip(first, again, strict=True):
        assert np.array_equal(a[0], b[0]) and np.array_equal(a[1], b[1])
    assert not np.array_equal(first[0][0], other[0][0])
    env = VectorEnv(CountingTask(3))
    seeded = env.reset(seed=1)[0]
    assert not np.array_equal(env.reset()[0], seeded)  # the streams go on
    mask = np.array([False, True, False])
    assert np.array_equal(env.reset(seed=1, options={"reset_mask": mask})[0][1], seeded[1])


def test_reset_comes_first():
    env = VectorEnv(CountingTask(2))
    with pytest.raises(RuntimeError, match=r"call reset\(\) before step\(\)"):
        env.step(np.zeros((2, 2)))
    with pytest.raises(ValueError, match="never reset"):
        env.reset(options={"reset_mask": np.array([True, False])})


@pytest.mark.parametrize("mode", MODES)
def test_what_was_returned_is_not_written_again(mode):
    env = VectorEnv(CountingTask(3), mode)
    kept = [env.reset(seed=0)[0], *env.step(np.zeros((3, 2)))[:4]]
    copies = [each.copy() for each in kept]
    kept[0][:] = -1  # nor does writing into it change the environment
    copies[0][:] = -1
    env.step(np.ones((3, 2)))
    assert all(np.array_equal(each, copy) for each, copy in zip(kept, copies, strict=True))


@pytest.mark.parametrize("mode, expected", [("NextStep", [2, 3, 4]), ("SameStep", [2, 2, 3, 4])])
def test_statistics_of_gymnasium_agree(mode, expected):
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(VectorEnv(CountingTask(3), mode))
    env.reset(seed=0)
    lengths = []
    for _ in range(4):
        infos = env.step(np.zeros((3, 2)))[4]
        if "episode" in infos:
            lengths += infos["episode"]["l"][infos["_episode"]].tolist()
    assert sorted(lengths) == expected
    env.close()


def test_wrappers_of_gymnasium_take_it():
    wrappers = gymnasium.wrappers.vector
    env = wrappers.NormalizeObservation(VectorEnv(CountingTask(3)))
    env = wrappers.DictInfoToList(wrappers.ClipReward(env, -0.5, 0.5))
    env.reset(seed=0)
    _, reward, _, _, infos = env.step(np.ones((3, 2)))
    assert reward.tolist() == [0.5] * 3 and infos == [{}] * 3
