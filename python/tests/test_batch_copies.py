"""What batches and copies of worlds take over: edits that no step has taken up yet, quantities that were bound after
save(), and forks while threads step."""
import copy
import multiprocessing
import pickle
import threading

import numpy as np
import pytest

import espalier
from package_paths import ROOT


def arm():
    world = espalier.World()
    robot = world.add_articulated_system(ROOT / "models/arm7/arm7.urdf")
    robot.q = [0, 0.4, 0, 1.5, 0, 1.24, 0]
    robot.set_pd_gains(100, 10)
    robot.set_pd_target(robot.q)
    return world


def double_mass(robot):
    robot.mass = 2 * robot.mass


def longer_links(robot):
    robot.joint_pos_P = 1.1 * np.asarray(robot.joint_pos_P)


@pytest.mark.parametrize("edit", [double_mass, longer_links])
def test_copies_have_the_edits_that_the_next_step_takes_up(edit):
    world = arm()
    edit(world.systems[0])
    twins = [copy.deepcopy(world), pickle.loads(pickle.dumps(world))]
    batch = espalier.Batch(world, 2)
    untouched = arm()
    for each in (world, untouched, *twins):
        each.step(50)
    batch.step(nstep=50)
    q = world.systems[0].q
    assert np.abs(q - untouched.systems[0].q).max() > 1e-4
    for twin in twins:
        np.testing.assert_array_equal(twin.systems[0].q, q)
    np.testing.assert_array_equal(batch.bind("q")[1], q)


def cartpole():
    world = espalier.World()
    world.time_step = 0.004
    world.add_articulated_system(ROOT / "models/cartpole/cartpole.urdf")
    return world


def test_what_is_bound_after_save_is_that_of_the_source_after_restore():
    batch = espalier.Batch(cartpole, 3)
    saved = batch.save()
    batch.bind("mass")[:] = 5
    batch.bind("feedforward")[:] = 1
    batch.restore({name: rows[:, 1:] for name, rows in saved.items() if name != "history_size"}
                  | {"history_size": saved["history_size"][1:]}, [1, 2])
    np.testing.assert_array_equal(batch.bind("mass")[:, 0], [5, 1, 1])
    np.testing.assert_array_equal(batch.bind("feedforward")[:, 0], [1, 0, 0])


def _step_a_batch(queue):
    batch = espalier.Batch(cartpole, 64, threads=2)
    batch.step()
    queue.put(float(batch.bind("time")[0, 0]))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="needs fork")
def test_a_process_forked_while_threads_step_can_step():
    batch = espalier.Batch(cartpole, 1024, mode="throughput", threads=2)
    ends = threading.Event()

    def keep_stepping():
        while not ends.is_set():
            batch.step(nstep=100)

    stepping = threading.Thread(target=keep_stepping)
    stepping.start()
    fork = multiprocessing.get_context("fork")
    try:
        for _ in range(4):
            queue = fork.Queue()
            child = fork.Process(target=_step_a_batch, args=(queue,))
            child.start()
            child.join(30)
            hangs = child.is_alive()
            child.kill()
            assert not hangs and queue.get(timeout=5) == pytest.approx(0.004)
    finally:
        ends.set()
        stepping.join()


def test_an_observed_array_of_another_order_of_bytes_is_refused():
    batch = espalier.Batch(cartpole, 2)
    with pytest.raises(ValueError, match="order of bytes"):
        batch.observe([espalier.Quantity(array=np.zeros((2, 2), ">f4"))])
