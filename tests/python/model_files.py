"""The robots in models/, as files: which there are and what stands in them."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

MODELS = Path(__file__).resolve().parents[2] / "models"
TEMPLATES = ("tracked_robot",)  # written by hand; C++ tests fill them in
NAMES = sorted(p.stem for p in MODELS.glob("*/*.urdf") if p.stem not in TEMPLATES)
FLOATING = ("beest", "beest_steered", "biped", "cassie_like", "geared_biped", "geared_strider", "human36", "quadruped", "snake_free",
            "strider")
MASSLESS = {"human36": {"ScapulaR", "ScapulaL"}}  # moving links that only carry others
OPEN = ("six_bar",)  # does not close at q = 0
DOFS = {"fixed": 0, "revolute": 1, "continuous": 1, "prismatic": 1, "universal": 2, "euler": 3,
        "spherical": 3}
COORDINATES = DOFS | {"spherical": 4}
ROWS = {"revolute": 2, "point": 3}  # what a loop takes away; the hinges here all close planar loops


def floats(element, key):
    return [float(x) for x in element.get(key).split()]


def closes_loops(name):
    return any(element.tag in ("loop", "coupling", "constraint") for element in load(name))


def load(name):
    return ET.parse(MODELS / name / f"{name}.urdf").getroot()


def movable(robot):
    return [joint for joint in robot.findall("joint") if joint.get("type") != "fixed"]


def independent(robot):
    return [joint for joint in movable(robot) if joint.get("independent") != "false"]


TREES = [name for name in NAMES if not closes_loops(name)]
MECHANISMS = [name for name in NAMES if closes_loops(name)]


def nominal(name):
    """The nominal pose as base height and joint name -> coordinates."""
    q = json.loads((MODELS / name / "nominal.json").read_text(encoding="utf-8"))["q"]
    base, q = (q[:7], q[7:]) if name in FLOATING else ([0, 0, 0, 1, 0, 0, 0], q)
    assert base[:2] + base[3:] == [0, 0, 1, 0, 0, 0]
    pose = {}
    for joint in independent(load(name)):
        size = COORDINATES[joint.get("type")]
        pose[joint.get("name")], q = q[:size], q[size:]
    assert q == []
    return base[2], pose


def origin(element):
    found = element.find("origin")
    return [0.0, 0.0, 0.0] if found is None else floats(found, "xyz")
