"""What a policy does in environments for some steps, before anything is learnt from it."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from .forward import Forward, Part
from .policy import Policy
from .vector_task import Bools, Floats, VectorTask
from .workers import Workers

__all__ = ["Collector", "Experience", "LocalCollector"]


class Experience(NamedTuple):
    """Of `steps` steps of n environments."""

    scaled: Floats  # [steps, n, m] observations that were acted on, scaled by the policy's normalizer
    means: Floats  # [steps, n, a] of the policy
    actions: Floats  # [steps, n, a]
    observations: Floats  # [steps, n, m] after each step, not scaled; the first of a new episode where one ended
    rewards: Floats  # [steps, n]
    terminated: Bools  # [steps, n]
    truncated: Bools  # [steps, n]
    final: list[Floats]  # of each step: rows [k, m], the last observations of the k that were truncated alone


@runtime_checkable
class Collector(Protocol):
    """Environments and how they are acted in, in this process or elsewhere."""

    @property
    def num_envs(self) -> int: ...

    @property
    def observation_size(self) -> int: ...

    @property
    def action_size(self) -> int: ...

    def reset(self, seed: int) -> Floats:
        """Observations [n, m]."""

    def collect(self, policy: Policy, noise: Floats) -> Experience:
        """Acts from where the environments are: action = mean + std noise, noise [steps, n, a].
        The arrays may be overwritten by the next call."""


class LocalCollector:
    """Acts in the environments of a VectorTask, all in this process.

    chunk    rows that a thread works on at once; the bits depend on it
    part     which of how many environments these are, where others are elsewhere
    current  [n, m] observations that the next actions answer
    """

    def __init__(self, task: VectorTask, chunk: int, workers: Workers, part: Part | None = None) -> None:
        self.task = task
        self.num_envs = task.num_envs
        self.observation_size, self.action_size = task.observation_size, task.action_size
        self.current: Floats = np.zeros((task.num_envs, task.observation_size), np.float32)
        self._chunk, self._workers = chunk, workers
        self._part = part or Part(0, task.num_envs)
        self._forward: Forward | None = None
        self._buffers: Experience | None = None

    def reset(self, seed: int) -> Floats:
        self.current = self._checked(self.task.reset(seed))
        return self.current

    def collect(self, policy: Policy, noise: Floats) -> Experience:
        if self._forward is None:
            self._forward = Forward(policy.actor, self._chunk, self._workers)
        taken = self._buffers_of(len(noise))
        taken.final.clear()
        std = np.exp(policy.log_std)
        for t, drawn in enumerate(noise):
            policy.normalizer.apply(self.current, taken.scaled[t])
            self._forward(policy.actor, taken.scaled[t], taken.means[t], self._part)
            np.multiply(drawn, std, out=taken.actions[t])
            taken.actions[t] += taken.means[t]
            self._step(taken, t)
        return taken

    def _step(self, taken: Experience, t: int) -> None:
        observations, rewards, terminated, truncated, info = self.task.step(taken.actions[t])
        self.current = self._checked(observations)
        taken.observations[t], taken.rewards[t] = self.current, rewards
        taken.terminated[t], taken.truncated[t] = terminated, truncated
        taken.final.append(self._final(info, truncated & ~terminated))

    def _final(self, info: dict[str, Any], cut: Bools) -> Floats:
        if not cut.any():
            return np.zeros((0, self.observation_size), np.float32)
        if "final_obs" not in info:
            raise ValueError('the task truncates episodes and its info has no "final_obs": PPO '
                             "needs the observations before the reset")
        return np.asarray(info["final_obs"], np.float32)[cut]

    def _buffers_of(self, steps: int) -> Experience:
        """Those of the last call, where it had as many steps."""
        if self._buffers is None or len(self._buffers.rewards) != steps:
            n, m, a = self.num_envs, self.observation_size, self.action_size

            def floats(*size: int) -> Floats:
                return np.zeros((steps, n, *size), np.float32)

            self._buffers = Experience(floats(m), floats(a), floats(a), floats(m), floats(),
                                       np.zeros((steps, n), np.bool_), np.zeros((steps, n), np.bool_), [])
        return self._buffers

    def _checked(self, observations: Floats) -> Floats:
        wanted = (self.num_envs, self.observation_size)
        if observations.shape != wanted:
            raise ValueError(f"the task's observations are {observations.shape} and not {wanted}")
        return observations
