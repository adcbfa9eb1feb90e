"""Threads: worlds stepped side by side, each by a thread of its own, go as they go alone."""

import threading

import pytest
from package_paths import ROOT

import espalier

STEPS = 300


def make_world(seed):
    """A robot that falls, and a ball beside it."""
    world = espalier.World()
    world.time_step = 0.002
    world.add_ground()
    robot = world.add_articulated_system(str(ROOT / "models/biped/biped.urdf"))
    q = robot.generalized_coordinate
    q[2] += 0.1 + 0.01 * seed
    robot.generalized_coordinate = q
    world.add_sphere(0.1, 1.0).position = (1.0, 0.1 * seed, 0.5)
    return world


def hash_after(world, steps):
    for _ in range(steps):
        world.integrate()
    return world.state_hash


def test_worlds_side_by_side_go_as_alone():
    alone = [hash_after(make_world(seed), STEPS) for seed in range(4)]
    assert len(set(alone)) == 4
    beside = [None] * 4

    def work(seed):
        beside[seed] = hash_after(make_world(seed), STEPS)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert beside == alone


def test_calls_beside_a_step_are_refused_or_done_never_torn():
    world = make_world(0)
    robot = world.systems[0]
    done, seen = threading.Event(), {"read": 0, "refused": 0}

    def work():
        for _ in range(20):
            world.integrate(50)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        try:
            q = robot.generalized_coordinate
            assert q.shape == (robot.dof + 1,)
            seen["read"] += 1
        except RuntimeError:
            seen["refused"] += 1
    thread.join()
    assert seen["refused"] > 0
    assert hash_after(make_world(0), 1000) == world.state_hash


def test_a_world_is_stepped_by_one_thread_at_a_time():
    world = make_world(0)
    errors = []

    def work():
        for _ in range(200):
            try:
                world.integrate(20)
            except RuntimeError as error:
                errors.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if not errors:
        pytest.skip("the threads never met")
    assert all("thread" in error for error in errors)
