"""One worker as its driver sees it: the actor, its last checkpoint, and the entries since then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import ray  # type: ignore[import-not-found,unused-ignore]

from ..learn.workers import BLAS_VARIABLES
from .entries import Entry
from .runs import Run
from .worker import Checkpoint, Reply, Worker, WorkerPlan

__all__ = ["Request", "WorkerHandle", "to_apply"]


class Request(NamedTuple):
    """A method of Worker to be called, and which entries its result stands for."""

    method: str
    arguments: tuple[Any, ...] = ()
    entries: Callable[[Any], list[Entry]] = lambda result: []


def to_apply(entry: Entry) -> Request:
    return Request("apply", (entry,), lambda result: [entry])


class WorkerHandle:
    """run       the worker's worlds
    failures  how often the actor was lost or failed since its last reply
    """

    def __init__(self, plan: WorkerPlan, run: Run, actor_options: Mapping[str, Any]) -> None:
        self.run = run
        self.failures = 0
        self._plan = plan
        self._checkpoint: Checkpoint | None = None
        self._entries: list[Entry] = []
        # The same bits need the same number of threads in the BLAS; an actor's own setting comes first.
        variables = {"env_vars": dict.fromkeys(BLAS_VARIABLES, "1")}
        options = {"num_cpus": 1, "runtime_env": variables, **actor_options, "max_restarts": 0, "max_task_retries": 0}
        self._make: Any = ray.remote(Worker).options(**options)
        self.actor: Any = self._make.remote(plan, run)

    def submit(self, request: Request) -> Any:
        """A reference to the Reply."""
        return getattr(self.actor, request.method).remote(*request.arguments)

    def accept(self, request: Request, reply: Reply) -> Any:
        """The result; what it stands for is remembered until a checkpoint holds it."""
        self.failures = 0
        self._entries += request.entries(reply.result)
        if reply.checkpoint is not None:
            before = self._checkpoint.oldest if self._checkpoint else 0
            del self._entries[:reply.checkpoint.oldest - before]
            self._checkpoint = reply.checkpoint
        return reply.result

    def replace(self) -> Any:
        """A reference that is ready when a new actor has come to where the last reply left the old one."""
        self.failures += 1
        self.kill()
        self.actor = self._make.remote(self._plan, self.run)
        packed = self._checkpoint.packed if self._checkpoint else None
        return self.actor.resume.remote(packed, self._entries)

    def kill(self) -> None:
        if ray.is_initialized():
            ray.kill(self.actor, no_restart=True)

    @property
    def repeated(self) -> int:
        """How many entries a new actor repeats."""
        return len(self._entries)
