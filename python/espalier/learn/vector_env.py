"""A task as gymnasium's VectorEnv, with its three ways of resetting worlds whose episodes have ended."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .arrays import Float32, Ids, Mask
from .autoreset import Info, Step, reset_worlds, step_worlds
from .task import Task

__all__ = ["VectorEnv", "WorldsEnv", "action_space", "observation_space"]


class Sizes(Protocol):
    """How many numbers a world observes, and takes for an action."""

    @property
    def observation_size(self) -> int: ...

    @property
    def action_size(self) -> int: ...


def observation_space(sizes: Sizes) -> spaces.Box[np.float32]:
    """Of one world."""
    return spaces.Box(-np.inf, np.inf, (sizes.observation_size,), np.float32)


def action_space(sizes: Sizes) -> spaces.Box[np.float32]:
    """Of one world."""
    return spaces.Box(-1, 1, (sizes.action_size,), np.float32)


class WorldsEnv(GymnasiumVectorEnv[Float32, Float32, NDArray[Any]]):
    """n worlds, wherever they are; subclasses reset and step them.

    autoreset_mode is one of gymnasium's, or its value as a text:
      NEXT_STEP ("NextStep")  an ended world is reset by the next step, whose action it ignores
      SAME_STEP ("SameStep")  it is reset at once; infos has final_obs and final_info
      DISABLED ("Disabled")   the caller resets: reset(options={"reset_mask": bool [n]})

    reset(seed=s) gives world i stream i of the seed s; without a seed the streams go on.
    """

    def __init__(self, num_envs: int, sizes: Sizes, autoreset_mode: AutoresetMode | str) -> None:
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.num_envs = num_envs
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = observation_space(sizes)
        self.single_action_space = action_space(sizes)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._pending = np.ones(num_envs, np.bool_)  # until the first reset
        self._began = False

    @abstractmethod
    def _reset_worlds(self, seed: int | None, ids: Ids) -> Float32:
        """As reset_worlds() of autoreset.py."""

    @abstractmethod
    def _step_worlds(self, actions: Float32, pending: Mask) -> Step:
        """As step_worlds() of autoreset.py."""

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Float32, Info]:
        super().reset(seed=seed)
        mask = _reset_mask(options, self.num_envs)
        if not self._began and not mask.all():
            raise ValueError("reset_mask leaves out worlds that were never reset; reset all of them first")
        if seed is None and not self._began:
            seed = int(self.np_random.integers(2**63))
        observation = self._reset_worlds(seed, np.flatnonzero(mask))
        self._began = True
        self._pending = self._pending & ~mask
        return observation, {}

    def step(self, actions: Float32) -> tuple[Float32, NDArray[Any], NDArray[Any], NDArray[Any], Info]:
        if not self._began:
            raise RuntimeError("call reset() before step()")
        if self._pending.any() and self.autoreset_mode is not AutoresetMode.NEXT_STEP:
            raise RuntimeError(f"the episodes of worlds {_some(np.flatnonzero(self._pending))} have ended: call "
                               "reset(options={'reset_mask': mask}) before step()")
        came = self._step_worlds(actions, self._pending)
        is_reset = self.autoreset_mode is AutoresetMode.SAME_STEP
        self._pending = np.zeros(self.num_envs, np.bool_) if is_reset else came[2] | came[3]
        return came


class VectorEnv(WorldsEnv):
    """The worlds of a task, stepped together; autoreset_mode as of WorldsEnv."""

    def __init__(self, task: Task, autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP) -> None:
        super().__init__(task.size, task, autoreset_mode)
        self.task = task

    def _reset_worlds(self, seed: int | None, ids: Ids) -> Float32:
        return reset_worlds(self.task, seed, ids)

    def _step_worlds(self, actions: Float32, pending: Mask) -> Step:
        return step_worlds(self.task, self.autoreset_mode, actions, pending)


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


def _some(ids: Ids) -> str:
    return ", ".join(map(str, ids[:5])) + (", ..." if ids.size > 5 else "")
