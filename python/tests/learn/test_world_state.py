"""States of tasks: another task goes on from them to the bit."""
import numpy as np
import pytest

from counting_task import CountingTask
from espalier.learn import make_task
from espalier.learn.registration import TASKS
from espalier.learn.world_state import undeclared_arrays

MODES = [("accurate", "double"), ("throughput", "float")]


def actions_of(task, steps, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, (steps, task.size, task.action_size)).astype(np.float32)


def run(task, actions):
    """Observations and rewards; worlds are reset where they end."""
    came = []
    for action in actions:
        observation, reward, terminated, truncated = task.step(action)
        ended = np.flatnonzero(terminated | truncated)
        if ended.size:
            observation[ended] = task.restart(ended)
        came.append((observation, reward, terminated, truncated))
    return came


def assert_equal(first, second):
    for a, b in zip(first, second, strict=True):
        for x, y in zip(a, b, strict=True):
            np.testing.assert_array_equal(x, y)


def make(name, n, mode="accurate", scalar="double", **options):
    return make_task(name, n, threads=1, mode=mode, scalar=scalar, episode_seconds=0.4, **options)


@pytest.mark.parametrize("name", TASKS)
def test_a_task_goes_on_from_a_state(name):
    first, second = make(name, 6), make(name, 6)
    first.begin(3)
    second.begin(99)
    actions = actions_of(first, 40)
    run(first, actions[:13])
    run(second, -actions[:7])
    state = first.state()
    kept = {name: array.copy() for name, array in state.items()}
    expected = run(first, actions[13:])
    second.set_state(state)
    assert_equal(run(second, actions[13:]), expected)
    assert all(np.array_equal(state[name], kept[name]) for name in state)  # copies, not views
    assert sum(step[2].sum() + step[3].sum() for step in expected) >= 6  # past resets


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("mode, scalar", MODES)
def test_some_worlds_go_on_among_others(name, mode, scalar):
    """From a reset, which holds in throughput mode, too; the worlds of a state may be others of a larger task."""
    whole, part = make(name, 5, mode, scalar), make(name, 2, mode, scalar)
    whole.begin(4)
    part.begin(1)
    actions = actions_of(whole, 30)
    run(whole, actions[:10])
    run(part, actions[:10, :2])
    ids = np.array([4, 1])
    whole.restart(ids)
    part.set_state(whole.state(ids))
    expected = [tuple(array[ids] for array in step) for step in run(whole, actions[10:])]
    assert_equal(run(part, actions[10:, ids]), expected)


@pytest.mark.parametrize("name", TASKS)
def test_every_array_is_declared(name):
    assert undeclared_arrays(lambda n: make_task(name, n, threads=1)) == []


def test_an_undeclared_array_is_found():
    class Forgetful(CountingTask):
        world_arrays = ()

        def __init__(self, size):
            super().__init__(size)
            self.seen = {"often": np.zeros(size)}
            self.limits = np.zeros(3)  # not of worlds, though there are three

    assert undeclared_arrays(CountingTask) == []
    assert undeclared_arrays(Forgetful) == ["seen.often"]  # what the base class declares is declared


def test_states_of_other_tasks_are_refused():
    task = CountingTask(3)
    task.begin(0)
    state = task.state()
    with pytest.raises(ValueError, match="drawn stands in one of the two alone"):
        task.set_state({name: array for name, array in state.items() if name != "drawn"})
    with pytest.raises(ValueError, match=r"shape \(3,\) in the state, and \(2,\) in the task"):
        task.set_state(state, np.array([0, 1]))
