"""What tasks are made of: commands, pushes, feet."""
import numpy as np
import pytest

from espalier.learn import WorldRandom
from espalier.learn.commands import CommandOptions, VelocityCommands
from espalier.learn.feet import Feet
from espalier.learn.pushes import Pushes, PushOptions

N = 500
EVERY = np.arange(N)


class Wrenches:
    """The part of a batch that Pushes uses."""

    def __init__(self, n):
        self.size = n
        self.values = np.zeros((12, n))

    def bind(self, name):
        assert name == "wrench"
        return self.values.T


def test_commands_fill_their_ranges():
    commands = VelocityCommands(N, CommandOptions(vx=(0.5, 1), vy=(-0.2, 0), yaw_rate=(-1, 2)), 0.02)
    commands.draw(EVERY, WorldRandom(N, 0))
    low, high = commands.values.min(axis=1), commands.values.max(axis=1)
    assert low == pytest.approx([0.5, -0.2, -1], abs=0.05) and high == pytest.approx([1, 0, 2], abs=0.05)
    assert commands.speed == pytest.approx(np.linalg.norm(commands.values[:2], axis=0))


def test_slow_commands_become_standing_still():
    commands = VelocityCommands(N, CommandOptions(least=0.3), 0.02)
    commands.draw(EVERY, WorldRandom(N, 0))
    still = commands.speed == 0
    assert 0.02 < still.mean() < 0.3 and commands.speed[~still].min() >= 0.3
    assert (commands.values[2, still] == 0).all()


def test_commands_change_when_it_is_time():
    commands = VelocityCommands(4, CommandOptions(seconds=1), 0.02)
    random = WorldRandom(4, 0)
    commands.draw(np.arange(4), random)
    before = commands.values.copy()
    commands.draw_due(np.array([0, 1, 3]), np.array([50, 49, 50, 100]), random)
    changed = (commands.values != before).any(axis=0)
    assert changed.tolist() == [True, False, False, True]  # world 2 is not among those asked for


def test_a_range_is_no_range_backwards():
    with pytest.raises(ValueError, match="vy = .* ends before it begins"):
        CommandOptions(vy=(1, -1))


def test_pushes_last_one_action():
    batch, random = Wrenches(N), WorldRandom(N, 0)
    pushes = Pushes(batch, PushOptions(impulse=6, seconds=0.2), control_step=0.02)
    pushes.reset(EVERY, random)
    pushed = np.zeros((10, N), bool)
    for k in range(10):
        pushes.after_step(EVERY, np.full(N, k), random)
        pushed[k] = (batch.values != 0).any(axis=0)
    assert (pushed.sum(axis=0) == 1).all()  # once in ten actions
    assert pushed.any(axis=1).all()  # not all at once
    assert 250 < np.abs(batch.values[:2]).max() <= 300  # 6 N s in 0.02 s
    assert (batch.values[2:] == 0).all()


def test_a_reset_ends_a_push():
    batch, random = Wrenches(2), WorldRandom(2, 0)
    pushes = Pushes(batch, PushOptions(seconds=0.02), control_step=0.02)
    pushes.after_step(np.arange(2), np.zeros(2, int), random)
    assert batch.values[:2].all()
    pushes.reset(np.array([1]), random)
    assert batch.values[:2, 0].all() and not batch.values[:, 1].any()


def test_no_pushes():
    batch, random = Wrenches(2), WorldRandom(2, 0)
    pushes = Pushes(batch, PushOptions(impulse=0, seconds=0.02), 0.02)
    pushes.after_step(np.arange(2), np.zeros(2, int), random)
    assert not batch.values.any()


def test_feet_tell_how_long_they_flew():
    feet = Feet(2, 1)
    feet.reset(np.array([0]))
    for touching in ([1, 1], [0, 1], [0, 1], [1, 1], [1, 0]):
        feet.update(np.array(touching, bool)[:, None], 0.1)
        if touching == [1, 1] and feet.landed.any():
            assert feet.landed[:, 0].tolist() == [True, False]
            assert feet.last_air_time[:, 0] == pytest.approx([0.2, 0])
    assert not feet.landed.any() and feet.air_time[:, 0] == pytest.approx([0, 0.1])
