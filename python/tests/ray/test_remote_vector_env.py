"""RemoteVectorEnv over several processes: the numbers of VectorEnv, also where actors are killed."""
import logging

import numpy as np
import pytest

pytest.importorskip("ray.exceptions", reason="ray is not installed", exc_type=ModuleNotFoundError)
gymnasium = pytest.importorskip("gymnasium")

import ray_tasks  # noqa: E402
from counting_task import CountingTask  # noqa: E402
from espalier.learn import make_task  # noqa: E402
from espalier.learn.vector_env import VectorEnv  # noqa: E402
from espalier.ray import RemoteVectorEnv, WorkerError  # noqa: E402

MODES = ["NextStep", "SameStep", "Disabled"]
STRIDER = {"mode": "throughput", "scalar": "float", "tilt": 0.2, "episode_seconds": 0.6}


@pytest.fixture
def remote(cluster):
    made = []

    def make(*arguments, **options):
        # Without variables of its own an actor takes a process that Ray has started in advance: half a second.
        options.setdefault("actor_options", {"runtime_env": None})
        made.append(RemoteVectorEnv(*arguments, **options))
        return made[-1]

    yield make
    for env in made:
        env.close()


def assert_same(first, second):
    """Of results of step() and reset(), infos included."""
    if isinstance(first, dict):
        assert set(first) == set(second)
        for name in first:
            assert_same(first[name], second[name])
    elif isinstance(first, tuple):
        for a, b in zip(first, second, strict=True):
            assert_same(a, b)
    elif first is None:
        assert second is None
    elif first.dtype == object:
        for a, b in zip(first, second, strict=True):
            assert_same(a, b)
    else:
        assert first.dtype == second.dtype and first.flags.writeable and second.flags.writeable
        np.testing.assert_array_equal(first, second)


def run_both(remote, local, steps, seed=2, before=lambda k: None):
    """Equal results all the way; returns how many episodes ended. Disabled: by masks, a step later."""
    rng = np.random.default_rng(seed)
    assert_same(remote.reset(seed=seed), local.reset(seed=seed))
    ended = 0
    for k in range(steps):
        before(k)
        actions = rng.uniform(-1, 1, (local.num_envs, local.single_action_space.shape[0])).astype(np.float32)
        came = local.step(actions)
        assert_same(remote.step(actions), came)
        mask = came[2] | came[3]
        ended += mask.sum()
        if mask.any() and local.autoreset_mode.value == "Disabled":
            options = {"reset_mask": mask}
            assert_same(remote.reset(options=options), local.reset(options=options))
    return ended


@pytest.mark.parametrize("mode", MODES)
def test_numbers_are_those_of_one_environment(remote, kill, mode, caplog):
    env = remote(ray_tasks.counting, 7, workers=3, autoreset_mode=mode, checkpoint_every=4)
    local = VectorEnv(CountingTask(7), mode)
    assert env.observation_space == local.observation_space and env.action_space == local.action_space
    assert env.metadata == local.metadata and env.num_envs == 7

    def before(k):
        if k in (2, 9):
            kill(env, 2 if k == 2 else 0)

    assert run_both(env, local, 15, before=before) > 10
    assert env.replaced == 2
    told = [record.getMessage() for record in caplog.records if record.name == "espalier.ray"]
    assert len(told) == 2 and "worker 2 (worlds 4 to 6) is replaced, and repeats" in told[0]
    # Seeds for a part, and none for all.
    mask = np.array([1, 0, 0, 0, 1, 0, 0], bool)
    for options in ({"seed": 5, "options": {"reset_mask": mask}}, {}):
        assert_same(env.reset(**options), local.reset(**options))


@pytest.mark.parametrize("mode, options", [
    ("NextStep", STRIDER), ("SameStep", {**STRIDER, "rough": False}),
    ("Disabled", {**STRIDER, "mode": "accurate", "scalar": "double"})])
def test_a_killed_process_changes_no_number(remote, kill, mode, options):
    env = remote("StriderWalk", 7, workers=2, autoreset_mode=mode, checkpoint_every=8, **options)

    def before(k):
        if k in (5, 33):
            kill(env, 1, "process")

    local = VectorEnv(make_task("StriderWalk", 7, threads=1, **options), mode)
    assert run_both(env, local, 40, before=before) >= 7 and env.replaced == 2
    episode = 0 if options["mode"] == "accurate" else 30  # steps, of 20 ms
    assert all(handle.repeated < 8 + episode for handle in env._group._handles)  # what is kept is bounded


@pytest.mark.parametrize("how", ["raise", "exit"])
def test_who_fails_once_goes_on(remote, tmp_path, how):
    make = ray_tasks.Failing(4, action=6, how=how, file=tmp_path / "failed")
    env = remote(make, 5, workers=2, autoreset_mode="SameStep", checkpoint_every=3, attempts=1)
    assert run_both(env, VectorEnv(CountingTask(5), "SameStep"), 12) > 5
    assert env.replaced == 1 and (tmp_path / "failed").exists()


def test_who_fails_again_and_again_is_told(remote):
    env = remote(ray_tasks.Failing(0, action=3, how="raise"), 4, workers=2, attempts=2, checkpoint_every=100)
    env.reset(seed=0)
    for _ in range(2):
        env.step(np.zeros((4, 2)))
    with pytest.raises(WorkerError, match=r"worker 0 \(worlds 0 to 1\) failed 3 times in a row(.|\n)*wheel came off"
                       ) as told:
        env.step(np.zeros((4, 2)))
    assert isinstance(told.value.__cause__, ArithmeticError) and env.replaced == 2
    with pytest.raises(RuntimeError, match="the workers have ended"):
        env.step(np.zeros((4, 2)))


def test_a_process_that_always_ends_is_told(remote):
    env = remote(ray_tasks.Failing(3, action=1, how="exit"), 4, workers=2, attempts=1)
    env.reset(seed=0)
    with pytest.raises(WorkerError, match=r"worker 1 \(worlds 2 to 3\) failed 2 times"):
        env.step(np.zeros((4, 2)))


def test_tasks_that_cannot_be_made_are_told(remote):
    with pytest.raises(WorkerError, match="made one with 4 worlds from first_world 1"):
        remote(ray_tasks.with_wrong_worlds, 4, workers=1, attempts=0)
    with pytest.raises(TypeError, match="StriderWalk has no option speed"):
        remote("StriderWalk", 4, workers=2, speed=3)
    with pytest.raises(TypeError, match="rough: options are those of a task by its name"):
        remote(ray_tasks.counting, 4, workers=2, rough=True)
    with pytest.raises(ValueError, match="5 workers for 4 worlds"):
        remote(ray_tasks.counting, 4, workers=5)
    with pytest.raises(ValueError, match="checkpoint_every is 0"):
        remote(ray_tasks.counting, 4, workers=2, checkpoint_every=0)


def test_callers_mistakes_are_told_and_change_nothing(remote):
    env, local = remote(ray_tasks.counting, 4, workers=2, autoreset_mode="Disabled"), VectorEnv(
        CountingTask(4), "Disabled")
    with pytest.raises(RuntimeError, match=r"call reset\(\) before step"):
        env.step(np.zeros((4, 2)))
    assert_same(env.reset(seed=1), local.reset(seed=1))
    with pytest.raises(ValueError, match=r"shape \(3, 2\), not \(4, 2\)"):
        env.step(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="the action of world 3 is not finite"):
        env.step([[0, 0], [0, 0], [0, 0], [0, np.inf]])
    for _ in range(2):
        assert_same(env.step(np.ones((4, 2))), local.step(np.ones((4, 2))))
    with pytest.raises(RuntimeError, match="worlds 0 have ended"):
        env.step(np.zeros((4, 2)))


def test_an_interrupted_call_ends_the_workers(remote, cluster, monkeypatch):
    env = remote(ray_tasks.counting, 4, workers=2)
    env.reset(seed=0)

    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(cluster, "wait", interrupted)
        with pytest.raises(KeyboardInterrupt):
            env.step(np.zeros((4, 2)))
    with pytest.raises(RuntimeError, match="the workers have ended"):  # some have made the step, some have not
        env.reset(seed=0)


def test_waiting_is_told(remote, monkeypatch, caplog):
    from espalier.ray import worker_group

    env = remote(ray_tasks.slow_first, 4, workers=2)
    env.reset(seed=0)
    monkeypatch.setattr(worker_group, "PATIENCE", 0.05)
    with caplog.at_level(logging.WARNING, "espalier.ray"):
        env.step(np.zeros((4, 2)))
    assert "no answer for 0.05 s from workers 0 (worlds 0 to 1)" in caplog.text and env.replaced == 0
