"""Bodies, frames on them and shapes at those, made before their World is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import sim

if TYPE_CHECKING:
    from .core import World

Array = NDArray[np.float64]
T = TypeVar("T")


class NamedObjectsList(list[T], Generic[T]):
    """A list whose members are found by name, too: bodies["Arm"]."""

    def __init__(self, members: Iterable[T] = ()) -> None:
        super().__init__(members)

    @overload  # type: ignore[override]
    def __getitem__(self, index: int | str) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> NamedObjectsList[T]: ...
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, str):
            found = self.find(index)
            if not found:
                raise KeyError(f"there is nothing named {index!r}")
            if len(found) > 1:
                raise KeyError(f"{len(found)} members are named {index!r}")
            return found[0]
        if isinstance(index, slice):
            return NamedObjectsList(super().__getitem__(index))
        return super().__getitem__(index)

    def find(self, name: str) -> NamedObjectsList[T]:
        """All members of that name."""
        return NamedObjectsList(m for m in self if getattr(m, "name", None) == name)

    def as_dict(self) -> dict[str, T]:
        """By name; members without one are left out."""
        return {m.name: m for m in self if getattr(m, "name", None)}  # type: ignore[attr-defined]


class Frame:
    """A frame on a body. What it is asked is answered once its World was init()ed.

    pose is H_gf (4, 4); twist (6,), jacobian and djacobian (6, n) are [angular, linear], of the
    frame over the ground, in its own axes at its origin.
    """

    body: Body
    name: str | None

    def _made(self, world: World) -> sim.Frame:
        raise NotImplementedError

    def _asked(self) -> sim.Frame:
        if self.body._world is None:
            raise RuntimeError("the frame's body is in no World")
        return self._made(self.body._world)

    @property
    def pose(self) -> Array:
        return self._asked().pose

    @property
    def twist(self) -> Array:
        return self._asked().twist

    @property
    def jacobian(self) -> Array:
        return self._asked().jacobian

    @property
    def djacobian(self) -> Array:
        return self._asked().djacobian

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"


class Body(Frame):
    """A rigid body; mass and viscosity (6, 6) about its frame, both zero by default."""

    def __init__(
        self,
        name: str | None = None,
        mass: ArrayLike | None = None,
        viscosity: ArrayLike | None = None,
    ) -> None:
        self.name = name
        self.body = self
        self.mass: Array = np.zeros((6, 6)) if mass is None else np.array(mass, float)
        self.viscosity: Array = (
            np.zeros((6, 6)) if viscosity is None else np.array(viscosity, float)
        )
        if self.mass.shape != (6, 6) or self.viscosity.shape != (6, 6):
            raise ValueError("mass and viscosity have shape (6, 6)")
        self._world: World | None = None
        self._link: sim.Body | None = None

    @property
    def bpose(self) -> Array:
        """Pose in the body: the identity."""
        return np.eye(4)

    def _made(self, world: World) -> sim.Frame:
        simulation = world._ready()
        if self is world.ground:
            return simulation.ground
        if self._world is not world or self._link is None:
            raise RuntimeError(f"the body {self.name!r} is no link of this World")
        return self._link


class SubFrame(Frame):
    """A frame fixed to a body at bpose (4, 4)."""

    def __init__(
        self, body: Frame, bpose: ArrayLike | None = None, name: str | None = None
    ) -> None:
        if isinstance(body, MovingSubFrame):
            raise ValueError("a frame hangs on a body, not on a moving frame")
        pose = np.eye(4) if bpose is None else np.array(bpose, float)
        if pose.shape != (4, 4):
            raise ValueError("bpose has shape (4, 4)")
        self.body = body.body
        self.name = name
        self._bpose: Array = pose if isinstance(body, Body) else cast(Any, body).bpose @ pose
        self._frame: sim.Frame | None = None

    @property
    def bpose(self) -> Array:
        """Pose in the body (4, 4)."""
        return self._bpose.copy()

    def _made(self, world: World) -> sim.Frame:
        frame = self._frame
        if frame is None or frame.simulation is not world._ready():
            frame = self._frame = sim.SubFrame(
                self.body._made(world), self._bpose, self.name or ""
            )
        return frame


class MovingSubFrame(SubFrame):
    """A frame moved against its body by who assigns its bpose."""

    @property
    def bpose(self) -> Array:
        """Pose in the body (4, 4)."""
        return self._bpose.copy()

    @bpose.setter
    def bpose(self, bpose: ArrayLike) -> None:
        self.set_bpose(bpose)

    def set_bpose(self, bpose: ArrayLike, btwist: ArrayLike | None = None) -> None:
        """The pose, and its twist (6,) over the body, in its own axes."""
        pose = np.array(bpose, float)
        if pose.shape != (4, 4):
            raise ValueError("bpose has shape (4, 4)")
        self._bpose = pose
        self._btwist: Array = np.zeros(6) if btwist is None else np.array(btwist, float)
        if self._frame is not None and self.body._world is not None:
            cast(sim.MovingSubFrame, self._made(self.body._world)).set_bpose(pose, self._btwist)

    def _made(self, world: World) -> sim.Frame:
        frame = self._frame
        if frame is None or frame.simulation is not world._ready():
            frame = sim.MovingSubFrame(self.body._made(world), self._bpose, self.name or "")
            frame.set_bpose(self._bpose, getattr(self, "_btwist", np.zeros(6)))
            self._frame = frame
        return frame


class Shape:
    """A shape that sits at a frame; shapes.py has them."""

    def __init__(self, frame: Frame, name: str | None = None) -> None:
        self.frame = frame
        self.name = name

    def _made(self, world: World) -> tuple[sim.Frame, Any]:
        """The frame where the engine's shape sits, and that shape."""
        raise NotImplementedError
