"""Files to Specs and back: round trips, warnings, errors, Pinocchio's reading of the same files."""

import os
import pathlib
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from package_paths import ROOT

import espalier
from espalier import io

MODELS = sorted((ROOT / "models").glob("*/*.urdf"))
WORLDS = sorted((ROOT / "models" / "worlds").glob("*.xml"))
SHARED = os.environ.get("ESPALIER_SHARED")

TREE = """<robot name="arm">
  <link name="world"/>
  <link name="upper"><inertial><origin xyz="0 0 -0.2"/><mass value="2"/>
    <inertia ixx="0.025" ixy="0.001" ixz="0" iyy="0.02" iyz="0" izz="0.01"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="world"/><child link="upper"/>
    <origin xyz="0 0.1 1" rpy="0.1 0.2 0.3"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="2" effort="10" velocity="3"/></joint>
</robot>"""

MJCF = """<mujoco model="swing"><option gravity="0 0 -5"/><worldbody>
  <body name="bob" pos="0 0 1"><joint name="hinge" type="hinge" axis="1 0 0"/>
    <geom type="sphere" size="0.1" mass="3"/></body></worldbody></mujoco>"""

SDF = """<sdf version="1.9"><world name="w"><model name="box"><link name="base"><inertial>
  <mass>4</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link></model></world></sdf>"""


def quiet(load, *arguments, **options):
    return load(*arguments, diagnostics=espalier.Diagnostics(), **options)


@pytest.mark.parametrize("file", MODELS, ids=lambda f: f.stem)
def test_models_load_and_come_back_from_urdf(file):
    spec = quiet(io.load_robot, file)
    assert isinstance(spec, espalier.SystemSpec) and spec.links
    again = quiet(io.parse_urdf, io.export_urdf(spec), fixed_base=spec.fixed_base)
    again.X_WB = spec.X_WB
    again.joint_order, again.ignored_pairs = spec.joint_order, spec.ignored_pairs
    again.self_collides, again.rotors_as_bodies = spec.self_collides, spec.rotors_as_bodies
    assert io.difference(spec, again, 1e-15) == ""
    assert espalier.compile(spec, espalier.Diagnostics()).spec == spec


@pytest.mark.parametrize("file", MODELS, ids=lambda f: f.stem)
def test_masses_and_dofs_are_pinocchios(file):
    pinocchio = pytest.importorskip("pinocchio")
    if "@@" in file.read_text():
        pytest.skip("a template")
    spec = quiet(io.load_robot, file)
    kinds = espalier.JointKind
    plain = {kinds.FIXED, kinds.REVOLUTE, kinds.PRISMATIC}
    if any(j.kind not in plain for j in spec.joints):
        pytest.skip("a joint that URDF does not have")
    if not all(link.inertial for link in spec.links if link.name != "world"):
        pytest.skip("a massless link")
    floats = spec.links[0].name != "world"
    root = [pinocchio.JointModelFreeFlyer()] if floats else []
    theirs = pinocchio.buildModelFromUrdf(str(file), *root)
    ours = espalier.compile(spec, espalier.Diagnostics())
    rotors = sum(1 for _ in ours.rotors)
    assert ours.nv + rotors == theirs.nv
    assert ours.mass == pytest.approx(pinocchio.computeTotalMass(theirs), rel=1e-12)


@pytest.mark.parametrize("file", WORLDS, ids=lambda f: f.stem)
def test_worlds_come_back_from_xml(file, tmp_path):
    world = quiet(io.load_world, file)
    assert isinstance(world, espalier.WorldSpec) and io.is_world(file)
    saved = tmp_path / "world.xml"
    io.save_world(world, saved)
    again = quiet(io.load_world, saved)
    assert io.difference(world, again, 1e-15) == ""
    world.gravity[2] -= 1
    assert io.difference(world, again) == "gravity"


def test_text_and_paths():
    spec = io.load_robot(TREE)
    assert spec.joint("shoulder").limits.upper == 2
    np.testing.assert_allclose(spec.link("upper").inertial.I[0], [0.025, 0.001, 0])
    named = io.parse_urdf(TREE, "arm.urdf")
    assert named == spec or named.file == "arm.urdf"
    file = MODELS[0]
    assert quiet(io.load_robot, str(file)) == quiet(io.load_robot, pathlib.Path(file))
    assert quiet(io.load_urdf, file).name == quiet(io.load_robot, file).name
    for wrong in (3, None, b"a.urdf", ["a"]):
        with pytest.raises(TypeError):
            io.load_robot(wrong)


def test_options_by_object_or_by_keyword(tmp_path):
    options = io.UrdfOptions(fixed_base=True, parameters={"mass": 3})
    text = TREE.replace('<link name="world"/>', '<link name="foot"/>').replace("world", "foot")
    text = text.replace('mass value="2"', 'mass value="@@mass"')
    by_object = quiet(io.load_robot, text, options)
    by_keyword = quiet(io.load_robot, text, fixed_base=True, parameters={"mass": "3"})
    assert by_object == by_keyword and by_object.fixed_base
    assert by_object.link("upper").inertial.mass == 3
    assert quiet(io.load_robot, text, options, fixed_base=False).fixed_base is False
    with pytest.raises(TypeError, match="fixd_base"):
        io.load_robot(text, fixd_base=True)
    budget = io.ReadingBudget(io.ReadingLimits(elements=2))
    with pytest.raises(espalier.SpecError):
        io.load_robot(TREE, budget=budget)
    assert budget.is_spent and budget.limits.elements == 2 and budget.text_left > 0


def test_errors_name_file_line_and_remedy(tmp_path):
    file = tmp_path / "bad.urdf"
    file.write_text(TREE.replace('value="2"', 'value="-2"'))
    with pytest.raises(espalier.SpecError, match=r"bad\.urdf:3: error: .*upper") as error:
        io.load_robot(file)
    (problem, *_) = error.value.diagnostics
    assert problem.line == 3 and problem.file.endswith("bad.urdf") and problem.remedy
    assert problem.severity == espalier.Severity.ERROR
    with pytest.raises(espalier.SpecError, match="nowhere"):
        io.load_robot(tmp_path / "nowhere.urdf")
    with pytest.raises(espalier.SpecError):
        io.save_world(espalier.WorldSpec(), tmp_path / "no" / "world.xml")


def test_warnings_obey_the_users_filters():
    text = TREE.replace('<limit lower="-1" upper="2" effort="10" velocity="3"/>', "")
    with pytest.warns(espalier.EspalierWarning, match="warning: ") as told:
        io.load_robot(text)
    assert all(issubclass(w.category, UserWarning) for w in told)
    assert {w.filename for w in told} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(espalier.EspalierWarning):
            io.load_robot(text)
        remarks = espalier.Diagnostics()
        io.load_robot(text, diagnostics=remarks)
    assert remarks.count(espalier.Severity.WARNING) >= 1


def test_mujoco_files():
    assert io.is_mjcf(MJCF) and not io.is_mjcf(TREE) and io.is_world(MJCF)
    robot = quiet(io.parse_mjcf_robot, MJCF, "swing.xml")
    assert robot.joint("hinge").kind == espalier.JointKind.REVOLUTE
    np.testing.assert_array_equal(io.load_gravity(MJCF), [0, 0, -5])
    np.testing.assert_array_equal(io.parse_mjcf_gravity(MJCF, "swing.xml"), [0, 0, -5])
    assert io.load_gravity(TREE) is None
    world = quiet(io.parse_mjcf_world, MJCF, "swing.xml")
    np.testing.assert_array_equal(world.gravity, [0, 0, -5])
    mujoco = pytest.importorskip("mujoco")
    model = espalier.compile(robot, espalier.Diagnostics())
    theirs = mujoco.MjModel.from_xml_string(MJCF)
    assert model.mass == pytest.approx(theirs.body_mass.sum(), rel=1e-12)


def test_gazebo_files():
    assert io.is_sdf(SDF) and io.is_sdf_world(SDF) and not io.is_sdf(MJCF)
    assert quiet(io.parse_sdf_robot, SDF, "box.sdf").links[0].inertial.mass == 4
    world = quiet(io.parse_sdf_world, SDF, "box.sdf")
    # A model of one link is a single body.
    assert len(world.systems) + len(world.bodies) == 1


def test_same_shape():
    assert io.is_same_shape(espalier.SphereShape(1), espalier.SphereShape(1))
    assert not io.is_same_shape(espalier.SphereShape(1), espalier.SphereShape(2))
    assert not io.is_same_shape(espalier.SphereShape(1), espalier.Plane())


def test_load_compiles():
    model = espalier.load(TREE)
    assert (model.nv, model.name) == (1, "arm")
    assert quiet(espalier.load, MJCF).nv == 1
    assert quiet(espalier.load, TREE, joint_order=["shoulder"]).nv == 1


@pytest.mark.skipif(not SHARED, reason="ESPALIER_SHARED is not set")
@pytest.mark.parametrize(
    "file",
    [
        "anymal_b/anymal.urdf",
        "cassie/robots/cassie.sdf",
        "go2/go2.urdf",
        "talos/talos_reduced.urdf",
        "parallel_digit_like/robot.urdf",
        "panda/panda.urdf",
    ],
)
def test_shared_robots(file):
    found = pathlib.Path(SHARED, "models", file)
    if not found.exists():
        pytest.skip(f"no {file}")
    remarks = espalier.Diagnostics()
    spec = io.load_robot(found, diagnostics=remarks)
    model = espalier.compile(spec, remarks)
    assert model.nv > 0 and model.spec == spec
    assert len(repr(model).splitlines()) >= model.nb


def test_threads_load_at_once():
    def work(file):
        spec = quiet(io.load_robot, file)
        model = espalier.compile(spec, espalier.Diagnostics())
        cached = espalier.CompileCache.of_process().compile(spec, espalier.Diagnostics())
        return repr(model), cached.nv

    files = [f for f in MODELS if "@@" not in f.read_text()] * 4
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(work, files))
    alone = {file: work(file) for file in set(files)}
    assert found == [alone[file] for file in files]


def test_remarks_are_copies():
    remarks = espalier.Diagnostics()
    remarks.add(espalier.Diagnostic(espalier.Severity.NOTE, "a.urdf", 3, "first", "none"))
    first, items = remarks.all[0], list(remarks)
    for k in range(100):  # the engine's list moves
        remarks.add(espalier.Diagnostic(what=f"more {k}"))
    assert str(first) == str(items[0]) == str(remarks[0]) == "a.urdf:3: note: first; none"
    assert str(remarks[-1]).startswith("error: more 99")
    with pytest.raises(IndexError):
        remarks[101]
    assert len(remarks.omissions()) == 0
    twice = espalier.Diagnostics()
    twice.append(remarks)
    twice.append(twice)
    assert len(twice) == 202
