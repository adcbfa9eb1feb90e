"""The recipes of arboris' robots with other parameters than those of the committed files."""

import xml.etree.ElementTree as ET

import pytest
from model_files import MODELS, floats


@pytest.fixture(name="arboris")
def recipes(monkeypatch):
    monkeypatch.syspath_prepend(str(MODELS))
    from recipes import arboris

    return arboris


def masses(robot):
    return {link.get("name"): float(link.find("inertial/mass").get("value"))
            for link in robot.findall("link") if link.find("inertial") is not None}


@pytest.mark.parametrize("count, free", [(1, False), (3, False), (4, True), (1, True)])
def test_snakes_of_any_length(arboris, count, free):
    made = arboris.snake(count=count, free=free, length=0.2, mass=0.5)
    robot = ET.fromstring(made.urdf())
    assert len(robot.findall("joint")) == count - free
    assert made.floats() == free
    assert masses(robot) == {f"link{k + 1}": 0.5 for k in range(count)}
    for joint in robot.findall("joint"):
        assert floats(joint.find("axis"), "xyz") == [0, 1, 0]


def test_a_human_in_proportion(arboris):
    """Lengths scale with the stature, masses with the whole, inertias with m h^2."""
    grown = ET.fromstring(arboris.human36().urdf())
    child = ET.fromstring(arboris.human36(height=1.741 / 2, mass=73 / 4).urdf())
    whole, part = masses(grown), masses(child)
    assert sum(whole.values()) == pytest.approx(73, abs=1e-3)
    assert sum(part.values()) == pytest.approx(73 / 4, abs=1e-3)
    for name, mass in whole.items():
        assert part[name] == pytest.approx(mass / 4, rel=1e-5)
        a, b = (r.find(f"link[@name='{name}']/inertial/inertia") for r in (grown, child))
        for key in ("ixx", "iyy", "izz"):
            assert float(b.get(key)) == pytest.approx(float(a.get(key)) / 16, rel=1e-4)
    for joint in grown.findall("joint"):
        other = child.find(f"joint[@name='{joint.get('name')}']")
        for x, y in zip(floats(joint.find("origin"), "xyz"), floats(other.find("origin"), "xyz")):
            assert y == pytest.approx(x / 2, abs=1e-6)


def test_the_humans_height_and_soles(arboris):
    """From the soles to the vertex it is as tall as it is said to be; the balls touch the ground."""
    made = arboris.human36()
    robot = ET.fromstring(made.urdf())
    joints = {j.get("name"): floats(j.find("origin"), "xyz") for j in robot.findall("joint")}
    neck = made.base_height + joints["UPTJoint"][2] + joints["HeadJoint"][2]
    assert neck + 0.1395 * 1.741 == pytest.approx(1.741, abs=1e-5)
    ankle = made.base_height + sum(joints[f"{part}RJoint"][2] for part in ("Thigh", "Shank", "Foot"))
    balls = robot.findall("link[@name='FootR']/collision")
    assert len(balls) == 4
    for ball in balls:
        radius = float(ball.find("geometry/sphere").get("radius"))
        assert ankle + floats(ball.find("origin"), "xyz")[2] - radius == pytest.approx(0, abs=1e-5)
