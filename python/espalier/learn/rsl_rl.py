"""A task as the VecEnv of rsl_rl.

    from espalier.learn.rsl_rl import RslRlEnv
    OnPolicyRunner(RslRlEnv(make_task("StriderWalk", 4096)), configuration, device="cpu").learn(1000)

Tensors on the CPU are numpy's memory; for another device they are copied.
"""

from __future__ import annotations

from typing import Any

import numpy as np

try:
    import torch  # type: ignore[import-not-found,unused-ignore]
    from rsl_rl.env import VecEnv  # type: ignore[import-not-found,import-untyped,unused-ignore]
    from tensordict import TensorDict  # type: ignore[import-not-found,unused-ignore]
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"{error}; this adapter needs rsl_rl: pip install rsl-rl-lib",
                              name=error.name) from None

from .arrays import Float32
from .rollout_env import RolloutEnv
from .task import Task

__all__ = ["RslRlEnv"]


class RslRlEnv(VecEnv):  # type: ignore[misc,unused-ignore]
    """Worlds are reset in the step that ends them; extras tells which were ended by time.

    There is one group of observations, "policy", which rsl_rl takes for actor and critic.

    device  of what is returned, "cpu", "cuda:0", ...
    seed    of all that is random in the task
    """

    def __init__(self, task: Task, device: str = "cpu", seed: int = 0) -> None:
        self.task = task
        self.env = RolloutEnv(task)
        self.num_envs = task.size
        self.num_actions = task.action_size
        self.max_episode_length = task.episode_length
        self.device = torch.device(device)
        self.cfg = task.options
        self._observation: Float32 = self.env.reset(seed)

    @property
    def episode_length_buf(self) -> Any:
        """[n] actions since each world's reset; shares the task's memory on the CPU. What is assigned
        is written there."""
        return self._tensor(self.task.episode_step)

    @episode_length_buf.setter
    def episode_length_buf(self, value: Any) -> None:
        self.task.episode_step[:] = value.detach().cpu().numpy()

    def get_observations(self) -> Any:
        """TensorDict of the present observations"""
        return TensorDict({"policy": self._tensor(self._observation)}, batch_size=[self.num_envs])

    def step(self, actions: Any) -> tuple[Any, Any, Any, dict[str, Any]]:
        """Returns observations, rewards [n], dones [n] of 0 and 1, extras."""
        observation, reward, terminated, truncated, info = self.env.step(actions.detach().cpu().numpy())
        self._observation = observation
        done = terminated | truncated
        extras: dict[str, Any] = {"time_outs": self._tensor(truncated)}
        if done.any():
            extras["log"] = {
                "/episode_return": float(np.mean(info["episode_return"][done])),
                "/episode_length": float(np.mean(info["episode_length"][done])),
                **{f"/{name}": value for name, value in info["log"].items()},
            }
        return (self.get_observations(), self._tensor(reward), self._tensor(done.astype(np.int64)), extras)

    def _tensor(self, array: Any) -> Any:
        return torch.from_numpy(array).to(self.device)
