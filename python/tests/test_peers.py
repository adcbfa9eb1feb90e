"""The package against Pinocchio and MuJoCo: M, h, udot, frames, Jacobians, energies, momentum, and
both ways of the conversions, on all robots that the peers can have (mechanisms as their spanning
trees), at random states."""

import sys

import numpy as np
import pytest
from package_paths import ROOT

import espalier
from espalier import dynamics

sys.path.append(str(ROOT / "tests/peers"))
import compare  # noqa: E402
import conventions  # noqa: E402
import robots  # noqa: E402
import urdf_tree  # noqa: E402

STATES = 10
FILES = {**robots.own(), **robots.shared()}


def _pinocchio():
    pytest.importorskip("pinocchio", reason="Pinocchio is not installed (pip install pin)")
    from pinocchio_peer import PinocchioPeer
    return PinocchioPeer, espalier.pinocchio.Conventions


def _mujoco():
    pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")
    from mujoco_peer import MujocoPeer
    return MujocoPeer, espalier.mujoco.Conventions


PEERS = {"pinocchio": _pinocchio, "mujoco": _mujoco}


def model_of(path):
    remarks = espalier.Diagnostics()  # of meshes that are not there
    return espalier.load(path, diagnostics=remarks)


def load(name, peer, folder):
    """Espalier's model, the peer with the package's conversions, and the tree."""
    path = robots.spanning_tree(FILES[name], folder)
    Peer, Conventions = PEERS[peer]()
    try:
        tree = urdf_tree.read(path)
        peer = Peer(tree)
    except ValueError as error:
        pytest.skip(f"{name}: {error}")
    model = model_of(path)
    peer.conventions = Conventions(model, peer.model)
    return model, peer, tree


def answer(model, tree, at_rest, q, u, tau):
    """What the peers' answer() says, by the package."""
    at = dynamics.ModelDynamics(model, q, u)
    frames = {}
    for joint in tree.joints:
        X, V, J = (at.frame_pose(joint.name), at.frame_velocity(joint.name),
                   at.frame_jacobian(joint.name))
        frames[joint.name] = {
            "position": X[:3, 3], "rotation": X[:3, :3], "velocity": V[3:],
            "angular_velocity": V[:3], "jacobian": J[3:], "rotational_jacobian": J[:3]}
    result = {
        "M": at.mass_matrix(), "h": at.nonlinearities(), "udot": at.forward_dynamics(tau),
        "kinetic_energy": at.kinetic_energy(),
        "potential_energy": at.potential_energy() - at_rest, "frames": frames}
    if not tree.fixed_base:
        result["com"] = at.centre_of_mass()
    return result


@pytest.mark.peers
@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("name", FILES)
def test_dynamics(name, peer, tmp_path):
    model, peer, tree = load(name, peer, tmp_path)
    rng = np.random.default_rng(5)
    at_rest = 0.0
    if tree.fixed_base:  # see conventions.rest
        at_rest = dynamics.potential_energy(model, dynamics.neutral_coordinate(model))
    for i in range(STATES):
        state = conventions.random_state(tree.movable, rng)
        compare.assert_same(answer(model, tree, at_rest, **state), peer.answer(**state),
                            f"state {i} of {name} against {peer.name}")


@pytest.mark.peers
@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("name", FILES)
def test_conversions_go_both_ways(name, peer, tmp_path):
    model, peer, tree = load(name, peer, tmp_path)
    rng = np.random.default_rng(6)
    c = peer.conventions
    for _ in range(3):
        state = conventions.random_state(tree.movable, rng)
        q, u, tau = state["q"], state["u"], state["tau"]
        M, h, J = dynamics.mass_matrix(model, q), dynamics.nonlinearities(model, q, u), rng.normal(
            size=(6, len(u)))
        pairs = [
            (c.q_from(c.q_to(q)), q), (c.u_from(q, c.u_to(q, u)), u),
            (c.udot_from(q, u, c.udot_to(q, u, tau)), tau), (c.tau_from(q, c.tau_to(q, tau)), tau),
            (c.mass_matrix_from(q, c.mass_matrix_to(q, M)), M),
            (c.jacobian_from(q, c.jacobian_to(q, J)), J),
            (c.nonlinearities_from(q, u, c.mass_matrix_to(q, M), c.nonlinearities_to(q, u, M, h)), h),
            (c.tau_to(q, tau) @ c.u_to(q, u), tau @ u),  # power
            (c.jacobian_to(q, J) @ c.u_to(q, u), J @ u)]
        for there_and_back, own in pairs:
            assert compare.relative_difference(there_and_back, own) < 1e-13


@pytest.mark.peers
@pytest.mark.parametrize("name", [n for n in FILES if n.split("/")[0] in (
    "biped", "quadruped", "human36", "snake_free", "cartpole")])
def test_momentum_and_accelerations(name, tmp_path):
    """Centroidal momentum matrix, its bias, and accelerations of frames against Pinocchio, which
    leaves a fixed base's mass out of the centre of mass: here it has none."""
    model, peer, tree = load(name, "pinocchio", tmp_path)
    import pinocchio as pin
    pin_model, data, c = peer.model, peer.data, peer.conventions
    rng = np.random.default_rng(8)
    for _ in range(5):
        state = conventions.random_state(tree.movable, rng)
        q, u, udot = state["q"], state["u"], state["tau"] / 5
        at = dynamics.ModelDynamics(model, q, u)
        q_v, v, a = c.q_to(q), c.u_to(q, u), c.udot_to(q, u, udot)
        pin.computeCentroidalMomentumTimeVariation(pin_model, data, q_v, v, a)
        near = compare.relative_difference
        swapped = espalier.pinocchio.swapped
        assert near(at.momentum(), swapped(data.hg.vector)) < 1e-10
        assert near(at.momentum_rate(udot), swapped(data.dhg.vector)) < 1e-10
        A = pin.computeCentroidalMap(pin_model, data, q_v)
        assert near(at.momentum_matrix(), swapped(c.jacobian_from(q, A))) < 1e-10
        pin.forwardKinematics(pin_model, data, q_v, v, a)
        for joint in tree.joints:
            i = peer.frames[joint.name]
            theirs = pin.getFrameClassicalAcceleration(
                pin_model, data, i, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED).vector
            assert near(at.frame_acceleration(joint.name, udot), swapped(theirs)) < 1e-10


@pytest.mark.peers
@pytest.mark.parametrize("name", ["arm7/arm7.urdf", "double_pendulum/double_pendulum.urdf"])
def test_derivatives(name, tmp_path):
    """Without quaternions a step of q is the same in both."""
    model, peer, tree = load(name, "pinocchio", tmp_path)
    import pinocchio as pin
    pin_model, data, c = peer.model, peer.data, peer.conventions
    state = conventions.random_state(tree.movable, np.random.default_rng(9))
    q, u, udot = state["q"], state["u"], state["tau"]
    ours = dynamics.inverse_dynamics_derivatives(model, q, u, udot)
    by_q, by_v, _ = pin.computeRNEADerivatives(
        pin_model, data, c.q_to(q), c.u_to(q, u), c.udot_to(q, u, udot))
    assert compare.relative_difference(ours.by_q, by_q) < 1e-10
    assert compare.relative_difference(ours.by_u, by_v) < 1e-10
    ours = dynamics.forward_dynamics_derivatives(model, q, u, udot)
    by_q, by_v, by_tau = pin.computeABADerivatives(
        pin_model, data, c.q_to(q), c.u_to(q, u), c.tau_to(q, udot))
    condition = np.linalg.cond(dynamics.mass_matrix(model, q))
    for own, theirs in ((ours.by_q, by_q), (ours.by_u, by_v), (ours.by_input, by_tau)):
        assert compare.relative_difference(own, theirs) < 1e-10 * condition


PLANAR = """<robot name="cart"><link name="world"/>
  <link name="cart"><inertial><origin xyz="0.1 0.2 0"/><mass value="2"/>
    <inertia ixx="0.1" iyy="0.2" izz="0.3" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="floor" type="planar"><parent link="world"/><child link="cart"/>
    <origin xyz="0.3 0 1" rpy="0.1 0.2 0.3"/><axis xyz="0 0 1"/></joint></robot>"""


@pytest.mark.peers
def test_pinocchios_planar_joint(tmp_path):
    """Pinocchio has its angle as cosine and sine, and its velocity in the body's axes."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed (pip install pin)")
    (tmp_path / "cart.urdf").write_text(PLANAR)
    model, pin_model = model_of(tmp_path / "cart.urdf"), pin.buildModelFromXML(PLANAR)
    assert pin_model.nq == 4
    data, c = pin_model.createData(), espalier.pinocchio.Conventions(model, pin_model)
    q, u, tau = np.array([0.4, -0.7, 2.1]), np.array([1.2, -0.4, 3.0]), np.array([2.0, 1.0, -1.0])
    q_v, v = c.q_to(q), c.u_to(q, u)
    assert np.allclose(c.q_from(q_v), q, rtol=0, atol=1e-14)
    M = pin.crba(pin_model, data, q_v)
    b = pin.nonLinearEffects(pin_model, data, q_v, v)
    a = pin.aba(pin_model, data, q_v, v, c.tau_to(q, tau))
    assert np.allclose(c.mass_matrix_from(q, M), dynamics.mass_matrix(model, q), atol=1e-12)
    assert np.allclose(c.nonlinearities_from(q, u, M, b), dynamics.nonlinearities(model, q, u),
                       atol=1e-12)
    assert np.allclose(c.udot_from(q, u, a), dynamics.forward_dynamics(model, q, u, tau), atol=1e-11)


@pytest.mark.peers
def test_joints_that_do_not_match(tmp_path):
    arm, peer, _ = load("arm7/arm7.urdf", "pinocchio", tmp_path)
    cart = model_of(FILES["cartpole/cartpole.urdf"])
    with pytest.raises(ValueError, match="has no joint"):
        espalier.pinocchio.Conventions(cart, peer.model)
    c = peer.conventions
    with pytest.raises(ValueError, match=r"expected \(7,\)"):
        c.q_to(np.zeros(6))
    with pytest.raises(ValueError, match=r"expected \(m, 7\)"):
        c.jacobian_from(np.zeros(7), np.zeros((6, 6)))
    with pytest.raises(ValueError, match="six rows"):
        espalier.pinocchio.swapped(np.zeros(3))


@pytest.mark.peers
def test_mujoco_scenes_with_other_bodies(tmp_path):
    """Numbers of what is not the robot's are left alone."""
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")
    mj_model = mujoco.MjModel.from_xml_string("""<mujoco><worldbody>
      <body name="crate"><freejoint/><geom size=".1"/></body>
      <body name="cart"><joint name="slide" type="slide"/><geom size=".1"/></body>
      </worldbody></mujoco>""")
    (tmp_path / "cart.urdf").write_text(PLANAR.replace("planar", "prismatic").replace(
        '"floor"', '"slide"'))
    c = espalier.mujoco.Conventions(model_of(tmp_path / "cart.urdf"), mj_model)
    assert np.array_equal(c.q_to([0.5]), [0] * 7 + [0.5])
    assert np.array_equal(c.u_to([0.5], [2.0]), [0] * 6 + [2.0])
    assert np.array_equal(c.u_from([0.5], np.arange(7.0)), [6.0])


def test_a_free_joint_in_the_tree_counts_from_the_worlds_origin_in_mujoco(tmp_path):
    """A damped free joint is a floating joint on a link "world", drawn turned and aside."""
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")
    path = tmp_path / "damped.xml"
    path.write_text(
        """<mujoco><option gravity="0 0 -9.81"/><worldbody>
        <body name="b" pos=".3 .2 1" euler="20 30 40"><joint type="free" name="f" damping=".2"/>
        <geom type="box" size=".05 .1 .2"/><body name="c" pos=".1 0 .2"><joint name="j" axis="0 1 0"/>
        <geom type="box" size=".05 .1 .2"/></body></body></worldbody></mujoco>""",
        encoding="utf-8")
    model, peer = espalier.load(path), mujoco.MjModel.from_xml_path(str(path))
    c, data = espalier.mujoco.Conventions(model, peer), mujoco.MjData(peer)
    rng = np.random.default_rng(5)
    for _ in range(STATES):
        data.qpos[:] = rng.normal(size=peer.nq)
        data.qpos[3:7] /= np.linalg.norm(data.qpos[3:7]) * np.sign(data.qpos[3])
        data.qvel[:] = rng.normal(size=peer.nv)
        mujoco.mj_forward(peer, data)
        q = c.q_from(data.qpos)
        u = c.u_from(q, data.qvel)
        there = c.q_to(q)
        there[3:7] *= np.sign(there[3:7] @ data.qpos[3:7])  # of two quaternions of one rotation
        np.testing.assert_allclose(there, data.qpos, atol=1e-12)
        np.testing.assert_allclose(c.u_to(q, u), data.qvel, atol=1e-12)
        at = dynamics.ModelDynamics(model, q, u)
        np.testing.assert_allclose(at.frame_pose("j")[:3, 3], data.xpos[2], atol=1e-12)
        M = np.zeros((peer.nv, peer.nv))
        mujoco.mj_fullM(peer, data, M)
        np.testing.assert_allclose(at.mass_matrix(), c.mass_matrix_from(q, M), atol=1e-9)
        np.testing.assert_allclose(
            at.nonlinearities(), c.nonlinearities_from(q, u, M, data.qfrc_bias), atol=1e-9)
