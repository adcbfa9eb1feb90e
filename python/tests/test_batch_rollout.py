"""Batch.rollout: the same as writing, stepping and copying by hand; what it refuses."""

import numpy as np
import pytest

import espalier
from package_paths import ROOT

MODES = [("accurate", "double"), ("throughput", "double"), ("throughput", "float")]
N, T = 5, 6


def make(mode="accurate", scalar="double"):
    world = espalier.World()
    world.time_step = 0.005
    world.add_articulated_system(ROOT / "models/double_pendulum/double_pendulum.urdf")
    return espalier.Batch(world, N, mode=mode, scalar=scalar, threads=1)


def random_controls():
    return np.random.default_rng(7).normal(size=(T, N, 2))


@pytest.mark.parametrize(("mode", "scalar"), MODES)
def test_it_is_what_one_does_by_hand(mode, scalar):
    controls = random_controls()
    batch, other = make(mode, scalar), make(mode, scalar)
    taken = batch.rollout(controls, nstep=3, record=("q", "u", "time"))
    assert list(taken) == ["q", "u", "time"]
    for t in range(T):
        other.bind("feedforward")[:] = controls[t]
        other.step(nstep=3)
        for name, values in taken.items():
            assert values.shape[:2] == (T, N) and values.flags.c_contiguous
            assert values.dtype == other.bind(name).dtype
            np.testing.assert_array_equal(values[t], other.bind(name))
    np.testing.assert_array_equal(batch.bind("q"), other.bind("q"))
    np.testing.assert_array_equal(batch.bind("feedforward"), other.bind("feedforward"))


@pytest.mark.parametrize(("mode", "scalar"), MODES)
def test_worlds_differ_where_their_controls_do(mode, scalar):
    controls = np.repeat(random_controls()[:, :1], N, axis=1)
    controls[2:, 3] += 1
    q = make(mode, scalar).rollout(controls)["q"]
    assert (q[:2] == q[:2, :1]).all()
    same = [0, 1, 2, 4]
    assert (q[:, same] == q[:, :1]).all()
    assert (q[2:, 3] != q[2:, 0]).any(axis=-1).all()


def test_one_control_for_all_worlds():
    controls = random_controls()[:, 0]
    q = make().rollout(controls)["q"]
    np.testing.assert_array_equal(q, make().rollout(np.repeat(controls[:, None], N, axis=1))["q"])
    assert np.ptp(q[:, 0], axis=0).min() > 1e-4


def test_other_quantities_are_controls_and_copies_stay():
    batch = make()
    batch.bind("kp")[:] = 50
    batch.bind("kd")[:] = 15
    taken = batch.rollout(np.full((800, 2), 0.3), name="target_q", record=["q"])
    kept = taken["q"].copy()
    assert np.ptp(kept[-50:], axis=0).max() < 1e-3 and (kept[-1] > 0.1).all()
    batch.step(nstep=5)
    batch.reset()
    np.testing.assert_array_equal(taken["q"], kept)


def test_the_report_of_each_control():
    batch = make()
    controls = np.zeros((3, N, 2))
    controls[1, 2] = np.nan
    taken = batch.rollout(controls, record=("flags", "residual", "iterations"))
    expected = np.zeros((3, N), bool)
    expected[1, 2] = True
    np.testing.assert_array_equal(taken["flags"] != 0, expected)
    assert taken["flags"].dtype == batch.flags.dtype and taken["residual"].shape == (3, N)
    assert taken["iterations"].dtype == np.int32


def test_no_controls_are_no_steps():
    batch = make()
    assert batch.rollout(np.empty((0, 2)))["u"].shape == (0, N, 2)
    assert (batch.bind("time") == 0).all()


@pytest.mark.parametrize(("controls", "options", "says"), [
    (np.zeros((T, N, 3)), {}, r"\(T, 5, 2\) or \(T, 2\), not \(6, 5, 3\)"),
    (np.zeros((T, 4, 2)), {}, r"not \(6, 4, 2\)"),
    (np.zeros((T, 1)), {}, r"not \(6, 1\)"),
    (np.zeros(2), {}, r"not \(2,\)"),
    (np.zeros((T, 2)), {"name": "torques"}, "feedforward"),
    (np.zeros((T, 2)), {"record": ("q", "speed")}, "speed"),
    (np.zeros((T, 2)), {"record": "q"}, r"\('q',\)"),
    (np.zeros((T, 6)), {"name": "contact_force"}, "read only"),
    (np.zeros((T, 2)), {"nstep": 0}, "at least 1, not 0"),
])
def test_what_is_wrong_is_said_before_a_step(controls, options, says):
    batch = make()
    with pytest.raises(ValueError, match=says):
        batch.rollout(controls, **options)
    assert (batch.bind("time") == 0).all()
