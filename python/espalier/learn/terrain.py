"""Rough ground in tiles: along x it becomes harder from level to level, along y lie its kinds.

Every tile is flat in the middle, where robots start, and ends at height 0 towards its neighbours, but
for noise and blocks, which are cut off there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .arrays import Ids, Mask, Real

if TYPE_CHECKING:
    from .. import HeightMap, World

__all__ = ["KINDS", "Terrain", "TerrainOptions"]

Heights = NDArray[np.float64]
Kind = Callable[["TerrainOptions", float, np.random.Generator], Heights]


@dataclass(frozen=True)
class TerrainOptions:
    """Sizes in m; noise, slope, step and block are those of the hardest level.

    levels   tiles along x
    kinds    tiles along y, names of KINDS
    tile     length of a tile's side
    border   flat ground all round
    spacing  of the grid
    start    side of the flat middle of a tile
    noise    greatest height of "noise"
    slope    gradient of "hill" and "bowl"
    step     height of a step of "stairs" and "pit"
    tread    depth of a step
    block    greatest height of "blocks"
    seed     of noise and blocks
    """

    levels: int = 8
    kinds: tuple[str, ...] = ("noise", "hill", "bowl", "blocks", "stairs", "pit")
    tile: float = 8.0
    border: float = 4.0
    spacing: float = 0.1
    start: float = 1.2
    noise: float = 0.08
    slope: float = 0.35
    step: float = 0.12
    tread: float = 0.4
    block: float = 0.12
    seed: int = 0

    def __post_init__(self) -> None:
        unknown = [kind for kind in self.kinds if kind not in KINDS]
        if unknown or not self.kinds:
            raise ValueError(f"there is no terrain {', '.join(unknown) or 'of no kind'}; kinds are "
                             f"{', '.join(KINDS)}")
        if self.levels < 1:
            raise ValueError(f"{self.levels} levels; there has to be one")

    @property
    def samples(self) -> int:
        """Of the grid along the side of a tile."""
        return round(self.tile / self.spacing)

    def from_middle(self) -> tuple[Heights, Heights]:
        """m along x and along y from the middle of a tile to its samples."""
        along = (np.arange(self.samples) + 0.5) * self.spacing - self.tile / 2
        x, y = np.meshgrid(along, along)
        return x, y

    def inwards(self) -> Heights:
        """m from the border of the tile to its samples, at most as far as to the flat middle."""
        x, y = self.from_middle()
        edge = self.tile / 2 - 0.4  # a margin between tiles
        distance: Heights = np.clip(edge - np.maximum(np.abs(x), np.abs(y)), 0, edge - self.start / 2)
        return distance

    def outside_start(self) -> Heights:
        """0 in the flat middle of a tile, 1 elsewhere."""
        x, y = self.from_middle()
        return (np.maximum(np.abs(x), np.abs(y)) > self.start / 2).astype(float)


def _noise(options: TerrainOptions, difficulty: float, rng: np.random.Generator) -> Heights:
    n = options.samples
    return rng.uniform(0, options.noise * difficulty, (n, n)) * options.outside_start()


def _hill(options: TerrainOptions, difficulty: float, _: np.random.Generator) -> Heights:
    return options.slope * difficulty * options.inwards()


def _stairs(options: TerrainOptions, difficulty: float, _: np.random.Generator) -> Heights:
    return options.step * difficulty * np.floor(options.inwards() / options.tread)


def _blocks(options: TerrainOptions, difficulty: float, rng: np.random.Generator) -> Heights:
    heights = np.zeros((options.samples, options.samples))
    for _ in range(60):
        length, width = rng.integers(4, 12, 2)
        x, y = rng.integers(0, options.samples - 12, 2)
        heights[y:y + width, x:x + length] = rng.uniform(0.3, 1) * options.block * difficulty
    return heights * options.outside_start()


KINDS: dict[str, Kind] = {
    "flat": lambda options, _, __: np.zeros((options.samples, options.samples)),
    "noise": _noise,
    "hill": _hill,
    "bowl": lambda *arguments: -_hill(*arguments),
    "blocks": _blocks,
    "stairs": _stairs,
    "pit": lambda *arguments: -_stairs(*arguments),
}


class Terrain:
    """The heights of all tiles, on a grid centred at the origin.

    heights  [ny, nx] m
    size     (2,) m between the first and the last sample along x and y
    """

    def __init__(self, options: TerrainOptions) -> None:
        self.options = options
        rng = np.random.default_rng(options.seed)
        rows = [
            np.hstack([KINDS[kind](options, (level + 1) / options.levels, rng)
                       for level in range(options.levels)])
            for kind in options.kinds
        ]
        self.heights: Heights = np.pad(np.vstack(rows), round(options.border / options.spacing))
        ny, nx = self.heights.shape
        self.size = np.array([nx - 1, ny - 1]) * options.spacing

    def add_to(self, world: World) -> HeightMap:
        """Puts it into a world."""
        ny, nx = self.heights.shape
        x_size, y_size = map(float, self.size)
        return world.add_height_map(nx, ny, x_size, y_size, 0.0, 0.0, self.heights)

    def middle(self, level: Ids, kind: Ids) -> Real:
        """[2, n] x and y, m, of the middles of tiles."""
        tile, options = self.options.tile, self.options
        return np.stack([(level + 0.5 - options.levels / 2) * tile,
                         (kind + 0.5 - len(options.kinds) / 2) * tile])

    def height(self, xy: Real) -> Real:
        """[n] m at points [2, n]; beyond the grid as at its border."""
        ny, nx = self.heights.shape
        at = (np.asarray(xy, float) + self.size[:, None] / 2) / self.options.spacing
        at = np.clip(at, 0, np.array([[nx - 1.000001], [ny - 1.000001]]))
        i, j = at.astype(np.int64)
        a, b = at - (i, j)
        h = self.heights
        height: Real = ((1 - b) * ((1 - a) * h[j, i] + a * h[j, i + 1])
                        + b * ((1 - a) * h[j + 1, i] + a * h[j + 1, i + 1]))
        return height

    def is_beyond(self, xy: Real) -> Mask:
        """[n] whether points [2, n] are past the tiles, on the outer half of the border."""
        reach = self.size / 2 - self.options.border / 2
        beyond: Mask = np.any(np.abs(xy) > reach[:, None], axis=0)
        return beyond
