"""Proximal policy optimization on a VectorTask.

A rollout, then some epochs of minibatches; the learning rate follows the divergence of the policy
from the one that acted, as is customary for legged robots (Rudin et al. 2022).

    trainer = Ppo(task, PpoConfig(), seed=1)
    trainer.train(updates=300, report=print)
    trainer.policy.save("policy.npz")

The same seed gives the same bits on the same machine with any number of threads; see workers.py.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .adam import Adam, clip_norm
from .collector import Collector, LocalCollector
from .loss import LossScratch, LossWeights, Samples, Terms, loss_of
from .policy import Policy
from .rollout import Rollout
from .vector_task import Floats, VectorTask
from .workers import Chunk, Workers, chunks_of


@dataclass(frozen=True)
class PpoConfig:
    hidden: tuple[int, ...] = (128, 128)  # units of the hidden layers, of actor and critic each
    activation: str = "elu"  # or "tanh"
    steps: int = 24  # of each environment in a rollout
    epochs: int = 5
    minibatches: int = 4
    gamma: float = 0.99
    lam: float = 0.95
    clip: float = 0.2
    value_weight: float = 1.0
    entropy_weight: float = 0.005
    initial_std: float = 1.0
    learning_rate: float = 1e-3
    rate_bounds: tuple[float, float] = (1e-5, 1e-2)
    target_divergence: float | None = 0.01  # None: the learning rate stays as it is
    norm_bound: float = 1.0  # of the gradient
    chunk: int = 1024  # rows that a thread works on at once; the bits depend on it
    threads: int = 1


@dataclass(frozen=True)
class Progress:
    """After an update. All but the last three are the same whenever the run is repeated."""

    update: int
    steps: int  # of all environments together, since the beginning
    reward: float  # mean of a step
    episode_return: float  # mean of the episodes that ended last; NaN: none has yet
    episode_steps: float
    surrogate: float
    value_loss: float
    divergence: float
    clipped: float
    std: float  # mean of the actions' standard deviations
    learning_rate: float
    collect_seconds: float
    learn_seconds: float
    seconds: float  # since the trainer was made


class Ppo:
    """Trains a policy that it makes, or goes on with one that is given.

    task  environments in this process, or a Collector of environments elsewhere (espalier.ray.RolloutPool)
    """

    def __init__(self, task: VectorTask | Collector, config: PpoConfig = PpoConfig(), *, seed: int = 0,
                 policy: Policy | None = None) -> None:
        batch = task.num_envs * config.steps
        if batch % config.minibatches:
            raise ValueError(f"{batch} samples a rollout cannot be split into "
                             f"{config.minibatches} equal minibatches")
        self._begin = time.perf_counter()
        self.config = config
        self._rng = np.random.default_rng(seed)
        if policy is None:
            policy = Policy(task.observation_size, task.action_size, config.hidden,
                            config.activation)
            policy.initialize(self._rng, config.initial_std)
        sizes, wanted = (policy.observation_size, policy.action_size), (task.observation_size, task.action_size)
        if sizes != wanted:
            raise ValueError(f"the policy has {sizes[0]} observations and {sizes[1]} actions, the task {wanted[0]} and "
                             f"{wanted[1]}")
        self.policy = policy
        self.updates = 0
        self.learning_rate = config.learning_rate
        self._workers = Workers(config.threads)
        collector = task if isinstance(task, Collector) else LocalCollector(task, config.chunk, self._workers)
        self.rollout = Rollout(collector, policy, config.steps, config.chunk, self._workers, seed)
        self._adam = Adam(len(policy.parameters))
        self._weights = LossWeights(config.clip, config.value_weight, config.entropy_weight)
        self._chunks = chunks_of(batch // config.minibatches, config.chunk)
        self._scratch = [LossScratch(policy, config.chunk) for _ in range(config.threads)]
        self._gradients = np.zeros((len(self._chunks), len(policy.parameters)), np.float32)
        self._gradient = np.zeros(len(policy.parameters), np.float32)

    def train(self, *, updates: int | None = None, minutes: float | None = None,
              report: Callable[[Progress], object] | None = None) -> list[Progress]:
        """Updates until so many were made, or so many minutes have passed."""
        if updates is None and minutes is None:
            raise ValueError("train() needs updates, minutes or both")
        curve: list[Progress] = []
        begin = time.perf_counter()
        while updates is None or len(curve) < updates:
            if minutes is not None and time.perf_counter() - begin > 60 * minutes:
                break
            curve.append(self.update())
            if report:
                report(curve[-1])
        return curve

    def update(self) -> Progress:
        """A rollout and what is learnt from it."""
        start = time.perf_counter()
        self.rollout.collect(self._rng, self.config.gamma, self.config.lam)
        collected = time.perf_counter()
        terms = self._learn()
        learnt = time.perf_counter()
        self.updates += 1
        rollout = self.rollout
        return Progress(
            update=self.updates, steps=self.updates * rollout.rewards.size,
            reward=rollout.reward, episode_return=rollout.episodes.mean_return(),
            episode_steps=rollout.episodes.mean_steps(), surrogate=terms.surrogate,
            value_loss=terms.value, divergence=terms.divergence, clipped=terms.clipped,
            std=float(np.exp(self.policy.log_std).mean(dtype=np.float64)),
            learning_rate=self.learning_rate, collect_seconds=collected - start,
            learn_seconds=learnt - collected, seconds=learnt - self._begin)

    def _learn(self) -> Terms:
        """All epochs; mean terms of the minibatches, each from before its step."""
        samples = self._samples()
        old_log_std = self.policy.log_std.copy()
        count = len(samples.returns) // self.config.minibatches
        met: list[Terms] = []
        for _ in range(self.config.epochs):
            order = self._rng.permutation(len(samples.returns))
            for k in range(self.config.minibatches):
                terms = self._gradient_of(samples, order[k * count:(k + 1) * count], old_log_std)
                met.append(terms)
                self._adapt_rate(terms.divergence)
                clip_norm(self._gradient, self.config.norm_bound)
                self._adam.step(self.policy.parameters, self._gradient, self.learning_rate)
        return Terms(*(sum(column) / len(met) for column in zip(*met)))

    def _samples(self) -> Samples:
        """The rollout as rows, with advantages of mean 0 and variance 1."""
        held = self.rollout
        advantages = held.advantages.reshape(-1)
        spread = advantages.std(dtype=np.float64) + 1e-8
        scaled = (advantages - advantages.mean(dtype=np.float64)) / spread
        return Samples(_rows(held.observations), _rows(held.actions), _rows(held.means),
                       held.log_densities.reshape(-1), scaled.astype(np.float32),
                       held.returns.reshape(-1))

    def _gradient_of(self, samples: Samples, indices: NDArray[np.int64],
                     old_log_std: Floats) -> Terms:
        """Loss and gradient of a minibatch, its chunks shared out among threads."""
        parts: list[Terms] = [Terms(0, 0, 0, 0)] * len(self._chunks)

        def work(thread: int, chunk: Chunk) -> None:
            scratch = self._scratch[thread]
            taken = samples.take(indices[chunk.rows], scratch.samples)
            parts[chunk.place] = loss_of(self.policy, taken, old_log_std, len(indices),
                                         self._weights, scratch, self._gradients[chunk.place])

        self._workers.run(work, self._chunks)
        np.add.reduce(self._gradients, axis=0, out=self._gradient)
        return Terms(*(sum(column) for column in zip(*parts)))

    def _adapt_rate(self, divergence: float) -> None:
        target = self.config.target_divergence
        if target is None:
            return
        low, high = self.config.rate_bounds
        if divergence > 2 * target:
            self.learning_rate = max(low, self.learning_rate / 1.5)
        elif divergence < target / 2:
            self.learning_rate = min(high, self.learning_rate * 1.5)


def _rows(field: Floats) -> Floats:
    return field.reshape(-1, field.shape[2])
