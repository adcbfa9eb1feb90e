"""Worlds and threads; objects that are gone."""
import contextlib
import copy
import gc
import threading
from pathlib import Path

import espalier
import numpy as np
import pytest

STRIDER = Path(__file__).resolve().parents[2] / "models" / "strider" / "strider.urdf"


def crowd(count=12):
    """A World of robots that fall on the ground."""
    world = espalier.World()
    world.add_ground()
    for i in range(count):
        robot = world.add_articulated_system(STRIDER)
        robot.base_position = [2 * i, 0, 0.6]
    return world


@contextlib.contextmanager
def stepped_by_another_thread(world):
    """Within it another thread is in the midst of a step: its contact callback waits."""
    is_in_step, may_go_on = threading.Event(), threading.Event()

    def wait(contact, material):
        is_in_step.set()
        assert may_go_on.wait(60)
        return True

    world.set_contact_callback(wait)
    thread = threading.Thread(target=world.step)
    thread.start()
    try:
        assert is_in_step.wait(60)
        yield
    finally:
        may_go_on.set()
        thread.join()
        world.set_contact_callback(None)


def test_calls_raise_while_another_thread_steps():
    world = espalier.World()
    world.add_ground()
    robot, body = world.add_articulated_system(STRIDER), world.add_sphere(0.1, 1)
    body.position = [3, 0, 0.1]
    joint, frame = robot.joint(robot.frames[1].name), robot.frames[1]
    shape, visual = robot.collision_bodies[0], robot.vis_col_ob[0]
    asks = [lambda: world.time, lambda: world.integrate(), lambda: world.step(3), lambda: robot.q,
            lambda: setattr(robot, "q", robot.q), lambda: body.position, lambda: joint.joint_angle,
            lambda: frame.position, lambda: shape.pos_offset, lambda: visual.offset,
            lambda: robot.frame_position(0), lambda: world.add_sphere(0.1, 1), lambda: repr(world),
            lambda: world.remove_object(body), lambda: world.contacts, lambda: world.spec(),
            lambda: world.add_articulated_system(STRIDER), lambda: copy.copy(world),
            lambda: world.attach(robot)]
    with stepped_by_another_thread(world):
        for ask in asks:
            with pytest.raises(RuntimeError, match="another thread is stepping this World"):
                ask()
    assert world.time == world.time_step and body.position[0] == 3 and world.object_count == 3


def test_another_world_steps_meanwhile():
    world, other = crowd(1), crowd(1)
    world.system(0).base_position = [0, 0, 0.3]
    with stepped_by_another_thread(world):
        other.step(10)
        assert other.time == pytest.approx(0.01)


def test_different_worlds_step_at_once():
    worlds, alone = [crowd(3) for _ in range(4)], crowd(3)
    threads = [threading.Thread(target=world.step, args=(150,)) for world in worlds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone.step(150)
    assert {world.state_hash for world in worlds} == {alone.state_hash}


def test_the_thread_that_steps_may_ask():
    world = espalier.World()
    world.add_ground()
    ball = world.add_sphere(0.1, 1)
    ball.position = [0, 0, 0.1]
    heights = []

    def keep(contact, material):
        heights.append(ball.position[2])
        with pytest.raises(ValueError):
            world.step()
        with pytest.raises(ValueError):
            world.add_sphere(1, 1)
        return True

    world.set_contact_callback(keep)
    world.step(3)
    assert len(heights) >= 3 and np.allclose(heights, 0.1, atol=1e-3)


def test_removed_objects_raise():
    world = espalier.World()
    robot = world.add_articulated_system(STRIDER)
    joint, link = robot.joint(robot.frames[1].name), robot.link("base")
    frame, shape, visual = robot.frames[1], robot.collision_bodies[0], robot.vis_col_ob[0]
    contacts = robot.contacts()
    world.remove_object(robot)
    gone = [lambda: robot.q, lambda: robot.name, lambda: robot.mass_matrix, lambda: joint.name,
            lambda: link.position, lambda: frame.name, lambda: shape.material, lambda: visual.name,
            lambda: world.remove_object(robot), lambda: world.attach(robot),
            lambda: setattr(frame, "position", [0, 0, 0]), lambda: robot.frame_position(frame)]
    for ask in gone:
        with pytest.raises(RuntimeError, match="removed from its World"):
            ask()
    assert "removed" in repr(robot) and contacts == [] and world.object_count == 0


def test_a_new_object_is_never_an_old_handle():
    world = espalier.World()
    old = [world.add_sphere(0.1, 1) for _ in range(50)]
    for ball in old:
        world.remove_object(ball)
    new = [world.add_sphere(0.1, 1) for _ in range(50)]  # some at the old ones' addresses
    assert not set(map(id, old)) & set(map(id, new))
    for ball in old:
        with pytest.raises(RuntimeError):
            ball.position
    assert all(world.object(i) is ball for i, ball in enumerate(new))


def test_objects_keep_their_world():
    robot = espalier.World().add_articulated_system(STRIDER)
    joint = robot.joint(robot.frames[1].name)
    gc.collect()
    assert robot.q.size == robot.generalized_coordinate_dim
    del robot
    gc.collect()
    assert joint.name


def test_a_world_that_its_callback_refers_to_is_collected():
    class Probe:
        pass

    import weakref
    probe = Probe()
    gone = weakref.ref(probe)
    world = espalier.World()
    ball = world.add_sphere(0.1, 1)
    world.set_contact_callback(lambda contact, material, _=(world, ball, probe): True)
    del world, ball, probe
    gc.collect()
    assert gone() is None


def test_objects_of_other_worlds_are_refused():
    one, other = espalier.World(), espalier.World()
    ball, box = one.add_sphere(0.1, 1), other.add_box(1, 1, 1, 1)
    for ask in (lambda: one.remove_object(box), lambda: one.attach(ball, box)):
        with pytest.raises(ValueError):
            ask()
    assert box.position.size == 3


def test_ctrl_c_ends_many_steps():
    import _thread
    import time
    world = crowd(2)
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        world.step(100_000_000)
    assert time.monotonic() - begin < 20 and world.time > 0


class Broken(espalier.World):
    def __init__(self):
        pass  # forgets super().__init__()


@pytest.mark.filterwarnings("ignore:nanobind")
def test_objects_that_were_never_made_raise():
    world = espalier.World()
    robot = world.add_articulated_system(STRIDER)
    kinds = (espalier.World, espalier.ArticulatedSystem, espalier.Sphere, espalier.CoordinateFrame,
             espalier.JointRef, espalier.CollisionBody, espalier.StepReport)
    for thing in (*(kind.__new__(kind) for kind in kinds), Broken(), 3, None, "text"):
        for ask in (lambda: espalier.World.__repr__(thing), lambda: espalier.Object.__repr__(thing),
                    lambda: espalier.ArticulatedSystem.__repr__(thing),
                    lambda: espalier.World.ray_test(thing, [0, 0, 0], [0, 0, 1], 1),
                    lambda: espalier.World.step(thing), lambda: thing.time, lambda: thing.q,
                    lambda: world.remove_object(thing),
                    lambda: espalier.World.rays_of_last_step.fget(thing),
                    lambda: espalier.copy_world(thing), lambda: thing.name,
                    lambda: thing.integrate()):
            with pytest.raises((TypeError, AttributeError)):
                ask()
        if not isinstance(thing, (int, str)):
            with pytest.raises(TypeError):
                robot.frame_position(thing)
    assert world.object_count == 1
