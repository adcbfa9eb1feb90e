"""The actor: a task over a run of worlds, which is told entry after entry and hands back checkpoints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import ArrayLike, NDArray

from ..learn.arrays import Float32, Mask
from ..learn.collector import LocalCollector
from ..learn.forward import Part
from ..learn.policy import Policy
from ..learn.rollout_env import RolloutEnv
from ..learn.task import Task
from ..learn.workers import Workers
from .anchors import Anchors
from .entries import Entry, observation_of
from .runs import MakeTask, Run, made_task

__all__ = ["Checkpoint", "Reply", "Worker", "WorkerPlan"]


class WorkerPlan(NamedTuple):
    """What workers have in common."""

    make: MakeTask
    worlds: int  # of all workers
    mode: AutoresetMode
    checkpoint_every: int  # ticks
    chunk: int  # rows that a policy works on at once


class Checkpoint(NamedTuple):
    """packed  what Anchors.pack() gave
    oldest  entries after this tick are to be repeated
    """

    packed: bytes
    oldest: int


class Reply(NamedTuple):
    result: Any
    checkpoint: Checkpoint | None = None


class Worker:
    """Ticks count the entries since it was made, or since the first worker of these worlds was."""

    def __init__(self, plan: WorkerPlan, run: Run) -> None:
        self._plan, self._run = plan, run
        self.task = made_task(plan.make, run)
        self._anchors = Anchors(self.task)
        self._tick = self._saved = 0
        self._observation = np.zeros((run.size, self.task.observation_size), np.float32)
        self._collector: LocalCollector | None = None

    def sizes(self) -> Reply:
        """(numbers of an observation, numbers of an action)"""
        return Reply((self.task.observation_size, self.task.action_size))

    def apply(self, entry: Entry) -> Reply:
        """The result of an entry."""
        result = entry.apply(self.task, self._plan.mode)
        self._count(observation_of(result))
        return self._reply(result)

    def collect(self, policy: dict[str, NDArray[Any]], noise: Float32) -> Reply:
        """The Experience of these worlds; policy: of Policy.arrays(), noise: [steps, n, a]."""
        if self._collector is None:
            env = CountedEnv(self.task, self._count)
            part = Part(self._run.first, self._plan.worlds)
            self._collector = LocalCollector(env, self._plan.chunk, Workers(1), part)
        self._collector.current = self._observation
        return self._reply(self._collector.collect(Policy.of_arrays(policy), noise))

    def resume(self, packed: bytes | None, entries: list[Entry]) -> None:
        """Becomes the worker that handed back a checkpoint, or that did not yet, after so many more entries.

        Worlds whose state was kept at a later tick than the oldest take part in the repetition from the start,
        with numbers that mean nothing, and are put into that state when its tick has come.
        """
        joined = np.ones(self._run.size, np.bool_)
        if packed is not None:
            self._anchors = Anchors.unpack(self.task, packed)
            self._tick = self._saved = self._anchors.oldest
            self._anchors.put(np.arange(self._run.size), self._observation)
            joined = self._anchors.ticks <= self._tick
        for entry in entries:
            observation = observation_of(entry.apply(self.task, self._plan.mode)).copy()
            late = np.flatnonzero(~joined & (self._anchors.ticks == self._tick + 1))
            if late.size:
                self._anchors.put(late, observation)
                joined[late] = True
            self._count(observation, joined)

    def _count(self, observation: Float32, among: Mask | None = None) -> None:
        self._tick += 1
        self._observation = observation
        self._anchors.note(self._tick, observation, among)

    def _reply(self, result: Any) -> Reply:
        if self._tick - self._saved < self._plan.checkpoint_every:
            return Reply(result)
        self._saved = self._tick
        packed = self._anchors.pack(self._tick, self._observation)
        return Reply(result, Checkpoint(packed, self._anchors.oldest))


class CountedEnv(RolloutEnv):
    """Tells after each step what is observed."""

    def __init__(self, task: Task, count: Callable[[Float32], None]) -> None:
        super().__init__(task)
        self._count = count

    def step(self, actions: ArrayLike) -> tuple[Float32, Float32, Mask, Mask, dict[str, Any]]:
        came = super().step(actions)
        self._count(came[0])
        return came
