"""Learning curves go through files, and are compared without their times."""
import dataclasses
import math

import pytest

from espalier.learn.curve import draw_curve, fingerprint, read_curve, write_curve
from espalier.learn.ppo import Progress


def curve(seconds=0.1):
    return [Progress(update=k, steps=100 * k, reward=0.1 * k, episode_return=math.nan,
                     episode_steps=1 / 3, surrogate=1e-9, value_loss=0.2, divergence=0.01,
                     clipped=0.3, std=1.0, learning_rate=1e-3, collect_seconds=seconds,
                     learn_seconds=seconds, seconds=seconds * k) for k in range(1, 4)]


def test_a_curve_is_read_as_it_was_written(tmp_path):
    write_curve(tmp_path / "curve.csv", curve())
    again = read_curve(tmp_path / "curve.csv")
    assert repr(again) == repr(curve()) and again[2].update == 3
    (tmp_path / "other.csv").write_text("time,height\n0,1\n")
    with pytest.raises(ValueError, match="other.csv: the columns are time, height and not update"):
        read_curve(tmp_path / "other.csv")
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(ValueError, match="the columns are none"):
        read_curve(tmp_path / "empty.csv")


def test_the_fingerprint_is_of_everything_but_the_times():
    assert fingerprint(curve(0.1)) == fingerprint(curve(0.2))
    other = curve()
    other[1] = dataclasses.replace(other[1], reward=math.nextafter(other[1].reward, 1))
    assert fingerprint(other) != fingerprint(curve())


def test_a_curve_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    draw_curve(tmp_path / "curve.svg", curve(), "title of the picture")
    draw_curve(tmp_path / "point.png", curve()[:1])
    assert "<svg" in (tmp_path / "curve.svg").read_text()
    assert (tmp_path / "point.png").read_bytes().startswith(b"\x89PNG")
