"""A task as the VecEnv of Stable-Baselines3.

    from espalier.learn.stable_baselines3 import StableBaselines3Env
    PPO("MlpPolicy", StableBaselines3Env(make_task("StriderWalk", 256))).learn(1_000_000)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    from stable_baselines3.common.vec_env import VecEnv  # type: ignore[import-not-found,unused-ignore]
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"{error}; this adapter needs Stable-Baselines3: pip install "
                              "stable-baselines3", name=error.name) from None

from .arrays import Float32, Mask
from .rollout_env import RolloutEnv
from .task import Task
from .vector_env import action_space, observation_space

__all__ = ["StableBaselines3Env"]

Indices = int | Iterable[int] | None


class StableBaselines3Env(VecEnv):  # type: ignore[misc,unused-ignore]
    """Worlds are reset in the step that ends them; their last observation is in infos[i].

    Attributes and methods are those of the task, one for all worlds: set_attr() and env_method() with
    indices of a part of the worlds are refused.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.env = RolloutEnv(task)
        super().__init__(task.size, observation_space(task), action_space(task))
        self._actions: Float32 | None = None
        self._next_seed: int | None = None

    def seed(self, seed: int | None = None) -> list[int | None]:
        """The next reset() starts from it: all worlds have streams of this one seed."""
        self._next_seed = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else seed
        return [self._next_seed] * self.num_envs

    def reset(self) -> Float32:
        if self._next_seed is None:
            self.seed()
        assert self._next_seed is not None
        observation = self.env.reset(self._next_seed)
        self._next_seed = None
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return observation

    def step_async(self, actions: Float32) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[Float32, Float32, Mask, list[dict[str, Any]]]:
        if self._actions is None:
            raise RuntimeError("step_wait() without step_async() before it")
        observation, reward, terminated, truncated, info = self.env.step(self._actions)
        self._actions = None
        done = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(done):
            infos[i] = {
                "terminal_observation": info["final_obs"][i],
                "TimeLimit.truncated": bool(truncated[i]),
                "episode": {"r": float(info["episode_return"][i]), "l": int(info["episode_length"][i])},
            }
        return observation, reward, done, infos

    def close(self) -> None:
        """Nothing is held that Python does not free."""

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        value = None if attr_name == "render_mode" else getattr(self.task, attr_name)
        return [value] * len(self._chosen(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        self._require_all(indices, f"set_attr({attr_name!r})")
        setattr(self.task, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Indices = None,
                   **method_kwargs: Any) -> list[Any]:
        self._require_all(indices, f"env_method({method_name!r})")
        return [getattr(self.task, method_name)(*method_args, **method_kwargs)] * self.num_envs

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:
        return [False] * len(self._chosen(indices))

    def _chosen(self, indices: Indices) -> NDArray[np.int64]:
        every = np.arange(self.num_envs)
        return every if indices is None else np.atleast_1d(every[np.array(indices, np.int64)])

    def _require_all(self, indices: Indices, what: str) -> None:
        if len(set(self._chosen(indices).tolist())) != self.num_envs:
            raise ValueError(f"{what} for a part of the worlds: they share one task, so leave out indices")
