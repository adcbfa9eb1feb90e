"""The stages of a simulation, against the same equations by numpy (sim_scenes.py)."""
import json
import os
from pathlib import Path

import espalier
import numpy as np
import pytest
from espalier import sim
from sim_scenes import Ad, Kinematics, Mechanism, exp, three_links, transl, twisted_links

SHARED = Path(os.environ.get("ESPALIER_SHARED", "/nonexistent"))
GRAVITY = np.array([0, -9.81, 0])
NAMES = ["joint0", "joint1", "joint2"]
scenes = pytest.mark.parametrize("links", [three_links, twisted_links])


def timeline(dt, steps):
    return dt * np.arange(steps + 1)


@scenes
def test_matrices(links):
    m = Mechanism(links())
    k = Kinematics(links(), [x.q for x in links()], [x.u for x in links()])
    m.simulation.update_dynamic()
    assert np.abs(m.simulation.mass_matrix - k.M()).max() < 1e-13
    assert np.abs(m.simulation.nleffects - k.N()).max() < 1e-12
    assert (m.simulation.viscosity == 0).all()
    for body, H, J, dJ in zip(m.bodies, k.poses, k.J, k.dJ):
        assert np.abs(body.pose - H).max() < 1e-13
        assert np.abs(body.jacobian - J).max() < 1e-13
        assert np.abs(body.djacobian - dJ).max() < 1e-12
        assert np.abs(body.twist - J @ k.u).max() < 1e-13


@scenes
def test_a_step_with_everything(links):
    """Z nu+ = M nu / dt + sum gforce0 + J' f, for weight, PD, viscosity and a ball and socket."""
    m, dt = Mechanism(links()), 1e-3
    n = len(m.joints)
    s = m.simulation
    viscosity = np.diag([0.1, 0.2, 0.3, 1, 2, 3.0])
    m.bodies[1].viscosity = viscosity
    assert (m.bodies[1].viscosity == viscosity).all()
    assert m.bodies[1].is_viscous and not m.bodies[0].is_viscous
    s.add(sim.WeightController())
    Kp, Kd = np.diag(np.arange(1.0, n + 1)), 0.5 * np.eye(n)
    pd = s.add(sim.ProportionalDerivativeController([f"joint{k}" for k in range(n)], Kp, Kd))
    goal, rate = np.linspace(0, 1, n), np.linspace(1, 0, n)
    pd.set_target(goal, rate)
    tip = sim.SubFrame(m.bodies[-1], transl(0.1, 0.2, 0.05))
    anchor = sim.SubFrame(s.ground, tip.pose @ transl(0.01, -0.02, 0))
    ball = s.add(sim.BallAndSocket(anchor, tip, "tip"))
    for _ in range(3):
        q = np.concatenate([joint.gpos for joint in m.joints])
        u = s.gvel
        k = Kinematics(links(), q, u)
        s.update_dynamic()
        s.update_controllers(dt)
        Za = -(dt * Kp + Kd)
        B = k.J[1].T @ viscosity @ k.J[1]
        gforce0 = k.weight(GRAVITY) + Kp @ (goal - q) + Kd @ rate
        Z = k.M() / dt + B + k.N() - Za
        size = np.abs(Z).max()
        assert np.abs(s.controller_impedance - Za).max() < 1e-14
        assert np.abs(s.impedance - Z).max() < 1e-12 * size
        assert np.abs(s.admittance @ s.impedance - np.eye(n)).max() < 1e-10
        assert np.abs(s.gforce - gforce0).max() < 1e-11
        s.update_constraints(dt)
        # The point of frame 1 over frame 0, in its axes; exact in one sweep, as it is alone.
        H0, H1 = anchor.pose, k.poses[-1] @ tip.bpose
        # The velocity counts at frame 0's origin.
        gap = H0[:3, :3].T @ (H1[:3, 3] - H0[:3, 3])
        R, J1 = H0[:3, :3].T @ H1[:3, :3], Ad(np.linalg.inv(tip.bpose)) @ k.J[-1]
        J_at_0 = R @ J1[3:] + np.cross((R @ J1[:3]).T, -gap).T
        free = np.linalg.solve(Z, k.M() @ u / dt + gforce0)
        force = -np.linalg.pinv(J_at_0 @ np.linalg.solve(Z, J_at_0.T), 1e-10) @ (
            J_at_0 @ free + gap / dt)
        assert np.abs(ball.gap - gap).max() < 1e-13
        assert np.abs(J_at_0.T @ (ball.force - force)).max() < 1e-6 * np.abs(force).max()
        rows, drift = ball.rows()
        assert np.abs(rows - J_at_0).max() < 1e-12 and (drift == 0).all()
        s.integrate(dt)
        wanted = np.linalg.solve(Z, k.M() @ u / dt + gforce0 + J_at_0.T @ force)
        assert np.abs(s.gvel - wanted).max() < 1e-7 * max(1, np.abs(wanted).max())
        after = np.concatenate([joint.gpos for joint in m.joints])
        assert np.abs(after - (q + dt * s.gvel)).max() < 1e-14
        assert s.current_time == pytest.approx(m.world.world_time)


def test_joint_limits_hold():
    m = Mechanism(three_links())
    s = m.simulation
    m.joints[0].gpos, m.joints[0].gvel = 0.5, 2.5
    limits = s.add(sim.JointLimits(["joint0"], [-1.0], [0.52], 0.01, "stop"))
    assert limits.name == "stop" and limits.is_enabled
    sim.simulate(s, timeline(1e-3, 40))
    assert m.joints[0].gpos[0] <= 0.52 + 1e-9
    limits.disable()
    m.joints[0].gvel = 2.5
    sim.simulate(s, timeline(1e-3, 20))
    assert m.joints[0].gpos[0] > 0.53 and not limits.is_enabled and (limits.force == 0).all()


def test_a_frame_that_moves_over_its_body():
    m = Mechanism(twisted_links())
    k = Kinematics(twisted_links(), [x.q for x in twisted_links()], [x.u for x in twisted_links()])
    frame = sim.MovingSubFrame(m.bodies[3], np.eye(4), "slider")
    H, drift = exp(np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])), np.arange(6.0)
    frame.set_bpose(H, drift)
    J = Ad(np.linalg.inv(H)) @ k.J[3]
    assert np.abs(frame.pose - k.poses[3] @ H).max() < 1e-12
    assert np.abs(frame.jacobian - J).max() < 1e-12
    assert np.abs(frame.twist - (J @ k.u + drift)).max() < 1e-12
    R = frame.pose[:3, :3]
    p = frame.pose[:3, 3]
    assert np.abs(frame.twist_at(p) - np.concatenate((R @ frame.twist[:3], R @ frame.twist[3:]))
                  ).max() < 1e-12
    dofs, S, dS = frame.columns_at(p)
    assert dofs == [0, 2, 3] and S.shape == dS.shape == (3, 6)
    assert np.abs(S.T - np.kron(np.eye(2), R) @ J[:, dofs]).max() < 1e-12
    assert frame.is_on_body_of(m.bodies[3]) and not frame.is_on_body_of(m.bodies[2])
    assert m.simulation.body("body3") == m.bodies[3] != m.bodies[2]
    assert len({m.bodies[3], m.simulation.body("body3")}) == 1
    assert frame.simulation is m.simulation and m.simulation.world is m.world


@pytest.mark.parametrize("stepping", list(sim.Stepping))
def test_joints_follow_the_state_and_change_it(stepping):
    m = Mechanism(three_links(), stepping)
    s = m.simulation
    sim.simulate(s, timeline(1e-3, 10))
    assert (np.concatenate([joint.gvel for joint in m.joints]) == s.gvel).all()
    assert s.gpos(1) == m.joints[1].gpos[0]
    assert s.dofs(NAMES[::-1]) == [2, 1, 0] == s.linear_dofs(NAMES[::-1])
    m.joints[1].gpos[0] = 0.25
    m.joints[2].gvel = 3
    s.init()
    assert s.gpos(1) == 0.25 and s.gvel[2] == 3
    s.gvel = [1, 2, 3]
    assert m.joints[1].gvel[0] == 2


def test_a_run_is_its_stages():
    runs = [Mechanism(three_links()), Mechanism(three_links())]
    times = np.array([0.5, 0.51, 0.53, 0.6, 0.601])
    for m in runs:
        m.simulation.add(sim.WeightController(GRAVITY))
    sim.simulate(runs[0].simulation, times)
    s = runs[1].simulation
    s.init()
    for t, dt in zip(times[1:], np.diff(times)):
        s.update_dynamic()
        s.update_controllers(dt, t)
        s.update_constraints(dt)
        s.integrate(dt)
    assert (runs[0].simulation.gvel == s.gvel).all()
    assert runs[0].simulation.current_time == 0.601


def test_the_worlds_own_scheme():
    """simulate(world) is integrate(): energy kept to second order; by arboris' step it is not."""
    worlds = [Mechanism(three_links()).world for _ in range(2)]
    energy = sim.EnergyMonitor()
    sim.simulate(worlds[0], timeline(1e-3, 50), [energy])
    worlds[1].time_step = 1e-3
    for _ in range(50):
        worlds[1].integrate()
    first, second = (w.system(0) for w in worlds)
    assert np.abs(first.generalized_coordinate - second.generalized_coordinate).max() < 1e-12
    drift = np.ptp(energy.kinetic + energy.potential)
    assert len(energy.time) == 51 and 0 < drift < 1e-4
    m = Mechanism(three_links())
    m.simulation.add(sim.WeightController())
    arboris = sim.EnergyMonitor()
    sim.simulate(m.simulation, timeline(1e-3, 50), [arboris])
    assert np.ptp(arboris.kinetic + arboris.potential) > 10 * drift
    assert arboris.mechanical(3) == arboris.kinetic[3] + arboris.potential[3]
    with pytest.raises(IndexError):
        arboris.mechanical(51)


def test_observers_note(tmp_path):
    m = Mechanism(three_links())
    com, perf = sim.CoMObserver(), sim.PerfMonitor()
    csv, log = sim.CsvLogger(tmp_path / "run.csv"), sim.Hdf5Logger(tmp_path / "run.h5",
                                                                  sim.Hdf5Content(model=True))
    start = Kinematics(three_links(), [0.5, 1, 2 / 3], [2.5, -1, -0.5])
    sim.simulate(m.simulation, timeline(1e-2, 5), [com, perf, csv, log])
    masses = np.array([link.mass[5, 5] for link in three_links()])
    centres = [H[:3, 3] + H[:3, 1] * y for H, y in zip(start.poses, (0.25, 0.2, 0.1))]
    assert com.position.shape == com.velocity.shape == (6, 3)
    assert np.abs(com.position[0] - masses @ centres / masses.sum()).max() < 1e-12
    assert np.abs((com.position[1] - com.position[0]) / 1e-2 - com.velocity[1]).max() < 0.1
    assert len(perf.durations) == 5 and perf.total == pytest.approx(perf.durations.sum())
    assert perf.fastest <= perf.average <= perf.slowest
    lines = (tmp_path / "run.csv").read_text().splitlines()
    assert lines[0].startswith("time,joint0.q0,") and len(lines) == 7
    assert float(lines[-1].split(",")[1]) == m.joints[0].gpos[0]
    assert (tmp_path / "run.h5").read_bytes()[1:4] == b"HDF"
    snapshot = sim.Snapshot(m.simulation)
    assert snapshot.mass == pytest.approx(masses.sum())
    assert np.abs(snapshot.centre_of_mass - com.position[-1]).max() < 1e-12
    assert np.abs(snapshot.centre_of_mass_rate - com.velocity[-1]).max() < 1e-12
    u, s = m.simulation.gvel, m.simulation
    s.update_dynamic()
    assert snapshot.kinetic_energy == pytest.approx(u @ s.mass_matrix @ u / 2)
    assert snapshot.potential_energy(GRAVITY) == pytest.approx(
        9.81 * masses.sum() * com.position[-1][1])
    assert np.abs(snapshot.link_pose(0, 3) - m.bodies[2].pose).max() < 1e-12
    for wrong in ((0, 4), (1, 0)):
        with pytest.raises(IndexError):
            snapshot.link_pose(*wrong)


def test_slip_is_opposite_to_the_velocity():
    random = np.random.default_rng(3)
    for _ in range(20):
        A = random.normal(size=(4, 4))
        Y, mu, e = A @ A.T + np.eye(4), 0.5, np.array([0.3, 1, 1])
        alpha = np.append(10 * random.normal(size=3), -1.0)
        force = sim.slip_force(Y, alpha, mu, e)
        tangential, normal = force[:3], force[3]
        assert np.linalg.norm(tangential / e) == pytest.approx(mu * normal, rel=1e-9)
        slip = (Y @ force + alpha)[:3]
        assert (Y @ force + alpha)[3] == pytest.approx(0, abs=1e-9)
        # slip = s E^-2 f_t with s <= 0
        s = slip * e**2 / tangential
        assert np.ptp(s) < 1e-6 * abs(s).max() and s.max() < 0
    with pytest.raises(ValueError):
        sim.slip_force(np.eye(4), [np.nan, 0, 0, 0], 0.5, [1, 1, 1])
    vel = [0, 0.1, 0, -1]
    stuck = sim.soft_finger_force(np.zeros(4), vel, np.eye(4), 0.0, 1e-3, 0.5, [1, 1, 1])
    assert np.abs(stuck - [0, -0.1, 0, 1]).max() < 1e-12


@pytest.mark.skipif(not SHARED.is_dir(), reason="ESPALIER_SHARED is not set")
def test_figures_of_arboris():
    """simplearm: matrices and a step, from states that are recorded."""
    data = json.loads((SHARED / "fixtures/arboris/simplearm.json").read_text())
    names = ["Arm", "Forearm", "Hand"]
    for state in data["states"]:
        world = espalier.World()
        world.gravity = GRAVITY
        s = sim.Simulation(world)
        parent, H = s.ground, np.eye(4)
        first = data["states"][0]
        for name, q, q0, u in zip(names, state["gpos"], first["gpos"], state["gvel"]):
            # Where the joint sits follows from the body's pose in the first state.
            pose = np.array(first["bodies"][name]["pose"])
            H_pr = np.linalg.inv(H) @ pose @ exp(np.array([0, 0, -q0, 0, 0, 0]))
            body = s.add_body(name, first["bodies"][name]["mass"])
            s.add_link(sim.SubFrame(parent, H_pr), espalier.RzJoint(q, u), body)
            parent, H = body, pose
        pd = state["pd"]
        control = s.add(sim.ProportionalDerivativeController(
            [f"{name}Joint" for name in names], np.diag(pd["kp_diag"]), np.diag(pd["kd_diag"])))
        control.set_target(pd["gpos_des"], pd["gvel_des"])
        s.add(sim.WeightController())
        s.update_dynamic()
        assert np.abs(s.mass_matrix - state["M"]).max() < 1e-13
        assert np.abs(s.nleffects - state["N"]).max() < 1e-13
        s.update_controllers(pd["dt"])
        assert np.abs(s.gforce - state["gforce_total"]).max() < 1e-12
        assert np.abs(s.admittance - state["admittance"]).max() < 1e-10
        s.update_constraints(pd["dt"])
        s.integrate(pd["dt"])
        assert np.abs(s.gvel - state["gvel_after_step"]).max() < 1e-12
