"""What moves the worlds of a worker, one entry a tick; repeated in order, they give the same numbers again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from gymnasium.vector import AutoresetMode

from ..learn.arrays import Float32, Ids, Mask
from ..learn.autoreset import Step, reset_worlds, step_worlds
from ..learn.task import Task

__all__ = ["Act", "Entry", "Reset", "observation_of"]


@dataclass(frozen=True)
class Reset:
    """As reset_worlds(); ids counts the worlds of the worker."""

    seed: int | None
    ids: Ids

    def apply(self, task: Task, mode: AutoresetMode) -> Float32:
        return reset_worlds(task, self.seed, self.ids)


@dataclass(frozen=True)
class Act:
    """As step_worlds()."""

    actions: Float32  # [n, a]
    pending: Mask  # [n]

    def apply(self, task: Task, mode: AutoresetMode) -> Step:
        return step_worlds(task, mode, self.actions, self.pending)


Entry: TypeAlias = Reset | Act


def observation_of(result: Any) -> Float32:
    """[n, m] of what an entry's apply() returned."""
    observation: Float32 = result[0] if isinstance(result, tuple) else result
    return observation
