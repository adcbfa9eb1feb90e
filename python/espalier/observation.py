"""Observations of the worlds of a Batch: a list of quantities, written into one array."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Union

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _espalier as _engine

if TYPE_CHECKING:
    from .batch import Batch

__all__ = ["Observer", "Quantity"]


class Quantity:
    """One entry of an observation. With y = scale (x - minus) + offset for each number x of it, a column is
    clip(y + noise); with a reduction there is one column, clip(reduction of all y + noise).

    name     columns for each of `of`

    q, u                    coordinates and rates of joints
    torque                  N m or N that motors command at the present state, within its limits
    frame_position          3, m, world
    frame_quaternion        4, w x y z with w >= 0, frame to world
    frame_rotation          9, R_WF row after row
    frame_velocity          3, m/s, of the frame's origin
    frame_angular_velocity  3, rad/s
    gravity                 3, unit vector along gravity, in the frame's axes
    heights                 one a point, m from the frame's origin up to the ground at points around it
    contact                 1 where the contact force on a body is larger than `threshold` (N), else 0
    contact_force           3, N
    array                   those of an array of the caller's, such as commands
    target_q, ...           everything else that Batch.bind() knows

    of         names of joints, or of one of their coordinates; of links and frames; of links for what is of
               bodies. By default all joints or bodies, and the base's frame.
    axes       "world" or "frame", of velocities and forces
    scale, offset  one number, or one a column
    clip       (low, high)
    array      [n, k], read at each observation: float32, float64, int32, int64 or bool
    minus      [n, k], likewise: as many columns as the quantity has numbers
    reduction  "squares": the sum of all y^2; "largest": the largest |y|; by default a column for each y
    points     [k, 2] m, for heights: x forward and y to the left of the frame, turned by its yaw alone
    label      in place of the name in the columns' names
    """

    def __init__(self, name: str = "array", of: Union[str, Iterable[str]] = (), *, axes: str = "world",
                 scale: ArrayLike = 1.0, offset: ArrayLike = 0.0,
                 clip: tuple[float, float] = (-np.inf, np.inf), array: NDArray[Any] | None = None,
                 minus: NDArray[Any] | None = None, reduction: str = "",
                 points: ArrayLike = (), threshold: float = 0.0, label: str = "") -> None:
        if axes not in ("world", "frame"):
            raise ValueError(f"axes is 'world' or 'frame', not {axes!r}")
        for given in (array, minus):
            if given is not None and (not isinstance(given, np.ndarray) or given.ndim != 2):
                raise ValueError("an observed array is a numpy array [n, k], because it is read each time")
            if given is not None and not given.dtype.isnative:
                raise ValueError(f"an observed array has the machine's order of bytes, not that of {given.dtype.str}")
        if reduction not in ("", "squares", "largest"):
            raise ValueError(f"reduction is 'squares' or 'largest', not {reduction!r}")
        self.name = name
        self.of = [of] if isinstance(of, str) else list(of)
        self.is_local = axes == "frame"
        self.scale = np.atleast_1d(np.asarray(scale, float))
        self.offset = np.atleast_1d(np.asarray(offset, float))
        self.low, self.high = map(float, clip)
        self.array = array
        self.minus = minus
        self.reduction = reduction
        self.points = [(float(x), float(y)) for x, y in np.asarray(points, float).reshape(-1, 2)]
        self.threshold = float(threshold)
        self.label = label


class Observer:
    """What Batch.observe() makes: each call observes the worlds at their present state.

        observer = batch.observe(["gravity", Quantity("u", scale=0.05)], history=3)
        observation = observer()             # [n, m], a new array
        observer(out=observation)            # the same memory again
        observer.reset(ids)                  # after batch.reset(ids)

    names  of the m columns: "u/LF_HAA", "gravity/base.x"; with "@-k" those of k observations before
    """

    def __init__(self, batch: Batch, quantities: Iterable[Quantity | str], *, history: int = 1,
                 delay: ArrayLike = 0, noise: ArrayLike = 0.0, dtype: DTypeLike = np.float32,
                 seed: int = 0, first_world: int = 0) -> None:
        """As Batch.observe()."""
        self.dtype = np.dtype(dtype)
        if self.dtype not in (np.float32, np.float64):
            raise ValueError(f"dtype is float32 or float64, not {self.dtype}")
        if seed < 0:
            raise ValueError(f"a seed is not negative, but {seed} is")
        if isinstance(quantities, (str, Quantity)):
            raise ValueError("quantities is a list")
        given = [Quantity(each) if isinstance(each, str) else each for each in quantities]
        delays = np.atleast_1d(np.asarray(delay))
        if not np.issubdtype(delays.dtype, np.integer):
            raise ValueError("delay is a whole number of observations")
        kind = _engine._ObserverDouble if batch.scalar == "double" else _engine._ObserverFloat
        self._batch = batch
        self._observer: Any = kind(batch._worlds, given, history, delays.tolist(),
                                   np.atleast_1d(np.asarray(noise, float)), seed, first_world)
        self._write = self._observer.observe if self.dtype == np.float32 else self._observer.observe_double
        self.names: list[str] = self._observer.names()

    def __call__(self, ids: ArrayLike | None = None, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Observations [n, m], or [len(ids), m] of these worlds, in out or in a new C-contiguous array.

        out has the observer's dtype and any strides. With history, delay or noise each call is one
        observation further for these worlds.
        """
        worlds = None if ids is None else self._batch._numbers(ids)
        shape = (self._batch.size if worlds is None else len(worlds), len(self.names))
        if out is None:
            out = np.empty(shape, self.dtype)
        elif out.shape != shape or out.dtype != self.dtype or not out.flags.writeable:
            raise ValueError(f"out is an array of {self.dtype} with the shape {shape} that can be written, "
                             f"not one of {out.dtype} with {out.shape}")
        self._write(out, worlds)
        return out

    def reset(self, ids: ArrayLike | None = None) -> None:
        """The next observation of these worlds, or of all, fills their whole history."""
        if ids is None:
            self._observer.reset()
        else:
            self._observer.reset_of(self._batch._numbers(ids))

    def restart(self, ids: ArrayLike | None = None) -> None:
        """As reset(), and the noise of these worlds, or of all, begins anew: the same observations follow as of
        a new observer."""
        self._observer.restart(self._worlds(ids))

    @property
    def memory_size(self) -> int:
        """Numbers of a world that its next observations depend on; 0 without history, delay and noise."""
        size: int = self._observer.memory_size()
        return size

    def memory(self, ids: ArrayLike | None = None) -> NDArray[np.float64]:
        """[memory_size, k] of these k worlds, or of all: what they have observed, how often, and their delay."""
        worlds = self._worlds(ids)
        memory = np.empty((self.memory_size, len(worlds)))
        for column, world in enumerate(worlds):
            memory[:, column] = self._observer.memory(world)
        return memory

    def set_memory(self, memory: NDArray[np.float64], ids: ArrayLike | None = None) -> None:
        """Writes what memory() gave into as many worlds, these or all; observations go on from it.

        Errors: ValueError where it is of an observer of other columns, or of another number of worlds."""
        worlds = self._worlds(ids)
        if memory.shape != (self.memory_size, len(worlds)):
            raise ValueError(f"memory has the shape {memory.shape}, not {(self.memory_size, len(worlds))}")
        for column, world in enumerate(worlds):
            self._observer.set_memory(world, memory[:, column].tolist())

    def _worlds(self, ids: ArrayLike | None) -> Sequence[int]:
        return range(self._batch.size) if ids is None else self._batch._numbers(ids)

    def set_delay(self, delay: ArrayLike, ids: ArrayLike | None = None) -> None:
        """Another delay of these worlds, or of all: one number, or one a world, at most the largest that
        the observer was made with."""
        worlds = self._worlds(ids)
        self._observer.set_delay(list(worlds), np.broadcast_to(delay, (len(worlds),)).tolist())
