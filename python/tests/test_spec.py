"""Specs in Python: fields, defaults, editing in place, errors that say where."""

import copy
import dataclasses
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import espalier
from espalier import _espalier as extension
from espalier import io


def pendulum(length=0.5, mass=2.0):
    X_LC = np.eye(4)
    X_LC[2, 3] = -length
    return espalier.SystemSpec(
        name="pendulum",
        links=[
            espalier.LinkSpec("world"),
            espalier.LinkSpec(
                "bob", espalier.InertialSpec(mass, X_LC, np.diag([0.01, 0.02, 0.03]))
            ),
        ],
        joints=[
            espalier.JointSpec(
                "hinge",
                espalier.JointKind.REVOLUTE,
                "world",
                "bob",
                axes=[[0, 1, 0], [0, 0, 1], [1, 0, 0]],
            )
        ],
    )


def every_spec():
    """A Spec with something in every list."""
    spec = pendulum()
    spec.links[1].collisions.append(espalier.CollisionSpec("ball", espalier.SphereShape(0.1)))
    spec.links[1].visuals.append(
        espalier.VisualSpec(shape=espalier.BoxShape([0.1, 0.2, 0.3]), rgba=[1, 0, 0, 0.5])
    )
    spec.loops.append(
        espalier.LoopSpec("rod", espalier.LoopKind.UNIVERSAL, "world", "bob", axis=[0, 0, 1])
    )
    spec.couplings.append(espalier.CouplingSpec("gear", "world", "bob", 3, 0.1))
    phi = espalier.trace(lambda q: q[0] * q[0] - 1, 1)
    spec.constraints.append(espalier.ConstraintSpec("phi", ["hinge"], phi))
    way = espalier.TendonSpec.Way(
        [espalier.TendonSpec.Point("world", [0, 0, 1]), espalier.TendonSpec.Point("bob")],
        wraps=[
            espalier.TendonSpec.Wrap(
                0,
                "world",
                surface=espalier.WrapSurface(0.1, True),
                side=espalier.TendonSpec.Point("world", [1, 0, 0]),
            )
        ],
    )
    spec.tendons.append(
        espalier.TendonSpec(
            "cable",
            [espalier.TendonSpec.Term("hinge", 2)],
            [way],
            actuator=espalier.ActuatorSpec(1),
        )
    )
    spec.transmissions.append(espalier.TransmissionSpec("motor", "simple", "hinge", "m", 100))
    spec.ignored_pairs.append(espalier.IgnoredPair("world", "bob", "they touch"))
    joint = spec.joints[0]
    joint.limits = espalier.JointLimits(-1, 2, effort=5)
    joint.dynamics.spring_mount = [0.2]
    joint.mimic = espalier.MimicSpec("hinge", 2, 0.5)
    joint.independent = True
    joint.actuator = espalier.ActuatorSpec(kp=10, upper=3)
    spec.joint_order = ["hinge"]
    return spec


def test_defaults_are_those_of_cpp():
    made = extension.defaults_()
    assert len(made) >= 45
    for from_cpp in made:
        from_python = type(from_cpp)()
        assert list(from_cpp.__dict__) == [x.name for x in dataclasses.fields(from_cpp)]
        assert from_cpp == from_python, type(from_cpp).__name__


def test_what_goes_through_cpp_comes_back_the_same():
    world = espalier.WorldSpec(
        systems=[espalier.PlacedSystemSpec(every_spec(), [0.1], [0.2])],
        bodies=[espalier.BodySpec("crate", [espalier.CollisionSpec(shape=espalier.Plane())])],
        materials=[espalier.MaterialPairSpec("ice", "rubber", 0.1)],
    )
    spec = every_spec()
    assert io.difference(spec, copy.deepcopy(spec)) == ""
    for path, edit in {
        "links[1].inertial.mass": lambda s: setattr(s.links[1].inertial, "mass", 3),
        "links[1].collisions[0].shape": lambda s: setattr(
            s.links[1].collisions[0].shape, "radius", 1
        ),
        "joints[0].axis": lambda s: s.joints[0].axes.__setitem__((0, 0), 0.5),
        "tendons[0].ways[0].wraps[0]": lambda s: setattr(s.tendons[0].ways[0].wraps[0], "after", 1),
        "couplings[0].ratio": lambda s: setattr(s.couplings[0], "ratio", 4),
        "constraints[0]": lambda s: setattr(
            s.constraints[0], "phi", espalier.trace(lambda q: q[0], 1)
        ),
    }.items():
        other = copy.deepcopy(spec)
        edit(other)
        assert other != spec
        assert io.difference(spec, other).startswith(path), path
    text = io.export_world_xml(world)
    assert "crate" in text and "rubber" in text


def test_everything_nested_is_edited_in_place():
    spec = pendulum()
    first = spec.links[1]
    for k in range(100):  # the list grows; what was taken from it stays what it is
        spec.links.append(espalier.LinkSpec(f"more{k}"))
    first.inertial.mass = 5
    first.inertial.X_LC[2, 3] = -2
    del spec.links[2:]
    spec.joints[0].limits.upper = 1.5
    model = espalier.compile(spec)
    assert model.mass == 5
    np.testing.assert_allclose(model.authored.bodies[1].com, [0, 0, -2])
    assert model.bodies[1].limits.upper == 1.5


def test_defaults_are_nobody_elses():
    one, other = espalier.LinkSpec(), espalier.LinkSpec()
    one.collisions.append(espalier.CollisionSpec())
    assert other.collisions == []
    a, b = espalier.InertialSpec(), espalier.InertialSpec()
    a.X_LC[0, 3] = 1
    assert b.X_LC[0, 3] == 0 and espalier.InertialSpec().X_LC[0, 3] == 0
    given = np.eye(4)
    c = espalier.InertialSpec(X_LC=given)
    given[0, 3] = 9
    assert c.X_LC[0, 3] == 0


@pytest.mark.parametrize(
    ("edit", "kind", "text"),
    [
        (lambda: espalier.InertialSpec(mass="heavy"), TypeError, "InertialSpec.mass"),
        (lambda: espalier.InertialSpec(X_LC=np.eye(3)), ValueError, r"\(4, 4\), got \(3, 3\)"),
        (lambda: espalier.LinkSpec(collisions=[3]), TypeError, "expected CollisionSpec, got int"),
        (lambda: espalier.JointSpec(kind=1), TypeError, "expected JointKind, got int"),
        (lambda: espalier.CollisionSpec(shape="ball"), TypeError, "SphereShape"),
        (lambda: espalier.LoopSpec(is_bilateral=1), TypeError, "expected a bool"),
        (lambda: espalier.LinkSpec(line=0.5), TypeError, "LinkSpec.line"),
        (lambda: espalier.LinkSpec(nmae="x"), TypeError, "nmae"),
        (lambda: setattr(espalier.LinkSpec(), "nmae", "x"), AttributeError, "nmae"),
        (lambda: espalier.SystemSpec(joint_order="hinge"), TypeError, "expected a list"),
    ],
)
def test_wrong_values_are_refused_at_once(edit, kind, text):
    with pytest.raises(kind, match=text):
        edit()


def test_what_was_appended_wrong_is_named_by_its_place():
    spec = pendulum()
    spec.links[1].collisions.append("ball")
    with pytest.raises(TypeError, match=r"links\[1\].collisions\[0\]: expected CollisionSpec"):
        espalier.compile(spec)
    spec = pendulum()
    spec.links[1].inertial.X_LC[3, 0] = 1
    with pytest.raises(ValueError, match=r"links\[1\].inertial.X_LC: .*homogeneous"):
        espalier.compile(spec)
    spec = pendulum()
    spec.links[1].line = 2**40
    with pytest.raises(TypeError, match=r"links\[1\].line"):
        espalier.compile(spec)


def test_a_subclass_is_taken_for_what_it_is():
    class Crate(espalier.LinkSpec):
        pass

    spec = pendulum()
    spec.links[1] = Crate("bob", spec.links[1].inertial)
    assert espalier.compile(spec).mass == 2


def test_repr_tells_what_is_not_by_default():
    assert repr(espalier.SphereShape(0.5)) == "SphereShape(radius=0.5)"
    assert repr(espalier.JointSpec()) == "JointSpec()"
    assert "kind=JointKind.PLANAR" in repr(espalier.JointSpec(kind=espalier.JointKind.PLANAR))
    text = repr(pendulum())
    assert text.splitlines()[0] == "SystemSpec 'pendulum': 2 links, 1 joint"
    assert text.splitlines()[2] == "└╴bob, 2 kg: hinge, revolute y"
    broken = pendulum()
    broken.links.append(3)
    assert "links[2]" in repr(broken)
    cyclic = pendulum()
    cyclic.joints.append(espalier.JointSpec("back", parent="bob", child="world"))
    assert "SystemSpec" in repr(cyclic)


def test_copies_and_pickles():
    spec = every_spec()
    for twin in (copy.deepcopy(spec), pickle.loads(pickle.dumps(spec))):
        assert twin == spec and twin is not spec
        twin.links[1].inertial.mass = 7
        assert spec.links[1].inertial.mass == 2
    shallow = copy.copy(spec)
    assert shallow.links is spec.links
    assert dataclasses.replace(spec, name="other").name == "other"
    assert spec != "text" and spec != pendulum()


def test_find_by_name():
    spec = pendulum()
    assert spec.link("bob") is spec.links[1]
    assert spec.joint("hinge") is spec.joints[0]
    with pytest.raises(KeyError, match="world, bob"):
        spec.link("arm")


def test_check_spec_tells_every_problem():
    spec = pendulum()
    assert not espalier.check_spec(spec).has_errors
    spec.links[1].inertial.mass = -1
    spec.joints[0].axes[0] = 0
    spec.joints[0].parent = "nowhere"
    found = espalier.check_spec(spec)
    assert found.has_errors and len(found) >= 2
    assert found.count(espalier.Severity.ERROR) == sum(
        d.severity == espalier.Severity.ERROR for d in found
    )
    with pytest.raises(espalier.SpecError) as error:
        espalier.compile(spec)
    assert isinstance(error.value, ValueError)
    assert len(error.value.diagnostics) == len(found)
    assert str(error.value) == error.value.diagnostics.to_string()
    again = pickle.loads(pickle.dumps(error.value))
    assert str(again) == str(error.value) and len(again.diagnostics) == len(found)


def test_warnings_are_raised_or_collected():
    spec = pendulum()
    # Its inertia breaks the triangle inequality.
    spec.links[1].inertial.I = np.diag([1, 0.1, 0.1])
    with pytest.warns(espalier.EspalierWarning, match="triangle") as told:
        espalier.compile(spec)
    assert told[0].filename == __file__
    remarks = espalier.Diagnostics()
    espalier.compile(spec, remarks)
    assert any("triangle" in d.what for d in remarks)
    # A massless link that only carries another is a note.
    spec = pendulum()
    spec.links.insert(1, espalier.LinkSpec("between"))
    spec.joints[0].parent = "between"
    spec.joints.append(
        espalier.JointSpec("slide", espalier.JointKind.PRISMATIC, "world", "between")
    )
    remarks = espalier.Diagnostics()
    espalier.compile(spec, remarks)
    assert ["between" in d.what for d in remarks] == [True]


def test_child_builds_the_same_robot():
    pole = espalier.Child(name="bob")
    pole.body.set_mass(2)
    pole.body.set_com([0, 0, -0.5])
    pole.body.set_inertia([0.01, 0.02, 0.03])
    pole.joint.name = "hinge"
    pole.joint.type = espalier.Joint.Type.REVOLUTE
    pole.joint.joint_axis([0, 1, 0])
    root = espalier.Child(name="world")
    root.add_child(pole)
    pole.body.mass = 9  # a copy was added
    spec = espalier.to_spec(root)
    spec.name, spec.fixed_base = "pendulum", False
    spec.joints[0].axes[:] = pendulum().joints[0].axes
    assert io.difference(spec, pendulum()) == ""
    assert pole.body.com.tolist() == [0, 0, -0.5]
    ball = pole.body.add_collision(espalier.SphereShape(0.1), [0, 0, 1], "rubber")
    ball.group = 4
    assert pole.body.col_obj[0].group == 4
    floats = espalier.Child(name="base", joint=espalier.Joint.floating_base_joint())
    with pytest.raises(ValueError, match="only the root"):
        root.add_child(floats)
    root.child[0].child.append(root)  # holds itself
    with pytest.raises(ValueError, match="nested too deeply"):
        espalier.to_spec(root)


def test_spherical_limits():
    limits = espalier.spherical_limits(espalier.JointLimits(swing=0.5, twist_lower=-1))
    assert limits.swing == 0.5 and not limits.are_none and limits.use_axis
    assert espalier.SphericalLimits().are_none
    assert espalier.fault_of(limits) == ""
    assert espalier.fault_of(espalier.SphericalLimits(swing=-1)) != ""
    assert espalier.fault_of_spherical(espalier.JointLimits(0.2, 1)) != ""
    assert espalier.is_out_of_reach(espalier.SphericalLimits(angle=4))


def test_shapes():
    ball = espalier.SphereShape(0.5)
    assert espalier.shape_name(ball) == "sphere"
    assert espalier.volume(ball) == pytest.approx(4 / 3 * np.pi * 0.125)
    box = espalier.inertia(espalier.BoxShape([1, 2, 3]), 12)
    np.testing.assert_allclose(np.diag(box.I), [13, 10, 5])
    assert box.m == 12
    X = np.eye(4)
    X[2, 3] = 2
    assert espalier.lowest_point(ball, X) == 1.5
    with pytest.raises(ValueError):
        espalier.inertia(espalier.Plane(), 1)
    with pytest.raises(ValueError, match="no data"):
        espalier.lowest_point(espalier.Heightfield(), X)


def tetrahedron():
    return espalier.TriangleMesh(
        [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        np.full((4, 4), 200),
    )


def test_triangle_meshes_are_shared_and_never_change():
    mesh = tetrahedron()
    shape = espalier.MeshShape("corner.stl", mesh)
    assert espalier.volume(shape) == pytest.approx(1 / 6)
    assert mesh.vertices.shape == (4, 3) and mesh.triangles.dtype == np.int32
    assert mesh.colors.tolist() == [[200] * 4] * 4
    with pytest.raises(ValueError):
        mesh.vertices[0, 0] = 1
    view = mesh.vertices
    del mesh, shape
    assert view[1].tolist() == [1, 0, 0]  # the view keeps the mesh
    assert (tetrahedron() == None) is False and tetrahedron() != 1  # noqa: E711
    assert "MeshShape" in repr(espalier.BodySpec(
        collisions=[espalier.CollisionSpec(shape=espalier.MeshShape("", tetrahedron()))]))
    again = pickle.loads(pickle.dumps(tetrahedron()))
    assert again == tetrahedron() and copy.deepcopy(again) is again
    with pytest.raises(ValueError, match="vertex 4 of 4"):
        espalier.TriangleMesh(np.zeros((4, 3)), [[0, 1, 4]])
    with pytest.raises(ValueError, match="colour"):
        espalier.TriangleMesh(np.zeros((4, 3)), [[0, 1, 2]], np.zeros((2, 4), int))
    with pytest.raises(ValueError, match="0 to 255"):
        espalier.TriangleMesh(np.zeros((4, 3)), [[0, 1, 2]], [[0, 0, 0, 256]])
    with pytest.raises(TypeError, match="whole numbers"):
        espalier.TriangleMesh(np.zeros((4, 3)), [[0, 1, 2.5]])
    with pytest.raises(ValueError, match=r"shape \(n, 3\)"):
        espalier.TriangleMesh(np.zeros((4, 3)), [[0, 1]])
    assert len(espalier.TriangleMesh(np.zeros((4, 3)), []).triangles) == 0
    with pytest.raises((TypeError, ValueError)):
        espalier.TriangleMesh(np.zeros((4, 2)), [[0, 1, 2]])


def test_heights_and_terrain():
    heights = np.arange(6.0).reshape(2, 3)
    data = espalier.HeightfieldData(2, 1, heights)
    assert (data.x_samples, data.y_samples) == (3, 2)
    np.testing.assert_array_equal(data.heights, heights)
    assert pickle.loads(pickle.dumps(data)) == data
    with pytest.raises(ValueError):
        espalier.HeightfieldData(2, 1, [[1.0, 2.0]])
    hills = espalier.TerrainProperties(x_samples=20, y_samples=30, seed=3)
    first, second = espalier.make_terrain(hills), espalier.make_terrain(hills)
    assert first.heights.shape == (30, 20) and first == second
    assert np.ptp(first.heights) > 0
    with pytest.raises(ValueError):
        espalier.make_terrain(espalier.TerrainProperties(x_samples=1))


def test_joint_kinds():
    info = espalier.info(espalier.JointKind.SPHERICAL)
    assert (info.name, info.nq, info.nv, info.axes) == ("spherical", 4, 3, 0)
    assert (info.slides, info.quaternion) == (0, 0)
    info = espalier.info(espalier.JointKind.CYLINDRICAL)
    assert (info.name, info.nq, info.nv, info.axes, info.slides) == ("cylindrical", 2, 2, 1, 1)
    assert info.quaternion == -1 and espalier.JointKind.CYLINDRICAL.__doc__ == info.meaning
    assert sum(1 for _ in espalier.JointKind) == 11


def test_joint_kinds_are_a_table():
    assert [k.kind for k in espalier.JOINT_KINDS] == list(espalier.JointKind)


def test_a_string_round_a_cylinder():
    """Against its tangents in the plane."""
    surface = espalier.WrapSurface(0.5, True)
    a, b = np.array([-2.0, 0, 0]), np.array([2.0, 0, 0])
    found = espalier.wrap(surface, a, b, side=[0, 1, 0])
    assert found.way in (espalier.WrapWay.LEFT, espalier.WrapWay.RIGHT)
    tangent = np.sqrt(4 - 0.25)  # length from a to where it meets the surface
    assert np.linalg.norm(found.first - a) == pytest.approx(tangent)
    assert np.linalg.norm(found.second - b) == pytest.approx(tangent)
    assert found.first[1] > 0 and abs((found.first - a) @ found.first) < 1e-12
    # Half a turn but for the angles at which the tangents leave the line between a and b.
    assert found.arc == pytest.approx(0.5 * (np.pi - 2 * np.arccos(0.5 / 2)))
    assert espalier.wrap(surface, a, b + [0, 5, 0]).way == espalier.WrapWay.STRAIGHT


def test_nothing_is_left_behind_when_python_ends(tmp_path):
    """nanobind tells on stderr of objects that outlive the module."""
    program = """
import espalier, copy
spec = espalier.SystemSpec(name="a", links=[espalier.LinkSpec("world")])
model = espalier.compile(spec)
model.self = model
kept = [model, model.bodies, espalier.trace(lambda q: q[0], 1), espalier.check_spec(spec)]
try:
    espalier.compile(espalier.SystemSpec())
except espalier.SpecError as error:
    kept.append(error)
"""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment
    )
    assert ended.returncode == 0 and ended.stderr == ""


def test_docstrings_tell_of_every_field():
    for made in extension.defaults_():
        doc = type(made).__doc__
        for field in dataclasses.fields(made):
            assert f"- ``{field.name}``: " in doc, (type(made), field.name)
    assert "- ``mass``: kg" in espalier.InertialSpec.__doc__


def test_what_has_no_value_is_named():
    spec = pendulum()
    spec.links[1] = espalier.LinkSpec.__new__(espalier.LinkSpec)
    with pytest.raises(TypeError, match=r"links\[1\].name: has no value"):
        espalier.compile(spec)
    assert "cannot be read" in repr(espalier.SystemSpec.__new__(espalier.SystemSpec))
