"""Actions as targets of the motors' PD controllers, around a pose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Ids, Real

if TYPE_CHECKING:
    from .. import Batch

__all__ = ["MotorTargets"]


class MotorTargets:
    """target = pose + scale action, torque = kp (target - q) - kd u, acting implicitly.

    The motors are the last dofs of the robot, one coordinate and one rate each; what precedes them, a
    floating base, has no gains.

    pose   [a] rad
    scale  rad for an action of 1
    kp     N m/rad; one number for all or one a motor
    kd     N m s/rad, likewise
    """

    def __init__(self, batch: Batch, pose: ArrayLike, scale: float, kp: ArrayLike, kd: ArrayLike) -> None:
        self.pose = np.asarray(pose, float)
        self.scale = scale
        self.nominal_kp = np.broadcast_to(kp, self.pose.shape)[:, None]
        self.nominal_kd = np.broadcast_to(kd, self.pose.shape)[:, None]
        motors = len(self.pose)
        self.q = batch.bind("q").T[-motors:]  # [a, n], live
        self.u = batch.bind("u").T[-motors:]
        self._kp = batch.bind("kp").T
        self._kd = batch.bind("kd").T
        self._target = batch.bind("target_q").T[-motors:]
        self._upper = batch.bind("torque_upper").T[-motors:]
        self._lower = batch.bind("torque_lower").T[-motors:]
        self._rest = self.pose.astype(self.q.dtype)[:, None]
        self._motors = motors

    def reset(self, ids: Ids, strength: ArrayLike = 1.0) -> None:
        """Aims at the pose again, with gains times strength: a number, or one of each of ids."""
        self._kp[:, ids] = 0
        self._kd[:, ids] = 0
        self._kp[-self._motors:, ids] = self.nominal_kp * np.asarray(strength)
        self._kd[-self._motors:, ids] = self.nominal_kd * np.asarray(strength)
        self._target[:, ids] = self._rest

    def act(self, actions: Real) -> None:
        """actions: [a, n]"""
        np.multiply(actions, self.scale, out=self._target)
        self._target += self._rest

    def offsets(self, ids: Ids | None = None) -> Real:
        """[a, n] q - pose, of these worlds or of all"""
        offsets: Real = (self.q if ids is None else self.q[:, ids]) - self._rest
        return offsets

    def torque(self) -> Real:
        """[a, n] N m that the motors command at the present state, within their bounds."""
        torque = self._kp[-self._motors:] * (self._target - self.q)
        torque -= self._kd[-self._motors:] * self.u
        np.maximum(torque, self._lower, out=torque)  # three times as fast as clip()
        bounded: Real = np.minimum(torque, self._upper, out=torque)
        return bounded
