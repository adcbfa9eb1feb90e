"""Adam, and the bound of a gradient's norm.

    m <- b1 m + (1 - b1) g,   v <- b2 v + (1 - b2) g^2
    p <- p - rate (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + eps)

Kingma and Ba 2015, algorithm 1.
"""

from __future__ import annotations

import math

import numpy as np

from .vector_task import Floats


class Adam:
    """Moments of one flat vector of parameters, which step() changes in place."""

    def __init__(self, count: int, beta1: float = 0.9, beta2: float = 0.999,
                 epsilon: float = 1e-8) -> None:
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        self.steps = 0
        self.first = np.zeros(count, np.float32)
        self.second = np.zeros(count, np.float32)
        self._scratch = np.zeros(count, np.float32)

    def step(self, parameters: Floats, gradient: Floats, rate: float) -> None:
        """One descent step; the gradient is left as it is."""
        self.steps += 1
        scratch = self._scratch
        np.multiply(gradient, np.float32(1 - self.beta1), out=scratch)
        self.first *= np.float32(self.beta1)
        self.first += scratch
        np.multiply(gradient, gradient, out=scratch)
        scratch *= np.float32(1 - self.beta2)
        self.second *= np.float32(self.beta2)
        self.second += scratch
        np.multiply(self.second, np.float32(1 / (1 - self.beta2**self.steps)), out=scratch)
        np.sqrt(scratch, out=scratch)
        scratch += np.float32(self.epsilon)
        np.divide(self.first, scratch, out=scratch)
        scratch *= np.float32(rate / (1 - self.beta1**self.steps))
        parameters -= scratch


def clip_norm(gradient: Floats, bound: float) -> float:
    """Scales the gradient in place so that its norm is at most the bound; the norm it had."""
    norm = math.sqrt(float(np.dot(gradient, gradient)))
    if norm > bound:
        gradient *= np.float32(bound / norm)
    return norm
