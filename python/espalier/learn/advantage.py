"""Generalized advantage estimation.

    delta_t = r_t + gamma V_{t+1} - V_t,   A_t = delta_t + gamma lambda A_{t+1}

where V_{t+1} and A_{t+1} are zero behind the end of an episode. An episode that was truncated
would have gone on: its last reward is to hold gamma V(final observation) already.
Schulman et al. 2016, equation 16.
"""

from __future__ import annotations

import numpy as np

from .vector_task import Bools, Floats


def estimate_advantages(rewards: Floats, values: Floats, ended: Bools, gamma: float, lam: float,
                        out: Floats) -> None:
    """A of each step.

    in   rewards  [steps, n]
    in   values   [steps + 1, n]; the last row is of the state behind the last step
    in   ended    [steps, n]     the episode ended in this step
    out  out      [steps, n]
    """
    steps, count = rewards.shape
    if values.shape != (steps + 1, count):
        raise ValueError(f"values are {values.shape}, and rewards want {(steps + 1, count)}")
    following = np.zeros(count, np.float32)
    for t in range(steps - 1, -1, -1):
        going_on = (~ended[t]).astype(np.float32)
        delta = rewards[t] + np.float32(gamma) * going_on * values[t + 1] - values[t]
        following = delta + np.float32(gamma * lam) * going_on * following
        out[t] = following
