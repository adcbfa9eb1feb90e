"""The rewards of StriderWalk: terms [n], each with its weight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..arrays import Ids, Real

if TYPE_CHECKING:
    from .strider_walk import StriderWalk

__all__ = ["TERMS", "Rewards", "Weights"]


@dataclass(frozen=True)
class Weights:
    """Of the terms in a second; the names are those of TERMS."""

    velocity: float = 1.5
    yaw_rate: float = 0.75
    vertical_velocity: float = -1.0
    roll_pitch_rate: float = -0.03
    tilt: float = -1.0
    torque: float = -2e-5
    joint_acceleration: float = -1e-7
    action_rate: float = -0.01
    leg_contact: float = -0.5
    air_time: float = 0.5
    flight: float = -0.5
    posture: float = -0.05


def velocity(task: StriderWalk) -> Real:
    """How well vx and vy are those commanded: 1 at best. Two thirds fall to 1/e at an error of 0.5 m/s,
    which shows the way from afar; one third at 0.2 m/s, so that nearly right is not good enough."""
    error = task.motion.velocity[:2] - task.commands.values[:2]
    square = (error * error).sum(axis=0)
    value: Real = (2 * np.exp(-4 * square) + np.exp(-25 * square)) / 3
    return value


def yaw_rate(task: StriderWalk) -> Real:
    """The same of the rate of turning, 1/e at 0.5 rad/s."""
    error = task.motion.rate[2] - task.commands.values[2]
    value: Real = np.exp(-4 * error * error)
    return value


def vertical_velocity(task: StriderWalk) -> Real:
    value: Real = task.motion.velocity[2] ** 2
    return value


def roll_pitch_rate(task: StriderWalk) -> Real:
    value: Real = task.motion.rate[0] ** 2 + task.motion.rate[1] ** 2
    return value


def tilt(task: StriderWalk) -> Real:
    value: Real = task.motion.up[0] ** 2 + task.motion.up[1] ** 2
    return value


def torque(task: StriderWalk) -> Real:
    return task.torque


def joint_acceleration(task: StriderWalk) -> Real:
    return task.acceleration


def action_rate(task: StriderWalk) -> Real:
    return task.action_change


def leg_contact(task: StriderWalk) -> Real:
    """How many thighs touch something."""
    value: Real = task.touches(task.thighs).sum(axis=0, dtype=np.float32)
    return value


def air_time(task: StriderWalk) -> Real:
    """For every foot that lands, how long it was up, s, between 0.1 and 0.4 s; nothing where it is to
    stand. Never negative: at first feet chatter, and a fee on that would outweigh all other terms."""
    landed = task.feet.landed * np.clip(task.feet.last_air_time - 0.1, 0, 0.3)
    value: Real = landed.sum(axis=0) * (task.commands.speed > 0) / task.options.control_step
    return value


def flight(task: StriderWalk) -> Real:
    """Whether less than two feet are on the ground: it is to walk or trot, not to jump."""
    value: Real = (task.feet.touching.sum(axis=0) < 2).astype(np.float32)
    return value


def posture(task: StriderWalk) -> Real:
    """Joints away from the nominal pose, four times as much where it is to stand."""
    value: Real = task.offset * np.where(task.commands.speed > 0, np.float32(1), np.float32(4))
    return value


TERMS: dict[str, Callable[[StriderWalk], Real]] = {
    term.__name__: term
    for term in (velocity, yaw_rate, vertical_velocity, roll_pitch_rate, tilt, torque,
                 joint_acceleration, action_rate, leg_contact, air_time, flight, posture)
}
assert list(TERMS) == [field.name for field in fields(Weights)]


class Rewards:
    """The weighted sum of the terms, and what each added up to in an episode.

    sums  [n] of each term since the world's reset
    """

    world_arrays: ClassVar[tuple[str, ...]] = ("_sums",)

    def __init__(self, n: int, weights: Weights) -> None:
        self.weights = {name: getattr(weights, name) for name in TERMS}
        self._sums = np.zeros((len(self.used()), n), np.float32)
        self._weights = np.array([[self.weights[name]] for name in self.used()], np.float32)
        self.sums = dict(zip(self.used(), self._sums, strict=True))

    def used(self) -> list[str]:
        """Terms whose weight is not zero; the others are not computed."""
        return [name for name, weight in self.weights.items() if weight != 0]

    def compute(self, task: StriderWalk) -> Real:
        """[n], of one control step. Never negative, so that falling early is no way out."""
        terms = np.empty_like(self._sums)
        for row, name in zip(terms, self.sums, strict=True):
            row[...] = TERMS[name](task)
        terms *= task.options.control_step * self._weights
        self._sums += terms
        total: Real = np.maximum(terms.sum(axis=0), 0)
        return total

    def clear(self, ids: Ids) -> None:
        for sums in self.sums.values():
            sums[ids] = 0
