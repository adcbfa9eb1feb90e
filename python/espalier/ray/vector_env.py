"""gymnasium's VectorEnv with its worlds on Ray actors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from ..learn.arrays import Float32, Ids, Mask
from ..learn.autoreset import Step
from ..learn.task import checked_actions
from ..learn.vector_env import WorldsEnv
from .entries import Act, Entry, Reset
from .joining import joined_steps
from .runs import MakeTask
from .worker_group import WorkerGroup
from .worker_handle import to_apply

__all__ = ["RemoteVectorEnv"]


class RemoteVectorEnv(WorldsEnv):
    """num_envs worlds, divided over Ray actors; the numbers are those of learn.vector_env.VectorEnv with the same
    seed, to the bit, also where actors were lost and replaced (docs/learning_ray.md says under which conditions).

        env = RemoteVectorEnv("StriderWalk", 4096, workers=8, rough=False)
        observation, info = env.reset(seed=1)
    """

    def __init__(self, task: str | MakeTask, num_envs: int, *, workers: int,
                 autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, checkpoint_every: int = 100,
                 attempts: int = 3, actor_options: Mapping[str, Any] | None = None, **options: Any) -> None:
        """Starts the actors, on the cluster that ray.init() connected to.

        task              name of a task; or a function make(num_envs, first_world) that makes a task
        workers           number of actors, at most num_envs
        autoreset_mode    as of learn.vector_env.WorldsEnv
        checkpoint_every  steps from one checkpoint of a worker to the next
        attempts          how often a worker is replaced in a row before its error is raised
        actor_options     of Ray for each actor; by default {"num_cpus": 1}
        options           of the task's name; threads is by default num_cpus
        Errors: ValueError, TypeError for wrong arguments; WorkerError where an actor cannot be made.
        """
        self._group: WorkerGroup | None = None  # for close(), which __del__ calls
        mode = AutoresetMode(autoreset_mode)
        self._group = group = WorkerGroup(task, num_envs, workers, mode, checkpoint_every, attempts, 1, actor_options,
                                          options)
        super().__init__(num_envs, group, mode)

    @property
    def replaced(self) -> int:
        """How many actors were replaced so far; the logger "espalier.ray" warns of each."""
        return self._workers.replaced

    @property
    def _workers(self) -> WorkerGroup:
        assert self._group is not None
        return self._group

    def _reset_worlds(self, seed: int | None, ids: Ids) -> Float32:
        entries: list[Entry] = []
        for first, size in self._workers.runs:
            local = ids[(ids >= first) & (ids < first + size)] - first
            entries.append(Reset(seed, local))
        return np.concatenate(self._apply(entries))

    def _step_worlds(self, actions: Float32, pending: Mask) -> Step:
        checked = checked_actions(actions, self.num_envs, self._workers.action_size)
        return joined_steps(self._apply([Act(checked[run.rows], pending[run.rows]) for run in self._workers.runs]))

    def _apply(self, entries: list[Entry]) -> list[Any]:
        return self._workers.run([to_apply(entry) for entry in entries])

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the actors."""
        if self._group is not None:
            self._group.close()
