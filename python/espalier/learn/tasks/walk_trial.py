"""How well a policy walks: many robots, one commanded velocity, one episode each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..commands import CommandOptions
from ..policy import Policy
from .walk_task import WalkOptions, WalkTask

__all__ = ["Trial", "walk_options", "walk_trial"]

O = TypeVar("O", bound=WalkOptions)


class Trial(NamedTuple):
    """What became of the worlds.

    worlds    how many there were
    fell      [worlds] which fell
    speed     [worlds] m/s, mean velocity along the base's x axis until the end, or the fall
    distance  [worlds] m, way along the base's x axis until then
    """

    worlds: int
    fell: NDArray[np.bool_]
    speed: NDArray[np.float64]
    distance: NDArray[np.float64]


def walk_options(options: O, speed: float) -> O:
    """The same, but straight ahead at one speed, m/s, for good."""
    ahead = CommandOptions(vx=(speed, speed), vy=(0, 0), yaw_rate=(0, 0), least=0, seconds=1e6)
    return replace(options, commands=ahead)


def walk_trial(kind: Callable[[int, O], WalkTask], policy: Policy, options: O, *, speed: float = 1.0,
               seconds: float = 10.0, worlds: int = 256, seed: int = 1000) -> Trial:
    """Lets robots of a task (its class and options) walk straight ahead for some seconds, all else as in the
    options: pushes, loads, friction. Who leaves the terrain has walked until there."""
    task = kind(worlds, walk_options(options, speed))
    observation = task.begin(seed)
    walking = np.ones(worlds, np.bool_)
    fell = np.zeros(worlds, np.bool_)
    way, steps = np.zeros(worlds), np.zeros(worlds, np.int64)
    for _ in range(round(seconds / options.control_step)):
        transition = task.step(policy.act(observation))
        observation = transition.observation
        way += walking * task.motion.velocity[0] * options.control_step
        steps += walking
        fell |= walking & transition.terminated
        walking &= ~(transition.terminated | transition.truncated)
        ended = np.flatnonzero(transition.terminated | transition.truncated)
        if ended.size:
            observation = observation.copy()
            observation[ended] = task.restart(ended)
    return Trial(worlds, fell, way / (steps * options.control_step), way)
