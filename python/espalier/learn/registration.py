"""The tasks by their names, for gymnasium.make() and make_vec()."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from .task import Task, TaskOptions
from .tasks import (
    ArmReach,
    ArmReachOptions,
    BeestSteer,
    BeestSteerOptions,
    BipedStand,
    BipedStandOptions,
    BipedWalk,
    BipedWalkOptions,
    CassieWalk,
    CassieWalkOptions,
    StriderWalk,
    StriderWalkOptions,
)

if TYPE_CHECKING:
    from .single_env import SingleEnv
    from .vector_env import VectorEnv

__all__ = ["TASKS", "make_env", "make_task", "make_vector_env", "options_of", "register"]

TASKS: dict[str, tuple[type[Any], type[TaskOptions]]] = {
    "ArmReach": (ArmReach, ArmReachOptions),
    "BeestSteer": (BeestSteer, BeestSteerOptions),
    "BipedStand": (BipedStand, BipedStandOptions),
    "BipedWalk": (BipedWalk, BipedWalkOptions),
    "CassieWalk": (CassieWalk, CassieWalkOptions),
    "StriderWalk": (StriderWalk, StriderWalkOptions),
}


def make_task(name: str, num_envs: int, **options: Any) -> Task:
    """A task of TASKS; options are the fields of its dataclass of options."""
    chosen = options_of(name, options)
    task: Task = TASKS[name][0](num_envs, chosen)
    return task


def options_of(name: str, options: Mapping[str, Any]) -> TaskOptions:
    """Of a task of TASKS. ValueError where there is none, TypeError where it has no such option."""
    if name not in TASKS:
        raise ValueError(f"there is no task {name!r}; there are {', '.join(TASKS)}")
    kind = TASKS[name][1]
    known = [field.name for field in fields(kind)]
    unknown = [option for option in options if option not in known]
    if unknown:
        raise TypeError(f"{name} has no option {', '.join(unknown)}; it has {', '.join(known)}")
    return kind(**options)


def make_vector_env(task: str, num_envs: int = 1, autoreset_mode: str = "NextStep", **options: Any,
                    ) -> VectorEnv:
    """What make_vec("espalier/...") calls."""
    from .vector_env import VectorEnv

    return VectorEnv(make_task(task, num_envs, **options), autoreset_mode)


def make_env(task: str, **options: Any) -> SingleEnv:
    """What make("espalier/...") calls."""
    from .single_env import SingleEnv

    return SingleEnv(make_task(task, 1, **{"threads": 1, **options}))


def register() -> None:
    """Makes every task known to gymnasium as espalier/NAME-v0, unless it is already."""
    import gymnasium

    for name in TASKS:
        if f"espalier/{name}-v0" not in gymnasium.registry:
            gymnasium.register(
                f"espalier/{name}-v0", entry_point=f"{__name__}:make_env",
                vector_entry_point=f"{__name__}:make_vector_env", kwargs={"task": name})
