"""The whole state of a task's worlds as arrays, from which the worlds go on to the bit.

A class names in `world_arrays` those of its attributes that change from step to step: arrays whose last
axis is the worlds. What its base classes name counts too. The parts of a task (its motors, its commands, ...)
are the attributes that have a `world_arrays` of their own; each names its own arrays. The memories of Observers that
they hold as attributes belong to the state, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..observation import Observer
from .arrays import Ids

if TYPE_CHECKING:
    from .task import Task

__all__ = ["WorldState", "get_state", "observers_of", "put_state", "undeclared_arrays"]

WorldState = dict[str, NDArray[Any]]
"""[..., k] of k worlds, by names like "episode_step", "batch.q", "commands.values"."""

_BATCH, _MEMORY = "batch.", "memory."


def get_state(task: Task, ids: Ids | None = None) -> WorldState:
    """Copies of all that changes in these worlds, or in all."""
    where = slice(None) if ids is None else ids
    state = {name: array[..., where].copy() for name, array in _declared(task)}
    state |= {_MEMORY + name: observer.memory(ids) for name, observer in observers_of(task) if observer.memory_size}
    return state | {_BATCH + name: rows for name, rows in task.batch.save(ids).items()}


def put_state(task: Task, state: Mapping[str, NDArray[Any]], ids: Ids | None = None) -> None:
    """Writes what get_state() gave into these worlds, or into all.

    ValueError where an array is missing, or is none of this task, or has another shape.
    """
    arrays = dict(_declared(task))
    observers = {_MEMORY + name: observer for name, observer in observers_of(task) if observer.memory_size}
    given, own = {name for name in state if not name.startswith(_BATCH)}, {*arrays, *observers}
    if given != own:
        raise ValueError(f"the state is of another task: {', '.join(sorted(given ^ own))} stands in one "
                         "of the two alone")
    where = slice(None) if ids is None else ids
    for name, array in arrays.items():
        wanted = array[..., where].shape
        if state[name].shape != wanted:
            raise ValueError(f"{name} has the shape {state[name].shape} in the state, and {wanted} in the task")
    task.batch.restore({name.removeprefix(_BATCH): rows for name, rows in state.items() if name not in given}, ids)
    for name, array in arrays.items():
        array[..., where] = state[name]
    for name, observer in observers.items():
        observer.set_memory(state[name], ids)


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


def observers_of(task: Task) -> Iterator[tuple[str, Observer]]:
    """Name and Observer of all that a task and its parts have as attributes."""
    for prefix, part in _parts(task):
        for name, value in vars(part).items():
            if isinstance(value, Observer):
                yield prefix + name, value


def _declared(task: Any) -> Iterator[tuple[str, NDArray[Any]]]:
    """Name and array of all that a task and its parts declare."""
    for prefix, part in _parts(task):
        for kind in reversed(type(part).__mro__):
            for name in vars(kind).get("world_arrays", ()):
                yield prefix + name, getattr(part, name)


def _parts(part: Any, prefix: str = "", seen: set[int] | None = None) -> Iterator[tuple[str, Any]]:
    """A task and its parts, each once, with what stands before their attributes' names."""
    seen = {id(part)} if seen is None else seen
    yield prefix, part
    for name, value in list(vars(part).items()):
        if hasattr(type(value), "world_arrays") and id(value) not in seen:
            seen.add(id(value))
            yield from _parts(value, f"{prefix}{name}.", seen)


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
