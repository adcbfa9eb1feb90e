"""Activation functions of hidden layers, in place, and their derivatives from their outputs.

    tanh    y = tanh x                         dy/dx = 1 - y^2
    elu     y = x for x > 0, exp(x) - 1 else   dy/dx = min(y, 0) + 1
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from .vector_task import Floats


class Activation(Protocol):
    """Both work in place; scratch has the shape of x and is overwritten."""

    def apply(self, x: Floats, scratch: Floats) -> None:
        """x becomes y."""

    def pull_back(self, y: Floats, dy: Floats, scratch: Floats) -> None:
        """dy, the gradient with respect to y, becomes that with respect to x."""


class Tanh:
    def apply(self, x: Floats, scratch: Floats) -> None:
        np.tanh(x, out=x)

    def pull_back(self, y: Floats, dy: Floats, scratch: Floats) -> None:
        np.multiply(y, y, out=scratch)
        np.subtract(np.float32(1), scratch, out=scratch)
        np.multiply(dy, scratch, out=dy)


class Elu:
    def apply(self, x: Floats, scratch: Floats) -> None:
        np.minimum(x, np.float32(0), out=scratch)
        np.exp(scratch, out=scratch)
        np.subtract(scratch, np.float32(1), out=scratch)
        np.maximum(x, scratch, out=x)  # exp(x) - 1 >= x everywhere, and is 0 here for x > 0

    def pull_back(self, y: Floats, dy: Floats, scratch: Floats) -> None:
        np.minimum(y, np.float32(0), out=scratch)
        np.add(scratch, np.float32(1), out=scratch)
        np.multiply(dy, scratch, out=dy)


ACTIVATIONS: dict[str, Activation] = {"tanh": Tanh(), "elu": Elu()}


def activation_of(name: str) -> Activation:
    """The activation of that name. ValueError where there is none."""
    if name not in ACTIVATIONS:
        raise ValueError(f"there is no activation {name!r}; there are {', '.join(ACTIVATIONS)}")
    return ACTIVATIONS[name]
