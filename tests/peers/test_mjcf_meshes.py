"""Masses and moments that MuJoCo's compiler takes from meshes, shells and fitted primitives: mass,
centre and moments of bodies, and M and h, against MuJoCo."""

import struct

import numpy as np
import pytest

import espalier_cli
from mjcf_peer import assert_agrees, mujoco

# An L, whose bend is not convex, 0.3 m long; and two boxes, one inside the other, faces outwards.
L = """0 0 0  .3 0 0  .3 .1 0  .1 .1 0  .1 .2 0  0 .2 0
       0 0 .1 .3 0 .1 .3 .1 .1 .1 .1 .1 .1 .2 .1 0 .2 .1"""
L_FACES = """0 2 1  0 3 2  0 4 3  0 5 4  6 7 8  6 8 9  6 9 10  6 10 11
             0 1 7  0 7 6  1 2 8  1 8 7  2 3 9  2 9 8  3 4 10  3 10 9  4 5 11  4 11 10  5 0 6  5 6 11"""


def box(low, high, first):
    x = [(low, high)[i >> 2 & 1] for i in range(8)], [(low, high)[i >> 1 & 1] for i in range(8)], [
        (low, high)[i & 1] for i in range(8)]
    faces = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6),
             (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
    return (" ".join(f"{a} {b} {c}" for a, b, c in zip(*x, strict=True)),
            " ".join(str(i + first) for f in faces for i in f))


NESTED = box(-0.1, 0.1, 0), box(-0.05, 0.07, 8)
MESHES = {
    "L": (L, L_FACES),
    "nested": (NESTED[0][0] + " " + NESTED[1][0], NESTED[0][1] + " " + NESTED[1][1]),
    "open": (box(0.1, 0.3, 0)[0], " ".join(box(0.1, 0.3, 0)[1].split()[6:])),
    "points": (L, ""),
}


def model(mesh, attributes, geom=""):
    vertices, faces = MESHES[mesh]
    face = f'face="{faces}"' if faces else ""
    return f"""<mujoco><asset><mesh name="m" vertex="{vertices}" {face}
        {attributes}/></asset><worldbody><body name="b" pos="0 0 1"><freejoint/><geom type="mesh"
        mesh="m" pos=".1 -.2 .3" euler="10 20 30" {geom}/><body name="c"><joint name="j"
        axis="1 2 3"/><geom type="mesh" mesh="m" mass="2"/></body></body></worldbody></mujoco>"""


def assert_same_masses(path):
    theirs = mujoco.MjModel.from_xml_path(str(path))
    ours = {b["name"]: b["mass"] for b in espalier_cli.answer("info", path)["bodies"]}
    for b in range(1, theirs.nbody):
        assert ours[theirs.body(b).name] == pytest.approx(theirs.body_mass[b], rel=1e-9)


RULES = {
    "by default": "", "legacy": 'inertia="legacy"', "exact": 'inertia="exact"',
    "convex": 'inertia="convex"', "shell": 'inertia="shell"',
    "scaled": 'scale=".5 2 1.5"', "mirrored": 'scale="-1 1 2"',
    "moved and turned": 'refpos=".1 .2 .3" refquat="1 2 3 4"',
    "turned and stretched": 'refpos=".1 .2 .3" refquat="1 2 3 4" scale="1 2 3"',
    "convex with few corners": 'inertia="convex" maxhullvert="6"',
}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("mesh", MESHES)
def test_meshes(mesh, rule, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(model(mesh, RULES[rule]))
    assert_same_masses(path)
    assert_agrees(path, tmp_path)


def test_single_precision_of_files(tmp_path):
    """Vertices of 16 digits: MuJoCo keeps 7."""
    rng = np.random.default_rng(3)
    vertices, triangles = box(-1, 1, 0)
    points = np.array(vertices.split(), float).reshape(-1, 3) + rng.uniform(-0.3, 0.3, (8, 3))
    faces = np.array(triangles.split(), int).reshape(-1, 3)
    obj = "".join("v {} {} {}\n".format(*p) for p in points) + "".join(
        "f {} {} {}\n".format(*(f + 1)) for f in faces)
    (tmp_path / "hull.obj").write_text(obj)
    stl = b"\0" * 80 + struct.pack("<I", len(faces)) + b"".join(
        struct.pack("<12fH", 0, 0, 0, *points[f].ravel(), 0) for f in faces)
    (tmp_path / "hull2.stl").write_bytes(stl)
    path = tmp_path / "model.xml"
    path.write_text("""<mujoco><asset><mesh file="hull.obj" scale=".5 .6 .7"/><mesh
        file="hull2.stl" scale="1 .9 .8"/></asset><worldbody><body name="a"><joint name="j"
        axis="1 2 3"/><geom type="mesh" mesh="hull"/><body name="b"><joint name="k"
        axis="3 2 1"/><geom type="mesh" mesh="hull2"/></body></body></worldbody></mujoco>""")
    assert_same_masses(path)
    assert_agrees(path, tmp_path)


@pytest.mark.parametrize("kind", ["sphere", "capsule", "cylinder", "box", "ellipsoid"])
def test_fitted_primitives(kind, tmp_path):
    path = tmp_path / "model.xml"
    text = model("L", "", 'fitscale="1.2"')
    path.write_text(text.replace('type="mesh"', f'type="{kind}"', 1))
    assert_same_masses(path)
    assert_agrees(path, tmp_path)


@pytest.mark.parametrize("geom", [
    'type="sphere" size=".2"', 'type="box" size=".1 .2 .3"', 'type="capsule" size=".1 .2"',
    'type="cylinder" size=".1 .2"'])
def test_shells(geom, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(f"""<mujoco><worldbody><body name="a"><joint name="j" axis="1 2 3"/><geom {geom}
        shellinertia="true" density="5" pos=".1 .2 .3" euler="10 20 30"/></body></worldbody></mujoco>""")
    assert_same_masses(path)
    assert_agrees(path, tmp_path)
