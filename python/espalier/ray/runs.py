"""How worlds are divided over workers, and what makes the task of a worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from ..learn.registration import make_task, options_of
from ..learn.task import Task

__all__ = ["MakeTask", "NamedTask", "Run", "made_task", "runs_of"]

MakeTask: TypeAlias = Callable[[int, int], Task]
"""make(num_envs, first_world) makes a task of so many worlds, with TaskOptions.first_world."""


class Run(NamedTuple):
    """Worlds first, first + 1, ... of a worker."""

    first: int
    size: int

    @property
    def rows(self) -> slice:
        return slice(self.first, self.first + self.size)

    def __str__(self) -> str:
        return f"worlds {self.first} to {self.first + self.size - 1}"


def runs_of(worlds: int, workers: int) -> list[Run]:
    """One run a worker, in order; their sizes differ by one at most."""
    if not 1 <= workers <= worlds:
        raise ValueError(f"{workers} workers for {worlds} worlds: there has to be a worker, and a world for each")
    starts = [worlds * k // workers for k in range(workers + 1)]
    return [Run(first, end - first) for first, end in zip(starts, starts[1:])]


@dataclass(frozen=True)
class NamedTask:
    """A MakeTask of a task by its name.

    Errors: ValueError for an unknown name, TypeError for unknown options.
    """

    name: str
    options: dict[str, Any]

    def __post_init__(self) -> None:
        if "first_world" in self.options:
            raise TypeError("first_world is not for the caller to choose: each worker has its own")
        options_of(self.name, self.options)

    def __call__(self, num_envs: int, first_world: int) -> Task:
        return make_task(self.name, num_envs, first_world=first_world, **self.options)


def made_task(make: MakeTask, run: Run) -> Task:
    """The task of these worlds. ValueError where the function makes one of others."""
    task = make(run.size, run.first)
    if task.size != run.size or task.options.first_world != run.first:
        raise ValueError(f"the function that makes tasks was asked for {run}, and made one with {task.size} worlds "
                         f"from first_world {task.options.first_world}")
    return task
