"""espalier.dynamics: the functions against one another, bad input, and several threads at once.
Against Pinocchio and MuJoCo they are tested by test_peers.py, against differences in C++."""

import inspect
import threading

import numpy as np
import pytest
from package_paths import ROOT

import espalier
from espalier import dynamics

ROBOTS = ["arm7", "biped", "delta", "five_bar", "linkage_arm", "geared_biped"]


def model_of(name):
    return espalier.load(ROOT / "models" / name / f"{name}.urdf")


@pytest.fixture(params=ROBOTS)
def robot(request):
    """A model, q and u somewhere."""
    model = model_of(request.param)
    n = model.public_nv
    q = dynamics.advanced(model, dynamics.neutral_coordinate(model), 0.05 * np.sin(np.arange(n)))
    return model, q, np.cos(np.arange(n))


def test_the_well_known_names_are_the_same_functions():
    assert dynamics.rnea is dynamics.inverse_dynamics
    assert dynamics.crba is dynamics.mass_matrix
    assert dynamics.aba is dynamics.forward_dynamics
    assert dynamics.bias is dynamics.nonlinearities


def test_every_function_is_documented():
    for name in dynamics.__all__:
        thing = getattr(dynamics, name)
        assert not callable(thing) or inspect.getdoc(thing), name


def test_equation_of_motion(robot):
    model, q, u = robot
    M, h = dynamics.mass_matrix(model, q), dynamics.nonlinearities(model, q, u)
    udot = np.linspace(-1, 1, len(u))
    tau = dynamics.inverse_dynamics(model, q, u, udot)
    assert np.allclose(M @ udot + h, tau, rtol=1e-10, atol=1e-8)
    assert np.allclose(dynamics.forward_dynamics(model, q, u, tau), udot, rtol=1e-7, atol=1e-7)
    assert np.allclose(dynamics.inverse_mass_matrix(model, q) @ M, np.eye(len(u)), atol=1e-6)
    assert np.isclose(dynamics.kinetic_energy(model, q, u), u @ M @ u / 2)


def test_external_wrenches(robot):
    model, q, u = robot
    frame, wrench = model.frames[-1].name, np.array([1.0, 2, -3, 10, -20, 5])
    force = dynamics.frame_jacobian(model, q, frame).T @ wrench
    assert np.allclose(dynamics.generalized_force(model, q, {frame: wrench}), force)
    by_index = {len(model.frames) - 1: wrench.tolist()}
    assert np.allclose(dynamics.rnea(model, q, u, u, external=by_index),
                       dynamics.rnea(model, q, u, u) - force)
    tau = np.ones(len(u))
    assert np.allclose(dynamics.aba(model, q, u, tau, external={frame: wrench}),
                       dynamics.aba(model, q, u, tau + force), rtol=1e-7, atol=1e-7)


def test_gravity_is_what_h_holds_at_rest(robot):
    model, q, u = robot
    rest, none = np.zeros(len(u)), (0, 0, 0)
    assert np.abs(dynamics.nonlinearities(model, q, rest, none)).max() < 1e-9
    J = dynamics.centre_of_mass_jacobian(model, q)
    assert np.allclose(dynamics.nonlinearities(model, q, rest), J.T @ [0, 0, 9.81 * model.mass],
                       atol=1e-8)


def test_frames_and_momentum(robot):
    model, q, u = robot
    poses = dynamics.forward_kinematics(model, q)
    assert poses.shape == (model.nb, 4, 4)
    frames = [f.name for f in model.frames]
    for frame, X in zip(frames, dynamics.forward_kinematics(model, q, frames), strict=True):
        assert np.array_equal(X, dynamics.frame_pose(model, q, frame))
        assert np.allclose(X[:3, :3] @ X[:3, :3].T, np.eye(3))
        assert np.allclose(dynamics.frame_jacobian(model, q, frame) @ u,
                           dynamics.frame_velocity(model, q, u, frame), atol=1e-9)
    body_frames = [f.name for f in model.frames if f.rotor < 0]
    for frame in body_frames:
        assert np.allclose(dynamics.frame_jacobian_rate(model, q, u, frame) @ u,
                           dynamics.frame_acceleration(model, q, u, frame), atol=1e-7)
    A = dynamics.momentum_matrix(model, q)
    assert np.allclose(A @ u, dynamics.momentum(model, q, u), atol=1e-9)
    J = dynamics.frame_jacobian(model, q, body_frames[-1])
    assert np.allclose(dynamics.inverse_operational_inertia(model, q, body_frames[-1:]),
                       J @ np.linalg.solve(dynamics.mass_matrix(model, q), J.T), atol=1e-6)


def test_operational_inertia():
    arm = model_of("arm7")
    q, tool = np.linspace(0.3, 1.0, 7), arm.frames[-1].name
    inverse = dynamics.inverse_operational_inertia(arm, q, [tool])
    assert np.allclose(dynamics.operational_inertia(arm, q, [tool]) @ inverse, np.eye(6), atol=1e-8)
    with pytest.raises(ValueError, match="infinite"):
        dynamics.operational_inertia(arm, q, [tool, tool])


def test_loops(robot):
    model, q, u = robot
    loops = dynamics.loop_equations(model, q, u)
    assert loops.K.shape == (len(loops.phi), model.nv)
    assert loops.G.shape == (model.nv, model.public_nv)
    assert np.allclose(loops.K @ loops.G, 0, atol=1e-9)
    assert np.allclose(loops.G @ u, dynamics.spanning_velocity(model, q, u), atol=1e-9)
    assert np.allclose(loops.K @ (loops.G @ u + loops.g), loops.k, atol=1e-7)
    everything = dynamics.spanning_coordinate(model, q)
    assert np.allclose(dynamics.spanning_coordinate(model, everything), everything, atol=1e-9)


def test_one_state_for_several_questions(robot):
    model, q, u = robot
    at = dynamics.ModelDynamics(model, q, u)
    first = at.mass_matrix(), at.nonlinearities(), at.kinetic_energy()
    at.inverse_dynamics(u), at.momentum_matrix(), at.inverse_mass_matrix(), at.loops()
    again = at.mass_matrix(), at.nonlinearities(), at.kinetic_energy()
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert at.model is model
    assert np.allclose(at.coordinate, q) and np.allclose(at.velocity, u)


def test_steps_and_places(robot):
    model, q, u = robot
    assert np.allclose(
        dynamics.step_between(model, q, dynamics.advanced(model, q, 0.1 * u)), 0.1 * u)
    places = dynamics.joint_places(model)
    assert sum(p.nv for p in places) == model.nv
    assert sum(p.nv for p in places if p.u >= 0) == model.public_nv


def test_bad_input():
    arm = model_of("arm7")
    seven = np.zeros(7)
    for call in (
        lambda: dynamics.mass_matrix(arm, np.zeros(6)),
        lambda: dynamics.mass_matrix(arm, np.full(7, np.nan)),
        lambda: dynamics.rnea(arm, seven, np.zeros(8), seven),
        lambda: dynamics.rnea(arm, seven, seven, np.zeros((7, 1))),
        lambda: dynamics.rnea(arm, seven, seven, seven, gravity=[0, 0]),
        lambda: dynamics.rnea(arm, seven, seven, seven, external={"joint1": [1, 2]}),
        lambda: dynamics.frame_pose(arm, seven, "nothing"),
        lambda: dynamics.ModelDynamics(arm, seven).body_pose(99),
        lambda: dynamics.advanced(arm, seven, np.zeros(3)),
    ):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(IndexError):
        dynamics.frame_pose(arm, seven, 99)
    for call in (
        lambda: dynamics.frame_pose(arm, seven, 1.5),
        lambda: dynamics.frame_pose(arm, seven, None),
        lambda: dynamics.mass_matrix(None, seven),
        lambda: dynamics.mass_matrix(arm, "seven"),
        lambda: dynamics.mass_matrix(arm, None),
        lambda: dynamics.forward_kinematics(arm, seven, "joint1"),
        lambda: dynamics.inverse_operational_inertia(arm, seven, "joint1"),
    ):
        with pytest.raises(TypeError):
            call()


def test_several_threads_ask_one_model():
    """The derivatives are computed without the GIL."""
    model = model_of("biped")
    q, u = dynamics.random_coordinate(model, 1), np.ones(model.public_nv)
    at = dynamics.ModelDynamics(model, q, u)
    alone = at.inverse_dynamics_derivatives(u)
    failed = []

    def work():
        for _ in range(30):
            there = at.inverse_dynamics_derivatives(u)
            same = (np.array_equal(there.by_q, alone.by_q)
                    and np.array_equal(there.by_u, alone.by_u)
                    and np.array_equal(at.mass_matrix(), alone.by_input))
            if not same:
                failed.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
