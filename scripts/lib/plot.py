#!/usr/bin/env python3
"""Draws the log of a simulation: whatever numeric columns it has, like beside like.

The log is CSV with a header. `time` is the abscissa; a column's panel follows from its name (see
PANELS), and what no panel claims is drawn too, one panel for each common beginning of names.
"""
import argparse
import csv
import re
import sys
from pathlib import Path
from typing import NamedTuple

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402


class Panel(NamedTuple):
    title: str
    unit: str
    pattern: str  # of the column's name; its first group, if any, is the curve's label
    scale: float = 1.0
    log: bool = False
    steps: bool = False
    least: float = 0.0  # height of the panel at least, so that noise looks like noise


# From top to bottom.
PANELS = [
    Panel("Base height", "m", r"(?:base_)?(?:height|z)$", least=1e-3),
    Panel("Base position", "m", r"(?:base_)?([xy])$", least=1e-3),
    Panel("Base orientation", "quaternion", r"(?:base_)?q([wxyz])$", least=1e-3),
    Panel("Base velocity", "m/s", r"base_v([xyz])$", least=1e-3),
    Panel("Base angular velocity", "rad/s", r"base_w([xyz])$", least=1e-3),
    Panel("Joint positions", "rad, m", r"(?:q|position)[_.:/\[](.+?)\]?$"),
    Panel("Joint velocities", "rad/s, m/s", r"(?:u|v|qd|velocity)[_.:/\[](.+?)\]?$"),
    Panel("Joint torques", "N m, N", r"(?:tau|torque|force)[_.:/\[](.+?)\]?$"),
    Panel("Contacts", "count", r"(?:n_?)?contacts?(?:_count)?$", steps=True),
    Panel("Largest penetration", "mm", r"(?:max_|largest_)?penetration(?:_m)?$", scale=1e3,
          least=1e-3),
    Panel("NCP residual", "m/s", r"(?:ncp_|contact_)?residual$", log=True),
    Panel("Closure error", "m", r"closure(?:_error)?$", log=True),
    Panel("Solver iterations", "sweeps and Newton steps", r"(?:iterations|sweeps)$", steps=True),
    Panel("Energy", "J", r"(kinetic|potential|total|mechanical)(?:_energy)?$"),
    Panel("Energy balance", "J", r"energy_(?:balance|error)$", least=1e-6),
]

PALETTE = ["#2f6690", "#d1603d", "#4f8a4b", "#8e5a9b", "#c99a2e", "#3a9c9c", "#b24c63", "#6b7280"]
STYLES = ["-", (0, (4, 1.4)), (0, (1.2, 1.2))]
INK, FAINT = "#22272e", "#d9dde2"
MOST_LABELS = 16


def read_log(path):
    """{column: values} in the file's order; a column with a word in it is left out."""
    with open(path, newline="") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    if len(rows) < 3:
        sys.exit(f"{path}: a header and at least two rows are needed")
    header = [name.strip() for name in rows[0]]
    columns = {}
    for name, values in zip(header, zip(*rows[1:])):
        try:
            columns[name] = np.array([float(value) if value else np.nan for value in values])
        except ValueError:
            continue
    return columns


def take_time(columns):
    for name in ("time", "t", "time_s"):
        if name in columns:
            return "time in s", columns.pop(name)
    return "row", np.arange(len(next(iter(columns.values()))))


def arrange(columns):
    """[(panel, {label: values})]: the known panels first, then the rest by the start of its name."""
    left = dict(columns)
    arranged = []
    for panel in PANELS:
        curves = {}
        for name in list(left):
            # A log of several robots writes `robot/column`.
            robot, _, plain = name.rpartition("/")
            found = re.match(panel.pattern, plain, re.IGNORECASE)
            if found:
                label = " ".join(part for part in (robot, found.groups() and found[1]) if part)
                curves[label or ""] = left.pop(name) * panel.scale
        if curves:
            arranged.append((panel, curves))
    others = {}
    for name, values in left.items():
        others.setdefault(re.split(r"[_.:/\[]", name)[0], {})[name] = values
    return arranged + [(Panel(key, "", ""), curves) for key, curves in others.items()]


def looks(labels):
    """A colour and a dash for each curve. Names like `lf_hip` have limbs as colours, joints as
    dashes, where that tells all of them apart; otherwise colours first, then dashes."""
    halves = [re.split(r"[_.\- ]", label, maxsplit=1) for label in labels]
    limbs = list(dict.fromkeys(half[0] for half in halves))
    joints = list(dict.fromkeys(half[-1] for half in halves))
    if len(labels) > 4 and len(limbs) <= len(PALETTE) and 1 < len(joints) <= len(STYLES):
        pairs = [(limbs.index(half[0]), joints.index(half[-1])) for half in halves]
    else:
        pairs = [(place, place // len(PALETTE)) for place in range(len(labels))]
    return [(PALETTE[a % len(PALETTE)], STYLES[b % len(STYLES)]) for a, b in pairs]


def draw_panel(axes, time, panel, curves):
    for (label, values), (color, style) in zip(curves.items(), looks(list(curves))):
        if panel.log:
            values = np.where(values > 0, values, np.nan)
        axes.plot(time, values, color=color, linestyle=style, linewidth=1.0, label=label,
                  drawstyle="steps-post" if panel.steps else "default")
    if panel.log and any(np.any(values > 0) for values in curves.values()):
        axes.set_yscale("log")
    if panel.steps:
        axes.yaxis.get_major_locator().set_params(integer=True)
    axes.margins(x=0, y=0.12)
    low, high = axes.get_ylim()
    if axes.get_yscale() == "linear" and high - low < panel.least:
        axes.set_ylim((low + high - panel.least) / 2, (low + high + panel.least) / 2)
    unit = f"  ({panel.unit})" if panel.unit else ""
    axes.set_title(panel.title + unit, loc="left", fontsize=9.5, fontweight="bold", color=INK)
    axes.grid(True, color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(which="both", labelsize=8, colors=INK, length=0)
    # The power of ten stands at the right, where it does not meet the title.
    power = axes.yaxis.get_offset_text()
    power.set(x=1.0, ha="right", fontsize=8, color=INK)
    for side in axes.spines.values():
        side.set_visible(False)


def draw_legend(axes, curves):
    labels = [label for label in curves if label]
    if not labels:
        return
    handles, names = axes.get_lines()[:MOST_LABELS], labels[:MOST_LABELS]
    if len(labels) > MOST_LABELS:
        names[-1] += f", and {len(labels) - MOST_LABELS} more"
    axes.legend(handles, names, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False,
                fontsize=7.5, labelcolor=INK, handlelength=2.6, labelspacing=0.2)


def draw(title, abscissa, time, arranged):
    rows = (len(arranged) + 1) // 2
    figure, grid = plt.subplots(
        rows, 2, sharex=True, squeeze=False, figsize=(15, 0.8 + 1.95 * rows),
        layout="constrained", facecolor="white")
    figure.get_layout_engine().set(hspace=0.04, wspace=0.03, h_pad=0.05)
    figure.suptitle(title, x=0.01, ha="left", fontsize=13, fontweight="bold", color=INK)
    # Down the left column, then down the right one.
    places = list(grid.T.flat)
    for place, (panel, curves) in zip(places, arranged):
        draw_panel(place, time, panel, curves)
        draw_legend(place, curves)
    for place in places[len(arranged):]:
        place.set_visible(False)
    for lowest in (places[rows - 1], places[len(arranged) - 1]):
        lowest.tick_params(labelbottom=True)
        lowest.set_xlabel(abscissa, fontsize=9, color=INK)
    return figure


def main():
    parser = argparse.ArgumentParser(prog="scripts/plot", description="draws a simulation's log")
    parser.add_argument("log", type=Path, help="CSV written by espalier sim --log")
    parser.add_argument("-o", "--output", type=Path, help="picture (default: LOG with .png)")
    arguments = parser.parse_args()
    if not arguments.log.is_file():
        sys.exit(f"{arguments.log}: no such file")

    columns = read_log(arguments.log)
    abscissa, time = take_time(columns)
    if not columns:
        sys.exit(f"{arguments.log}: no numeric columns beside the time")
    picture = arguments.output or arguments.log.with_suffix(".png")
    figure = draw(arguments.log.stem, abscissa, time, arrange(columns))
    figure.savefig(picture, dpi=140)
    print(picture)


if __name__ == "__main__":
    main()
