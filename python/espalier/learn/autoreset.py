"""A step of a task's worlds with one of gymnasium's three ways of resetting those whose episodes have ended."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from .arrays import Float32, Ids, Mask
from .task import Task

__all__ = ["Info", "Step", "reset_worlds", "step_worlds"]

Info = dict[str, Any]
Step = tuple[Float32, NDArray[np.float64], Mask, Mask, Info]


def reset_worlds(task: Task, seed: int | None, ids: Ids) -> Float32:
    """Resets these worlds, which may be none: begins them anew from a seed, or lets their random streams
    go on. Returns the last observations [n, m] of all worlds; others than these do not observe once more."""
    if ids.size and seed is None:
        task.restart(ids)
    elif ids.size:
        task.begin(seed or 0, ids)
    return task.seen()


def step_worlds(task: Task, mode: AutoresetMode, actions: Float32, pending: Mask) -> Step:
    """Observations [n, m], rewards [n], terminated [n], truncated [n], infos.

    pending  [n] worlds whose episodes ended before: they are reset, and their actions ignored
    """
    waiting = np.flatnonzero(pending)
    active, start = None, None
    if waiting.size:
        # Reset as their episodes left them, as in SAME_STEP; what the others' step does to them is undone.
        active = np.flatnonzero(~pending)
        first, start = task.restart(waiting), task.state(waiting)
    observation, reward, terminated, truncated = task.step(actions, active)
    infos: Info = {}
    if start is not None:
        task.set_state(start, waiting)
        reward[waiting] = 0
        terminated[waiting] = truncated[waiting] = False
        observation[waiting] = first
    ended = terminated | truncated
    if ended.any():
        infos = _ends(task, ended)
        if mode is AutoresetMode.SAME_STEP:
            ids = np.flatnonzero(ended)
            infos = {"final_obs": _objects(observation, ids), "_final_obs": ended,
                     "final_info": infos, "_final_info": ended}
            observation[ids] = task.restart(ids)
    return observation, reward.astype(np.float64), terminated, truncated, infos


def _ends(task: Task, ended: Mask) -> Info:
    """Sum of rewards and length of the episodes that have ended, and whether physics broke down."""
    infos: Info = {}
    for name, values in (("episode_return", task.episode_return), ("episode_length", task.episode_step),
                         ("diverged", task.diverged)):
        infos[name] = np.where(ended, values, np.zeros((), values.dtype))
        infos[f"_{name}"] = ended
    return infos


def _objects(rows: Float32, ids: Ids) -> NDArray[np.object_]:
    """[n] of copied rows, None but for ids, which is gymnasium's form of final_obs."""
    objects: NDArray[np.object_] = np.full(len(rows), None, object)
    for i in ids:
        objects[i] = rows[i].copy()
    return objects
