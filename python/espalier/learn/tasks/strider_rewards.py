"""The rewards of StriderWalk: terms [n], each with its weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Real
from ..weighted_rewards import named_terms
from . import walk_terms

if TYPE_CHECKING:
    from .strider_walk import StriderWalk

__all__ = ["TERMS", "Weights"]


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


TERMS = named_terms(
    Weights,
    walk_terms.velocity, walk_terms.yaw_rate, walk_terms.vertical_velocity, walk_terms.roll_pitch_rate,
    walk_terms.tilt, walk_terms.torque, walk_terms.joint_acceleration, walk_terms.action_rate, leg_contact,
    air_time, flight, posture)
