"""A multilayer perceptron with a hand-written backward pass.

    h_0 = x,   h_k = f(h_{k-1} W_k + b_k),   y = h_{L-1} W_L + b_L

With d_k the gradient of a loss with respect to the argument of f in layer k:

    dW_k = h_{k-1}' d_k,   db_k = 1' d_k,   d_{k-1} = (d_k W_k') f'(h_{k-1})

Rows are samples. All parameters lie in one flat vector, and so do their gradients; neither pass
allocates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .activation import activation_of
from .vector_task import Floats


class Layer(NamedTuple):
    weights: Floats  # [inputs, outputs]
    bias: Floats  # [outputs]


class Tape:
    """What a forward pass leaves for the backward pass, for `rows` samples at most."""

    def __init__(self, sizes: Sequence[int], rows: int) -> None:
        self.outputs = [np.zeros((rows, size), np.float32) for size in sizes[1:]]  # h_k, and y
        self.slopes = [np.zeros((rows, size), np.float32) for size in sizes[1:-1]]  # d_k
        self.scratch = [np.zeros((rows, size), np.float32) for size in sizes[1:-1]]
        self.ones = np.ones(rows, np.float32)


class Mlp:
    """The network; `parameters` is a flat vector that it reads and does not own."""

    def __init__(self, sizes: Sequence[int], activation: str, parameters: Floats) -> None:
        self.sizes = tuple(sizes)
        self.activation = activation_of(activation)
        self.layers = self.split(parameters)

    @staticmethod
    def parameter_count(sizes: Sequence[int]) -> int:
        return sum((inputs + 1) * outputs for inputs, outputs in zip(sizes, sizes[1:]))

    def split(self, flat: Floats) -> list[Layer]:
        """Views of a flat vector of parameters, or of their gradient, by layer."""
        wanted = self.parameter_count(self.sizes)
        if flat.shape != (wanted,):
            raise ValueError(f"a network of sizes {self.sizes} has {wanted} parameters, and the "
                             f"vector has shape {flat.shape}")
        layers, at = [], 0
        for inputs, outputs in zip(self.sizes, self.sizes[1:]):
            weights = flat[at:at + inputs * outputs].reshape(inputs, outputs)
            at += inputs * outputs
            layers.append(Layer(weights, flat[at:at + outputs]))
            at += outputs
        return layers

    def initialize(self, rng: np.random.Generator, gains: Sequence[float]) -> None:
        """Orthogonal weights times a gain for each layer, biases zero."""
        for layer, gain in zip(self.layers, gains, strict=True):
            layer.weights[...] = gain * orthogonal(rng, *layer.weights.shape)
            layer.bias[...] = 0

    def tape(self, rows: int) -> Tape:
        return Tape(self.sizes, rows)

    def forward(self, x: Floats, tape: Tape) -> Floats:
        """y [rows of x, outputs], a view into the tape."""
        rows = len(x)
        for k, layer in enumerate(self.layers):
            y = tape.outputs[k][:rows]
            np.matmul(x, layer.weights, out=y)
            np.add(y, layer.bias, out=y)
            if k + 1 < len(self.layers):
                self.activation.apply(y, tape.scratch[k][:rows])
            x = y
        return x

    def backward(self, x: Floats, dy: Floats, tape: Tape, gradient: list[Layer]) -> None:
        """Writes the gradient with respect to the parameters.

        in   x         as in the forward pass that filled the tape
        in   dy        gradient of the loss with respect to y
        out  gradient  views by layer, from split()
        """
        rows = len(x)
        slope = dy
        for k in range(len(self.layers) - 1, -1, -1):
            below = tape.outputs[k - 1][:rows] if k else x
            np.matmul(below.T, slope, out=gradient[k].weights)
            np.matmul(tape.ones[:rows], slope, out=gradient[k].bias)
            if k:
                lower = tape.slopes[k - 1][:rows]
                np.matmul(slope, self.layers[k].weights.T, out=lower)
                self.activation.pull_back(below, lower, tape.scratch[k - 1][:rows])
                slope = lower


def orthogonal(rng: np.random.Generator, rows: int, columns: int) -> Floats:
    """A random matrix whose rows or columns, whichever are fewer, are orthonormal."""
    tall = rng.standard_normal((max(rows, columns), min(rows, columns)))
    q, r = np.linalg.qr(tall)
    q *= np.sign(np.diag(r))  # uniform among all such matrices
    return (q if rows >= columns else q.T).astype(np.float32)
