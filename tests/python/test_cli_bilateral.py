"""Robots whose loops rows of the contact problem keep, through the command."""

import pytest
from cli_runner import answer, good, model

NAMES = ["four_bar", "six_bar", "delta", "differential_leg"]


@pytest.fixture(name="bilateral")
def bilateral_(tmp_path):
    def make(name):
        text = model(name).read_text(encoding="utf-8")
        file = tmp_path / f"{name}.urdf"
        file.write_text(text.replace("<loop ", '<loop bilateral="true" '), encoding="utf-8")
        return file
    return make


def test_info_says_what_keeps_them(bilateral):
    said = answer("info", bilateral("four_bar"))
    assert said["bilateral"] == [{
        "name": "pin", "kind": "revolute", "predecessor": "coupler", "successor": "rocker",
        "equations": 5, "kept": 2}]
    assert said["clusters"] == [] and said["lone_joints"] == 3
    assert said["nv"] == said["spanning_nv"] == 3
    text = good("info", bilateral("six_bar"))
    assert "2 bilateral loops, kept by rows of the contact problem" in text
    assert "2 of 5 rows" in text
    assert answer("info", model("four_bar"))["bilateral"] == []


@pytest.mark.parametrize("name", NAMES)
def test_accelerations_are_those_of_embedded_loops(bilateral, name):
    embedded = answer("compute", model(name))["loops"]
    rows = answer("compute", bilateral(name))
    assert rows["loops"]["residual"] < 1e-10
    assert rows["udot"] == pytest.approx(embedded["udot"], rel=1e-9, abs=1e-9)
    assert rows["loops"]["udot"] == rows["udot"]


def test_velocities_follow_the_flagged_joint(bilateral):
    embedded = answer("compute", model("four_bar"), "--state", "-", stdin='{"u": [2]}')
    rows = answer("compute", bilateral("four_bar"), "--state", "-", stdin='{"u": [2, 0, 0]}')
    assert rows["u"] == pytest.approx(embedded["loops"]["u"], rel=1e-9)
    assert rows["loops"]["udot"] == pytest.approx(embedded["loops"]["udot"], rel=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_they_stay_closed(bilateral, name):
    said = answer("sim", bilateral(name), "--time", "0.5", "--dt", "0.001")
    assert said["flags"] == [] and 0 < said["closure"] < 1e-5
    assert "largest closure error" in good("sim", bilateral(name), "--time", "0.1")
