"""Models: what they tell, their configuration manifold, closing of loops; copies and pickles."""

import copy
import gc
import itertools
import pickle

import numpy as np
import pytest
from package_paths import ROOT

import espalier
from espalier import io

MODELS = sorted((ROOT / "models").glob("*/*.urdf"))


def load(name, **options):
    return espalier.load(
        ROOT / "models" / name / f"{name}.urdf", diagnostics=espalier.Diagnostics(), **options
    )


def rotation(vector):
    """exp of a rotation vector, by Rodrigues' formula."""
    angle = np.linalg.norm(vector)
    x, y, z = vector
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    if angle == 0:
        return np.eye(3)
    return (
        np.eye(3)
        + np.sin(angle) / angle * skew
        + (1 - np.cos(angle)) / angle**2 * skew @ skew
    )


def matrix(quaternion):
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


@pytest.mark.parametrize("file", MODELS, ids=lambda f: f.stem)
def test_a_model_tells_what_its_spec_says(file):
    spec = io.load_robot(file, diagnostics=espalier.Diagnostics())
    model = espalier.compile(spec, espalier.Diagnostics())
    topology = model.topology
    assert model.nq == sum(b.nq for b in topology.bodies) == topology.nq
    assert model.nv == sum(b.nv for b in topology.bodies) == topology.nv
    assert len(model.links) == len(spec.links) and len(model.frames) == len(spec.joints)
    assert model.mass == pytest.approx(
        sum(link.inertial.mass for link in spec.links if link.inertial), rel=1e-12
    )
    for index, (body, place) in enumerate(zip(model.bodies, topology.bodies, strict=True)):
        assert place.parent < index
        if index == 0:
            continue
        joint = spec.joints[body.spec_joint]
        assert (joint.name, joint.child, joint.kind) == (body.joint, body.name, place.kind)
        assert model.body(body.name) == model.joint(body.joint) == index
        axes = espalier.info(joint.kind).axes
        for given, found in itertools.islice(zip(joint.axes, body.axes, strict=True), axes):
            np.testing.assert_allclose(given / np.linalg.norm(given), found, atol=1e-15)
    assert model.body("nowhere") == model.joint("nowhere") == model.frame("nowhere") == -1
    names = model.dof_names(all=True)
    assert len(names) == len(set(names)) == model.nv
    assert len(model.dof_names()) == model.public_nv
    assert len(model.coordinate_names()) == model.public_nq
    assert sorted(i for i in model.public_dof if i >= 0) == list(range(model.public_nv))
    assert sorted(model.spanning_dof) == list(range(model.nv))


@pytest.mark.parametrize("file", MODELS, ids=lambda f: f.stem)
def test_repr_is_the_tree(file):
    model = espalier.load(file, diagnostics=espalier.Diagnostics())
    head, *lines = repr(model).splitlines()
    assert head.startswith(f"Model '{model.name}': {model.nb} bod")
    for body in model.bodies:
        assert any(body.name + ":" in line and body.joint in line for line in lines)
    loops = len(model.mechanism.closures) if model.mechanism else 0
    loops += len(model.bilateral.closures)
    assert sum(line.startswith("loop: ") for line in lines) == loops


@pytest.mark.parametrize("name", ["arm7", "chain20", "human36", "quadruped", "delta"])
def test_difference_undoes_advance(name):
    model = load(name)
    rng = np.random.default_rng(1)
    neutral = espalier.neutral(model)
    np.testing.assert_array_equal(neutral, espalier.neutral_state(model).q)
    for seed in range(5):
        q = espalier.random_configuration(model, seed)
        step = rng.uniform(-1, 1, model.nv)
        moved = espalier.advance(model, q, step)
        np.testing.assert_allclose(espalier.difference(model, q, moved), step, atol=1e-12)
        np.testing.assert_allclose(espalier.normalize(model, moved), moved, atol=1e-14)
        np.testing.assert_array_equal(q, espalier.random_configuration(model, seed))
        for body in model.topology.bodies:
            u = slice(body.u, body.u + body.nv)
            if body.kind == espalier.JointKind.SPHERICAL:
                expected = rotation(step[u]) @ matrix(q[body.q : body.q + 4])
                np.testing.assert_allclose(
                    matrix(moved[body.q : body.q + 4]), expected, atol=1e-12
                )
            elif body.nq == body.nv:
                np.testing.assert_allclose(
                    moved[body.q : body.q + body.nq], q[body.q : body.q + body.nq] + step[u]
                )


def test_difference_of_joints_leaves_the_base_alone():
    model = load("quadruped")
    q = espalier.neutral(model)
    step = np.arange(1.0, model.nv + 1) / 20
    found = espalier.difference_of_joints(model, q, espalier.advance(model, q, step))
    np.testing.assert_allclose(found[6:], step[6:], atol=1e-14)
    assert not found[:6].any()


def test_wrong_sizes_are_refused():
    model = load("arm7")
    with pytest.raises(ValueError, match="q has 2 numbers, expected 7"):
        espalier.advance(model, [0, 0], np.zeros(7))
    with pytest.raises(ValueError, match="step"):
        espalier.advance(model, np.zeros(7), np.zeros(8))
    with pytest.raises(ValueError):
        espalier.difference(model, np.zeros(7), np.zeros(6))
    with pytest.raises(ValueError):
        espalier.normalize(model, np.zeros((7, 1)))
    with pytest.raises(IndexError):
        espalier.path_between(model, 0, 99)
    with pytest.raises(IndexError):
        espalier.find_clusters(model, [[-1, 2]])
    with pytest.raises(TypeError):
        espalier.advance("arm7", [0], [0])


@pytest.mark.parametrize("name", ["four_bar", "five_bar", "delta", "slider_crank", "tello_leg"])
def test_assemble_closes_the_loops(name):
    model = load(name)
    assert model.has_loops
    rng = np.random.default_rng(3)
    start = np.asarray(model.mechanism.assembled)
    assert espalier.closure_residual(model, start) < 1e-9
    open_q = espalier.advance(model, start, rng.uniform(-0.05, 0.05, model.nv))
    assert espalier.closure_residual(model, open_q) > 1e-4
    q, result = espalier.assemble(model, open_q)
    assert result.is_closed and result.residual < 1e-11
    assert espalier.closure_residual(model, q) < 1e-11
    near, result = espalier.close_near(model, open_q)
    assert result.is_closed and espalier.closure_residual(model, near) < 1e-11
    led, result = espalier.assemble_dependents(model, open_q)
    assert result.is_closed and espalier.closure_residual(model, led) < 1e-11
    for body in model.topology.bodies:
        for k in range(body.nv):
            if body.nq == body.nv and model.public_dof[body.u + k] >= 0:
                assert led[body.q + k] == open_q[body.q + k]


def test_assemble_keeps_held_joints():
    model = load("four_bar")
    lead = next(
        b for b, t in zip(model.bodies, model.topology.bodies, strict=True)
        if t.nv == 1 and model.public_dof[t.u] >= 0
    )  # fmt: skip
    at = model.topology.bodies[model.body(lead.name)].q
    q = np.array(model.mechanism.assembled)
    q[at] += 0.1
    closed, result = espalier.assemble(model, q, held=[lead.joint])
    assert result.is_closed and closed[at] == q[at]
    with pytest.raises(ValueError, match="no joint 'nowhere'"):
        espalier.assemble(model, q, held=["nowhere"])
    with pytest.raises(ValueError, match="not finite"):
        espalier.assemble(model, np.full(model.nq, np.nan))


def test_a_four_bar_closes_where_trigonometry_says():
    model = load("four_bar")
    spec = model.spec
    # Frame A of the loop on its predecessor and B on its successor meet: by composing poses here.
    (loop,) = spec.loops
    q, _ = espalier.assemble(model, np.array(model.mechanism.assembled))

    def pose(link):
        X = np.eye(4)
        while link != "world":
            joint = next(j for j in spec.joints if j.child == link)
            turn = np.eye(4)
            index = model.joint(joint.name)
            if index >= 0:
                place = model.topology.bodies[index]
                axis = joint.axes[0] / np.linalg.norm(joint.axes[0])
                turn[:3, :3] = rotation(axis * q[place.q])
            X = joint.X_PJ @ turn @ X
            link = joint.parent
        return X

    A = pose(loop.predecessor) @ loop.X_PA
    B = pose(loop.successor) @ loop.X_SB
    np.testing.assert_allclose(A[:3, 3], B[:3, 3], atol=1e-11)


def test_clusters_are_strongly_connected_components():
    model = load("six_bar")
    ties = []
    for loop in model.mechanism.closures:
        path = espalier.path_between(model, loop.a, loop.b)
        assert not set(path.first) & set(path.second)
        ties.append(list(path.first) + list(path.second))
    found = espalier.find_clusters(model, ties)
    assert found == [list(c.bodies) for c in model.mechanism.clusters]
    for cluster in model.mechanism.clusters:
        assert len(cluster.dofs) == cluster.rows + cluster.ny
        assert set(cluster.independent) <= set(cluster.dofs)


def test_equal_robots_are_one_model():
    spec = load("arm7").spec
    cache = espalier.CompileCache()
    one, other = cache.compile(spec), cache.compile(copy.deepcopy(spec))
    assert one is other and cache.size == 1
    assert espalier.content_of(spec) == espalier.content_of(copy.deepcopy(spec))
    spec.links[1].inertial.mass += 1
    assert cache.compile(spec) is not one
    del one, other
    gc.collect()
    assert cache.size == 0
    assert espalier.CompileCache.of_process().size >= 0


@pytest.mark.parametrize("name", ["arm7", "delta", "chain20"])
def test_models_are_copied_and_pickled(name):
    model = load(name)
    assert copy.copy(model) is model and copy.deepcopy(model) is model
    again = pickle.loads(pickle.dumps(model))
    assert again is not model and repr(again) == repr(model)
    assert espalier.content_of(again.spec) == espalier.content_of(model.spec)
    spec = model.spec
    spec.links[1].inertial.mass += 1  # a copy: the model never changes
    assert model.spec != spec


def test_parts_outlive_the_model():
    bodies = load("arm7").bodies
    gc.collect()
    assert bodies[1].joint and bodies[1].limits.upper > 0
    cluster = load("four_bar").mechanism.clusters[0]
    gc.collect()
    assert len(cluster.bodies) == 3


def test_states_are_values():
    model = load("quadruped")
    state = espalier.neutral_state(model)
    assert state.q.shape == (model.nq,) and state.time == 0
    twin = copy.deepcopy(state)
    assert twin == state and espalier.hash(twin) == espalier.hash(state)
    assert pickle.loads(pickle.dumps(state)) == state
    twin.q[7] = 0.5
    assert twin != state and espalier.hash(twin) != espalier.hash(state)
    # FNV-1a, 64 bits, over the bytes of q and u.
    h = 14695981039346656037
    for byte in state.q.tobytes() + state.u.tobytes():
        h = (h ^ byte) * 1099511628211 % 2**64
    assert espalier.hash(state) == h


def test_a_constraint_by_a_python_function():
    """A four-bar's loop written as phi closes where the LoopSpec closes."""
    spec = load("four_bar").spec
    model = espalier.compile(spec)
    by_loop, _ = espalier.assemble(model, np.array(model.mechanism.assembled))
    (loop,) = spec.loops
    joints = [j for j in spec.joints if j.kind == espalier.JointKind.REVOLUTE]
    chains = {}
    for end in (loop.predecessor, loop.successor):
        chain, link = [], end
        while link != "world":
            joint = next(j for j in spec.joints if j.child == link)
            chain.insert(0, joint)
            link = joint.parent
        chains[end] = chain

    def turn(axis, angle):
        c, s = espalier.cos(angle), espalier.sin(angle)
        x, y, z = axis
        skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        return np.eye(3) + s * skew + (1 - c) * (skew @ skew)

    def point(q, end, X_end):
        p, R = np.zeros(3), np.eye(3)
        for joint in chains[end]:
            p = p + R @ joint.X_PJ[:3, 3]
            R = R @ joint.X_PJ[:3, :3]
            if joint in joints:
                R = R @ turn(joint.axes[0] / np.linalg.norm(joint.axes[0]), q[joints.index(joint)])
        return p + R @ X_end[:3, 3]

    def phi(q):
        gap = point(q, loop.predecessor, loop.X_PA) - point(q, loop.successor, loop.X_SB)
        # The two directions across the axis that all joints have in common.
        axis = joints[0].X_PJ[:3, :3] @ joints[0].axes[0]
        return np.linalg.svd(axis[None, :])[2][1:] @ gap

    tape = espalier.trace(phi, len(joints))
    spec.loops.clear()
    spec.constraints.append(
        espalier.ConstraintSpec("phi", [j.name for j in joints], tape)
    )
    twin = espalier.compile(spec)
    assert twin.public_nv == model.public_nv == 1
    np.testing.assert_allclose(espalier.closure_residual(twin, by_loop), 0, atol=1e-11)


def test_a_model_without_its_spec_says_so():
    model = load("arm7")
    model._spec = "gone"
    for ask in (lambda: model.spec, lambda: pickle.dumps(model)):
        with pytest.raises(ValueError, match="not known by a Spec"):
            ask()


@pytest.mark.parametrize("edited", [False, True])
def test_the_model_of_a_worlds_robot_is_pickled(edited):
    world = espalier.World()
    robot = world.add_articulated_system(str(ROOT / "models" / "arm7" / "arm7.urdf"))
    if edited:
        robot.set_mass(3, 9.5)
        world.step()
    model = robot.model
    again = pickle.loads(pickle.dumps(model))
    assert again.mass == pytest.approx(model.mass, rel=1e-14)
    for one, other in zip(again.authored.bodies, model.authored.bodies, strict=True):
        np.testing.assert_allclose(one.X_PJ, other.X_PJ, atol=1e-14)
        np.testing.assert_allclose(one.I, other.I, rtol=1e-12, atol=1e-15)
    assert (model.authored.bodies[3].mass == 9.5) == edited
