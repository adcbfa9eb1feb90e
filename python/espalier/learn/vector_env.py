"""A task as gymnasium's VectorEnv, with its three ways of resetting worlds whose episodes have ended."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .arrays import Float32, Ids, Mask
from .task import Task

__all__ = ["VectorEnv", "action_space", "observation_space"]

Info = dict[str, Any]


def observation_space(task: Task) -> spaces.Box[np.float32]:
    """Of one world."""
    return spaces.Box(-np.inf, np.inf, (task.observation_size,), np.float32)


def action_space(task: Task) -> spaces.Box[np.float32]:
    """Of one world."""
    return spaces.Box(-1, 1, (task.action_size,), np.float32)


class VectorEnv(GymnasiumVectorEnv[Float32, Float32, NDArray[Any]]):
    """The worlds of a task, stepped together.

    autoreset_mode is one of gymnasium's, or its value as a text:
      NEXT_STEP ("NextStep")  an ended world is reset by the next step, whose action it ignores
      SAME_STEP ("SameStep")  it is reset at once; infos has final_obs and final_info
      DISABLED ("Disabled")   the caller resets: reset(options={"reset_mask": bool [n]})

    reset(seed=s) gives world i stream i of the seed s; without a seed the streams go on.
    """

    def __init__(self, task: Task, autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP) -> None:
        self.task = task
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.num_envs = task.size
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = observation_space(task)
        self.single_action_space = action_space(task)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._ended = np.ones(task.size, np.bool_)  # until the first reset
        self._began = False

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Float32, Info]:
        super().reset(seed=seed)
        mask = _reset_mask(options, self.num_envs)
        ids = np.flatnonzero(mask)
        if not self._began and not mask.all():
            raise ValueError("reset_mask leaves out worlds that were never reset; reset all of them first")
        if seed is None and self._began:
            self.task.restart(ids)
        else:
            self.task.begin(int(self.np_random.integers(2**63)) if seed is None else seed, ids)
        self._began = True
        self._ended[ids] = False
        return self.task.observe(), {}

    def step(self, actions: Float32) -> tuple[Float32, NDArray[Any], NDArray[Any], NDArray[Any], Info]:
        pending = np.flatnonzero(self._ended)
        if pending.size and self.autoreset_mode is not AutoresetMode.NEXT_STEP or not self._began:
            raise RuntimeError(
                f"the episodes of worlds {_some(pending)} have ended: call reset("
                "options={'reset_mask': mask}) before step()" if self._began else "call reset() before step()")
        active = np.flatnonzero(~self._ended) if pending.size else None
        observation, reward, terminated, truncated = self.task.step(actions, active)
        infos: Info = {}
        if pending.size:
            reward[pending] = 0
            terminated[pending] = truncated[pending] = False
            observation[pending] = self.task.restart(pending)
        ended = terminated | truncated
        if ended.any():
            self._tell_end(infos, ended)
            if self.autoreset_mode is AutoresetMode.SAME_STEP:
                ids = np.flatnonzero(ended)
                infos = {"final_obs": _objects(observation, ids), "_final_obs": ended,
                         "final_info": infos, "_final_info": ended}
                observation[ids] = self.task.restart(ids)
                ended = np.zeros_like(ended)
        self._ended = ended.copy()
        return observation, reward.astype(np.float64), terminated, truncated, infos

    def _tell_end(self, infos: Info, ended: Mask) -> None:
        """Sum of rewards and length of the episodes that have ended, and whether physics broke down."""
        task = self.task
        for name, values in (("episode_return", task.episode_return), ("episode_length", task.episode_step),
                             ("diverged", task.diverged)):
            infos[name] = np.where(ended, values, np.zeros((), values.dtype))
            infos[f"_{name}"] = ended


def _reset_mask(options: Info | None, n: int) -> Mask:
    """options["reset_mask"], or all."""
    if options is None or "reset_mask" not in options:
        return np.ones(n, np.bool_)
    mask = options["reset_mask"]
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (n,):
        raise ValueError(f"reset_mask has to be an array of {n} bool, not {mask!r}")
    if not mask.any():
        raise ValueError("reset_mask names no world")
    return mask


def _objects(rows: Float32, ids: Ids) -> NDArray[np.object_]:
    """[n] of copied rows, None but for ids, which is gymnasium's form of final_obs."""
    objects: NDArray[np.object_] = np.full(len(rows), None, object)
    for i in ids:
        objects[i] = rows[i].copy()
    return objects


def _some(ids: Ids) -> str:
    return ", ".join(map(str, ids[:5])) + (", ..." if ids.size > 5 else "")
