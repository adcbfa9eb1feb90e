"""Terms of the rewards of walking, [n] each, that do not depend on the robot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Real

if TYPE_CHECKING:
    from .walk_task import WalkTask

__all__ = ["action_rate", "joint_acceleration", "roll_pitch_rate", "tilt", "torque", "velocity",
           "vertical_velocity", "yaw_rate"]


def velocity(task: WalkTask) -> Real:
    """How well vx and vy are those commanded: 1 at best. Two thirds fall to 1/e at an error of 0.5 m/s,
    which shows the way from afar; one third at 0.2 m/s, so that nearly right is not good enough."""
    error = task.motion.velocity[:2] - task.commands.values[:2]
    square = (error * error).sum(axis=0)
    value: Real = (2 * np.exp(-4 * square) + np.exp(-25 * square)) / 3
    return value


def yaw_rate(task: WalkTask) -> Real:
    """The same of the rate of turning, 1/e at 0.5 rad/s."""
    error = task.motion.rate[2] - task.commands.values[2]
    value: Real = np.exp(-4 * error * error)
    return value


def vertical_velocity(task: WalkTask) -> Real:
    value: Real = task.motion.velocity[2] ** 2
    return value


def roll_pitch_rate(task: WalkTask) -> Real:
    value: Real = task.motion.rate[0] ** 2 + task.motion.rate[1] ** 2
    return value


def tilt(task: WalkTask) -> Real:
    value: Real = task.motion.up[0] ** 2 + task.motion.up[1] ** 2
    return value


def torque(task: WalkTask) -> Real:
    return task.torque


def joint_acceleration(task: WalkTask) -> Real:
    return task.acceleration


def action_rate(task: WalkTask) -> Real:
    return task.action_change
