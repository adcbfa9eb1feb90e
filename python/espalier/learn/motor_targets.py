"""Actions as targets of the motors' PD controllers, around a pose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Ids, Real

if TYPE_CHECKING:
    from .. import Batch

__all__ = ["MotorTargets"]


class MotorTargets:
    """target = pose + scale action, torque = kp (target - q) - kd u, acting implicitly.

    Motors have one coordinate and one rate each.

    pose    [a] rad
    scale   rad for an action of 1
    kp      N m/rad; one number for all or one a motor
    kd      N m s/rad, likewise
    joints  names of the motors' joints; by default they are the last dofs of the robot
    """

    def __init__(self, batch: Batch, pose: ArrayLike, scale: float, kp: ArrayLike, kd: ArrayLike,
                 joints: Sequence[str] | None = None) -> None:
        self.pose = np.asarray(pose, float)
        self.scale = scale
        self.nominal_kp = np.broadcast_to(kp, self.pose.shape)[:, None]
        self.nominal_kd = np.broadcast_to(kd, self.pose.shape)[:, None]
        self._q = batch.bind("q").T
        self._u = batch.bind("u").T
        self._kp = batch.bind("kp").T
        self._kd = batch.bind("kd").T
        self._target = batch.bind("target_q").T
        self._upper = batch.bind("torque_upper").T
        self._lower = batch.bind("torque_lower").T
        self._rest = self.pose.astype(self._q.dtype)[:, None]
        # Rows of q and of u: slices where the motors come last, so that q and u are views.
        motors = len(self.pose)
        self._coordinates: slice | list[int] = slice(-motors, None)
        self._dofs: slice | list[int] = slice(-motors, None)
        if joints is not None:
            names = batch.observe(["u"]).names
            self._dofs = [names.index(f"u/{joint}") for joint in joints]
            names = batch.observe(["q"]).names
            self._coordinates = [names.index(f"q/{joint}") for joint in joints]

    @property
    def q(self) -> Real:
        """[a, n] rad; live where no joints were named, else a copy."""
        q: Real = self._q[self._coordinates]
        return q

    @property
    def u(self) -> Real:
        """[a, n] rad/s, likewise."""
        u: Real = self._u[self._dofs]
        return u

    def reset(self, ids: Ids, strength: ArrayLike = 1.0) -> None:
        """Aims at the pose again, with gains times strength: a number, or one of each of ids. What has no motor
        keeps the gains and the target that the batch was made with."""
        for of, rows, values in ((self._kp, self._dofs, self.nominal_kp * np.asarray(strength)),
                                 (self._kd, self._dofs, self.nominal_kd * np.asarray(strength)),
                                 (self._target, self._coordinates, self._rest)):
            chosen = of[:, ids]
            chosen[rows] = values
            of[:, ids] = chosen

    def act(self, actions: Real) -> None:
        """actions: [a, n]"""
        self._target[self._coordinates] = actions * self.scale + self._rest

    def offsets(self, ids: Ids | None = None) -> Real:
        """[a, n] q - pose, of these worlds or of all"""
        offsets: Real = (self.q if ids is None else self.q[:, ids]) - self._rest
        return offsets

    def torque(self) -> Real:
        """[a, n] N m that the motors command at the present state, within their bounds."""
        dofs = self._dofs
        torque = self._kp[dofs] * (self._target[self._coordinates] - self.q)
        torque -= self._kd[dofs] * self.u
        np.maximum(torque, self._lower[dofs], out=torque)  # three times as fast as clip()
        bounded: Real = np.minimum(torque, self._upper[dofs], out=torque)
        return bounded
