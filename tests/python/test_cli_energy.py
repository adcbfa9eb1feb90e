"""What `espalier sim` says of energy: robots that others publish gain none from rest, and a balance that
is not known is called so."""

import csv
import os
from pathlib import Path

import pytest
from cli_runner import ROOT, answer

SHARED = Path(os.environ.get("ESPALIER_SHARED", ROOT.parent / "shared")) / "models"
# Robots with loops, some of which start inside themselves.
PUBLISHED = ["cassie/robots/cassie_v2.sdf", "cassie/robots/cassie_wo_gearbox_spring.sdf",
             "parallel_robot_delta/robot.urdf", "parallel_digit_like/robot.urdf",
             "parallel_cassie_like/robot.urdf", "parallel_5bar_linkage/robot.urdf"]


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_robots_gain_no_energy_from_rest(name, tmp_path):
    path = SHARED / name
    if not path.exists():
        pytest.skip("ESPALIER_SHARED has no such robot")
    log = tmp_path / "run.csv"
    said = answer("sim", path, "--time", "0.5", "--log", log)
    rows = list(csv.DictReader(log.open()))
    mass = answer("info", path)["mass"]
    kinetic = max(float(row["kinetic_energy"]) for row in rows)
    fallen = mass * 9.81 * 0.5 * 9.81 * 0.5 ** 2  # what the weight can have given
    pushed = 0.5 * mass * 3 ** 2  # overlaps are pushed apart at 3 m/s
    assert kinetic <= 1.01 * (fallen + pushed)
    assert said["penetration"] < 1
    balance = said["energy_balance"]
    assert (balance["sum"] == "unknown") == (balance["unknown_steps"] > 0)


def test_a_balance_that_is_known_is_a_number():
    said = answer("sim", ROOT / "models/double_pendulum/double_pendulum.urdf", "--time", "0.1")
    assert abs(said["energy_balance"]["sum"]) < 1e-3 and said["energy_balance"]["unknown_steps"] == 0
