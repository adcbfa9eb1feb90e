"""How well a policy walks: many striders, one commanded velocity, one episode each."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..commands import CommandOptions
from ..policy import Policy
from .strider_walk import StriderWalk, StriderWalkOptions

__all__ = ["Trial", "walk_options", "walk_trial"]


class Trial(NamedTuple):
    """What became of the worlds.

    worlds   how many there were
    fell     how many fell
    speed    [worlds] m/s, mean velocity along the base's x axis until the end, or the fall
    level    [worlds] of the terrain's tile on which it began; 0 on a plane
    """

    worlds: int
    fell: int
    speed: np.ndarray[tuple[int], np.dtype[np.float64]]
    level: np.ndarray[tuple[int], np.dtype[np.int64]]


def walk_options(options: StriderWalkOptions, speed: float) -> StriderWalkOptions:
    """The same, but straight ahead at one speed, m/s, for good."""
    ahead = CommandOptions(vx=(speed, speed), vy=(0, 0), yaw_rate=(0, 0), least=0, seconds=1e6)
    return replace(options, commands=ahead)


def walk_trial(policy: Policy, options: StriderWalkOptions, *, speed: float = 1.0,
               seconds: float = 10.0, worlds: int = 256, seed: int = 1000) -> Trial:
    """Lets them walk straight ahead for some seconds, all else as in the options: pushes, loads,
    friction. Who leaves the terrain has walked until there."""
    task = StriderWalk(worlds, walk_options(options, speed))
    observation = task.begin(seed)
    level = task.curriculum.level.copy()
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
    return Trial(worlds, int(fell.sum()), way / (steps * options.control_step), level)
