"""World files as the commands take them."""

import csv
import json

import pytest
from cli_runner import MODELS, answer, good, run

WORLDS = sorted((MODELS / "worlds").glob("*.xml"))


def world(name):
    return MODELS / "worlds" / f"{name}.xml"


@pytest.mark.parametrize("file", WORLDS, ids=lambda file: file.stem)
def test_own_worlds_are_good(file):
    said = answer("check", file)
    assert said["ok"] and said["files"][0]["diagnostics"] == []


def test_check_names_the_lines_of_every_file(tmp_path):
    (tmp_path / "part.xml").write_text("<raisim>\n<gravity/></raisim>")
    bad = tmp_path / "bad.xml"
    bad.write_text("<raisim>\n<include value='part.xml'/>\n<objects>\n<sphere name='s'/>"
                   "</objects></raisim>")
    done = run("check", bad, world("strider_crates"), "--json")
    assert done.returncode == 1
    said = json.loads(done.stdout)
    assert [file["ok"] for file in said["files"]] == [False, True]
    places = {(d["file"].rsplit("/", 1)[-1], d["line"]) for d in said["files"][0]["diagnostics"]}
    assert {("part.xml", 2), ("bad.xml", 4)} <= places


def test_info_says_what_a_world_is_made_of():
    said = answer("info", world("tracked_robot"))
    assert [(r["name"], r["nv"]) for r in said["robots"]] == [("short", 14), ("long", 20)]
    assert said["dt"] == 0.0025 and said["gravity"] == [0, 0, -9.81]
    assert [b["shape"] for b in said["objects"]].count("capsule") == 6
    assert said["objects"][0] == {"name": "field", "shape": "heightfield", "type": "static",
                                  "mass": 0, "material": "soil", "position": [0, 0, 0]}
    text = good("info", world("strider_crates"))
    assert "strider" in text and "compound of 3" in text and "crate 1.0" in text


def test_parameters_reach_a_world(tmp_path):
    file = tmp_path / "w.xml"
    file.write_text("<raisim><objects><array idx='i' start='1' end='@@n'>"
                    "<sphere name='b@@i' mass='1'><dim radius='0.1'/></sphere></array>"
                    "</objects></raisim>")
    assert len(answer("info", file, "--param", "n=3")["objects"]) == 3
    assert run("info", file).returncode == 1


@pytest.mark.parametrize("file", WORLDS, ids=lambda file: file.stem)
def test_own_worlds_run(file, tmp_path):
    log = tmp_path / "run.csv"
    said = answer("sim", file, "--time", "0.5", "--log", log)
    assert said["dt"] == 0.0025 and said["steps"] == 200
    # The default tolerance, 1e-10 m/s, may be missed in a step; this must not.
    assert said["residual"] <= 1e-8 and said["contacts"]["max"] > 3
    assert {flag["name"] for flag in said["flags"]} <= {"contact solver not converged"}
    rows = list(csv.DictReader(log.open()))
    assert float(rows[-1]["time"]) == pytest.approx(0.5)


def test_a_ball_falls_as_it_should(tmp_path):
    file = tmp_path / "w.xml"
    file.write_text("<raisim><gravity value='0 0 -2'/><timeStep value='0.01'/><objects>"
                    "<sphere name='b' mass='1'><dim radius='0.1'/><state pos='0 0 10'/></sphere>"
                    "</objects></raisim>")
    said = answer("sim", file, "--time", "1")
    assert said["robots"] == [] and said["steps"] == 100 and said["contacts"]["max"] == 0
    assert answer("sim", file, "--time", "1", "--dt", "0.005")["steps"] == 200


def test_a_world_is_simulated_alone():
    done = run("sim", world("tracked_robot"), MODELS / "strider" / "strider.urdf")
    assert done.returncode == 1 and "simulate it alone" in done.stderr
