"""The rewards of CassieWalk and BipedWalk: terms [n], each with its weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Real
from ..weighted_rewards import named_terms
from . import walk_terms

if TYPE_CHECKING:
    from .clocked_walk import ClockedWalk

__all__ = ["TERMS", "Weights"]


@dataclass(frozen=True)
class Weights:
    """Of the terms in a second; the names are those of TERMS."""

    velocity: float = 1.5
    yaw_rate: float = 0.5
    stepping: float = 1.0
    clearance: float = 1.0
    vertical_velocity: float = -0.5
    roll_pitch_rate: float = -0.05
    tilt: float = -2.0
    height: float = -5.0
    foot_tilt: float = -0.5
    slip: float = -0.2
    hips: float = -0.5
    torque: float = -1e-5
    joint_acceleration: float = -1e-7
    action_rate: float = -0.02


def stepping(task: ClockedWalk) -> Real:
    """Agreement of the contacts with the clock, summed over the feet. In its swing phase a foot counts 1 in the air
    and -1 on the ground; in its stance phase 0 on the ground and -1 in the air. Standing still is negative."""
    swinging, touching = task.swinging(), task.touching()
    value: Real = np.where(swinging, np.where(touching, -1, 1), np.where(touching, 0, -1)).sum(axis=0)
    return value


def clearance(task: ClockedWalk) -> Real:
    """Height of the swing foot against the height that the clock gives: 1 at best, 1/e at an error of 3 cm."""
    error = (task.foot_height - task.swing_height()) / 0.03
    value: Real = (task.swinging() * np.exp(-error * error)).sum(axis=0)
    return value


def height(task: ClockedWalk) -> Real:
    """Square of how far the pelvis is from the height of the nominal pose, m^2."""
    away = task.motion.position[2] - task.nominal[2]
    value: Real = away * away
    return value


def foot_tilt(task: ClockedWalk) -> Real:
    """Soles that are not level: squares of the sines of their angles."""
    value: Real = (task.foot_gravity * task.foot_gravity).sum(axis=0)
    return value


def slip(task: ClockedWalk) -> Real:
    """Squares of the horizontal speeds of the feet that touch the ground."""
    value: Real = (task.touching() * task.foot_speed).sum(axis=0)
    return value


def hips(task: ClockedWalk) -> Real:
    """Squares of the angles of rolled and turned hips."""
    return task.hip_squares


TERMS = named_terms(
    Weights,
    walk_terms.velocity, walk_terms.yaw_rate, stepping, clearance, walk_terms.vertical_velocity,
    walk_terms.roll_pitch_rate, walk_terms.tilt, height, foot_tilt, slip, hips, walk_terms.torque,
    walk_terms.joint_acceleration, walk_terms.action_rate)
