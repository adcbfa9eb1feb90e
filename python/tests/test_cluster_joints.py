"""Cluster joints and loop constraints: S, vJ, cJ against poses by numpy and finite differences; K,
G, k, g against finite differences of phi and gamma."""

import copy

import numpy as np
import pytest
from package_paths import ROOT

import espalier
from espalier import cluster_joint, loop_constraint

h = 1e-6
RNG = np.random.default_rng(7)


def rotation(axis, angle):
    x, y, z = axis
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * skew + (1 - np.cos(angle)) * skew @ skew


def body(parent=-1, axis=(0, 0, 1), at=(0, 0, 0), turned=0.0):
    axes = np.linalg.qr(np.column_stack([axis, np.eye(3)]))[0].T[:3]
    axes[0] = np.asarray(axis) / np.linalg.norm(axis)
    X = np.eye(4)
    X[:3, :3] = rotation((1, 0, 0), turned)
    X[:3, 3] = at
    return cluster_joint.ClusterBody(parent, X, axes)


def pin(q):
    """The closure of a planar four-bar."""
    return [
        0.4 * np.cos(q[0]) + np.cos(q[0] + q[1]) - 1.0 - 0.8 * np.cos(q[2]),
        0.4 * np.sin(q[0]) + np.sin(q[0] + q[1]) - 0.8 * np.sin(q[2]),
    ]


def chain_of_pin():
    return [body(), body(0, at=(0.4, 0, 0)), body(at=(1, 0, 0))]


def rotors(n):
    links = [body(i - 1, RNG.normal(size=3), RNG.normal(size=3), 0.3) for i in range(n)]
    wheels = [body(-1, RNG.normal(size=3), RNG.normal(size=3)) for _ in range(n)]
    return [
        cluster_joint.ParallelBeltTransmissionModule(
            links[i], wheels[i], 4.0 + i, RNG.uniform(0.5, 2, i + 1)
        )
        for i in range(n)
    ]


def tello(kind):
    module = cluster_joint.TelloDifferentialModule(
        body(at=(0, 0.1, 0)),
        body(at=(0, -0.1, 0)),
        body(axis=(1, 0, 0), at=(0, 0, 0.2)),
        body(2, (0, 1, 0), (0.1, 0, 0)),
    )
    return cluster_joint.TelloDifferential(kind, module)


KIND = cluster_joint.TelloDifferential.Kind
JOINTS = {
    "revolute": lambda: cluster_joint.Revolute(body(axis=(1, 2, 3), at=(1, 2, 3))),
    "pair": lambda: cluster_joint.RevolutePair(body(axis=(0, 1, 0)), body(0, (1, 1, 0), (0, 0, 1))),
    "rotor": lambda: cluster_joint.RevoluteWithRotor(
        cluster_joint.GearedTransmissionModule(body(axis=(0, 1, 0)), body(at=(0, 0, 1)), 6.0)
    ),
    "two rotors": lambda: cluster_joint.RevolutePairWithRotor(*rotors(2)),
    "three rotors": lambda: cluster_joint.RevoluteTripleWithRotor(*rotors(3)),
    "four bar": lambda: cluster_joint.FourBar([0.4, 1.0], 0.8, [1.0, 0.0], 0),
    "generic": lambda: cluster_joint.Generic(
        chain_of_pin(), loop_constraint.Generic([True, False, False], pin)
    ),
    "hip": lambda: tello(KIND.HIP),
    "knee": lambda: tello(KIND.KNEE_ANKLE),
}


def at_rest(constraint):
    """Coordinates on the constraint."""
    y = np.full(constraint.num_independent_pos, 0.3)
    if constraint.is_explicit:
        return np.asarray(constraint.gamma(y))
    if isinstance(constraint, loop_constraint.TelloDifferential):
        joints = np.array([0.05, -0.1])
        return np.concatenate([constraint.rotors_at(joints), joints])
    return np.asarray(constraint.gamma(y, near=[0.3, 0.5, 1.5]))


def along(constraint, q, ydot, t):
    """Coordinates after y has gone on by t ydot."""
    y = np.asarray(constraint.independent_of(q)) + t * np.asarray(ydot)
    if constraint.is_explicit:
        return np.asarray(constraint.gamma(y))
    return np.asarray(constraint.gamma(y, near=q))


@pytest.mark.parametrize("name", JOINTS)
def test_constraints_are_what_differences_say(name):
    c = JOINTS[name]().loop_constraint
    q = at_rest(c)
    n, ny = c.num_spanning_vel, c.num_independent_vel
    assert np.abs(c.phi(q)).max(initial=0) < 1e-12
    K, G = c.K(q), c.G(q)
    assert K.shape == (c.num_constraints, n) and G.shape == (n, ny)
    assert c.num_constraints + ny == n
    columns = [(c.phi(q + h * e) - c.phi(q - h * e)) / (2 * h) for e in np.eye(n)]
    np.testing.assert_allclose(K, np.reshape(columns, (n, -1)).T, atol=1e-8)
    np.testing.assert_allclose(K @ G, 0, atol=1e-10)
    for j, e in enumerate(np.eye(ny)):
        rate = (along(c, q, e, h) - along(c, q, e, -h)) / (2 * h)
        np.testing.assert_allclose(G[:, j], rate, atol=1e-7)
    ydot = RNG.uniform(-1, 1, ny)
    u = G @ ydot
    ahead, behind = along(c, q, ydot, h), along(c, q, ydot, -h)
    np.testing.assert_allclose(
        c.k(q, u), -(c.K(ahead) - c.K(behind)) @ u / (2 * h), atol=1e-7
    )
    np.testing.assert_allclose(
        c.g(q, u), (c.G(ahead) - c.G(behind)) @ ydot / (2 * h), atol=1e-6
    )
    values = c.at(q, u)
    np.testing.assert_array_equal(values.K, K)
    np.testing.assert_array_equal(values.G, G)
    np.testing.assert_array_equal(values.g, c.g(q, u))
    np.testing.assert_array_equal(values.k, c.k(q, u))
    np.testing.assert_array_equal(values.phi, c.phi(q))


def poses(bodies, q):
    """Of each body in the output body, composed by numpy."""
    found = []
    for b, angle in zip(bodies, q, strict=True):
        turn = np.eye(4)
        turn[:3, :3] = rotation(b.axes[0], angle)
        carrier = np.eye(4) if b.parent < 0 else found[b.parent]
        found.append(carrier @ b.X_PJ @ turn)
    return found


def twists(bodies, c, q, ydot):
    """vJ by central differences of the poses."""
    ahead = poses(bodies, along(c, q, ydot, h))
    behind = poses(bodies, along(c, q, ydot, -h))
    found = []
    for X, X1, X0 in zip(poses(bodies, q), ahead, behind, strict=True):
        rate = (X1 - X0) / (2 * h)
        W = X[:3, :3].T @ rate[:3, :3]
        found += [[W[2, 1], W[0, 2], W[1, 0]], X[:3, :3].T @ rate[:3, 3]]
    return np.concatenate(found)


@pytest.mark.parametrize("name", JOINTS)
def test_cluster_joints_are_what_poses_say(name):
    joint = JOINTS[name]()
    c = joint.loop_constraint
    q = at_rest(c)
    ydot = RNG.uniform(-1, 1, joint.num_velocities)
    joint.update_kinematics(q, c.G(q) @ ydot)
    np.testing.assert_allclose(joint.spanning_position, q)
    np.testing.assert_allclose(joint.spanning_velocity, c.G(q) @ ydot)
    for i, X in enumerate(poses(joint.bodies, q)):
        np.testing.assert_allclose(joint.pose(i), X, atol=1e-12)
    assert joint.S.shape == (6 * joint.num_bodies, joint.num_velocities)
    np.testing.assert_allclose(joint.S @ ydot, joint.vJ, atol=1e-12)
    np.testing.assert_allclose(joint.vJ, twists(joint.bodies, c, q, ydot), atol=1e-7)
    rates = []
    for t in (h, -h):  # at yddot = 0
        moved = copy_of(name, joint)
        there = along(c, q, ydot, t)
        moved.update_kinematics(there, c.G(there) @ ydot)
        rates.append(moved.vJ)
    np.testing.assert_allclose(joint.cJ, (rates[0] - rates[1]) / (2 * h), atol=1e-6)
    np.testing.assert_array_equal(joint.G, c.G(q))


def copy_of(name, joint):
    """Another joint of the same bodies and constraint."""
    return cluster_joint.Generic(joint.bodies, joint.loop_constraint)


def test_independent_coordinates_are_enough_where_gamma_is_explicit():
    joint = JOINTS["rotor"]()
    joint.update_kinematics([0.3], [1.2])
    np.testing.assert_allclose(joint.spanning_position, [0.3, 1.8])
    np.testing.assert_allclose(joint.spanning_velocity, [1.2, 7.2])


def test_free():
    joint = cluster_joint.Free()
    q = [1, 2, 3, 0.5, 0.5, 0.5, 0.5]
    u = np.arange(1.0, 7)
    joint.update_kinematics(q, u)
    np.testing.assert_array_equal(joint.S, np.eye(6))
    np.testing.assert_array_equal(joint.vJ, u)
    assert joint.num_positions == 7 and joint.loop_constraint.is_explicit


def test_explicit_by_a_python_function():
    c = loop_constraint.Generic.from_gamma(1, lambda y: [y[0], 3 * y[0], np.sin(y[0])])
    np.testing.assert_allclose(c.gamma([0.2]), [0.2, 0.6, np.sin(0.2)])
    np.testing.assert_allclose(c.G([0.2, 0.6, np.sin(0.2)]), [[1], [3], [np.cos(0.2)]])
    tape = espalier.trace(pin, 3)
    by_tape = loop_constraint.Generic([True, False, False], tape)
    by_call = loop_constraint.Generic([True, False, False], pin)
    q = by_tape.gamma([0.3], near=[0.3, 0.5, 1.5])
    np.testing.assert_array_equal(by_tape.K(q), by_call.K(q))


def test_static():
    c = loop_constraint.Static([[1], [2.0]], [[2, -1.0]])
    np.testing.assert_array_equal(c.gamma([3]), [3, 6])
    with pytest.raises(ValueError):
        loop_constraint.Static([[1], [2.0]], [[1, 1.0]])


def test_a_spherical_joint_in_a_generic_cluster():
    """A ball joint's coordinates are free; its quaternion is told by its first coordinate."""
    c = loop_constraint.Generic(
        [True] * 5 + [False], lambda q: q[5] - 2 * q[4], quaternions=[0]
    )
    ball = cluster_joint.ClusterBody(kind=espalier.JointKind.SPHERICAL)
    joint = cluster_joint.Generic([ball, body(0), body(1)], c)
    half = np.pi / 6
    q = np.array([np.cos(half), np.sin(half), 0, 0, 0.3, 0.6])
    joint.update_kinematics(q, [0.1, 0.2, 0.3, 1, 2])
    assert joint.num_velocities == 4
    np.testing.assert_allclose(joint.pose(0)[:3, :3], rotation((1, 0, 0), 2 * half), atol=1e-14)
    with pytest.raises(ValueError):
        joint.update_kinematics(2 * q, [0.1, 0.2, 0.3, 1, 2])


def test_misuse_is_refused():
    joint = JOINTS["generic"]()
    q = at_rest(joint.loop_constraint)
    joint.update_kinematics(q, np.zeros(3))
    before = joint.S
    off = q + [0, 0.1, 0]
    for position, velocity in ((off, np.zeros(3)), ([0.3], [1.0]), (q, np.zeros(2)), ([], [])):
        with pytest.raises(ValueError):
            joint.update_kinematics(position, velocity)
    np.testing.assert_array_equal(joint.S, before)
    with pytest.raises(IndexError):
        joint.pose(3)
    with pytest.raises(IndexError):
        joint.pose(-1)
    c = joint.loop_constraint
    for call in (
        lambda: c.phi([0.1]),
        lambda: c.K([0.1] * 4),
        lambda: c.G([]),
        lambda: c.k(q, [1]),
        lambda: c.g(q, [1] * 9),
        lambda: c.at([1], [1]),
        lambda: c.gamma([0.1]),
        lambda: c.gamma([0.1, 0.2], near=q),
        lambda: c.gamma([0.1], near=[0.1]),
        lambda: c.independent_of([0.1]),
        lambda: loop_constraint.Generic([True, False], pin),
        lambda: loop_constraint.Generic([True, False, False], pin, quaternions=[5]),
        lambda: loop_constraint.Generic([True, False, False], pin, quaternions=[-1]),
        lambda: loop_constraint.FourBar([0.4, 1.0], 0.8, [1.0, 0.0], 7),
        lambda: cluster_joint.Generic([body(3)], c),
        lambda: cluster_joint.Generic([body(-5)], c),
        lambda: cluster_joint.Generic([], c),
        lambda: cluster_joint.Generic([body()], c),
        lambda: cluster_joint.RevolutePairWithRotor(*reversed(rotors(2))),
        lambda: loop_constraint.TelloDifferential(KIND.HIP).rotors_at([3, 3]),
    ):
        with pytest.raises((ValueError, IndexError)):
            call()
    with pytest.raises(TypeError):
        cluster_joint.Generic([body()], None)
    with pytest.raises(TypeError):
        cluster_joint.Base()


def test_a_cluster_in_a_system():
    """The joint by itself and the compiled system have the same loops."""
    joint = JOINTS["generic"]()
    inertial = espalier.InertialSpec(1, I=np.diag([0.1, 0.1, 0.1]))
    system = espalier.SystemSpec(name="linkage", links=[espalier.LinkSpec("world")])
    first = system.links[0]
    links = [espalier.LinkSpec(n, copy.deepcopy(inertial)) for n in ("crank", "rod", "rocker")]
    espalier.append_cluster(system, "pin", "world", joint, links)
    assert system.links[0] is first and [j.name for j in system.joints] == [
        "crank_joint", "rod_joint", "rocker_joint",
    ]  # fmt: skip
    model = espalier.compile(system, espalier.Diagnostics())
    assert model.public_nv == 1 and model.nv == 3
    q = at_rest(joint.loop_constraint)
    assert espalier.closure_residual(model, q) < 1e-11
    assert espalier.closure_residual(model, q + [0, 0.1, 0]) > 1e-2
    before = copy.deepcopy(system)
    with pytest.raises(ValueError):
        espalier.append_cluster(system, "more", "world", joint, links[:1])
    with pytest.raises(ValueError):
        espalier.append_cluster(system, "base", "world", cluster_joint.Free(), links[:1])
    with pytest.raises(TypeError):
        espalier.append_cluster("system", "more", "world", joint, links)
    assert system == before


@pytest.mark.parametrize("name", ["generic", "hip", "knee"])
def test_a_robots_cluster_moves_as_the_joint_by_itself(name):
    joint = JOINTS[name]()
    c = joint.loop_constraint
    system = espalier.SystemSpec(links=[espalier.LinkSpec("world")], rotors_as_bodies=True)
    inertial = espalier.InertialSpec(1, I=np.eye(3) * 0.1)
    links = [espalier.LinkSpec(f"b{i}", inertial) for i in range(joint.num_bodies)]
    espalier.append_cluster(system, "tie", "world", joint, links)
    model = espalier.compile(system, espalier.Diagnostics())
    (cluster,) = model.mechanism.clusters
    q = at_rest(c)
    ydot = RNG.uniform(-1, 1, joint.num_velocities)
    u = c.G(q) @ ydot
    joint.update_kinematics(q, u)
    motion = espalier.cluster_motion(model, 0, q, u)
    assert sorted(motion.bodies) == sorted(cluster.bodies)
    rates = u[motion.independent]
    lead, bias = c.G(q)[motion.independent], c.g(q, u)[motion.independent]
    for k, b in enumerate(motion.bodies):
        rows = slice(6 * int(model.bodies[b].name[1:]), 6 * int(model.bodies[b].name[1:]) + 6)
        mine = slice(6 * k, 6 * k + 6)
        np.testing.assert_allclose(motion.S[mine] @ lead, joint.S[rows], atol=1e-10)
        np.testing.assert_allclose(motion.vJ[mine], joint.vJ[rows], atol=1e-10)
        # Theirs is at another yddot = 0.
        np.testing.assert_allclose(
            motion.cJ[mine] + motion.S[mine] @ bias, joint.cJ[rows], atol=1e-9
        )
    np.testing.assert_allclose(motion.S @ rates, motion.vJ, atol=1e-11)
    for wrong in ((1, q, u), (-1, q, u), (0, q + 0.1, u), (0, q[:1], u), (0, q, u[:1])):
        with pytest.raises(ValueError):
            espalier.cluster_motion(model, *wrong)


@pytest.mark.parametrize("name", ["revolute_with_rotor", "tello_hip"])
def test_files_of_clusters(name):
    model = espalier.load(
        ROOT / "models" / name / f"{name}.urdf", diagnostics=espalier.Diagnostics()
    )
    assert model.public_nv < model.nv or len(model.rotors) > 0


def test_repr():
    joint = JOINTS["generic"]()
    assert repr(joint) == "<cluster_joint.Generic: 3 bodies, 1 independent rates>"
    assert repr(joint.loop_constraint) == "<loop_constraint.Generic: 3 rates, 1 independent>"


def test_the_program_of_the_docs_runs():
    text = (ROOT / "docs" / "coming_from_generalized_rbda.md").read_text()
    block = text.split("## In Python")[1].split("```python\n")[1].split("```")[0]
    names = {}
    exec(compile(block, "coming_from_generalized_rbda.md", "exec"), names)
    np.testing.assert_allclose(names["motion"].vJ, names["vJ"], atol=1e-12)
