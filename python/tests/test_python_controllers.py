"""Controllers, constraints and observers as classes of Python: what they are asked, what they may
do, who keeps them."""
import gc
import threading
import weakref

import espalier
import numpy as np
import pytest
from espalier import sim
from sim_scenes import Mechanism, three_links, transl, twisted_links

steppings = pytest.mark.parametrize("stepping", list(sim.Stepping))


def timeline(dt, steps):
    return dt * np.arange(steps + 1)


class Pd(sim.Controller):
    """The engine's PD, written again."""

    def __init__(self, Kp, Kd):
        super().__init__()
        self.Kp, self.Kd, self.calls = Kp, Kd, []

    def init(self, simulation):
        self.simulation = simulation

    def update(self, dt, t):
        self.calls.append((dt, t))
        q = np.array([self.simulation.gpos(k) for k in range(3)])
        h = self.simulation.look_ahead(dt)
        return -self.Kp @ q, -(h * self.Kp + self.Kd)


class Ball(sim.Constraint):
    """The engine's ball and socket, written again."""

    ndol = 3

    def __init__(self, frame0, frame1):
        super().__init__("ball")
        self.frames = frame0, frame1

    def update(self, dt):
        H0, H1 = (frame.pose for frame in self.frames)
        self.H0, self.gap = H0, H0[:3, :3].T @ (H1[:3, 3] - H0[:3, 3])

    def rows(self):
        R0, (J1, H1) = self.H0[:3, :3], (self.frames[1].jacobian, self.frames[1].pose)
        R = R0.T @ H1[:3, :3]
        return R @ J1[3:] + np.cross((R @ J1[:3]).T, -self.gap).T

    def solve(self, vel, admittance, dt):
        return -np.linalg.pinv(admittance, 1e-12) @ (vel + self.gap / dt)


@steppings
def test_a_controller_does_as_the_engines(stepping):
    Kp, Kd = np.diag([7.0, 5, 3]), np.diag([1.0, 0.5, 0.2])
    own, engines = (Mechanism(three_links(), stepping) for _ in range(2))
    pd = own.simulation.add(Pd(Kp, Kd))
    names = ["joint0", "joint1", "joint2"]
    engines.simulation.add(sim.ProportionalDerivativeController(names, Kp, Kd))
    for m in (own, engines):
        m.simulation.add(sim.WeightController())
        sim.simulate(m.simulation, timeline(1e-3, 50))
    assert np.abs(own.simulation.gvel - engines.simulation.gvel).max() < 1e-12
    assert len(pd.calls) == 50 and pd.calls[1] == pytest.approx((1e-3, 2e-3))
    gforce0, Z = engines.simulation.controllers[0].update(1e-3, 0.05)
    assert Z.shape == (3, 3) and np.abs(Z + Kd).max() < 1e-2 and gforce0.shape == (3,)


def test_a_constraint_does_as_the_engines():
    ends = []
    for make in (Ball, sim.BallAndSocket):
        m = Mechanism(twisted_links())
        tip = sim.SubFrame(m.bodies[3], transl(0.1, 0.2, 0.3))
        ball = m.simulation.add(make(sim.SubFrame(m.simulation.ground, tip.pose), tip))
        m.simulation.add(sim.WeightController())
        sim.simulate(m.simulation, timeline(1e-3, 30))
        ends.append(np.concatenate((m.simulation.gvel, ball.force, ball.gap)))
        assert m.simulation.constraints == [ball] and np.abs(ball.gap).max() < 1e-4
    assert np.abs(ends[0] - ends[1]).max() < 1e-6 * np.abs(ends[1]).max()


class Notes(sim.Observer):
    def __init__(self):
        super().__init__()
        self.events = []

    def init(self, simulation, timeline):
        self.simulation, self.timeline = simulation, timeline

    def update(self, dt):
        self.events.append((dt, self.simulation.current_time, self.simulation.gforce.copy()))

    def finish(self):
        self.events.append("finish")


@steppings
def test_an_observer_is_told(stepping):
    m, notes = Mechanism(three_links(), stepping), Notes()
    m.simulation.add(sim.WeightController([0, -5, 0]))
    sim.simulate(m.simulation, timeline(1e-2, 3), [notes, sim.PerfMonitor()])
    assert notes.simulation is m.simulation and notes.timeline.tolist() == [0, 0.01, 0.02, 0.03]
    assert [event[0] for event in notes.events[:3]] == pytest.approx([0.01] * 3)
    assert [event[1] for event in notes.events[:3]] == pytest.approx([0, 0.01, 0.02])
    assert notes.events[3] == "finish" and np.abs(notes.events[0][2]).max() > 0.1


def test_an_observer_of_a_world_gets_its_simulation():
    world, notes = Mechanism(three_links()).world, Notes()
    sim.simulate(world, [0, 1e-3], [notes])
    assert notes.simulation.world is world and notes.simulation.stepping == sim.Stepping.WORLD
    notes.simulation.update_dynamic()
    assert notes.simulation.mass_matrix.shape == (3, 3)


class Raises(sim.Controller):
    def __init__(self, when):
        super().__init__()
        self.when, self.asked = when, 0

    def update(self, dt, t):
        self.asked += 1
        if self.asked == self.when:
            raise LookupError("told to")
        return np.zeros(3)


@steppings
def test_what_a_controller_raises_comes_out_and_the_simulation_goes_on(stepping):
    m = Mechanism(three_links(), stepping)
    plain = Mechanism(three_links(), stepping)
    m.simulation.add(Raises(4))
    for x in (m, plain):
        x.simulation.add(sim.WeightController())
    with pytest.raises(LookupError, match="told to"):
        sim.simulate(m.simulation, timeline(1e-3, 10))
    assert m.simulation.current_time == pytest.approx(3e-3)
    sim.simulate(m.simulation, 3e-3 + timeline(1e-3, 7))
    sim.simulate(plain.simulation, timeline(1e-3, 10))
    assert np.abs(m.simulation.gvel - plain.simulation.gvel).max() < 1e-11
    if stepping == sim.Stepping.WORLD:
        m.world.integrate()


@steppings
def test_what_an_observer_raises_comes_out(stepping):
    class Fails(Notes):
        def update(self, dt):
            raise ZeroDivisionError

    m = Mechanism(three_links(), stepping)
    fails, energy = Fails(), sim.EnergyMonitor()
    with pytest.raises(ZeroDivisionError):
        sim.simulate(m.simulation, timeline(1e-3, 3), [energy, fails])
    sim.simulate(m.simulation, timeline(1e-3, 3), [energy])
    assert len(energy.time) == 4
    m.world.integrate()


class Wrong(sim.Controller):
    def __init__(self, result):
        super().__init__()
        self.result = result

    def update(self, dt, t):
        return self.result


@pytest.mark.parametrize("result", [
    None, 1.0, "x", np.zeros(2), np.zeros(4), np.zeros((3, 3)), (np.zeros(3), np.zeros((3, 2))),
    (np.zeros(3), 1), (None, np.zeros((3, 3))), np.full(3, np.nan),
    (np.zeros(3), np.full((3, 3), np.inf)),
])
def test_wrong_results_are_told(result):
    m = Mechanism(three_links())
    m.simulation.add(Wrong(result))
    m.simulation.update_dynamic()
    with pytest.raises((ValueError, TypeError), match="Wrong.update"):
        m.simulation.update_controllers(1e-3)
    m.simulation.update_dynamic()
    assert m.simulation.mass_matrix.shape == (3, 3)


class Line(sim.Constraint):
    """One direction; each part may be spoiled."""

    ndol = 1
    J, df = np.array([[1.0, 0, 0]]), [0.0]

    def update(self, dt):
        pass

    def rows(self):
        return self.J

    def solve(self, vel, admittance, dt):
        return self.df


@pytest.mark.parametrize("spoiled", [
    {"ndol": 0}, {"ndol": -1}, {"ndol": "x"}, {"ndol": 10**9}, {"ndol": 2}, {"J": np.zeros((1, 2))},
    {"J": np.full((1, 3), np.nan)}, {"J": (np.zeros((1, 3)), np.zeros(2))}, {"df": [1.0, 2]},
    {"df": [np.nan]}, {"df": None}, {"is_active": "x"}, {"J": None},
])
def test_wrong_constraints_are_told(spoiled):
    m = Mechanism(three_links())
    m.simulation.add(type("Spoiled", (Line,), spoiled)())
    with pytest.raises((ValueError, TypeError, RuntimeError)):
        sim.simulate(m.simulation, [0, 1e-3])
    assert m.simulation.mass_matrix.shape == (3, 3)


def test_a_constraint_may_rest_and_start_from_a_force():
    class Rests(Line):
        def update(self, dt):
            self.is_active = self.on
            if self.on:
                self.force = [2.0]

    m = Mechanism(three_links())
    line = m.simulation.add(Rests())
    for on, wanted in ((True, [2, 0, 0]), (False, [0, 0, 0])):
        line.on = on
        m.simulation.update_dynamic()
        m.simulation.update_controllers(1e-3)
        m.simulation.update_constraints(1e-3)
        assert m.simulation.gforce.tolist() == wanted and line.is_active == on
    with pytest.raises(ValueError, match="ndol = 1"):
        line.force = [1, 2]
    with pytest.raises(NotImplementedError):
        sim.Constraint().ndol  # noqa: B018
    ball = sim.BallAndSocket(m.simulation.ground, m.bodies[0])
    for name, value in (("force", [1]), ("is_active", False)):
        with pytest.raises(AttributeError):
            setattr(ball, name, value)


def test_once_and_in_one_simulation():
    m, other = Mechanism(three_links()), Mechanism(three_links())
    for part in (sim.WeightController(), Raises(0), Line(), sim.JointLimits(["joint0"], [0], [1])):
        assert m.simulation.add(part) is part
        with pytest.raises(ValueError, match="before"):
            m.simulation.add(part)
        with pytest.raises(ValueError, match="another Simulation"):
            other.simulation.add(part)
    with pytest.raises(ValueError, match="another Simulation"):
        other.simulation.add(sim.BallAndSocket(m.simulation.ground, m.bodies[0]))
    with pytest.raises(ValueError, match="link of a Simulation"):
        other.simulation.add_link(other.simulation.ground, m.joints[0],
                                  other.simulation.add_body("b", np.eye(6)))
    for wrong in (None, 3, m.world, sim.EnergyMonitor()):
        with pytest.raises(TypeError):
            m.simulation.add(wrong)
    with pytest.raises(ValueError, match="constraints are for"):
        Mechanism(three_links(), sim.Stepping.WORLD).simulation.add(Line())
    # Free again when the simulation is closed, or gone.
    part, joint = m.simulation.controllers[0], m.joints[0]
    m.simulation.close()
    for call in (m.simulation.init, lambda: m.simulation.gvel, lambda: m.bodies[0].pose):
        with pytest.raises(RuntimeError, match="destroyed"):
            call()
    other.simulation.add(part)
    del other
    gc.collect()
    again = Mechanism(three_links())
    again.simulation.add(part)
    s = again.simulation
    s.add_link(s.ground, joint, s.add_body("b", np.eye(6)))
    again.simulation.init()
    assert again.simulation.ndof == 4 and again.simulation.gvel[3] == joint.gvel[0] == 2.5
    with pytest.raises(ValueError, match="twice"):
        energy = sim.EnergyMonitor()
        sim.simulate(again.simulation, [0, 1], [energy, energy])


def test_calls_that_come_too_early():
    energy, weight = sim.EnergyMonitor(), sim.WeightController()
    pd = sim.ProportionalDerivativeController(["joint0"], [[1]], [[1]])
    m = Mechanism(three_links())
    limits, ball = sim.JointLimits(["joint0"], [0], [1]), sim.BallAndSocket(m.bodies[0],
                                                                           m.simulation.ground)
    for call in (lambda: energy.update(0.1), energy.finish, lambda: weight.update(0.1, 0.1),
                 lambda: pd.update(0.1, 0.1), lambda: limits.update(0.1), limits.rows, ball.rows,
                 lambda: weight.init(m.simulation),
                 lambda: m.simulation.integrate(0.1), lambda: m.simulation.update_constraints(0.1),
                 lambda: m.simulation.update_controllers(0.1), lambda: m.simulation.admittance):
        with pytest.raises(ValueError):
            call()
    m.simulation.add(pd)
    with pytest.raises(ValueError, match="init"):
        pd.update(0.1, 0.1)
    m.simulation.add(limits)
    m.simulation.init()
    with pytest.raises(ValueError, match="ndol"):
        limits.solve(np.zeros(2), np.zeros((2, 2)), 0.1)
    # By hand, an observer keeps its simulation until finish().
    energy.init(m.simulation, [0, 1])
    alive = weakref.ref(m.simulation)
    m.simulation.update_dynamic()
    del m, ball
    gc.collect()
    energy.update(0.1)
    energy.finish()
    assert len(energy.time) == 2
    with pytest.raises(ValueError):
        energy.update(0.1)
    del limits, pd
    gc.collect()
    assert alive() is None


def test_changes_while_a_stage_runs_are_refused():
    told = []

    class Meddles(sim.Controller):
        def init(self, simulation):
            self.simulation = simulation

        def update(self, dt, t):
            s = self.simulation
            for call in (s.init, s.update_dynamic, lambda: s.add(sim.WeightController()),
                         lambda: s.integrate(dt), lambda: s.add_body("x", np.eye(6)), s.close,
                         lambda: sim.simulate(s, [0, 1]), lambda: setattr(s, "gvel", [0, 0, 0])):
                try:
                    call()
                except RuntimeError as e:
                    told.append(str(e))
            return np.zeros(s.ndof)

    m = Mechanism(three_links())
    m.simulation.add(Meddles())
    sim.simulate(m.simulation, [0, 1e-3])
    assert len(told) == 8 and all("a stage of this Simulation runs" in text for text in told)


@steppings
def test_a_controller_that_removes_the_robot(stepping):
    class Removes(sim.Controller):
        def update(self, dt, t):
            m.world.remove_object(m.world.system(0))
            return np.zeros(3)

    m = Mechanism(three_links(), stepping)
    m.simulation.add(Removes())
    m.simulation.add(sim.WeightController())
    for _ in range(2):
        with pytest.raises(ValueError):
            sim.simulate(m.simulation, [0, 1e-3])


def test_other_threads_are_refused_while_a_stage_runs():
    begun, goes_on, told = threading.Event(), threading.Event(), []

    class Waits(sim.Controller):
        def update(self, dt, t):
            begun.set()
            goes_on.wait(10)
            return np.zeros(3)

    m = Mechanism(three_links())
    m.simulation.add(Waits())
    thread = threading.Thread(target=lambda: sim.simulate(m.simulation, [0, 1e-3]))
    thread.start()
    begun.wait(10)
    for call in (lambda: m.simulation.gvel, lambda: m.bodies[0].pose, m.simulation.init,
                 lambda: m.joints[0].gpos, m.world.integrate, lambda: m.simulation.controllers):
        try:
            call()
        except RuntimeError as e:
            told.append(str(e))
    goes_on.set()
    thread.join()
    assert len(told) >= 5
    assert m.simulation.gvel.shape == (3,)


def test_circles_are_freed():
    class Own(sim.Controller):
        def update(self, dt, t):
            return np.zeros(3)

    m = Mechanism(three_links())
    own = m.simulation.add(Own())
    own.body, own.simulation, own.snapshot_of = m.bodies[0], m.simulation, m.joints
    m.simulation.add(sim.BallAndSocket(m.simulation.ground, m.bodies[2]))
    sim.simulate(m.simulation, [0, 1e-3])
    seen = [weakref.ref(own), weakref.ref(m.simulation)]
    world = m.world
    del own, m
    gc.collect()
    assert [ref() for ref in seen] == [None, None]
    world.integrate()


def test_frames_keep_their_simulation():
    body = Mechanism(three_links()).bodies[2]
    gc.collect()
    frame = sim.SubFrame(body, transl(0, 0.1, 0))
    del body
    gc.collect()
    assert frame.pose.shape == (4, 4) and frame.simulation.ndof == 3
    for wrong in (2 * np.eye(4), np.full((4, 4), np.nan), np.eye(3), "x"):
        with pytest.raises((ValueError, TypeError)):
            sim.SubFrame(frame, wrong)
    with pytest.raises(TypeError):
        sim.Frame()


def test_classes_of_the_engine_are_final():
    for cls in (sim.WeightController, sim.BallAndSocket, sim.EnergyMonitor, sim.JointLimits):
        with pytest.raises(TypeError):
            type("Derived", (cls,), {})


def test_links_that_make_no_robot():
    s = sim.Simulation(espalier.World())
    with pytest.raises(ValueError, match="mass matrix"):
        s.add_body("b", np.diag([1.0, 2, 3, 4, 5, 6]))
    body = s.add_body("b", None)
    with pytest.raises(ValueError, match="already"):
        s.add_body("b", None)
    with pytest.raises(ValueError, match="no link"):
        s.body("c")
    s.add_link(s.ground, espalier.RzJoint(), body)
    with pytest.raises(ValueError, match="make no robot"):
        s.init()
    with pytest.raises(TypeError):
        s.add_link(s.ground, 3, body)


class Slippery(sim.PointContact):
    """A contact without friction."""

    ndol = 1

    def __init__(self, frame0, shape0, frame1, shape1):
        super().__init__(frame0, shape0, frame1, shape1, 0.05, "slippery")
        self.frame = frame1

    def rows(self):
        dofs, S, _ = self.frame.columns_at(self.contact_pose[:3, 3])
        J = np.zeros((1, 3))
        J[0, dofs] = S[:, 3:] @ self.contact_pose[:3, 2]
        return J

    def solve(self, vel, admittance, dt):
        free = vel - admittance @ self.force + self.sdist / dt
        return np.maximum(0, -free / admittance[0]) - self.force


def test_a_contact_law_does_as_the_engines():
    """An arm falls on a plane."""
    ends = []
    for own in (True, False):
        m = Mechanism(three_links())
        tip, shape = sim.SubFrame(m.bodies[2], transl(0, 0.2, 0)), espalier.SphereShape(radius=0.02)
        turn = np.eye(4)[:, [2, 0, 1, 3]]  # z of the plane is y of the world
        turn[1, 3] = 0.3
        floor = sim.SubFrame(m.simulation.ground, turn)
        parts = floor, espalier.Plane(), tip, shape
        contact = Slippery(*parts) if own else sim.SoftFinger(*parts, 0.0, proximity=0.05)
        m.simulation.add(contact)
        m.simulation.add(sim.WeightController())
        touched = 0
        for k in range(150):
            sim.simulate(m.simulation, [k * 1e-3, (k + 1) * 1e-3])
            touched += contact.is_active and contact.force[-1] > 0
        assert touched > 10 and contact.sdist < 0.3 and tip.pose[1, 3] > 0.32 - 1e-3
        ends.append(m.simulation.gvel)
    assert np.abs(ends[0] - ends[1]).max() < 1e-8


def test_objects_that_were_not_made():
    """Without super().__init__() there is nothing to be asked."""
    class Empty(sim.Controller):
        def __init__(self):
            pass

    m = Mechanism(three_links())
    with pytest.warns(RuntimeWarning, match="uninitialized"):
        for call in (lambda: m.simulation.add(Empty()),
                     lambda: sim.Snapshot(sim.Simulation.__new__(sim.Simulation)),
                     lambda: sim.SubFrame.__new__(sim.SubFrame).pose,
                     lambda: sim.BallAndSocket(sim.SubFrame.__new__(sim.SubFrame), m.bodies[0]),
                     lambda: espalier.RzJoint.__new__(espalier.RzJoint).gpos,
                     lambda: repr(espalier.RzJoint.__new__(espalier.RzJoint)),
                     lambda: sim.Observer.__new__(sim.Observer).init(m.simulation, [0, 1]),
                     lambda: sim.Simulation(espalier.World.__new__(espalier.World)),
                     lambda: sim.simulate(espalier.World.__new__(espalier.World), [0, 1])):
            with pytest.raises(TypeError):
                call()
    for wrong in (3, [3], None):
        with pytest.raises(TypeError):
            sim.simulate(m.simulation, [0, 1e-3], wrong)
