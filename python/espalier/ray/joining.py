"""Results of workers put together in the order of their worlds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..learn.autoreset import Info, Step
from ..learn.collector import Experience

__all__ = ["joined_experience", "joined_steps"]


def joined_steps(parts: Sequence[Step]) -> Step:
    observation, reward, terminated, truncated = (
        np.concatenate([part[i] for part in parts]) for i in range(4))
    sizes = [len(part[1]) for part in parts]
    return observation, reward, terminated, truncated, joined_infos([part[4] for part in parts], sizes)


def joined_infos(parts: Sequence[Info], sizes: Sequence[int]) -> Info:
    """What one environment of all worlds would tell: where a part lacks a name, no episode ended there."""
    infos: Info = {}
    for name in dict.fromkeys(name for part in parts for name in part):
        sample = next(part[name] for part in parts if name in part)
        if isinstance(sample, dict):
            infos[name] = joined_infos([part.get(name, {}) for part in parts], sizes)
        else:
            infos[name] = np.concatenate([_own(part[name]) if name in part else _blank(sample, n)
                                          for part, n in zip(parts, sizes, strict=True)])
    return infos


def joined_experience(parts: Sequence[Experience]) -> Experience:
    """Worlds are the second axis."""
    arrays: list[Any] = [np.concatenate(columns, axis=1) for columns in list(zip(*parts))[:-1]]
    return Experience._make([*arrays, [np.concatenate(rows) for rows in zip(*(part.final for part in parts))]])


def _own(values: NDArray[Any]) -> NDArray[Any]:
    """Rows that are objects may be memory of Ray, which cannot be written."""
    if values.dtype != object:
        return values
    own: NDArray[Any] = np.full(len(values), None, object)
    for i, row in enumerate(values):
        own[i] = None if row is None else row.copy()
    return own


def _blank(like: NDArray[Any], n: int) -> NDArray[Any]:
    return np.full(n, None, object) if like.dtype == object else np.zeros(n, like.dtype)
