"""What the recipes of models/ weigh: moments of solids against slices, wholes against pieces."""

from math import pi, sqrt

import pytest
from model_files import MODELS


def revolved(radius_at, length, mass):
    """Moments of a solid of revolution by slicing it into discs (second opinion on solids.py)."""
    count = 20000
    step = length / count
    volume = axial = across = 0.0
    for i in range(count):
        z = (i + 0.5) * step - length / 2
        area = pi * radius_at(z) ** 2
        volume += area * step
        axial += area * radius_at(z) ** 2 / 2 * step
        across += area * (radius_at(z) ** 2 / 4 + z * z) * step
    density = mass / volume
    return pytest.approx((density * across, density * across, density * axial), rel=1e-6)


def test_moments_of_round_solids_agree_with_slices(monkeypatch):
    monkeypatch.syspath_prepend(str(MODELS))
    from recipes.solids import Capsule, Cylinder, Sphere

    r, h = 0.3, 0.5
    assert Cylinder(r, h).moments(2.0) == revolved(lambda z: r, h, 2.0)
    ball = revolved(lambda z: sqrt(r * r - z * z), 2 * r, 2.0)
    assert Sphere(r).moments(2.0) == ball

    def capsule(z):
        beyond = max(abs(z) - h / 2, 0)
        return sqrt(r * r - beyond * beyond)

    assert Capsule(r, h).moments(2.0) == revolved(capsule, h + 2 * r, 2.0)


def test_a_cut_box_weighs_as_the_whole(monkeypatch):
    monkeypatch.syspath_prepend(str(MODELS))
    from recipes.solids import Box, Part, mass_properties

    whole = mass_properties([Part(Box(0.4, 0.2, 0.6), 3.0, (1, 2, 3))])
    # Turned by a quarter about y, the pieces have x and z exchanged.
    piece, rpy = Box(0.2, 0.2, 0.4), (0, pi / 2, 0)
    cut = [Part(piece, 1.0, (1, 2, 3 + dz), rpy) for dz in (-0.2, 0, 0.2)]
    mass, com, inertia = mass_properties(cut)
    assert mass == pytest.approx(whole[0])
    assert com == pytest.approx(whole[1])
    for row, expected in zip(inertia, whole[2]):
        assert row == pytest.approx(expected, abs=1e-12)
