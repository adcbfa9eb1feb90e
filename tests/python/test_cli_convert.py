"""espalier convert: concave meshes as convex hulls, by CoACD where it is installed."""

import json
import os
import sys

import pytest
from cli_runner import answer, good, run

# The outline of a U in x and z: a bottom and two walls, 0.1 m thick, 0.4 m high.
OUTLINE = [(-.3, 0), (.3, 0), (.3, .4), (.2, .4), (.2, .1), (-.2, .1), (-.2, .4), (-.3, .4)]
CAPS = [(0, 1, 4), (0, 4, 5), (1, 2, 3), (1, 3, 4), (0, 5, 6), (0, 6, 7)]
HOLLOW = 0.4 * 0.2 * 0.3


def u_profile(shift=0):
    n = len(OUTLINE)
    lines = [f"v {x} {y} {z + shift}" for y in (-.1, .1) for x, z in OUTLINE]
    faces = [t for i, j, k in CAPS for t in ((i, j, k), (n + i, n + k, n + j))]
    for i in range(n):
        j = (i + 1) % n
        faces += [(i, n + i, n + j), (i, n + j, j)]
    return "\n".join(lines + [f"f {i + 1} {j + 1} {k + 1}" for i, j, k in faces]) + "\n"


CUBE = "\n".join([f"v {x} {y} {z}" for x in (0, 1) for y in (0, 1) for z in (0, 1)] + [
    "f " + " ".join(map(str, t)) for t in ((1, 2, 4), (1, 4, 3), (5, 7, 8), (5, 8, 6), (1, 5, 6),
                                          (1, 6, 2), (3, 4, 8), (3, 8, 7), (1, 3, 7), (1, 7, 5),
                                          (2, 6, 8), (2, 8, 4))]) + "\n"
SCENE = """<raisim><objects><ground name="g"/><mesh name="u" mass="5" file_name="[THIS_DIR]/u.obj">
  <state pos="0 0 0.001"/></mesh><sphere name="ball" mass="0.2"><dim radius="0.08"/>
  <state pos="0.05 0 0.6"/></sphere></objects></raisim>"""


@pytest.fixture
def scene(tmp_path):
    (tmp_path / "u.obj").write_text(u_profile(), encoding="ascii")
    path = tmp_path / "scene.xml"
    path.write_text(SCENE, encoding="ascii")
    return path


@pytest.fixture(scope="module")
def coacd():
    return pytest.importorskip("coacd", reason="CoACD is not installed (pip install coacd)")


def convert(*arguments):
    return answer("convert", *arguments, "--python", sys.executable)["meshes"]


def ball_rests_at(scene):
    """Its height, from the energy at rest: U (5 kg, centre 0.15 m above its bottom) and ball (0.2 kg)."""
    log = scene.parent / "run.csv"
    good("sim", scene, "--time", "2", "--log", log)
    header, *_, last = log.read_text(encoding="ascii").splitlines()
    row = dict(zip(header.split(","), last.split(",")))
    return (float(row["mechanical_energy"]) / 9.81 - 5 * 0.15) / 0.2


def test_a_python_without_coacd(tmp_path, scene):
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "$@"\n', encoding="ascii")
    os.chmod(bare, 0o755)
    done = run("convert", tmp_path / "u.obj", "--python", bare, "--json")
    assert done.returncode == 1
    said, = json.loads(done.stdout)["diagnostics"]
    assert "lacks the package" in said["what"]
    assert f"{bare} -m pip install coacd" in said["remedy"]
    assert not (tmp_path / "u.obj.hulls.obj").exists()
    done = run("convert", tmp_path / "u.obj", "--python", tmp_path / "none", "--json")
    assert "cannot be started" in json.loads(done.stdout)["diagnostics"][0]["what"]


def test_files_that_are_wrong(tmp_path):
    (tmp_path / "bad.obj").write_text("v 0 0 zero\n", encoding="ascii")
    for file in ("none.obj", "bad.obj", "none.urdf"):
        done = run("convert", tmp_path / file, "--json")
        assert done.returncode == 1 and not json.loads(done.stdout)["ok"]
    assert run("convert", tmp_path / "bad.obj", "--threshold", "2").returncode == 2
    assert run("convert").returncode == 2


def test_a_ball_falls_into_a_u(coacd, tmp_path, scene):
    assert ball_rests_at(scene) == pytest.approx(0.48, abs=1e-3)
    mesh, = convert(scene)
    assert mesh["mesh"] == str(tmp_path / "u.obj") and mesh["hulls"] >= 3
    assert mesh["hull_volume"] - mesh["mesh_volume"] == pytest.approx(HOLLOW, rel=1e-6)
    assert mesh["hulls_volume"] == pytest.approx(mesh["mesh_volume"], rel=0.1)
    assert ball_rests_at(scene) == pytest.approx(0.18, abs=0.01)
    assert [m["mesh"] for m in convert(scene)] == [mesh["mesh"]], "once more, from the mesh"
    notes = [d for d in answer("check", scene)["files"][0]["diagnostics"] if d["severity"] == "note"]
    assert any("convex hulls" in d["what"] for d in notes)
    (tmp_path / "u.obj").write_text(u_profile(1e-3), encoding="ascii")
    warning, = [d for d in answer("check", scene)["files"][0]["diagnostics"]
                if d["severity"] == "warning"]
    assert "as it is now" in warning["what"] and "espalier convert" in warning["remedy"]
    assert ball_rests_at(scene) == pytest.approx(0.48, abs=1e-3)


def test_robots_show_their_hulls(coacd, tmp_path, scene):
    robot = tmp_path / "r.urdf"
    robot.write_text(
        '<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" '
        'ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry><mesh filename="u.obj"/>'
        '</geometry></collision></link></robot>', encoding="ascii")
    whole, = answer("info", robot)["hulls"]
    assert whole["part"] == 0
    mesh, = convert(robot, "--max-hulls", "2")
    assert mesh["hulls"] == 2, "at most so many"
    mesh, = convert(robot, "--threshold", "0.02")
    said = answer("info", robot, "--collisions")
    assert [h["part"] for h in said["hulls"]] == list(range(1, mesh["hulls"] + 1))
    assert len(said["collisions"]) == mesh["hulls"]
    assert "u.obj.hulls.obj #1" in good("info", robot, "--collisions")


def test_what_is_convex_stays_one_hull(coacd, tmp_path):
    cube = tmp_path / "cube.obj"
    cube.write_text(CUBE, encoding="ascii")
    (tmp_path / "cube.obj.hulls.obj").write_text("stale", encoding="ascii")
    mesh, = convert(cube)
    assert mesh["hulls"] == 1 and mesh["written"] is None
    assert not (tmp_path / "cube.obj.hulls.obj").exists()
    assert "one hull" in good("convert", cube, "--python", sys.executable)
