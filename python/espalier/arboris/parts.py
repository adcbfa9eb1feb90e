"""What takes part in a World's steps: controllers, constraints and observers.

Classes of the engine are made by _made(); those of scripts are shown to the engine by adapters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import sim

if TYPE_CHECKING:
    from .core import World

Array = NDArray[np.float64]


class Part:
    """What register() takes and a step asks."""

    name: str | None = None

    def _made(self, world: World) -> sim.Controller | sim.Constraint:
        raise NotImplementedError


class Controller(Part):
    """A part of actuation: gforce = gforce0 + Z nu', where nu' is the velocity after the step.

    Derive from it, and write update(dt), which returns (gforce0 (n,), Z (n, n)); init(world), where
    it is needed, is called before the first step.
    """

    def __init__(self, name: str | None = None) -> None:
        self.name = name

    def init(self, world: World) -> None:
        pass

    def update(self, dt: float) -> tuple[Array, Array]:
        raise NotImplementedError(f"{type(self).__name__} has no update(dt)")

    def _made(self, world: World) -> sim.Controller:
        return _ControllerOf(self, world)


class _ControllerOf(sim.Controller):
    def __init__(self, controller: Controller, world: World) -> None:
        super().__init__()
        self._controller, self._world = controller, world

    def init(self, simulation: sim.Simulation) -> None:
        self._controller.init(self._world)

    def update(self, dt: float, t: float) -> Any:
        return self._controller.update(dt)


class Constraint(Part):
    """A constraint in a few directions of its own, with the velocities jacobian @ nu.

    Derive from it, and write ndol, jacobian (ndol, n), update(dt), is_active() and
    solve(vel, admittance, dt), which returns the change of force (ndol,); that is then made.
    """

    ndol: int

    def __init__(self, name: str | None = None) -> None:
        self.name = name
        self._enabled = True
        self._constraint: sim.Constraint | None = None

    def init(self, world: World) -> None:
        pass

    def update(self, dt: float) -> None:
        raise NotImplementedError(f"{type(self).__name__} has no update(dt)")

    def is_active(self) -> bool:
        return True

    @property
    def jacobian(self) -> Array:
        raise NotImplementedError(f"{type(self).__name__} has no jacobian")

    def solve(self, vel: Array, admittance: Array, dt: float) -> Array:
        raise NotImplementedError(f"{type(self).__name__} has no solve(vel, admittance, dt)")

    def enable(self) -> None:
        self._enabled = True
        if self._constraint is not None:
            self._constraint.enable()

    def disable(self) -> None:
        self._enabled = False
        if self._constraint is not None:
            self._constraint.disable()

    def is_enabled(self) -> bool:
        return self._enabled

    @property
    def force(self) -> Array:
        """Of the last step (ndol,)."""
        if self._constraint is None:
            raise RuntimeError("the World's init() comes first")
        return self._constraint.force

    def _new(self, world: World) -> sim.Constraint:
        return _ConstraintOf(self, world)

    def _made(self, world: World) -> sim.Constraint:
        self._constraint = self._new(world)
        if not self._enabled:
            self._constraint.disable()
        return self._constraint


class _ConstraintOf(sim.Constraint):
    def __init__(self, constraint: Constraint, world: World) -> None:
        super().__init__(constraint.name or "")
        self._constraint, self._world = constraint, world

    @property
    def ndol(self) -> int:
        return int(self._constraint.ndol)

    def init(self, simulation: sim.Simulation) -> None:
        self._constraint.init(self._world)

    def update(self, dt: float) -> None:
        self._constraint.update(dt)
        self.is_active = self._constraint.is_active()

    def rows(self) -> Array:
        return self._constraint.jacobian

    def solve(self, vel: Array, admittance: Array, dt: float) -> Array:
        return self._constraint.solve(vel, admittance, dt)


class Observer:
    """Looks on while simulate() runs. Derive from it, and write update(dt)."""

    def init(self, world: World, timeline: Array) -> None:
        pass

    def update(self, dt: float) -> None:
        raise NotImplementedError(f"{type(self).__name__} has no update(dt)")

    def finish(self) -> None:
        pass

    def _made(self, world: World) -> sim.Observer:
        return _ObserverOf(self, world)


class _ObserverOf(sim.Observer):
    def __init__(self, observer: Observer, world: World) -> None:
        super().__init__()
        self._observer, self._world = observer, world

    def init(self, simulation: sim.Simulation, timeline: Array) -> None:
        self._observer.init(self._world, timeline)

    def update(self, dt: float) -> None:
        self._observer.update(dt)

    def finish(self) -> None:
        self._observer.finish()
