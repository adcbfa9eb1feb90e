"""Experience and what PPO computes of it: log densities, values, advantages, in buffers made once."""

from __future__ import annotations

import numpy as np

from .advantage import estimate_advantages
from .collector import Collector, Experience
from .episodes import Episodes
from .forward import Forward
from .gaussian import log_density
from .policy import Policy
from .vector_task import Floats
from .workers import Workers


class Rollout:
    """Buffers [steps, n, ...] of n environments, which go on from one rollout to the next.

    observations  scaled by what the normalizer knew when the rollout began
    means         of the policy that acted; its log std is that of the policy until it learns
    rewards       with gamma V(final observation) where an episode was truncated
    values        [steps + 1, n], of the same policy's critic
    """

    def __init__(self, collector: Collector, policy: Policy, steps: int, chunk: int, workers: Workers,
                 seed: int) -> None:
        n, m, a = collector.num_envs, collector.observation_size, collector.action_size
        self.collector, self.policy, self.steps = collector, policy, steps
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
        self._noise = np.zeros((steps, n, a), np.float32)
        self._scaled = np.zeros((n, m), np.float32)
        self._evaluate = Forward(policy.critic, chunk, workers)
        policy.normalizer.update(collector.reset(seed))

    def collect(self, rng: np.random.Generator, gamma: float, lam: float) -> None:
        """Fills all buffers."""
        policy, normalizer = self.policy, self.policy.normalizer
        normalizer.refresh()
        rng.standard_normal(out=self._noise, dtype=np.float32)
        taken = self.collector.collect(policy, self._noise)
        self.observations, self.means, self.actions = taken.scaled, taken.means, taken.actions
        self.reward = 0.0
        for t in range(self.steps):
            log_density(self._noise[t], policy.log_std, self.log_densities[t])
            self._take(taken, t, gamma)
        flat = self.observations.reshape(-1, self.observations.shape[2])
        self._evaluate(policy.critic, flat, self.values[:-1].reshape(-1, 1))
        normalizer.apply(taken.observations[-1], self._scaled)
        self._evaluate(policy.critic, self._scaled, self.values[-1].reshape(-1, 1))
        estimate_advantages(self.rewards, self.values, self.ended, gamma, lam, self.advantages)
        np.add(self.advantages, self.values[:-1], out=self.returns)

    def _take(self, taken: Experience, t: int, gamma: float) -> None:
        """One step, with what truncated episodes would have got."""
        rewards, terminated, truncated = taken.rewards[t], taken.terminated[t], taken.truncated[t]
        self.policy.normalizer.update(taken.observations[t])
        self.rewards[t] = rewards
        self.reward += float(rewards.mean(dtype=np.float64)) / self.steps
        np.logical_or(terminated, truncated, out=self.ended[t])
        self.episodes.step(rewards, self.ended[t])
        cut = np.flatnonzero(truncated & ~terminated)
        if len(cut):
            self.rewards[t, cut] += np.float32(gamma) * self._final_values(taken.final[t])

    def _final_values(self, observations: Floats) -> Floats:
        scaled = np.empty_like(observations)
        self.policy.normalizer.apply(observations, scaled)
        values = np.empty((len(scaled), 1), np.float32)
        self._evaluate(self.policy.critic, scaled, values)
        return values[:, 0]
