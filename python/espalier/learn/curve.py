"""A learning curve as CSV and as a picture."""

from __future__ import annotations

import csv
import dataclasses
import hashlib
import os
from collections.abc import Sequence
from typing import Any

from .ppo import Progress

TIMES = ("collect_seconds", "learn_seconds", "seconds")  # of Progress; differ from run to run
PANELS = {
    "reward": "reward of a step",
    "episode_steps": "steps of an episode",
    "std": "std of actions",
    "divergence": "KL(old || new)",
}


def write_curve(file: str | os.PathLike[str], curve: Sequence[Progress]) -> None:
    """One row an update, one column a field of Progress, numbers in full."""
    names = [field.name for field in dataclasses.fields(Progress)]
    with open(file, "w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(names)
        writer.writerows([repr(getattr(progress, name)) for name in names] for progress in curve)


def read_curve(file: str | os.PathLike[str]) -> list[Progress]:
    """What write_curve() wrote. ValueError where the columns are others."""
    kinds = {field.name: int if field.name in ("update", "steps") else float
             for field in dataclasses.fields(Progress)}
    with open(file, newline="", encoding="utf-8") as stream:
        reader = csv.reader(stream)
        header = next(reader, [])
        if header != list(kinds):
            raise ValueError(f"{os.fspath(file)}: the columns are {', '.join(header) or 'none'} "
                             f"and not {', '.join(kinds)}")
        rows: list[dict[str, Any]] = [
            {name: kinds[name](text) for name, text in zip(kinds, row, strict=True)}
            for row in reader]
        return [Progress(**row) for row in rows]


def fingerprint(curve: Sequence[Progress]) -> str:
    """Of all bits of a curve but the times: equal for runs that went the same way."""
    digest = hashlib.sha256()
    for progress in curve:
        told = {name: value for name, value in dataclasses.asdict(progress).items()
                if name not in TIMES}
        digest.update(repr(told).encode())
    return digest.hexdigest()[:16]


def draw_curve(file: str | os.PathLike[str], curve: Sequence[Progress], title: str = "") -> None:
    """Panels over the steps of all environments, with the time above. Needs matplotlib; the ending
    of the file is the format: .svg, .png, ..."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 8), layout="constrained")
    figure.suptitle(title)
    rows = figure.subplots(len(PANELS), sharex=True)
    million = [progress.steps / 1e6 for progress in curve]
    for axes, (name, label) in zip(rows, PANELS.items()):
        axes.plot(million, [getattr(progress, name) for progress in curve], color="#2f6690")
        axes.set_ylabel(label)
        axes.grid(color="#d9dde2")
        axes.set_axisbelow(True)
    rows[-1].set_xlabel("steps of all environments, million")
    if len(curve) > 1:
        pace = curve[-1].seconds / 60 / million[-1]
        above = rows[0].secondary_xaxis(
            "top", functions=(lambda x: x * pace, lambda minutes: minutes / pace))
        above.set_xlabel("minutes")
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "espalier"}):  # small, the same again
        figure.savefig(file)
