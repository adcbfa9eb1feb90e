"""The whole state of a task's worlds as arrays, from which the worlds go on to the bit.

A class names in `world_arrays` those of its attributes that change from step to step: arrays whose last
axis is the worlds. What its base classes name counts too. The parts of a task (its motors, its commands, ...)
are the attributes that have a `world_arrays` of their own; each names its own arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .arrays import Ids

if TYPE_CHECKING:
    from .task import Task

__all__ = ["WorldState", "get_state", "put_state", "undeclared_arrays"]

WorldState = dict[str, NDArray[Any]]
"""[..., k] of k worlds, by names like "episode_step", "batch.q", "commands.values"."""

_BATCH = "batch."


def get_state(task: Task, ids: Ids | None = None) -> WorldState:
    """Copies of all that changes in these worlds, or in all."""
    where = slice(None) if ids is None else ids
    state = {name: array[..., where].copy() for name, array in _declared(task)}
    return state | {_BATCH + name: rows for name, rows in task.batch.save(ids).items()}


def put_state(task: Task, state: Mapping[str, NDArray[Any]], ids: Ids | None = None) -> None:
    """Writes what get_state() gave into these worlds, or into all.

    ValueError where an array is missing, or is none of this task, or has another shape.
    """
    arrays = dict(_declared(task))
    given = {name for name in state if not name.startswith(_BATCH)}
    if given != set(arrays):
        raise ValueError(f"the state is of another task: {', '.join(sorted(given ^ set(arrays)))} stands in one "
                         "of the two alone")
    where = slice(None) if ids is None else ids
    for name, array in arrays.items():
        wanted = array[..., where].shape
        if state[name].shape != wanted:
            raise ValueError(f"{name} has the shape {state[name].shape} in the state, and {wanted} in the task")
    task.batch.restore({name.removeprefix(_BATCH): rows for name, rows in state.items() if name not in given}, ids)
    for name, array in arrays.items():
        array[..., where] = state[name]


def undeclared_arrays(make: Callable[[int], Task]) -> list[str]:
    """Names of the arrays of a task that have numbers for each world, can be written, and are neither named
    in `world_arrays` nor memory of the batch. get_state() lacks them: there should be none.

    make(n) makes a task of n worlds. It is called for two sizes, and arrays whose shapes differ are those with
    numbers for each world.
    """
    few, more = make(2), make(3)
    declared = {id(array) for _, array in _declared(more)}
    bound = [more.batch.bind(name) for name in more.batch.bound]
    shapes = {name: array.shape for name, array in _attributes(few)}
    return [
        name for name, array in _attributes(more)
        if array.shape != shapes.get(name) and array.flags.writeable
        and not any(np.may_share_memory(array, memory) for memory in bound)
        and id(array) not in declared and id(array.base) not in declared
    ]


def _declared(part: Any, prefix: str = "", seen: set[int] | None = None,
              ) -> Iterator[tuple[str, NDArray[Any]]]:
    """Name and array of all that a part and the parts of it declare, each part once."""
    seen = {id(part)} if seen is None else seen
    for kind in reversed(type(part).__mro__):
        for name in vars(kind).get("world_arrays", ()):
            yield prefix + name, getattr(part, name)
    for name, value in vars(part).items():
        if hasattr(type(value), "world_arrays") and id(value) not in seen:
            seen.add(id(value))
            yield from _declared(value, f"{prefix}{name}.", seen)


def _attributes(thing: Any, prefix: str = "", depth: int = 3) -> Iterator[tuple[str, NDArray[Any]]]:
    """Every array that a task holds, in its attributes, in theirs, in lists and dictionaries."""
    held: Any = ()
    if isinstance(thing, Mapping):
        held = thing.items()
    elif isinstance(thing, (list, tuple)):
        held = enumerate(thing)
    elif hasattr(thing, "__dict__") and not isinstance(thing, type):
        held = vars(thing).items()
    for name, value in held:
        if isinstance(value, np.ndarray):
            yield f"{prefix}{name}", value
        elif depth and name != "batch":
            yield from _attributes(value, f"{prefix}{name}.", depth - 1)
