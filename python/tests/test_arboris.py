"""espalier.arboris: scripts in arboris' names, its seeds' text where it is, our doctests always."""
import doctest
import importlib
import json
import os
import re
import textwrap
from pathlib import Path

import espalier
import numpy as np
import pytest
from espalier import sim
from espalier.all import *  # noqa: F403
from espalier.arboris import adjointmatrix, core, homogeneousmatrix, massmatrix, twistvector
from sim_scenes import Ad, Kinematics, Mechanism, exp, rod, skew, three_links, twisted_links

SHARED = Path(os.environ.get("ESPALIER_SHARED", "/nonexistent"))
MODULES = ["adjointmatrix", "homogeneousmatrix", "joints", "massmatrix", "twistvector"]


def simplearm(q=(0.5, 1.0, 2 / 3), u=(2.5, -1.0, -0.5)):
    """The three links of sim_scenes, as a script of arboris builds them."""
    world = World()
    parent, at = world.ground, 0.0
    for name, length, m, q0, u0 in zip(("Arm", "Forearm", "Hand"), (0.5, 0.4, 0.2), (1.0, 0.8, 0.2),
                                       q, u):
        body = Body(name=name, mass=rod(length, m))
        joint = joints.RzJoint(gpos=q0, gvel=u0, name=name + "Joint")
        frame = SubFrame(parent, homogeneousmatrix.transl(0, at, 0)) if at else parent
        world.add_link(frame, joint, body)
        parent, at = body, length
    world.register(SubFrame(parent, homogeneousmatrix.transl(0, at, 0), name="EndEffector"))
    return world


@pytest.mark.parametrize("module", MODULES)
def test_doctests(module):
    result = doctest.testmod(importlib.import_module(f"espalier.arboris.{module}"))
    assert result.failed == 0 and result.attempted > 0


def test_the_scripts_of_the_documentation_run(capsys):
    """Both scripts end where they should, and the classes do what they are said to."""
    text = (Path(__file__).resolve().parents[2] / "docs/coming_from_arboris.md").read_text()
    theirs, ours, classes = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    ends = []
    for script in (theirs, ours):
        scope = {}
        exec(script, scope)  # noqa: S102
        ends.append(np.concatenate((scope["hinge"].gpos, scope["tip"].pose.ravel())))
        assert len(scope["energy"].time) == 1000
    assert (ends[0] == ends[1]).all() and capsys.readouterr().out
    scope = {"np": np, "sim": sim}
    exec(classes, scope)  # noqa: S102
    m = Mechanism(twisted_links())
    tip = sim.SubFrame(m.bodies[3], homogeneousmatrix.transl(0.1, 0.2, 0.3))
    pin, angles = m.simulation.add(scope["Pin"](tip)), scope["Angles"]()
    m.simulation.add(scope["Damper"]())
    before = tip.pose[:3, 3]
    sim.simulate(m.simulation, 1e-3 * arange(200), [angles])
    assert np.abs(tip.pose[:3, 3] - before).max() < 1e-4 and pin.force.any()
    assert len(angles.angles) == 199 and angles.angles[0] == 0.4


def seed(number):
    found = sorted((SHARED / "seeds").glob(f"{number:03}_*.txt"))
    if not found:
        pytest.skip("ESPALIER_SHARED has no such seed")
    return found[0].read_text()


def test_the_seed_of_joints_runs_as_written():
    """Numbers are printed as by the numpy of its time."""
    text = seed(1).replace("from arboris.all import", "from espalier.all import")
    test = doctest.DocTestParser().get_doctest(text, {}, "seed", None, 0)
    with np.printoptions(legacy="1.13"):
        result = doctest.DocTestRunner().run(test)
    assert result.failed == 0 and result.attempted >= 10


def test_the_seeds_loop_runs_as_written():
    text = seed(4)
    lines = text[text.index("    def simulate(world, time):") :]
    loop = re.match(r"(?:    .*\n|\s*\n)+", lines).group(0)
    scope = {}
    exec(textwrap.dedent(loop), scope)  # noqa: S102
    by_hand, ours = simplearm(), simplearm()
    time = arange(0, 0.1, 1e-3)
    for world in (by_hand, ours):
        world.register(controllers.WeightController())
    scope["simulate"](by_hand, time)
    simulate(ours, time)
    assert (by_hand.gvel == ours.gvel).all()
    assert abs(ours.current_time - time[-1]) < 1e-12
    by_hand.update_dynamic()
    for name in ("mass", "viscosity", "nleffects", "gvel", "_gforce", "_impedance", "_admittance"):
        assert getattr(by_hand, name).shape[0] == 3


def test_a_loop_of_our_own_is_simulate():
    """nu+ = Y (M nu / dt + gforce) with what the world tells."""
    worlds = simplearm(), simplearm()
    for world in worlds:
        world.register(controllers.WeightController())
        world.register(controllers.ProportionalDerivativeController(
            world.getjoints(), 7 * eye(3), 2 * eye(3), pi / 4 * ones(3)))
    times = 1e-3 * arange(50)
    simulate(worlds[0], times)
    world = worlds[1]
    world.init()
    for before, t in zip(times, times[1:]):
        dt = t - before
        world.update_dynamic()
        world.update_controllers(dt, t)
        world.update_constraints(dt)
        wanted = dot(world._admittance, dot(world.mass, world.gvel) / dt + world._gforce)
        q = [joint.gpos[0] for joint in world.getjoints()]
        world.integrate(dt)
        assert allclose(world.gvel, wanted, rtol=1e-12)
        assert allclose([joint.gpos[0] for joint in world.getjoints()], q + dt * wanted, rtol=1e-14)
    assert (worlds[0].gvel == world.gvel).all()


def test_the_world_by_numpy():
    world = simplearm()
    assert world.ndof == 3
    world.init()
    world.update_dynamic()
    k = Kinematics(three_links(), [0.5, 1, 2 / 3], [2.5, -1, -0.5])
    assert np.abs(world.mass - k.M()).max() < 1e-13
    assert np.abs(world.nleffects - k.N()).max() < 1e-12
    hand = world.getbodies()["Hand"]
    assert np.abs(hand.pose - k.poses[2]).max() < 1e-13
    tip = world.getframes()["EndEffector"]
    J = Ad(np.linalg.inv(tip.bpose)) @ k.J[2]
    assert np.abs(tip.jacobian - J).max() < 1e-13
    assert np.abs(tip.twist - J @ k.u).max() < 1e-13
    assert np.abs(tip.djacobian - Ad(np.linalg.inv(tip.bpose)) @ k.dJ[2]).max() < 1e-12


def test_dofs_are_depth_first():
    """Links in any order of making; the second child of a body comes after all below the first."""
    world, bodies = World(), {}
    bodies["ground"] = world.ground
    for parent, child in (("ground", "a"), ("a", "b"), ("ground", "c"), ("a", "d"), ("b", "e")):
        bodies[child] = Body(name=child, mass=massmatrix.sphere(0.1, 1.0))
        frame = SubFrame(bodies[parent], homogeneousmatrix.transl(0.3, 0.2, 0.1))
        joint = joints.RzRyJoint(name=child) if child == "b" else joints.RxJoint(name=child)
        world.add_link(frame, joint, bodies[child])
    assert [joint.name for joint in world.iterjoints()] == ["a", "b", "e", "d", "c"]
    made = world.getjoints()
    assert world.dof(made["d"]) == [4] and world.dof(made[1:3]) == [1, 2, 3]
    world.init()
    for name in ("e", "d", "c"):
        world.getjoints()[name].gvel = 1.0
    world.update_dynamic()
    assert world.gvel.tolist() == [0, 0, 0, 1, 1, 1]
    assert [body.name for body in world.iterbodies()] == ["ground", "a", "b", "e", "d", "c"]


def test_links_may_come_later():
    world = simplearm()
    simulate(world, arange(0, 0.01, 1e-3))
    held = [(joint.gpos[0], joint.gvel[0]) for joint in world.getjoints()]
    extra = Body(mass=massmatrix.sphere(0.1, 1.0))
    world.add_link(world.getbodies()["Hand"], joints.TxJoint(0.3), extra)
    with pytest.raises(RuntimeError, match="init"):
        world.update_dynamic()
    world.init()
    assert world.ndof == 4
    assert [(joint.gpos[0], joint.gvel[0]) for joint in world.getjoints()][:3] == held
    world.add_link(world.ground, joints.FreeJoint(), Body(mass=massmatrix.sphere(0.1, 1.0)))
    simulate(world, arange(0, 0.01, 1e-3))
    assert world.ndof == 10 and extra.pose.shape == (4, 4)


def test_controllers_constraints_and_observers_of_a_script():
    class Spring(Controller):
        def init(self, world):
            self.joint, self.n = world.getjoints()["ArmJoint"], world.ndof

        def update(self, dt):
            gforce, impedance = zeros(self.n), zeros((self.n, self.n))
            gforce[0], impedance[0, 0] = -50 * self.joint.gpos[0], -50 * dt
            return gforce, impedance

    class Lock(Constraint):
        ndol = 1

        def init(self, world):
            self.n = world.ndof

        def update(self, dt):
            pass

        @property
        def jacobian(self):
            return eye(self.n)[2:3]

        def solve(self, vel, admittance, dt):
            return -np.linalg.solve(admittance, vel)

    class Angles(Observer):
        def init(self, world, timeline):
            self.world, self.angles, self.times = world, [], timeline

        def update(self, dt):
            self.angles.append(self.world.getjoints()["HandJoint"].gpos[0])

        def finish(self):
            self.angles = array(self.angles)

    world = simplearm(u=(0, 0, 0))
    spring, lock, angles, energy = Spring(), Lock(name="lock"), Angles(), observers.EnergyMonitor()
    world.register(spring)
    world.register(lock)
    world.register(controllers.WeightController())
    with pytest.raises(ValueError, match="before"):
        world.register(spring)
    time = arange(0, 0.2, 1e-3)
    simulate(world, time, [angles, energy])
    assert len(angles.angles) == len(time) - 1 and len(energy.time) == len(time)
    assert np.abs(angles.angles - 2 / 3).max() < 1e-9 and lock.force.shape == (1,)
    # The same spring as a PD, the same lock as limits that touch.
    twin = simplearm(u=(0, 0, 0))
    arm, _, hand = twin.getjoints()
    twin.register(controllers.ProportionalDerivativeController([arm], [[50]], [[0]]))
    twin.register(controllers.WeightController())
    twin.register(constraints.JointLimits(hand, 2 / 3, 2 / 3))
    simulate(twin, time)
    assert allclose(twin.gvel, world.gvel, atol=1e-6)
    assert not allclose(twin.gvel, 0, atol=0.1)
    lock.disable()
    assert not lock.is_enabled()
    simulate(world, time)
    assert abs(hand.gpos[0] - world.getjoints()["HandJoint"].gpos[0]) > 0.01


def test_pd_targets_are_assigned():
    world = simplearm(u=(0, 0, 0))
    pd = controllers.ProportionalDerivativeController(world.getjoints(), 500 * eye(3), 50 * eye(3))
    world.register(pd)
    for goal in (0.2, -0.3):
        pd.gpos_des = goal * ones(3)
        simulate(world, 1e-2 * arange(200))
        assert allclose([joint.gpos[0] for joint in world.getjoints()], goal, atol=1e-3)
    with pytest.raises(ValueError, match="read-only"):
        pd.gpos_des[0] = 1
    with pytest.raises(ValueError, match="shape"):
        pd.kp = eye(2)
    with pytest.raises(ValueError, match="shape"):
        controllers.ProportionalDerivativeController(world.getjoints(), kp=eye(2))


def test_a_loop_closes():
    world = simplearm()
    world.init()
    tip = world.getframes()["EndEffector"]
    anchor = SubFrame(world.ground, tip.pose)
    ball = constraints.BallAndSocketConstraint((anchor, tip))
    world.register(ball)
    world.register(controllers.WeightController())
    simulate(world, 1e-3 * arange(100))
    assert np.abs(ball.gap).max() < 1e-3 and np.abs(world.gvel).max() > 0.01
    world.update_dynamic()
    assert np.abs(tip.pose[:3, 3] - anchor.pose[:3, 3]).max() < 1e-3


def test_a_ball_rolls_down_and_slides():
    """On a slope with friction mu = 0.2 and the slope's tangent 1: it slides with g (sin - mu cos),
    and friction spins it with 5 mu g cos / (2 r)."""
    world = World()
    r, mu, g = 0.1, 0.2, 9.81
    ball = Body(name="ball", mass=massmatrix.sphere(r, 1.0))
    n = array([-1, 1, 0]) / sqrt(2)
    world.add_link(world.ground, joints.FreeJoint(homogeneousmatrix.transl(*(r * n))), ball)
    world.register(shapes.Plane(world.ground, (-1, 1, 0, 0)))
    world.register(shapes.Sphere(ball, r))
    world.register(controllers.WeightController())
    contact, = constraints.get_all_contacts(world, mu)
    world.register(contact)
    simulate(world, 2e-4 * arange(1001))
    t, s = 0.2, 1 / sqrt(2)
    joint, = world.getjoints()
    velocity = dot(joint.gpos[:3, :3], joint.gvel[3:])
    down = array([-1, -1, 0]) / sqrt(2)
    assert abs(velocity @ down - g * s * (1 - mu) * t) < 2e-3
    assert abs(joint.gvel[2] - 2.5 * mu * g * s * t / r) < 0.02
    assert abs(n @ joint.gpos[:3, 3] - r) < 1e-4 and abs(contact.sdist) < 1e-4
    assert contact.force[3] == pytest.approx(g * s, rel=1e-3)
    assert np.linalg.norm(contact.force[:3]) == pytest.approx(mu * g * s, rel=1e-3)


def test_boxes_points_and_shapes_that_do_not_meet():
    world = World()
    body = Body(mass=massmatrix.box((0.2, 0.2, 0.2), 1.0))
    world.add_link(world.ground, joints.FreeJoint(homogeneousmatrix.transl(0, 0.105, 0)), body)
    floor = shapes.Plane(world.ground)
    world.register(floor)
    for x in (-0.1, 0.1):
        for z in (-0.1, 0.1):
            corner = SubFrame(body, homogeneousmatrix.transl(x, -0.1, z))
            world.register(constraints.SoftFingerContact((floor, shapes.Point(corner)), 0.5))
    world.register(controllers.WeightController())
    simulate(world, 1e-3 * arange(300))
    assert world.getjoints()[0].gpos[1, 3] == pytest.approx(0.1, abs=1e-4)
    assert sum(c.force[3] for c in world.iterconstraints()) == pytest.approx(9.81, rel=1e-3)
    assert shapes.Cylinder(body, 0.3, 0.1).length == 0.3
    assert shapes.Box(body, (1, 2, 3)).half_extents.tolist() == [1, 2, 3]


def test_misuse_is_told():
    world = simplearm()
    arm = world.getbodies()["Arm"]
    with pytest.raises(ValueError, match="in a tree"):
        world.add_link(world.ground, joints.RzJoint(), arm)
    with pytest.raises(ValueError, match="a link already"):
        world.add_link(world.ground, world.getjoints()[0], Body())
    with pytest.raises(ValueError, match="carries already"):
        world.add_link(Body(), joints.RzJoint(), Body())
    with pytest.raises(TypeError):
        world.add_link(world.ground, 3, Body())
    with pytest.raises(ValueError, match="fixed to their bodies"):
        world.add_link(MovingSubFrame(arm), joints.RzJoint(), Body())
    with pytest.raises(TypeError):
        world.register(3)
    with pytest.raises(RuntimeError, match="in no World"):
        Body().pose  # noqa: B018
    with pytest.raises(RuntimeError, match="init"):
        arm.pose  # noqa: B018
    with pytest.raises(KeyError):
        world.getbodies()["arm"]
    with pytest.raises(ValueError, match="shape"):
        Body(mass=eye(3))
    with pytest.raises(ValueError, match="no link"):
        world.dof(joints.RzJoint())
    with pytest.raises(NotImplementedError):
        Controller().update(0.1)
    with pytest.raises(ValueError, match="no coordinate"):
        controllers.ProportionalDerivativeController([joints.FreeJoint()])
    with pytest.raises(ValueError, match="no coordinate"):
        constraints.JointLimits(joints.FreeJoint(), 0, 1)
    world.register(controllers.ProportionalDerivativeController([joints.RzJoint()]))
    with pytest.raises(ValueError, match="no link"):
        world.init()


def test_lists_are_found_by_name():
    bodies = simplearm().getbodies()
    assert bodies["Hand"] is bodies[-1] and len(bodies.find("Arm")) == 1 and not bodies.find("x")
    assert bodies.as_dict()["Arm"] is bodies[1] and isinstance(bodies[1:], NamedObjectsList)
    twice = NamedObjectsList([bodies[0], bodies[0]])
    with pytest.raises(KeyError, match="2 members"):
        twice["ground"]


def test_moving_frames():
    world = World()
    body = Body(mass=massmatrix.sphere(0.1, 1))
    world.add_link(world.ground, joints.RzJoint(0.3, 2.0), body)
    frame = MovingSubFrame(body)
    world.init()
    assert allclose(frame.pose, body.pose)
    frame.bpose = homogeneousmatrix.transl(0.5, 0, 0)
    assert allclose(frame.pose, dot(body.pose, frame.bpose))
    assert allclose(frame.twist[3:], (0, 1, 0))
    frame.set_bpose(frame.bpose, (0, 0, 0, 3, 0, 0))
    assert allclose(frame.twist[3:], (3, 1, 0))


def test_helpers_by_numpy():
    random = np.random.default_rng(5)
    for _ in range(20):
        tw = random.normal(size=6)
        H = exp(tw)
        assert allclose(twistvector.exp(tw), H, atol=1e-13)
        assert allclose(homogeneousmatrix.inv(H), np.linalg.inv(H), atol=1e-13)
        assert allclose(homogeneousmatrix.adjoint(H), Ad(H))
        assert adjointmatrix.isadjointmatrix(Ad(H))
        assert allclose(homogeneousmatrix.iadjoint(H), np.linalg.inv(Ad(H)), atol=1e-12)
        p = random.normal(size=3)
        assert allclose(homogeneousmatrix.pdot(H, p), (H @ [*p, 1])[:3])
        assert allclose(homogeneousmatrix.vdot(H, p), (H @ [*p, 0])[:3])
        ad = twistvector.adjacency(tw)
        assert allclose((Ad(exp(1e-6 * tw)) - Ad(exp(-1e-6 * tw))) / 2e-6, ad, atol=1e-8)
        angles = random.uniform(-1.5, 1.5, 3)
        R = homogeneousmatrix.rotzyx(*angles)
        assert allclose(homogeneousmatrix.rotzyx_angles(R), angles)
        z = p / np.linalg.norm(p)
        aligned = homogeneousmatrix.zaligned(z)
        assert homogeneousmatrix.ishomogeneousmatrix(aligned) and allclose(aligned[:3, 2], z)
        box = massmatrix.box((1, 2, 3), 4.0)
        M = massmatrix.transport(box, H)
        assert massmatrix.ismassmatrix(M) and allclose(M, Ad(H).T @ box @ Ad(H))
        back = massmatrix.transport(M, massmatrix.principalframe(M))
        assert allclose(back, np.diag(np.diag(back)), atol=1e-10)
        assert allclose(sorted(np.diag(back)[:3]), sorted(4 / 12 * array([13, 10, 5])))
    c = homogeneousmatrix
    assert allclose(c.rotzy(0.1, 0.2), c.rotz(0.1) @ c.roty(0.2))
    assert allclose(c.rotzx(0.1, 0.2), c.rotz(0.1) @ c.rotx(0.2))
    assert allclose(c.rotyx(0.1, 0.2), c.roty(0.1) @ c.rotx(0.2))
    assert allclose(c.rotx(0.3)[:3, :3], exp(array([0.3, 0, 0, 0, 0, 0]))[:3, :3])
    assert c.rotzyx_angles(c.rotzyx(0.3, pi / 2, 0))[1] == pytest.approx(pi / 2)
    # Volumes by sums over a grid.
    grid = np.linspace(-1, 1, 81)
    points = np.stack(np.meshgrid(grid, grid, grid), -1).reshape(-1, 3)
    inside = points[(points**2).sum(1) <= 1] * (0.5, 0.3, 0.2)
    sums = -sum(skew(p) @ skew(p) for p in inside[::7]) / len(inside[::7])
    assert allclose(massmatrix.ellipsoid((0.5, 0.3, 0.2), 2.0)[:3, :3], 2 * sums, atol=3e-3)
    inside = points[(points[:, :2] ** 2).sum(1) <= 1] * (0.3, 0.3, 0.5)
    sums = -sum(skew(p) @ skew(p) for p in inside[::7]) / len(inside[::7])
    assert allclose(massmatrix.cylinder(1.0, 0.3, 2.0)[:3, :3], 2 * sums, atol=1e-2)
    for wrong in (lambda: c.zaligned([1, 1, 0]), lambda: adjointmatrix.inv(eye(6) * 2),
                  lambda: twistvector.adjacency([1]),
                  lambda: massmatrix.principalframe(zeros((6, 6)))):
        with pytest.raises(ValueError):
            wrong()
    assert not massmatrix.ismassmatrix(zeros((6, 6)))
    assert massmatrix.ismassmatrix(zeros((6, 6)), True)


def test_the_engine_behind_it():
    """The world of a script is a Simulation's, and the same as one built with espalier.sim."""
    world, twin = simplearm(), Mechanism(three_links())
    simulate(world, 1e-3 * arange(20))
    sim.simulate(twin.simulation, 1e-3 * arange(20))
    assert (world.gvel == twin.simulation.gvel).all()
    assert isinstance(world.simulation.world, espalier.World)
    assert core.World is World and "3 dofs" in repr(world) and len(twisted_links()) == 4


@pytest.mark.skipif(not SHARED.is_dir(), reason="ESPALIER_SHARED is not set")
def test_figures_of_arboris():
    """The recorded run of simplearm with weight and PD; helpers."""
    data = json.loads((SHARED / "fixtures/arboris/simplearm.json").read_text())
    run = data["traj"]["weight_pd"]
    first, world = data["states"][0], World()
    parent, H, made = world.ground, eye(4), []
    columns = first["gpos"], run["gpos"][0], run["gvel"][0]
    for name, q0, q, u in zip(("Arm", "Forearm", "Hand"), *columns):
        pose = array(first["bodies"][name]["pose"])
        H_pr = np.linalg.inv(H) @ pose @ homogeneousmatrix.rotz(-q0)
        made.append(joints.RzJoint(q, u))
        body = Body(name, first["bodies"][name]["mass"])
        world.add_link(SubFrame(parent, H_pr), made[-1], body)
        parent, H = body, pose
    world.register(controllers.WeightController())
    world.register(controllers.ProportionalDerivativeController(
        made, 7 * eye(3), 7 / sqrt(2) * eye(3), pi / 4 * ones(3)))
    simulate(world, run["dt"] * arange(run["nsteps"] + 1))
    assert np.abs(world.gvel - run["final"]["gvel"]).max() < 1e-11
    assert np.abs([j.gpos[0] for j in made] - array(run["final"]["gpos"])).max() < 1e-11
    lie = json.loads((SHARED / "fixtures/arboris/lie_and_mass.json").read_text())
    for case in lie["cases"]:
        H = twistvector.exp(case["twist"])
        assert allclose(H, case["exp"], atol=1e-12)
        assert allclose(homogeneousmatrix.inv(H), case["inv"], atol=1e-12)
        assert allclose(homogeneousmatrix.adjoint(H), case["adjoint"], atol=1e-12)
        assert allclose(twistvector.adjacency(case["twist"]), case["adjacency"], atol=1e-12)
