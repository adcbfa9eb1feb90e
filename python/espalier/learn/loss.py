"""The loss of PPO on some samples, and its gradient.

    r = exp(log p(a) - log p_old(a))
    loss = - mean min(r A, clip(r, 1 - c, 1 + c) A) + w_v mean (V - R)^2 - w_e entropy

    d(-min(...))/d log p = -r A where r A is the smaller one, else 0
    d log p/d mean = z / std,   d log p/d log std = z^2 - 1

A sum over chunks of samples, each divided by the number of all samples of the minibatch.
Schulman et al. 2017, equation 9.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .gaussian import divergence, log_density
from .policy import Policy
from .vector_task import Floats


class Samples(NamedTuple):
    """Rows of a rollout."""

    observations: Floats  # [rows, m], scaled
    actions: Floats  # [rows, a]
    means: Floats  # [rows, a], of the policy that acted
    log_densities: Floats  # [rows], of the actions under that policy
    advantages: Floats  # [rows], scaled
    returns: Floats  # [rows]

    def rows(self, rows: slice) -> Samples:
        return Samples(*(field[rows] for field in self))

    def take(self, indices: Sequence[int] | np.ndarray[tuple[int], np.dtype[np.intp]],
             out: Samples) -> Samples:
        """The rows of these indices, copied into the first rows of out."""
        held = out.rows(slice(0, len(indices)))
        for field, into in zip(self, held):
            np.take(field, indices, axis=0, out=into, mode="clip")  # "raise" would buffer
        return held


class LossWeights(NamedTuple):
    clip: float
    value: float
    entropy: float


class Terms(NamedTuple):
    """Means over samples, or a chunk's part of them."""

    surrogate: float
    value: float
    divergence: float  # KL(old || new)
    clipped: float  # share of the samples whose ratio is outside the clip


class LossScratch:
    """What a chunk of `rows` samples needs while its loss is computed, once a thread."""

    def __init__(self, policy: Policy, rows: int) -> None:
        a = policy.action_size
        self.actor_tape = policy.actor.tape(rows)
        self.critic_tape = policy.critic.tape(rows)
        self.samples = Samples(
            np.zeros((rows, policy.observation_size), np.float32), np.zeros((rows, a), np.float32),
            np.zeros((rows, a), np.float32), np.zeros(rows, np.float32),
            np.zeros(rows, np.float32), np.zeros(rows, np.float32))
        self.z = np.zeros((rows, a), np.float32)
        self.slope = np.zeros((rows, a), np.float32)
        self.ratio = np.zeros(rows, np.float32)


def loss_of(policy: Policy, samples: Samples, old_log_std: Floats, total: int,
            weights: LossWeights, scratch: LossScratch, gradient: Floats) -> Terms:
    """A chunk's part of the loss, and of its gradient with respect to policy.parameters.

    in   total     samples of the whole minibatch, this chunk's and others'
    out  gradient  overwritten; parts of all chunks add up to the gradient of the minibatch
    """
    rows = len(samples.observations)
    for_actor, for_log_std, for_critic = policy.split(gradient)
    inverse_std = np.exp(-policy.log_std)
    z, slope, ratio = scratch.z[:rows], scratch.slope[:rows], scratch.ratio[:rows]

    mean = policy.actor.forward(samples.observations, scratch.actor_tape)
    kl = divergence(samples.means, old_log_std, mean, policy.log_std, slope)
    np.subtract(samples.actions, mean, out=z)
    z *= inverse_std
    log_density(z, policy.log_std, ratio)
    ratio -= samples.log_densities
    np.exp(ratio, out=ratio)
    advantages = samples.advantages
    bounded = np.clip(ratio, np.float32(1 - weights.clip), np.float32(1 + weights.clip))
    plain = ratio * advantages
    surrogate = np.minimum(plain, bounded * advantages)
    by_log_density = np.where(plain <= surrogate, plain, np.float32(0)) * np.float32(-1 / total)
    np.multiply(z, by_log_density[:, None], out=slope)
    by_log_std = np.einsum("ij,ij->j", z, slope) - by_log_density.sum()
    np.subtract(by_log_std, np.float32(weights.entropy * rows / total), out=for_log_std)
    slope *= inverse_std
    policy.actor.backward(samples.observations, slope, scratch.actor_tape,
                          policy.actor.split(for_actor))

    value = policy.critic.forward(samples.observations, scratch.critic_tape)
    error = value[:, 0] - samples.returns
    by_value = error * np.float32(2 * weights.value / total)
    policy.critic.backward(samples.observations, by_value[:, None], scratch.critic_tape,
                           policy.critic.split(for_critic))
    return Terms(surrogate=float(surrogate.sum(dtype=np.float64)) / total,
                 value=float(np.square(error).sum(dtype=np.float64)) / total,
                 divergence=kl / total,
                 clipped=float(np.count_nonzero(bounded != ratio)) / total)
