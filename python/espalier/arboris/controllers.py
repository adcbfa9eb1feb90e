"""Controllers of arboris."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import FreeJoint, sim
from .. import JointObject as Joint
from .parts import Controller

if TYPE_CHECKING:
    from .core import World

Array = NDArray[np.float64]

__all__ = ["ProportionalDerivativeController", "WeightController"]


class WeightController(Controller):
    """Weight, of gravity (m/s^2) along the World's up."""

    def __init__(self, gravity: float = -9.81, name: str | None = None) -> None:
        super().__init__(name)
        self.gravity = float(gravity)

    def _made(self, world: World) -> sim.Controller:
        if world._world is not None:  # what EnergyMonitor takes
            world._world.gravity = self.gravity * world.up
        return sim.WeightController(self.gravity * world.up)


class ProportionalDerivativeController(Controller):
    """PD on the dofs of some joints: kp and kd (n, n), targets gpos_des and gvel_des (n,), all zero
    where they are left out. None of the joints is a FreeJoint."""

    def __init__(
        self,
        joints: Sequence[Joint],
        kp: ArrayLike | None = None,
        kd: ArrayLike | None = None,
        gpos_des: ArrayLike | None = None,
        gvel_des: ArrayLike | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(name)
        self.joints = [joints] if isinstance(joints, Joint) else list(joints)
        if any(isinstance(joint, FreeJoint) for joint in self.joints):
            raise ValueError("a FreeJoint has no coordinate for each dof")
        n = sum(joint.ndof for joint in self.joints)

        def of(value: ArrayLike | None, *shape: int) -> Array:
            array = np.zeros(shape) if value is None else np.array(value, float)
            if array.shape != shape:
                raise ValueError(f"expected shape {shape} for {n} dofs, got {array.shape}")
            array.flags.writeable = False  # assign another one, so that it is seen
            return array

        self._of, self._n = of, n
        self._pd: sim.ProportionalDerivativeController | None = None
        self._kp, self._kd = of(kp, n, n), of(kd, n, n)
        self._gpos_des, self._gvel_des = of(gpos_des, n), of(gvel_des, n)

    def _tell(self) -> None:
        if self._pd is not None:
            self._pd.set_gains(self._kp, self._kd)
            self._pd.set_target(self._gpos_des, self._gvel_des)

    @property
    def kp(self) -> Array:
        """(n, n)"""
        return self._kp

    @kp.setter
    def kp(self, value: ArrayLike) -> None:
        self._kp = self._of(value, self._n, self._n)
        self._tell()

    @property
    def kd(self) -> Array:
        """(n, n)"""
        return self._kd

    @kd.setter
    def kd(self, value: ArrayLike) -> None:
        self._kd = self._of(value, self._n, self._n)
        self._tell()

    @property
    def gpos_des(self) -> Array:
        """(n,)"""
        return self._gpos_des

    @gpos_des.setter
    def gpos_des(self, value: ArrayLike) -> None:
        self._gpos_des = self._of(value, self._n)
        self._tell()

    @property
    def gvel_des(self) -> Array:
        """(n,)"""
        return self._gvel_des

    @gvel_des.setter
    def gvel_des(self, value: ArrayLike) -> None:
        self._gvel_des = self._of(value, self._n)
        self._tell()

    def _made(self, world: World) -> sim.Controller:
        self._pd = sim.ProportionalDerivativeController(
            world._names(self.joints), self._kp, self._kd
        )
        self._tell()
        return self._pd
