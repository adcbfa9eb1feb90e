"""BeestSteer: two cranks steer twelve legs of closed loops."""
import numpy as np

from espalier.learn import BeestSteer, BeestSteerOptions
from espalier.learn.rotations import yaw_of, yaw_quaternion
from espalier.learn.tasks.beest_steer import steer


def made(n, **options):
    return BeestSteer(n, BeestSteerOptions(threads=1, **options))


def test_a_policy_written_by_hand_does_the_task():
    task = made(8)
    observation = task.begin(1)
    assert observation.shape == (8, len(task.observation_names)) == (8, 19)
    away = np.abs(task.error())
    fell = np.zeros(8, bool)
    for _ in range(900):  # 18 s; new headings come after 20
        came = task.step(steer(observation))
        observation = came.observation
        fell |= came.terminated
    assert not fell.any()
    assert away.max() > 0.5 and np.abs(task.error()).max() < 0.2
    assert (task.motion.velocity[0] > 0.3).all()
    assert (came.reward > 0.8 * task.options.control_step).all()


def test_the_slower_crank_is_inside_of_the_curve():
    task = made(2)
    task.begin(0)
    before = yaw_of(task.motion.q[3:7])
    for _ in range(250):
        task.step([[0.8, 0.2], [0.2, 0.8]])  # right, left
    turned = (yaw_of(task.motion.q[3:7]) - before + np.pi) % (2 * np.pi) - np.pi
    assert turned[0] > 0.1 and turned[1] < -0.1


def test_headings_change_and_are_observed():
    task = made(3, seconds=0.1)
    observation = task.begin(4)
    place = task.observation_names.index("heading_sin")
    for _ in range(5):
        assert np.allclose(observation[:, place:place + 2].T, [np.sin(task.error()), np.cos(task.error())], atol=1e-6)
        before = task.heading.copy()
        observation = task.step(np.zeros((3, 2))).observation
    assert (task.heading != before).all()
    assert (np.abs(task.heading - before) <= task.options.turn).all()


def test_who_lies_on_its_side_has_fallen():
    task = made(2)
    task.begin(0)
    task.motion.q[3:7, 1] = np.cos(np.pi / 4), np.sin(np.pi / 4), 0, 0
    came = task.step(np.zeros((2, 2)))
    assert list(came.terminated) == [False, True]


def test_yaw_is_that_of_the_turn():
    yaw = np.array([-3.0, -0.2, 0.0, 1.7])
    assert np.allclose(yaw_of(yaw_quaternion(yaw)), yaw)
