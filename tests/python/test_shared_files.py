"""Files of ESPALIER_SHARED as others wrote them: each is good, and falls limp for 0.2 s."""

import csv
import json
import math
import os
from pathlib import Path

import pytest

from cli_runner import ROOT, answer, run

SHARED = Path(os.environ.get("ESPALIER_SHARED", ROOT.parent / "shared"))
REPRODUCTIONS = SHARED / "fixtures" / "reproductions"
FOLDERS = (SHARED / "models", REPRODUCTIONS)
FILES = sorted(path for folder in FOLDERS for kind in ("urdf", "sdf", "xml")
               for path in folder.rglob(f"*.{kind}"))
LOST = ("state not finite", "mass matrix singular")

pytestmark = pytest.mark.skipif(not FILES, reason="ESPALIER_SHARED has no robots")


def name_of(path):
    return str(path.relative_to(SHARED))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_file_is_good(path):
    # What acts in a file and is left out (a fluid) is not this test's matter.
    done = run("check", path, "--search", SHARED / "models", "--json", "--lenient")
    said = json.loads(done.stdout)["files"][0]["diagnostics"]
    assert done.returncode == 0, [d for d in said if d["severity"] == "error"]


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_robot_falls_limp_and_its_state_is_kept(path):
    result = answer("sim", path, "--time", "0.2", "--pd", "0,0", "--search", SHARED / "models")
    assert result["steps"] > 0
    lost = [flag for flag in result["flags"] if flag["name"] in LOST]
    assert not lost
    for robot in result["robots"]:
        assert math.isfinite(robot["base_height"]), robot


def test_the_feet_of_a_standing_robot_do_not_rattle(tmp_path):
    """Corners of the soles, a tenth of a millimetre out of one plane, bore the robot in turn, so that
    the ankles turned at half a rad/s, forth and back in every other step."""
    robots = list((SHARED / "models").rglob("talos_reduced.urdf"))
    if not robots:
        pytest.skip("ESPALIER_SHARED has no Talos")
    log = tmp_path / "stance.csv"
    answer("sim", robots[0], "--time", "0.4", "--search", SHARED / "models", "--log", log,
           "--log-rate", "1000")
    with open(log, newline="", encoding="utf-8") as file:
        stance = [row for row in csv.DictReader(file) if float(row["time"]) >= 0.25]
    assert len(stance) > 100
    for ankle in ("leg_left_5_joint", "leg_left_6_joint", "leg_right_5_joint", "leg_right_6_joint"):
        rates = [float(row[f"u.{ankle}"]) for row in stance]
        assert max(abs(b - a) for a, b in zip(rates, rates[1:])) < 0.01, ankle


def test_the_rod_on_a_ball_of_three_hinges_swings_on():
    """Its hinges came to gimbal lock: it gained 200 J and hung in the air for good."""
    result = answer("sim", REPRODUCTIONS / "gimbal_freeze.urdf", "--pose",
                    REPRODUCTIONS / "gimbal_freeze.json", "--pd", "0,0", "--time", "5")
    said = " ".join(d["what"] for d in result["diagnostics"])
    assert "spherical joint 'z'" in said and "were converted" in said
    assert result["flags"] == []
    assert abs(result["energy_balance"]["sum"]) < 0.27  # a hundredth of what it begins with


def test_links_that_overlap_by_rounding_do_not_blow_up():
    result = answer("sim", REPRODUCTIONS / "flush_links.urdf", "--pose",
                    REPRODUCTIONS / "flush_links.json", "--pd", "0,0", "--time", "1")
    assert [flag["name"] for flag in result["flags"]] == ["contact dropped"]
    assert result["energy_balance"]["sum"] < 1e-3


def test_a_linkage_with_a_reference_angle_starts():
    result = answer("sim", REPRODUCTIONS / "fourbar_ref.xml", "--time", "0.5")
    assert result["flags"] == [] and result["closure"] < 1e-10
