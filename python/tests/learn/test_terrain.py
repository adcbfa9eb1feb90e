"""Terrain in tiles, and who starts on which."""
import numpy as np
import pytest

import espalier
from espalier.learn import Terrain, TerrainOptions, WorldRandom
from espalier.learn.curriculum import Curriculum
from espalier.learn.terrain import KINDS

SMALL = TerrainOptions(levels=3, kinds=tuple(KINDS), tile=6.0)
IDS = np.arange(4)


@pytest.fixture(scope="module")
def terrain():
    return Terrain(SMALL)


def test_it_becomes_harder_along_x(terrain):
    for kind, name in enumerate(SMALL.kinds):
        spans = []
        for level in range(3):
            x, y = terrain.middle(np.array([level]), np.array([kind]))[:, 0]
            along = np.linspace(-2.4, 2.4, 49)
            points = np.stack(np.meshgrid(x + along, y + along)).reshape(2, -1)
            spans.append(np.ptp(terrain.height(points)))
        if name == "flat":
            assert spans == [0, 0, 0]
        else:
            assert 0.02 < spans[0] < spans[1] < spans[2]


def test_tiles_are_flat_where_robots_start(terrain):
    for kind in range(len(SMALL.kinds)):
        middle = terrain.middle(np.array([2]), np.array([kind]))
        offsets = np.random.default_rng(0).uniform(-0.5, 0.5, (2, 30))
        assert np.ptp(terrain.height(middle + offsets)) == pytest.approx(0, abs=1e-12)


def test_heights_are_those_that_the_world_has(terrain):
    world = espalier.World()
    height_map = terrain.add_to(world)
    points = np.random.default_rng(1).uniform(-0.45, 0.45, (2, 200)) * terrain.size[:, None]
    there = np.array([height_map.height(x, y) for x, y in points.T])
    # Bilinear here, triangles there: equal on the grid, and nearly so on slopes.
    assert np.median(np.abs(there - terrain.height(points))) < 1e-3
    i, j = np.array([100, 40]), np.array([33, 90])
    xs = (np.stack([i, j]) - (terrain.size / SMALL.spacing / 2)[:, None]) * SMALL.spacing
    assert terrain.height(xs) == pytest.approx(terrain.heights[j, i])
    assert [height_map.height(x, y) for x, y in xs.T] == pytest.approx(terrain.heights[j, i])


def test_the_border_is_flat_and_ends(terrain):
    x = terrain.size[0] / 2
    points = np.array([[0, x - 0.1, x + 5], [0, 0, 0]])
    assert terrain.is_beyond(points).tolist() == [False, True, True]
    assert terrain.height(points)[1:].tolist() == [0, 0]


def test_the_same_options_give_the_same_ground(terrain):
    assert np.array_equal(Terrain(SMALL).heights, terrain.heights)


@pytest.mark.parametrize("options, told", [
    ({"kinds": ("noise", "lava")}, "no terrain lava; kinds are"), ({"kinds": ()}, "of no kind"),
    ({"levels": 0}, "has to be one"),
])
def test_options_are_checked(options, told):
    with pytest.raises(ValueError, match=told):
        TerrainOptions(**options)


def test_levels_follow_how_far_worlds_got():
    random = WorldRandom(4, 0)
    curriculum = Curriculum(4, SMALL, highest_start=1)
    curriculum.begin(IDS, random)
    assert curriculum.level.max() <= 1 and curriculum.kind.max() < len(SMALL.kinds)
    curriculum.level[:] = [0, 1, 1, 1]
    command = np.array([[1.0, 1, 1, 1], [0, 0, 0, 0]])
    velocity = np.array([[1.0, 0.9, 0.2, 0.9], [0.3, 0, 0, 0]])
    for _ in range(80):
        curriculum.add(velocity, command, np.ones(4), 0.05)  # 4 m commanded
    assert curriculum.made == pytest.approx([4, 3.6, 0.8, 3.6])
    curriculum.advance(IDS, np.array([False, False, False, True]), random)
    assert curriculum.level.tolist() == [1, 2, 0, 0]
    assert curriculum.made.tolist() == curriculum.ordered.tolist() == [0] * 4


def test_levels_stay_within_the_terrain():
    random = WorldRandom(4, 0)
    curriculum = Curriculum(4, SMALL, highest_start=9)
    curriculum.level[:] = [0, 2, 2, 2]
    curriculum.made[:] = [0, 9, 9, 9]
    curriculum.ordered[:] = 9
    curriculum.advance(IDS, np.zeros(4, bool), random)
    assert curriculum.level[0] == 0 and 0 <= curriculum.level.min() and curriculum.level.max() <= 2


def test_faster_than_commanded_is_no_more_way():
    curriculum = Curriculum(1, SMALL, 0)
    curriculum.add(np.array([[3.0], [0]]), np.array([[0.5], [0]]), np.array([0.5]), 1.0)
    curriculum.add(np.array([[3.0], [0]]), np.array([[0.0], [0]]), np.array([0.0]), 1.0)  # told to stand
    assert curriculum.made == pytest.approx([0.5]) and curriculum.ordered == pytest.approx([0.5])
