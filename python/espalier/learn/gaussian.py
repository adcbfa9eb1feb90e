"""A Gaussian with diagonal covariance whose standard deviations are the same for all samples.

    z = (a - mean) / std
    log p(a) = -z'z / 2 - sum log std - n/2 log 2 pi
    entropy  = sum log std + n/2 (1 + log 2 pi)
    KL(old || new) = sum log(std / std_old) + (std_old^2 + (mean_old - mean)^2) / (2 std^2) - 1/2
"""

from __future__ import annotations

import math

import numpy as np

from .vector_task import Floats


def log_density(z: Floats, log_std: Floats, out: Floats) -> None:
    """log p [rows] of samples given as z [rows, n]."""
    np.einsum("ij,ij->i", z, z, out=out)
    out *= np.float32(-0.5)
    out -= np.float32(log_std.sum(dtype=np.float64) + 0.5 * len(log_std) * math.log(2 * math.pi))


def divergence(old_mean: Floats, old_log_std: Floats, mean: Floats, log_std: Floats,
               scratch: Floats) -> float:
    """Sum over rows of KL(old || new); scratch has the shape of mean."""
    precision = np.exp(-2 * log_std.astype(np.float64))
    np.subtract(old_mean, mean, out=scratch)
    np.multiply(scratch, scratch, out=scratch)
    moved = float(scratch.sum(axis=0, dtype=np.float64) @ precision)
    ratio = np.exp(2 * old_log_std.astype(np.float64)) * precision
    widened = float((0.5 * ratio - 0.5 - 0.5 * np.log(ratio)).sum())
    return 0.5 * moved + len(mean) * widened
