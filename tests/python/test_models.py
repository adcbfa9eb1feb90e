"""The robots in models/: what is committed is what the recipes make, and is physically sound."""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from math import cos, dist, hypot, pi, sin, sqrt
from pathlib import Path

import pytest

MODELS = Path(__file__).resolve().parents[2] / "models"
TEMPLATES = ("tracked_robot",)  # written by hand; C++ tests fill them in
NAMES = sorted(p.stem for p in MODELS.glob("*/*.urdf") if p.stem not in TEMPLATES)
FLOATING = ("beest", "biped", "geared_biped", "geared_strider", "quadruped", "strider")
OPEN = ("six_bar",)  # does not close at q = 0
DOFS = {"fixed": 0, "revolute": 1, "continuous": 1, "prismatic": 1, "universal": 2, "spherical": 3}
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


def test_all_are_there():
    assert TREES == ["arm7", "biped", "cartpole", "chain20", "double_pendulum", "quadruped",
                     "strider"]
    assert MECHANISMS == [
        "beest", "delta", "differential_leg", "five_bar", "four_bar", "geared_biped",
        "geared_strider", "gripper", "linkage_arm", "parallelogram", "revolute_pair_with_rotor", "revolute_triple_with_rotor",
        "revolute_with_rotor", "six_bar", "slider_crank", "tello_hip", "tello_leg", "triple_rocker"]


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
    for joint in movable(robot):
        assert joint.find("child").get("link") in heavy


@pytest.mark.parametrize("name", NAMES)
def test_axes_limits_and_nominal_pose(name):
    _, pose = nominal(name)
    for joint in movable(load(name)):
        if joint.get("type") == "spherical":
            assert pose.get(joint.get("name"), [1, 0, 0, 0]) == [1, 0, 0, 0]
            continue
        for axis in joint.findall("axis") + joint.findall("axis2"):
            assert sum(x * x for x in floats(axis, "xyz")) == pytest.approx(1, abs=2e-6)
        if joint.get("type") == "universal":
            assert len(joint.findall("axis2")) == 1
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


def origin(element):
    found = element.find("origin")
    return [0.0, 0.0, 0.0] if found is None else floats(found, "xyz")


def places_at_zero(name):
    """Where every link is at q = 0; no joint turns its frame."""
    robot = load(name)
    at = {robot.find("link").get("name"): [0.0, 0.0, 0.0]}
    for joint in robot.findall("joint"):
        assert joint.find("origin").get("rpy") is None
        parent = at[joint.find("parent").get("link")]
        at[joint.find("child").get("link")] = [a + b for a, b in zip(parent, origin(joint))]
    return at


def gaps(name, place_of):
    """Of every loop, how far its ends are apart."""
    for loop in load(name).findall("loop"):
        ends = [loop.find("predecessor"), loop.find("successor")]
        yield dist(*(place_of(end.get("link"), origin(end)) for end in ends))


@pytest.mark.parametrize("name", MECHANISMS)
def test_loops_close_at_zero(name):
    at = places_at_zero(name)
    widest = max(
        gaps(name, lambda link, point: [a + b for a, b in zip(at[link], point)]), default=0)
    assert 0.03 < widest < 0.2 if name in OPEN else widest < 1e-9


@pytest.mark.parametrize("name", MECHANISMS)
def test_equations_hold_at_zero(name):
    for constraint in load(name).findall("constraint"):
        values = {"sin": sin, "cos": cos, "pi": pi}
        values |= {joint.get("as"): 0.0 for joint in constraint.findall("joint")}
        for let in constraint.findall("let"):
            values[let.get("name")] = eval(let.get("value"), {}, values)
        for phi in constraint.findall("phi"):
            assert abs(eval(phi.get("value"), {}, values)) < 1e-15


@pytest.mark.parametrize("name", MECHANISMS)
def test_rotors_are_round_and_geared(name):
    robot = load(name)
    for coupling in robot.findall("coupling"):
        rotor = coupling.find("successor").get("link")
        if not rotor.endswith("_rotor"):
            continue
        ratio = float(coupling.find("ratio").get("value"))
        assert abs(ratio) > 1
        driven = next(j for j in robot.findall("joint") if j.get("name") == rotor[:-6])
        assert driven.find("child").get("link") == coupling.find("predecessor").get("link")
        inertial = robot.find(f"link[@name='{rotor}']/inertial")
        joint = next(j for j in robot.findall("joint") if j.get("name") == rotor)
        axis = floats(joint.find("axis"), "xyz")
        assert origin(inertial) == [0, 0, 0]
        I = {key: float(value) for key, value in inertial.find("inertia").attrib.items()}
        assert I["ixy"] == I["ixz"] == I["iyz"] == 0
        assert len({I[f"i{x}{x}"] for x, a in zip("xyz", axis) if a == 0}) == 1


def test_beest_has_jansens_numbers():
    robot, at = load("beest"), places_at_zero("beest")
    links = robot.findall("link")
    assert (len(links), len(robot.findall("loop"))) == (74, 36)
    pins = {loop.get("name"): loop for loop in robot.findall("loop")}

    def reach(leg, pin, end):
        return hypot(*origin(pins[f"{leg}_{pin}"].find(end)))

    for leg in (f"{way}{n}" for way in ("front", "back") for n in range(1, 7)):
        def between(first, second):
            return dist(at[f"{leg}_{first}"], at[f"{leg}_{second}"])

        foot = next(
            c for c in robot.findall(f"link[@name='{leg}_shank']/collision"))
        shank = at[f"{leg}_shank"]
        U = [a + b for a, b in zip(shank, origin(pins[f"{leg}_U"].find("successor")))]
        S = [a + b for a, b in zip(shank, origin(foot))]
        X = [a + b for a, b in zip(
            at[f"{leg}_shoulder"], origin(pins[f"{leg}_X"].find("successor")))]
        crank, hip = at[f"{leg}_upper_rod"], at[f"{leg}_shoulder"]
        measured = {
            "a": abs(hip[0]), "b": reach(leg, "X", "successor"), "c": between("rocker", "shank"),
            "d": between("shoulder", "link"), "e": dist(X, at[f"{leg}_link"]),
            "f": reach(leg, "U", "predecessor"), "g": reach(leg, "U", "successor"),
            "h": dist(U, S), "i": dist(shank, S), "j": reach(leg, "X", "predecessor"),
            "k": reach(leg, "V", "predecessor"), "l": -hip[2], "m": hypot(crank[0], crank[2]),
        }
        expected = dict(zip("abcdefghijklm", (
            38, 41.5, 39.3, 40.1, 55.8, 39.4, 36.7, 65.7, 49, 50, 61.9, 7.8, 15)))
        assert {key: 100 * value for key, value in measured.items()} == pytest.approx(
            expected, abs=2e-4)
    height, _ = nominal("beest")
    feet = [
        at[link.get("name")][2] + origin(link.find("collision"))[2]
        for link in links if link.find("collision") is not None
    ]
    assert height + min(feet) == pytest.approx(0.025, abs=1e-6)


def multiply(A, B):
    return [[sum(a * b for a, b in zip(row, column)) for column in zip(*B)] for row in A]


def apply(R, v):
    return [sum(r * x for r, x in zip(row, v)) for row in R]


def turn(axis, angle):
    """Rodrigues' formula, for a unit axis."""
    (x, y, z), c, s = axis, cos(angle), sin(angle)
    return [
        [c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
        [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
        [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)],
    ]


def place(name):
    """Pose (R, p) of every link of a floating robot in its nominal pose."""
    robot, (height, pose) = load(name), nominal(name)
    unit = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    at = {robot.find("link").get("name"): (unit, [0, 0, height])}
    for joint in robot.findall("joint"):
        R, p = at[joint.find("parent").get("link")]
        p = [a + b for a, b in zip(p, apply(R, floats(joint.find("origin"), "xyz")))]
        if joint.get("type") != "fixed":
            (angle,) = pose[joint.get("name")]
            R = multiply(R, turn(floats(joint.find("axis"), "xyz"), angle))
        at[joint.find("child").get("link")] = (R, p)
    return at


def centre_of_mass(name):
    robot, at, total, moment = load(name), place(name), 0, [0, 0, 0]
    for link in robot.findall("link"):
        inertial = link.find("inertial")
        if inertial is None:
            continue
        R, p = at[link.get("name")]
        mass = float(inertial.find("mass").get("value"))
        c = apply(R, floats(inertial.find("origin"), "xyz"))
        total += mass
        moment = [m + mass * (a + b) for m, a, b in zip(moment, p, c)]
    return [m / total for m in moment]


def test_strider_stands_square_on_its_feet():
    robot, at, com = load("strider"), place("strider"), centre_of_mass("strider")
    for leg in ("LF", "RF", "LH", "RH"):
        ball = robot.find(f"link[@name='{leg}_foot']/collision/geometry/sphere")
        hip, foot = at[f"{leg}_thigh"][1], at[f"{leg}_foot"][1]
        assert foot[2] == pytest.approx(float(ball.get("radius")), abs=1e-6)
        assert foot[0] == pytest.approx(hip[0], abs=1e-9)
    feet = [at[f"{leg}_foot"][1] for leg in ("LF", "RF", "LH", "RH")]
    assert com[:2] == pytest.approx([sum(f[i] for f in feet) / 4 for i in (0, 1)], abs=1e-6)


def test_biped_stands_on_level_soles():
    robot, at, com = load("biped"), place("biped"), centre_of_mass("biped")
    for side in ("L", "R"):
        sole = robot.find(f"link[@name='{side}_foot']/collision")
        x, y, z = floats(sole.find("geometry/box"), "size")
        R, p = at[f"{side}_foot"]
        centre = [a + b for a, b in zip(p, apply(R, floats(sole.find("origin"), "xyz")))]
        for i in (-1, 1):
            for j in (-1, 1):
                corner = apply(R, [i * x / 2, j * y / 2, -z / 2])
                assert centre[2] + corner[2] == pytest.approx(0, abs=1e-6)
        assert abs(com[0] - centre[0]) < x / 2 - 0.05  # the weight is well inside the sole
    assert com[1] == pytest.approx(0, abs=1e-6)


def revolved(radius_at, length, mass):
    """Moments of a solid of revolution by slicing it into discs (second opinion on solids.py)."""
    count = 20000
    step = length / count
    volume = axial = across = 0.0
    for i in range(count):
        z = (i + 0.5) * step - length / 2
        area = pi * radius_at(z) ** 2
        volume += area * step
        axial += area * radius_at(z) ** 2 / 2 * step
        across += area * (radius_at(z) ** 2 / 4 + z * z) * step
    density = mass / volume
    return pytest.approx((density * across, density * across, density * axial), rel=1e-6)


def test_moments_of_round_solids_agree_with_slices(monkeypatch):
    monkeypatch.syspath_prepend(str(MODELS))
    from recipes.solids import Capsule, Cylinder, Sphere

    r, h = 0.3, 0.5
    assert Cylinder(r, h).moments(2.0) == revolved(lambda z: r, h, 2.0)
    ball = revolved(lambda z: sqrt(r * r - z * z), 2 * r, 2.0)
    assert Sphere(r).moments(2.0) == ball

    def capsule(z):
        beyond = max(abs(z) - h / 2, 0)
        return sqrt(r * r - beyond * beyond)

    assert Capsule(r, h).moments(2.0) == revolved(capsule, h + 2 * r, 2.0)


def test_a_cut_box_weighs_as_the_whole(monkeypatch):
    monkeypatch.syspath_prepend(str(MODELS))
    from recipes.solids import Box, Part, mass_properties

    whole = mass_properties([Part(Box(0.4, 0.2, 0.6), 3.0, (1, 2, 3))])
    # Turned by a quarter about y, the pieces have x and z exchanged.
    piece, rpy = Box(0.2, 0.2, 0.4), (0, pi / 2, 0)
    cut = [Part(piece, 1.0, (1, 2, 3 + dz), rpy) for dz in (-0.2, 0, 0.2)]
    mass, com, inertia = mass_properties(cut)
    assert mass == pytest.approx(whole[0])
    assert com == pytest.approx(whole[1])
    for row, expected in zip(inertia, whole[2]):
        assert row == pytest.approx(expected, abs=1e-12)


# The peers: other readers of URDF, when they are installed.


def with_length(name):
    """The URDF with capsules as parsers that follow ROS know them."""
    text = (MODELS / name / f"{name}.urdf").read_text(encoding="utf-8")
    return re.sub(r'(<capsule [^>]*)height=', r"\1length=", text)


def pinocchio_nominal(pin, name, model):
    q, (height, pose) = pin.neutral(model), nominal(name)
    if name in FLOATING:
        q[2] = height
    for joint, (angle,) in pose.items():
        at = model.joints[model.getJointId(joint)]
        if at.nq == 2:  # Pinocchio keeps cosine and sine of a continuous joint
            q[at.idx_q : at.idx_q + 2] = cos(angle), sin(angle)
        else:
            q[at.idx_q] = angle
    return q


@pytest.mark.parametrize("name", [name for name in TREES if name != "chain20"])
def test_pinocchio_finds_gravity_within_the_motors_reach(name):
    pin = pytest.importorskip("pinocchio")
    import numpy as np

    base = (pin.JointModelFreeFlyer(),) if name in FLOATING else ()
    model = pin.buildModelFromXML(with_length(name), *base)
    data = model.createData()
    joints = sum(DOFS[joint.get("type")] for joint in movable(load(name)))
    assert model.nv == joints + 6 * len(base)

    q = pinocchio_nominal(pin, name, model)
    pin.framesForwardKinematics(model, data, q)
    tau = pin.computeGeneralizedGravity(model, data, q)
    if base:
        # The ground carries the base; of all the ways the least squares one.
        feet = [frame for frame in model.frames if re.fullmatch(r"[LR][FH]?_foot", frame.name)]
        rows = []
        for foot in feet:
            offsets = [(0, 0, 0)]
            if name == "biped":
                offsets = [(x, y, -0.09) for x in (-0.09, 0.15) for y in (-0.05, 0.05)]
            index = model.getFrameId(foot.name)
            J = pin.computeFrameJacobian(model, data, q, index, pin.LOCAL_WORLD_ALIGNED)
            for offset in offsets:
                arm = data.oMf[index].rotation @ np.array(offset)
                rows.append(J[:3] - pin.skew(arm) @ J[3:])
        J = np.vstack(rows)
        force = np.linalg.lstsq(J[:, :6].T, tau[:6], rcond=None)[0]
        assert all(force[2::3] > 0)
        tau = tau - J.T @ force
        assert abs(tau[:6]).max() < 1e-9
        tau = tau[6:]
    # A joint without a motor must be at rest by itself (Pinocchio gives it an infinite limit).
    effort = model.effortLimit[-len(tau) :]
    assert all(abs(tau) <= np.where(np.isfinite(effort), effort / 2, 1e-9))


@pytest.mark.parametrize("name", TREES)
def test_mujoco_finds_no_body_in_another(name):
    mujoco = pytest.importorskip("mujoco")
    keep = '<mujoco><compiler fusestatic="false" balanceinertia="false"/></mujoco></robot>'
    spec = mujoco.MjSpec.from_string(with_length(name).replace("</robot>", keep))
    model = spec.compile()
    data = mujoco.MjData(model)
    for joint, q in nominal(name)[1].items():
        start = model.joint(joint).qposadr[0]
        data.qpos[start : start + len(q)] = q
    mujoco.mj_forward(model, data)
    geoms = len(load(name).findall("link/collision"))
    assert sum(model.geom_contype != 0) == geoms
    assert data.ncon == 0
