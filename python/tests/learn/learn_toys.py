"""Small vectorised tasks that PPO learns in seconds."""
import numpy as np


class PointMass:
    """Masses on a line are to come to rest at 0; an episode has `limit` steps."""

    observation_size, action_size = 2, 1

    def __init__(self, num_envs=64, limit=60):
        self.num_envs, self.limit = num_envs, limit

    def reset(self, seed):
        self.rng = np.random.default_rng(seed)
        self.x = np.zeros((self.num_envs, 2), np.float32)
        self.age = np.zeros(self.num_envs, int)
        self.start(np.arange(self.num_envs))
        self.age[:] = self.rng.integers(0, self.limit, self.num_envs)
        return self.x.copy()

    def start(self, rows):
        self.x[rows] = self.rng.uniform(-1, 1, (len(rows), 2))
        self.age[rows] = 0

    def step(self, actions):
        force = np.clip(actions[:, 0], -2, 2)
        self.x[:, 1] += 0.1 * force
        self.x[:, 0] += 0.1 * self.x[:, 1]
        self.age += 1
        reward = np.exp(-4 * np.square(self.x).sum(axis=1)).astype(np.float32)
        terminated = np.abs(self.x[:, 0]) > 3
        truncated = self.age >= self.limit
        final = self.x.copy()
        self.start(np.flatnonzero(terminated | truncated))
        return self.x.copy(), reward, terminated, truncated, {"final_obs": final}


class Clock:
    """Reward 1 in each step, whatever is done; it ends after 4 steps, by failure or by time."""

    observation_size, action_size, limit = 1, 1, 4

    def __init__(self, fails, num_envs=32):
        self.fails, self.num_envs = fails, num_envs

    def reset(self, seed):
        self.age = np.arange(self.num_envs) % self.limit
        return self.observe()

    def observe(self):
        # What time is left is seen where it matters alone.
        return (self.age * self.fails).astype(np.float32)[:, None]

    def step(self, actions):
        self.age = self.age + 1
        over = self.age >= self.limit
        never = np.zeros_like(over)
        final = self.observe()
        self.age = np.where(over, 0, self.age)
        ends = (over, never) if self.fails else (never, over)
        return self.observe(), np.ones(self.num_envs, np.float32), *ends, {"final_obs": final}
