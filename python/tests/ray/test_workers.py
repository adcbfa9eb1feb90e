"""Workers without a cluster: how worlds are divided, and that a worker resumes to the bit."""
import numpy as np
import pytest

pytest.importorskip("ray.exceptions", reason="ray is not installed", exc_type=ModuleNotFoundError)
gymnasium = pytest.importorskip("gymnasium")

from espalier.learn import Policy, make_task  # noqa: E402
from espalier.learn.forward import Forward, Part  # noqa: E402
from espalier.learn.workers import Workers  # noqa: E402
from espalier.ray.entries import Act, Reset  # noqa: E402
from espalier.ray.joining import joined_infos  # noqa: E402
from espalier.ray.runs import NamedTask, Run, made_task, runs_of  # noqa: E402
from espalier.ray.worker import Worker, WorkerPlan  # noqa: E402
import ray_tasks  # noqa: E402

N = 6
EVERY = np.arange(N)


def test_worlds_are_divided_evenly():
    runs = runs_of(10, 3)
    assert runs == [Run(0, 3), Run(3, 3), Run(6, 4)] and str(runs[2]) == "worlds 6 to 9"
    assert np.concatenate([np.arange(10)[run.rows] for run in runs]).tolist() == list(range(10))
    for workers in (0, 11):
        with pytest.raises(ValueError, match="a world for each"):
            runs_of(10, workers)


def test_what_makes_tasks_is_checked():
    with pytest.raises(ValueError, match="there is no task 'Walk'"):
        NamedTask("Walk", {})
    with pytest.raises(TypeError, match="no option speed"):
        NamedTask("ArmReach", {"speed": 1})
    with pytest.raises(TypeError, match="first_world is not for the caller"):
        NamedTask("ArmReach", {"first_world": 1})
    assert made_task(NamedTask("ArmReach", {"threads": 1}), Run(3, 2)).options.first_world == 3
    with pytest.raises(ValueError, match="asked for worlds 2 to 4, and made one with 3 worlds from first_world 3"):
        made_task(ray_tasks.with_wrong_worlds, Run(2, 3))


def test_infos_are_those_of_all_worlds():
    ended, rows = np.array([False, True]), np.array([None, np.ones(2)], object)
    part = {"final_obs": rows, "_final_obs": ended, "final_info": {"length": np.array([0, 4])}}
    joined = joined_infos([{}, part, {}], [1, 2, 3])
    assert joined["_final_obs"].tolist() == [False, False, True, False, False, False]
    assert joined["final_info"]["length"].tolist() == [0, 0, 4, 0, 0, 0]
    assert [row is None for row in joined["final_obs"]] == [True, True, False, True, True, True]
    assert joined_infos([{}, {}], [1, 1]) == {}


@pytest.mark.parametrize("first, size", [(0, 50), (0, 13), (13, 20), (7, 2), (40, 10)])
def test_a_part_has_the_bits_that_it_has_among_all(first, size):
    rng = np.random.default_rng(0)
    policy = Policy(9, 3, hidden=(32, 32))
    policy.initialize(rng)
    x = rng.standard_normal((50, 9), np.float32)
    forward, whole, part = Forward(policy.actor, 16, Workers(1)), np.empty((50, 3), np.float32), None
    forward(policy.actor, x, whole)
    part = np.empty((size, 3), np.float32)
    forward(policy.actor, x[first:first + size], part, Part(first, 50))
    assert np.array_equal(part, whole[first:first + size])


def plan(autoreset="SameStep", every=10, **options):
    """Of striders that soon tilt too far, each at its own time."""
    make = NamedTask("StriderWalk", {"threads": 1, "rough": False, "tilt": 0.18, "episode_seconds": 0.6, **options})
    return WorkerPlan(make, N, gymnasium.vector.AutoresetMode(autoreset), every, 64)


def entries_of(worker, mode, count, seed=0):
    """Runs a worker by random actions; where worlds have ended, Disabled resets them later, and others now and
    then. Returns the entries, and the results."""
    rng = np.random.default_rng(seed)
    entries, results, pending = [Reset(5, EVERY)], [], np.zeros(N, bool)
    results.append(worker.apply(entries[0]))
    while len(entries) < count:
        chosen = np.flatnonzero(pending | (rng.random(N) < 0.05))
        if mode == "Disabled" and chosen.size:
            entries.append(Reset(None, chosen))
            pending[chosen] = False
        else:
            entries.append(Act(rng.uniform(-1, 1, (N, worker.task.action_size)).astype(np.float32), pending.copy()))
        results.append(worker.apply(entries[-1]))
        if isinstance(entries[-1], Act):
            ended = results[-1].result[2] | results[-1].result[3]
            pending = np.zeros(N, bool) if mode == "SameStep" else ended.copy()
    return entries, results


def flat(result):
    """Arrays of a result, whose infos are dictionaries."""
    if isinstance(result, dict):
        return [each for name in sorted(result) for each in flat(result[name])]
    if isinstance(result, tuple):
        return [each for part in result for each in flat(part)]
    return [np.array([-1 if row is None else row.sum() for row in result]) if result.dtype == object else result]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("options", [
    {"mode": "throughput", "scalar": "float"}, {"mode": "accurate", "scalar": "double"},
    {"mode": "throughput", "scalar": "float", "rough": True}])
@pytest.mark.parametrize("lost", [7, 31, 55])
def test_a_worker_resumes_to_the_bit(mode, options, lost):
    first = Worker(plan(mode, **options), Run(0, N))
    entries, replies = entries_of(first, mode, 70)
    checkpoints = [reply.checkpoint for reply in replies[:lost] if reply.checkpoint]
    assert len(checkpoints) == lost // 10
    second = Worker(plan(mode, **options), Run(0, N))
    if checkpoints:
        second.resume(checkpoints[-1].packed, entries[checkpoints[-1].oldest:lost])
    else:
        second.resume(None, entries[:lost])
    later = []
    for entry, reply in zip(entries[lost:], replies[lost:], strict=True):
        again = second.apply(entry)
        later.append(again.checkpoint)
        for a, b in zip(flat(again.result), flat(reply.result), strict=True):
            np.testing.assert_array_equal(a, b)
    if options["mode"] == "throughput":
        kept = [checkpoint for checkpoint in checkpoints if checkpoint.oldest > 1]
        assert lost < 55 or kept  # the oldest entries were not needed any more
    # What the second hands back does for a third.
    checkpoint = [each for each in later if each][-1]
    third = Worker(plan(mode, **options), Run(0, N))
    third.resume(checkpoint.packed, entries[checkpoint.oldest:])
    assert all(np.array_equal(a, b) for a, b in zip(third.task.state().values(), first.task.state().values()))
    assert np.array_equal(third._observation, first._observation)


def test_worlds_of_a_throughput_checkpoint_stand_at_different_ticks():
    worker = Worker(plan(), Run(0, N))
    entries_of(worker, "SameStep", 45)
    ticks = worker._anchors.ticks
    assert len(set(ticks.tolist())) > 1 and 0 < worker._anchors.oldest < 45


def test_a_state_amid_an_episode_would_not_do_in_throughput_mode():
    """The reason for keeping the states after resets: the same test fails with states as they are now."""
    first, second = (Worker(plan(), Run(0, N)) for _ in range(2))
    entries, replies = entries_of(first, "SameStep", 60)
    again, _ = entries_of(second, "SameStep", 40)
    third = make_task("StriderWalk", N, **plan().make.options)
    third.begin(5)
    third.set_state(second.task.state())
    observation = [third.step(entry.actions)[0] for entry in entries[40:42]]
    expected = [reply.result[0] for reply in replies[40:42]]
    assert not np.array_equal(observation, expected)
    np.testing.assert_allclose(observation, expected, atol=1e-3)
