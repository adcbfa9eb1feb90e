"""Experience: what a policy does in all environments for some steps, in buffers made once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .advantage import estimate_advantages
from .episodes import Episodes
from .gaussian import log_density
from .network import Mlp, Tape
from .policy import Policy
from .vector_task import Floats, VectorTask
from .workers import Chunk, Workers, chunks_of


class Rollout:
    """Buffers [steps, n, ...] of n environments, which go on from one rollout to the next.

    observations  scaled by what the normalizer knew when the rollout began
    means         of the policy that acted; its log std is that of the policy until it learns
    rewards       with gamma V(final observation) where an episode was truncated
    values        [steps + 1, n], of the same policy's critic
    """

    def __init__(self, task: VectorTask, policy: Policy, steps: int, chunk: int, workers: Workers,
                 seed: int) -> None:
        n, m, a = task.num_envs, task.observation_size, task.action_size
        self.task, self.policy, self.steps, self.workers = task, policy, steps, workers
        self.observations = np.zeros((steps, n, m), np.float32)
        self.actions = np.zeros((steps, n, a), np.float32)
        self.means = np.zeros((steps, n, a), np.float32)
        self.log_densities = np.zeros((steps, n), np.float32)
        self.rewards = np.zeros((steps, n), np.float32)
        self.ended = np.zeros((steps, n), np.bool_)
        self.values = np.zeros((steps + 1, n), np.float32)
        self.advantages = np.zeros((steps, n), np.float32)
        self.returns = np.zeros((steps, n), np.float32)
        self.episodes = Episodes(n)
        self.reward = 0.0  # mean of a step in the last rollout, as the task gave it
        self._noise = np.zeros((n, a), np.float32)
        self._scaled = np.zeros((n, m), np.float32)
        self._chunk = chunk
        self._actor_tapes = [policy.actor.tape(chunk) for _ in range(workers.threads)]
        self._critic_tapes = [policy.critic.tape(chunk) for _ in range(workers.threads)]
        self._current = self._checked(task.reset(seed))
        policy.normalizer.update(self._current)

    def collect(self, rng: np.random.Generator, gamma: float, lam: float) -> None:
        """Fills all buffers."""
        policy, normalizer = self.policy, self.policy.normalizer
        normalizer.refresh()
        std = np.exp(policy.log_std)
        self.reward = 0.0
        for t in range(self.steps):
            normalizer.apply(self._current, self.observations[t])
            self._forward(policy.actor, self._actor_tapes, self.observations[t], self.means[t])
            rng.standard_normal(out=self._noise, dtype=np.float32)
            log_density(self._noise, policy.log_std, self.log_densities[t])
            np.multiply(self._noise, std, out=self.actions[t])
            self.actions[t] += self.means[t]
            self._step(t, gamma)
        flat = self.observations.reshape(-1, self.observations.shape[2])
        self._forward(policy.critic, self._critic_tapes, flat, self.values[:-1].reshape(-1, 1))
        normalizer.apply(self._current, self._scaled)
        self._forward(policy.critic, self._critic_tapes, self._scaled,
                      self.values[-1].reshape(-1, 1))
        estimate_advantages(self.rewards, self.values, self.ended, gamma, lam, self.advantages)
        np.add(self.advantages, self.values[:-1], out=self.returns)

    def _step(self, t: int, gamma: float) -> None:
        """One step of the task, with what truncated episodes would have got."""
        observations, rewards, terminated, truncated, info = self.task.step(self.actions[t])
        self._current = self._checked(observations)
        self.policy.normalizer.update(self._current)
        self.rewards[t] = rewards
        self.reward += float(rewards.mean(dtype=np.float64)) / self.steps
        np.logical_or(terminated, truncated, out=self.ended[t])
        self.episodes.step(rewards, self.ended[t])
        cut = np.flatnonzero(truncated & ~terminated)
        if len(cut):
            self.rewards[t, cut] += np.float32(gamma) * self._final_values(info, cut)

    def _final_values(self, info: dict[str, Any], cut: NDArray[np.intp]) -> Floats:
        if "final_obs" not in info:
            raise ValueError('the task truncates episodes and its info has no "final_obs": PPO '
                             "needs the observations before the reset")
        scaled = np.asarray(info["final_obs"], np.float32)[cut]
        self.policy.normalizer.apply(scaled, scaled)
        values = np.empty((len(cut), 1), np.float32)
        self._forward(self.policy.critic, self._critic_tapes, scaled, values)
        return values[:, 0]

    def _forward(self, network: Mlp, tapes: list[Tape], x: Floats, out: Floats) -> None:
        def work(thread: int, chunk: Chunk) -> None:
            np.copyto(out[chunk.rows], network.forward(x[chunk.rows], tapes[thread]))

        self.workers.run(work, chunks_of(len(x), self._chunk))

    def _checked(self, observations: Floats) -> Floats:
        wanted = (self.task.num_envs, self.task.observation_size)
        if observations.shape != wanted:
            raise ValueError(f"the task's observations are {observations.shape} and not {wanted}")
        return observations
