"""The workers of all worlds: asked together, answered in the order of the worlds, replaced where they are lost."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import ray  # type: ignore[import-not-found,unused-ignore]
from gymnasium.vector import AutoresetMode
from ray.exceptions import RayError  # type: ignore[import-not-found,unused-ignore]

from .runs import MakeTask, NamedTask, runs_of
from .worker import WorkerPlan
from .worker_handle import Request, WorkerHandle

__all__ = ["WorkerError", "WorkerGroup"]

log = logging.getLogger("espalier.ray")
PATIENCE = 30.0  # s without any answer, after which that is told


class WorkerError(RuntimeError):
    """A worker was lost, or failed, again and again; its error is the __cause__."""


class WorkerGroup:
    """runs              the worlds of each worker
    observation_size  numbers of an observation
    action_size       numbers of an action
    replaced          how many actors were replaced so far
    """

    def __init__(self, task: str | MakeTask, worlds: int, workers: int, mode: AutoresetMode, checkpoint_every: int,
                 attempts: int, chunk: int, actor_options: Mapping[str, Any] | None,
                 options: dict[str, Any]) -> None:
        if checkpoint_every < 1 or attempts < 0:
            raise ValueError(f"checkpoint_every is {checkpoint_every} and attempts {attempts}: at least 1 and 0")
        self.runs = runs_of(worlds, workers)
        self.replaced = 0
        self._attempts = attempts
        self._handles: list[WorkerHandle] = []
        actor_options = dict(actor_options or {})
        if isinstance(task, str):
            threads = max(1, int(actor_options.get("num_cpus", 1)))
            make: MakeTask = NamedTask(task, {"threads": threads, **options})
        elif options:
            raise TypeError(f"{', '.join(options)}: options are those of a task by its name; a function has its own")
        else:
            make = task
        plan = WorkerPlan(make, worlds, mode, checkpoint_every, chunk)
        self._handles = [WorkerHandle(plan, run, actor_options) for run in self.runs]
        sizes = self.run([Request("sizes")] * workers)
        self.observation_size, self.action_size = sizes[0]

    def run(self, requests: Sequence[Request]) -> list[Any]:
        """The results of one request a worker, in the order of the workers.

        Errors: WorkerError where a worker was replaced `attempts` times without an answer, RuntimeError after
        close(). After any error the workers are ended, because some have done what was asked and some have not.
        """
        if not self._handles:
            raise RuntimeError("the workers have ended: close() was called, or a call failed")
        try:
            return self._run(requests)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Ends all actors."""
        for handle in self._handles:
            handle.kill()
        self._handles = []

    def _run(self, requests: Sequence[Request]) -> list[Any]:
        results: list[Any] = [None] * len(requests)
        waiting = {handle.submit(requests[k]): k for k, handle in enumerate(self._handles)}
        while waiting:
            ready, _ = ray.wait(list(waiting), num_returns=1, timeout=PATIENCE)
            if not ready:
                late = ", ".join(f"{k} ({self._handles[k].run})" for k in sorted(waiting.values()))
                log.warning("no answer for %g s from workers %s; free in the cluster: %s", PATIENCE, late,
                            ray.available_resources())  # type: ignore[no-untyped-call,unused-ignore]
            for reference in ready:
                k = waiting.pop(reference)
                handle = self._handles[k]
                try:
                    reply = ray.get(reference)
                except RayError as error:
                    waiting[self._replaced(k, error)] = k
                    continue
                if reply is None:  # of a new actor that has come to where the old one was
                    waiting[handle.submit(requests[k])] = k
                else:
                    results[k] = handle.accept(requests[k], reply)
        return results

    def _replaced(self, k: int, error: RayError) -> Any:
        """What WorkerHandle.replace() returns."""
        handle = self._handles[k]
        if handle.failures >= self._attempts:
            raise WorkerError(f"worker {k} ({handle.run}) failed {handle.failures + 1} times in a row: {error}"
                              ) from error
        self.replaced += 1
        log.warning("worker %d (%s) is replaced, and repeats %d steps: %s", k, handle.run, handle.repeated, error)
        return handle.replace()
