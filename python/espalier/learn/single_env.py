"""A task of one world as gymnasium's Env, for what takes no vectors."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from .task import Task
from .vector_env import action_space, observation_space

__all__ = ["SingleEnv"]

Row = NDArray[np.float32]


class SingleEnv(gymnasium.Env[Row, Row]):
    """The one world of a task."""

    def __init__(self, task: Task) -> None:
        if task.size != 1:
            raise ValueError(f"the task has {task.size} worlds; SingleEnv is for one, VectorEnv for many")
        self.task = task
        self.metadata = {"render_modes": []}
        self.observation_space = observation_space(task)
        self.action_space = action_space(task)
        self._one = np.zeros(1, np.int64)
        self._began = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None,
              ) -> tuple[Row, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is None and self._began:
            return self.task.restart(self._one)[0], {}
        self._began = True
        return self.task.begin(int(self.np_random.integers(2**63)) if seed is None else seed)[0], {}

    def step(self, action: Row) -> tuple[Row, float, bool, bool, dict[str, Any]]:
        came = self.task.step(np.asarray(action)[None])
        return (came.observation[0], float(came.reward[0]), bool(came.terminated[0]),
                bool(came.truncated[0]), {})
