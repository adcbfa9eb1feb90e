"""Trained policies that come with the package: NAME-v0.npz, one a task."""

from __future__ import annotations

from pathlib import Path

from ..policy import Policy

__all__ = ["baseline", "baseline_names"]

_FOLDER = Path(__file__).parent


def baseline_names() -> list[str]:
    """Tasks for which there is a baseline."""
    return sorted(file.stem.removesuffix("-v0") for file in _FOLDER.glob("*-v0.npz"))


def baseline(task: str) -> Policy:
    """The policy that has been trained for a task, by the task's name. ValueError where there is none."""
    if task not in baseline_names():
        raise ValueError(f"there is no baseline for {task!r}; there are those for {', '.join(baseline_names())}")
    return Policy.load(_FOLDER / f"{task}-v0.npz")
