"""Worlds on Ray actors, in other processes or on other machines: environments and rollouts with the numbers that
they have in this process, also where an actor is lost on the way (docs/learning_ray.md)."""

try:
    import gymnasium as _gymnasium  # noqa: F401
    import ray.exceptions as _exceptions  # type: ignore[import-not-found,unused-ignore]  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f'{error}; espalier.ray needs Ray and gymnasium: pip install "espalier[ray]"',
                              name=error.name) from None

from .rollout_pool import RolloutPool as RolloutPool
from .vector_env import RemoteVectorEnv as RemoteVectorEnv
from .worker_group import WorkerError as WorkerError
