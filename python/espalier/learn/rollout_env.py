"""The environment that training loops drive: a task whose worlds are reset in the step that ends them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Float32, Mask
from .task import Task

__all__ = ["RolloutEnv"]


class RolloutEnv:
    """n worlds of a task, reset in the step that ends their episodes. numpy alone.

    num_envs          n
    observation_size  m
    action_size       a
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.num_envs = task.size
        self.observation_size = task.observation_size
        self.action_size = task.action_size

    def reset(self, seed: int = 0) -> Float32:
        """Starts every world anew, and returns observations [n, m]."""
        return self.task.begin(seed)

    def step(self, actions: ArrayLike) -> tuple[Float32, Float32, Mask, Mask, dict[str, Any]]:
        """Takes actions [n, a]; returns observations [n, m], rewards [n], terminated [n], truncated [n], info.

        Observations are those that the next actions answer: the first of a new episode where one has
        ended. In info:

        final_obs       [n, m] the last observation of the episode where it ended, elsewhere the same
                        as is returned
        episode_return  [n] sum of rewards to the end, valid where the episode ended
        episode_length  [n] actions to the end, likewise
        diverged        [n] whether it ended because the physics broke down
        log             the task's metrics() of the worlds that ended; empty where none did
        """
        task = self.task
        last, reward, terminated, truncated = task.step(actions)
        info: dict[str, Any] = {"final_obs": last, "diverged": task.diverged.copy()}
        info["episode_return"] = task.episode_return.astype(np.float32)
        info["episode_length"] = task.episode_step.copy()
        ended = np.flatnonzero(terminated | truncated)
        observation = last
        info["log"] = {}
        if ended.size:
            info["log"] = task.metrics(ended)
            observation = last.copy()
            observation[ended] = task.restart(ended)
        return observation, reward, terminated, truncated, info
