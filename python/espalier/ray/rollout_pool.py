"""Rollouts of a policy by Ray actors, each in its own worlds."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any

import numpy as np
import ray  # type: ignore[import-not-found,unused-ignore]
from gymnasium.vector import AutoresetMode

from ..learn.collector import Experience
from ..learn.policy import Policy
from ..learn.ppo import PpoConfig
from ..learn.vector_task import Floats
from .entries import Act, Entry, Reset
from .joining import joined_experience
from .runs import MakeTask
from .worker_group import WorkerGroup
from .worker_handle import Request, to_apply

__all__ = ["RolloutPool"]


class RolloutPool:
    """A Collector: Ppo(RolloutPool(...)) trains on it, to the same bits as on a RolloutEnv of all worlds.

        with RolloutPool("StriderWalk", 4096, workers=8) as pool:
            Ppo(pool, PpoConfig(), seed=1).train(updates=300)

    Actors act and step; noise, values and what is learnt stay in this process. The policy goes to them as arrays,
    once a rollout.
    """

    def __init__(self, task: str | MakeTask, num_envs: int, *, workers: int, chunk: int = PpoConfig.chunk,
                 checkpoint_every: int = 100, attempts: int = 3, actor_options: Mapping[str, Any] | None = None,
                 **options: Any) -> None:
        """Starts the actors. chunk: that of PpoConfig, on which the bits depend; the others as of RemoteVectorEnv."""
        if chunk < 1:
            raise ValueError(f"chunk is {chunk}; there has to be a row")
        self.num_envs = num_envs
        self._began = False
        self._group = WorkerGroup(task, num_envs, workers, AutoresetMode.SAME_STEP, checkpoint_every, attempts, chunk,
                                  actor_options, options)
        self.observation_size, self.action_size = self._group.observation_size, self._group.action_size

    @property
    def replaced(self) -> int:
        """How many actors were replaced so far; the logger "espalier.ray" warns of each."""
        return self._group.replaced

    def reset(self, seed: int) -> Floats:
        """Starts every world anew; returns observations [n, m]."""
        parts = self._group.run([to_apply(Reset(seed, np.arange(run.size))) for run in self._group.runs])
        self._began = True
        return np.concatenate(parts)

    def collect(self, policy: Policy, noise: Floats) -> Experience:
        """Acts from where the worlds are: action = mean + std noise, noise [steps, n, a]."""
        if not self._began:
            raise RuntimeError("call reset() before collect()")
        if noise.ndim != 3 or noise.shape[1:] != (self.num_envs, self.action_size) or not len(noise):
            raise ValueError(f"noise has the shape {noise.shape}, not (steps, {self.num_envs}, {self.action_size})")
        numbers = ray.put(policy.arrays())
        parts = [np.ascontiguousarray(noise[:, run.rows]) for run in self._group.runs]
        return joined_experience(self._group.run([Request("collect", (numbers, part), _acts) for part in parts]))

    def close(self) -> None:
        """Ends the actors."""
        self._group.close()

    def __enter__(self) -> RolloutPool:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()


def _acts(taken: Experience) -> list[Entry]:
    """The entries that a rollout was, with actions of their own: those of the rollout are memory of Ray."""
    nothing_pending = np.zeros(taken.rewards.shape[1], np.bool_)
    return [Act(actions, nothing_pending) for actions in taken.actions.copy()]
