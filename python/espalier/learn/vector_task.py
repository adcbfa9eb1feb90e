"""What PPO trains on: many environments that step together."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
Bools: TypeAlias = NDArray[np.bool_]


class VectorTask(Protocol):
    """num_envs environments; one that ends is reset in the same step.

    step() returns observations [n, m] after that reset, rewards [n], terminated [n] (the task has
    failed or is done), truncated [n] (its time is up, the motion would have gone on), and a
    dictionary whose "final_obs" [n, m] holds, where terminated | truncated, the observation before
    the reset. Its arrays may be overwritten by the next step().
    """

    @property
    def num_envs(self) -> int: ...

    @property
    def observation_size(self) -> int: ...

    @property
    def action_size(self) -> int: ...

    def reset(self, seed: int) -> Floats: ...

    def step(self, actions: Floats) -> tuple[Floats, Floats, Bools, Bools, dict[str, Any]]: ...
