"""The robots in models/: what is committed is what the recipes make, and is physically sound."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from model_files import (
    DOFS, FLOATING, MASSLESS, MECHANISMS, MODELS, NAMES, ROWS, TREES, floats, load, movable, nominal)


def test_all_are_there():
    assert TREES == ["arm7", "biped", "cartpole", "chain20", "double_pendulum", "human36",
                     "quadruped", "simplearm", "snake", "snake_free", "strider"]
    assert MECHANISMS == [
        "beest", "beest_steered", "cassie_like", "delta", "differential_leg", "five_bar", "four_bar", "geared_biped",
        "geared_strider", "gripper", "linkage_arm", "parallelogram", "revolute_pair_with_rotor",
        "revolute_triple_with_rotor", "revolute_with_rotor", "six_bar", "slider_crank", "tello_hip", "tello_leg", "triple_rocker"]


def test_generator_gives_the_committed_files(tmp_path):
    subprocess.run([sys.executable, "-B", MODELS / "generate.py", tmp_path], check=True)
    made = {p.relative_to(tmp_path): p.read_bytes() for p in tmp_path.glob("*/*")}
    kept = {Path(f"{n}/{n}.urdf"): (MODELS / n / f"{n}.urdf").read_bytes() for n in NAMES}
    kept |= {p.relative_to(MODELS): p.read_bytes() for p in MODELS.glob("*/nominal.json")}
    assert made == kept


@pytest.mark.parametrize("name", NAMES)
def test_names_are_unique_and_colours_defined(name):
    robot = load(name)
    for tag in ("link", "joint", "loop", "coupling", "constraint"):
        names = [element.get("name") for element in robot.findall(tag)]
        assert len(names) == len(set(names))
    colours = [material.get("name") for material in robot.findall("material")]
    assert len(colours) == len(set(colours))
    used = {m.get("name") for m in robot.findall("link/visual/material")}
    assert used == set(colours)


@pytest.mark.parametrize("name", NAMES)
def test_links_form_one_tree_under_the_first(name):
    robot = load(name)
    links = [link.get("name") for link in robot.findall("link")]
    reached = {links[0]}
    for joint in robot.findall("joint"):
        parent, child = joint.find("parent").get("link"), joint.find("child").get("link")
        assert parent in reached  # parents come first in the file
        assert child not in reached
        reached.add(child)
    assert reached == set(links)
    assert (links[0] == "world") == (name not in FLOATING)


@pytest.mark.parametrize("name", NAMES)
def test_inertias_are_possible(name):
    for inertial in load(name).findall("link/inertial"):
        assert float(inertial.find("mass").get("value")) > 0
        I = {key: float(value) for key, value in inertial.find("inertia").attrib.items()}
        # The second moment J = tr(I)/2 1 - I is positive definite: that is the triangle
        # inequality of the principal moments, whatever the axes.
        half = (I["ixx"] + I["iyy"] + I["izz"]) / 2
        a, b, c = half - I["ixx"], half - I["iyy"], half - I["izz"]
        d, e, f = -I["ixy"], -I["ixz"], -I["iyz"]
        assert a > 0
        assert a * b - d * d > 0
        assert a * (b * c - f * f) - d * (d * c - e * f) + e * (d * f - b * e) > 0


@pytest.mark.parametrize("name", NAMES)
def test_moving_bodies_have_mass(name):
    robot = load(name)
    heavy = {link.get("name") for link in robot.findall("link[inertial]")}
    light = {joint.find("child").get("link") for joint in movable(robot)} - heavy
    assert light == MASSLESS.get(name, set())
    carried = {joint.find("parent").get("link") for joint in movable(robot)
               if joint.find("child").get("link") in heavy}
    assert light <= carried  # what has no mass carries something that has


@pytest.mark.parametrize("name", NAMES)
def test_axes_limits_and_nominal_pose(name):
    _, pose = nominal(name)
    for joint in movable(load(name)):
        if joint.get("type") == "spherical":
            assert pose.get(joint.get("name"), [1, 0, 0, 0]) == [1, 0, 0, 0]
            continue
        axes = [axis for tag in ("axis", "axis2", "axis3") for axis in joint.findall(tag)]
        for axis in axes:
            assert sum(x * x for x in floats(axis, "xyz")) == pytest.approx(1, abs=2e-6)
        if joint.get("type") in ("universal", "euler"):
            assert len(axes) == DOFS[joint.get("type")]
            continue
        limit = joint.find("limit")
        if joint.get("type") == "continuous":
            assert limit is None or limit.get("lower") is limit.get("upper") is None
            continue
        lower, upper = float(limit.get("lower")), float(limit.get("upper"))
        (q,) = pose.get(joint.get("name"), [0])
        assert lower + 0.3 <= q <= upper - 0.3
        assert lower < 0 < upper
        assert float(limit.get("effort")) > 0
        assert float(limit.get("velocity")) > 0


def test_readme_table_tells_the_truth():
    text = (MODELS / "README.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| `(\w+)` \| (\d+)(?: of (\d+))? \| ([\d.]+) \|", text, re.MULTILINE)
    assert sorted(row[0] for row in rows) == NAMES
    for name, dof, spanning, mass in rows:
        robot = load(name)
        moving = sum(DOFS[joint.get("type")] for joint in robot.findall("joint"))
        moving += 6 * (name in FLOATING)
        taken = sum(ROWS[loop.get("type")] for loop in robot.findall("loop"))
        taken += len(robot.findall("coupling")) + len(robot.findall("constraint/phi"))
        assert (moving - taken, moving) == (int(dof), int(spanning or dof))
        flags = [j for j in robot.findall("joint") if j.get("independent") == "true"]
        if name in MECHANISMS:
            assert all(joint.get("independent") for joint in movable(robot))
            assert sum(DOFS[j.get("type")] for j in flags) + 6 * (name in FLOATING) == int(dof)
        total = sum(float(m.get("value")) for m in robot.findall("link/inertial/mass"))
        assert total == pytest.approx(float(mass), abs=0.05)
