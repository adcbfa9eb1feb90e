"""For each world a state from which its steps can be repeated to the bit, and the tick at which it was there.

In accurate mode that is its state now. In throughput mode the contact solver's warm start is in no state, so that
it is the state after the world's last reset, which forgets the warm start.
"""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray

from ..learn.arrays import Float32, Ids, Mask
from ..learn.task import Task
from ..learn.world_state import WorldState

__all__ = ["Anchors"]

_OBSERVATION, _TICKS = "observation", "ticks"  # beside the names of the task's state


class Anchors:
    """ticks  [n] when each world was in the state that is kept of it"""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.ticks = np.zeros(task.size, np.int64)
        self._rows: WorldState = {}

    @property
    def oldest(self) -> int:
        """The tick from which entries have to be repeated."""
        return int(self.ticks.min())

    def note(self, tick: int, observation: Float32, among: Mask | None = None) -> None:
        """Keeps the states of those worlds (of the ones in `among`) that the entry of this tick has reset.

        observation  [n, m] that the next actions answer
        """
        if self.task.batch.mode == "accurate":
            return
        is_new = self.task.episode_step == 0
        self._keep(np.flatnonzero(is_new if among is None else is_new & among), tick, observation)

    def pack(self, tick: int, observation: Float32) -> bytes:
        """What Anchors.unpack() takes."""
        if self.task.batch.mode == "accurate":
            self._rows = {}
            self._keep(np.arange(self.task.size), tick, observation)
        stream = io.BytesIO()
        arrays: dict[str, NDArray[np.generic]] = {**self._rows, _TICKS: self.ticks}
        np.savez(stream, allow_pickle=False, **arrays)
        return stream.getvalue()

    @staticmethod
    def unpack(task: Task, packed: bytes) -> Anchors:
        anchors = Anchors(task)
        with np.load(io.BytesIO(packed), allow_pickle=False) as held:
            anchors._rows = dict(held)
        anchors.ticks = anchors._rows.pop(_TICKS)
        return anchors

    def put(self, ids: Ids, observation: Float32) -> None:
        """Puts these worlds into the states that are kept of them, and their rows of the observation."""
        rows = {name: array[..., ids] for name, array in self._rows.items()}
        observation[ids] = rows.pop(_OBSERVATION).T
        self.task.set_state(rows, ids)

    def _keep(self, ids: Ids, tick: int, observation: Float32) -> None:
        if not ids.size:
            return
        now = {**self.task.state(ids), _OBSERVATION: observation[ids].T}
        if not self._rows:
            n = self.task.size
            self._rows = {name: np.zeros((*array.shape[:-1], n), array.dtype) for name, array in now.items()}
        for name, array in now.items():
            self._rows[name][..., ids] = array
        self.ticks[ids] = tick
