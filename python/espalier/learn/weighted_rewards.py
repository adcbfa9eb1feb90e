"""A reward that is a weighted sum of terms, and what each term has added up to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from .arrays import Ids, Real

__all__ = ["WeightedRewards", "named_terms"]

T = TypeVar("T")


def named_terms(weights: Any, *terms: Callable[[T], Real]) -> dict[str, Callable[[T], Real]]:
    """{name: term}. ValueError where these are not the fields of the dataclass `weights`, in their order."""
    named = {term.__name__: term for term in terms}
    if list(named) != [field.name for field in fields(weights)]:
        raise ValueError(f"{weights.__name__} has other fields than {', '.join(named)}")
    return named


class WeightedRewards(Generic[T]):
    """terms    functions of a task T, [n] each
    weights  an object with a number for the name of each term; terms of weight 0 are not computed
    sums     [n] of each term since the world's reset
    """

    world_arrays: ClassVar[tuple[str, ...]] = ("_sums",)

    def __init__(self, n: int, terms: Mapping[str, Callable[[T], Real]], weights: object) -> None:
        of = {name: float(getattr(weights, name)) for name in terms}
        self._terms = {name: term for name, term in terms.items() if of[name] != 0}
        self._sums = np.zeros((len(self._terms), n), np.float32)
        self._weights = np.array([[of[name]] for name in self._terms], np.float32)
        self.sums = dict(zip(self._terms, self._sums, strict=True))

    def compute(self, task: T, control_step: float) -> Real:
        """[n], of one control step, s. Never negative, so that falling early is no way out."""
        values = np.empty_like(self._sums)
        for row, term in zip(values, self._terms.values(), strict=True):
            row[...] = term(task)
        values *= control_step * self._weights
        np.nan_to_num(values, copy=False, posinf=0, neginf=0)  # of worlds whose physics broke down
        self._sums += values
        total = np.zeros(values.shape[1], np.float32)
        for row in values:  # one after the other: numpy's sum depends on the number of worlds
            total += row
        return np.maximum(total, 0)

    def clear(self, ids: Ids) -> None:
        for sums in self.sums.values():
            sums[ids] = 0
