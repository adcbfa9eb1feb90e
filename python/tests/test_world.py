"""World: its clock, steps, contacts, settings, state and copies."""
import copy
import json
import os
import pickle
import subprocess
from pathlib import Path

import espalier
import numpy as np
import pytest
from espalier import Scheme, StepFlag

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ESPALIER_BUILD", ROOT / "build" / "release"))
MODELS = ROOT / "models"
STRIDER = MODELS / "strider" / "strider.urdf"


def ball_on_ground(mass=2.0, radius=0.1):
    world = espalier.World()
    world.add_ground()
    ball = world.add_sphere(radius, mass)
    ball.position = [0, 0, radius]
    return world, ball


def standing_strider():
    world = espalier.World()
    world.add_ground()
    robot = world.add_articulated_system(STRIDER)
    robot.base_position = [0, 0, 0.6 - robot.lowest_collision_point]
    robot.set_pd_gains(80, 3)
    robot.set_pd_target(robot.q)
    return world, robot


# ---- steps

def test_a_ball_falls_as_newton_says():
    world = espalier.World()
    ball = world.add_sphere(0.1, 3)
    ball.position, ball.linear_velocity = [1, 2, 30], [4, 0, 5]
    world.time_step = 0.01
    for _ in range(100):
        world.step()
    t = 1.0
    assert world.time == pytest.approx(t)
    assert np.allclose(ball.position, [1 + 4 * t, 2, 30 + 5 * t - 9.81 / 2 * t**2], atol=1e-12)
    assert np.allclose(ball.linear_velocity, [4, 0, 5 - 9.81 * t], atol=1e-12)


def test_many_steps_in_a_call_are_those_of_many_calls():
    one, other = standing_strider()[0], standing_strider()[0]
    report = one.step(120)
    for _ in range(120):
        last = other.integrate()
    assert one.state_hash == other.state_hash and one.time == other.time
    assert (report.contacts, report.residual) == (last.contacts, last.residual)
    assert one.step(0).residual == last.residual and one.time == other.time
    with pytest.raises(ValueError, match="negative"):
        one.step(-3)


def test_halves_of_a_step_are_the_step():
    one, other = standing_strider()[0], standing_strider()[0]
    for _ in range(50):
        one.step()
        other.integrate1()
        with pytest.raises(ValueError):
            other.set_max_contacts(7)  # not within a step
        report = other.integrate2()
    assert one.state_hash == other.state_hash and report.contacts == one.report.contacts


def test_a_robot_is_that_of_the_command_line():
    """Dynamics by the C++ program, which knows no World."""
    urdf = MODELS / "quadruped" / "quadruped.urdf"
    world = espalier.World()
    robot = world.add_articulated_system(urdf)
    rng = np.random.default_rng(5)
    u, tau = rng.normal(size=robot.dof), rng.normal(size=robot.dof)
    q = robot.q + 0.3 * rng.normal(size=robot.q.size)
    robot.set_state(q, u)
    done = subprocess.run(
        [BUILD / "bin" / "espalier", "compute", urdf, "--json", "--state", "-"], check=True,
        input=json.dumps({"q": robot.q.tolist(), "u": u.tolist(), "tau": tau.tolist()}),
        capture_output=True, text=True)
    told = json.loads(done.stdout)
    assert np.allclose(robot.mass_matrix, told["M"], rtol=1e-12, atol=1e-13)
    assert np.allclose(robot.nonlinearities(), told["h"], rtol=1e-11, atol=1e-11)
    assert np.allclose(robot.compute_forward_dynamics(tau), told["udot"], rtol=1e-9, atol=1e-9)
    assert robot.kinetic_energy == pytest.approx(told["kinetic_energy"], rel=1e-12)
    assert np.allclose(robot.com, told["com"], atol=1e-13)
    for name, frame in told["frames"].items():
        assert np.allclose(robot.frame_position(name), frame["position"], atol=1e-13)
        assert np.allclose(robot.frame_orientation(name), frame["rotation"], atol=1e-13)


def test_schemes_are_a_table():
    assert [row.scheme for row in espalier.SCHEMES] == list(Scheme)
    row = espalier.info(Scheme.TRAPEZOID)
    assert (row.name, row.open_gap, row.open_speed, row.solves_twice) == ("trapezoid", 2, 1, False)
    for scheme in Scheme:
        assert espalier.info(scheme).next_share == espalier.share_of_next(scheme)


@pytest.mark.parametrize("scheme, order", [
    (Scheme.EULER, 1), (Scheme.SEMI_IMPLICIT, 1), (Scheme.MIDPOINT, 2), (Scheme.RUNGE_KUTTA_4, 4)])
def test_schemes_have_their_order(scheme, order):
    def angle(steps):
        world = espalier.World()
        robot = world.add_articulated_system(MODELS / "double_pendulum" / "double_pendulum.urdf")
        robot.set_state([0.4, 0.2], [0, 0])
        world.integration_scheme = scheme
        world.time_step = 0.5 / steps
        world.step(steps)
        assert world.integration_scheme == scheme
        return robot.q

    coarse, middle, fine = angle(100), angle(200), angle(400)
    ratio = np.linalg.norm(coarse - middle) / np.linalg.norm(middle - fine)
    assert np.log2(ratio) == pytest.approx(order, abs=0.25)


def test_energy_is_monitored():
    world = espalier.World()
    robot = world.add_articulated_system(MODELS / "double_pendulum" / "double_pendulum.urdf")
    robot.set_state([1.0, 0.5], [0, 0])
    assert not world.energy_monitoring and world.step().energy == 0
    world.energy_monitoring = True
    report = world.step()
    assert report.energy == pytest.approx(robot.energy(), rel=1e-12)
    assert abs(report.energy_balance) < 1e-6


def test_a_report_names_flags_and_remedies():
    world = espalier.World()
    world.add_ground()
    for k in range(4):
        world.add_box(1, 1, 1, 1).position = [2 * k, 0, 0.5]
    world.set_max_contacts(3)
    report = world.step()
    assert report.flags & StepFlag.CONTACTS_OVERFLOW and report.has(StepFlag.CONTACTS_OVERFLOW)
    assert StepFlag.CONTACTS_OVERFLOW in [info.flag for info in report.problems]
    assert "set_max_contacts" in repr(report) or "setMaxContacts" in repr(report)
    quiet = espalier.World().step()
    assert quiet.flags == StepFlag(0) and quiet.problems == []
    assert report.contacts == 3  # a copy: the later step is another World's
    assert [info.flag for info in espalier.STEP_FLAGS] == list(StepFlag)


# ---- contacts

def test_a_ball_at_rest_is_carried():
    world, ball = ball_on_ground(mass=2)
    world.step(300)
    assert world.contact_points.shape == (1, 3)
    assert np.allclose(world.contact_points, [[0, 0, 0]], atol=1e-4)
    contact, = world.contacts
    on_ball = 1 if world.object(contact.object_a) is ball else -1
    assert np.allclose(on_ball * world.contact_forces, [[0, 0, 2 * 9.81]], atol=1e-6)
    assert np.allclose(on_ball * world.contact_normals, [[0, 0, 1]])
    assert np.allclose(world.contact_impulses, [contact.impulse])
    assert np.allclose(contact.frame.T @ contact.impulse, contact.impulse_W)
    assert world.contact_depths == pytest.approx([contact.depth])
    view, = ball.contacts()
    assert np.allclose(view.impulse_on_this / world.time_step, [0, 0, 2 * 9.81], atol=1e-6)
    assert view.pair_object_index == 0 and view.contact.is_active
    ground_view, = world.object(0).contacts()
    assert np.allclose(ground_view.impulse_on_this, -view.impulse_on_this)


def test_contacts_of_a_robot_carry_its_weight():
    world, robot = standing_strider()
    world.step(4000)
    up = sum(view.impulse_on_this[2] for view in robot.contacts()) / world.time_step
    assert up == pytest.approx(robot.total_mass * 9.81, rel=0.02)
    assert len(robot.contacts(espalier.ContactFilter.ALL)) >= len(robot.contacts())


def test_a_callback_drops_contacts_and_sets_materials():
    world, ball = ball_on_ground()
    ball.linear_velocity = [1, 0, 0]

    def slippery(contact, material):
        assert {contact.object_a, contact.object_b} == {0, 1}
        material.friction = 0.0
        return True

    world.set_contact_callback(slippery)
    world.step(100)
    assert ball.linear_velocity[0] == pytest.approx(1, abs=1e-12)
    world.set_contact_callback(lambda contact, material: False)
    world.step(100)
    assert ball.position[2] < 0.09  # falls through
    world.set_contact_callback(None)
    assert not world._has_contact_callback


@pytest.mark.parametrize("callback, error", [
    (lambda contact, material: 1 / 0, ZeroDivisionError),
    (lambda contact, material: None, TypeError),
    (lambda contact: True, TypeError),
    (lambda contact, material: setattr(material, "friction", -1) or True, ValueError)])
def test_what_a_callback_raises_comes_out_of_the_step(callback, error):
    world, ball = ball_on_ground()
    before = world.state
    world.set_contact_callback(callback)
    with pytest.raises(error):
        world.step()
    assert world.state == before and world.contacts == []
    world.set_contact_callback(None)
    world.step()
    assert world.time > 0


def test_materials():
    def slide(set_up, material="default"):
        world = espalier.World()
        world.add_ground(material="floor")
        box = world.add_box(1, 1, 0.2, 1, material=material)
        box.position, box.linear_velocity = [0, 0, 0.1], [2, 0, 0]
        set_up(world)
        world.step(200)
        return box.linear_velocity[0]

    t = 0.2
    pair = espalier.MaterialPairSpec(first="floor", second="ice", friction=0.1)
    manager = espalier.MaterialManager()
    manager.set_default_material_prop(0.3, 0, 0.01)
    manager.set_material_pair_prop("floor", "ice", 0.1, 0, 0.01)
    for mu, set_up, material in (
            (0.8, lambda w: None, "default"),
            (0.3, lambda w: w.set_default_material(0.3, 0, 0.01), "default"),
            (0.1, lambda w: w.set_material_pair_prop("floor", "ice", 0.1, 0, 0.01), "ice"),
            (0.1, lambda w: w.set_material_pair_prop(pair), "ice"),
            (0.3, lambda w: w.update_material_prop(manager), "wood"),
            (0.1, lambda w: w.update_material_prop(manager), "ice")):
        assert slide(set_up, material) == pytest.approx(2 - mu * 9.81 * t, abs=0.02)


def test_rays():
    world, ball = ball_on_ground(radius=0.5)
    hits = world.ray_test([0, 0, 3], [0, 0, -2], 10)
    assert [hit.object for hit in hits] == [ball, world.object(0)]
    assert hits[0].distance == pytest.approx(2) and np.allclose(hits[0].position, [0, 0, 1])
    assert np.allclose(hits[0].normal, [0, 0, 1])
    assert len(world.ray_test([0, 0, 3], [0, 0, -1], 10, closest_only=True)) == 1
    assert world.ray_test([0, 0, 3], [0, 0, -1], 10, skipped=ball)[0].object is world.object(0)
    assert world.ray_test([0, 0, 3], [0, 0, 1], 10) == []
    with pytest.raises(ValueError):
        world.ray_test([0, 0, 3], [0, 0, 0], 10)
    world.step()
    cast = world.rays_of_last_step
    assert len(cast) == 4 and cast[0].object is ball and np.allclose(cast[0].end, [0, 0, 1])
    world.remove_object(ball)
    assert world.rays_of_last_step[0].object is None


# ---- objects

def test_objects_are_found():
    world = espalier.World()
    ground, robot = world.add_ground(), world.add_articulated_system(STRIDER)
    box = world.add_box(1, 1, 1, 1)
    box.name = "crate"
    assert world.obj_list == world.objects == [ground, robot, box]
    assert world.object("crate") is box and world.object("none") is None
    assert world.object(1) is robot and world.system(0) is robot and world.systems == [robot]
    assert world.object_count == 3 and world.system_count == 1 and box.index_in_world == 2
    for wrong in (3, -1):
        with pytest.raises(IndexError):
            world.object(wrong)
    with pytest.raises(IndexError):
        world.system(1)
    world.remove_object(ground)
    assert box.index_in_world == 1 and world.obj_list == [robot, box]
    assert "ArticulatedSystem 'strider'" in repr(world) and "Box 'crate'" in repr(world)


def test_robots_come_as_files_texts_specs_models(tmp_path):
    world = espalier.World()
    first = world.add_articulated_system(STRIDER)
    spec = first.spec()
    for source in (str(STRIDER), STRIDER.read_text(), spec, espalier.compile(spec)):
        robot = world.add_articulated_system(source)
        assert robot.dof == first.dof and robot.total_mass == pytest.approx(first.total_mass)
    order = first.movable_joint_names[1:][::-1]
    turned = world.add_articulated_system(STRIDER, joint_order=order, group=4, mask=8)
    assert turned.movable_joint_names[1:] == order
    assert {(c.collision_group, c.collision_mask) for c in turned.collision_bodies} == {(4, 8)}
    with pytest.raises(ValueError, match="no_such"):
        world.add_articulated_system(tmp_path / "no_such.urdf")
    with pytest.raises(espalier.SpecError):
        world.add_articulated_system("<robot name='x'><link/></robot>")
    for wrong in (3, None, [1], {}):
        with pytest.raises(TypeError):
            world.add_articulated_system(wrong)


def test_templates_take_texts_and_numbers():
    text = ("<robot name='r'><link name='r'><inertial><mass value='@@mass'/><inertia ixx='@@I' "
            "iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>")
    world = espalier.World()
    for parameters in ({"mass": 2, "I": 1.5}, {"@@mass": "2", "I": "1.5"}):
        robot = world.add_articulated_system(text, parameters=parameters)
        assert robot.total_mass == 2 and robot.inertia[0, 0, 0] == 1.5
    with pytest.raises(TypeError):
        world.add_articulated_system(text, parameters={"mass": [1]})


def test_warnings_are_raised():
    world = espalier.World()
    text = ("<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/>"
            "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
            "<joint name='j' type='revolute'><parent link='a'/><child link='b'/></joint></robot>")
    with pytest.warns(espalier.EspalierWarning) as told:
        world.add_articulated_system(text)
    assert any("'j'" in str(one.message) for one in told)
    assert told[0].filename == __file__


def test_welds():
    world = espalier.World()
    first, second = world.add_sphere(0.1, 1), world.add_sphere(0.1, 2)
    second.position = [1, 0, 0]
    weld = world.attach(first, second)
    first.set_external_torque([0, 0, 3])
    world.step(200)
    assert np.linalg.norm(first.position - second.position) == pytest.approx(1, abs=1e-6)
    world.detach(weld)
    with pytest.raises(ValueError, match="no weld"):
        world.detach(weld)
    held = world.attach(first)
    at = first.position
    world.step(100)
    assert np.allclose(first.position, at, atol=1e-5) and held != weld
    with pytest.raises(ValueError):
        world.attach(first, second, 1, 0)


# ---- state

def test_state_and_checkpoints():
    world, robot = standing_strider()
    world.step(100)
    state, checkpoint = world.state, world.save_checkpoint()
    world.step(50)
    at = world.state_hash
    world.restore_checkpoint(checkpoint)
    assert world.state == state
    world.step(50)
    assert world.state_hash == at  # on bit for bit
    world.state = state
    assert world.state == state and world.time == state.time
    world.step(50)
    assert world.state_hash == at  # from a State, too
    again = pickle.loads(pickle.dumps(state))
    assert again == state and np.array_equal(again.history, state.history)
    assert f"history of {state.history.size} numbers" in repr(state)
    state.history = []
    world.state = state
    assert world.state == state
    assert isinstance(checkpoint, bytes)
    for wrong in (b"", checkpoint[:-1], bytes(len(checkpoint)), espalier.World().save_checkpoint()):
        with pytest.raises(ValueError):
            world.restore_checkpoint(wrong)
    assert world.state == state
    with pytest.raises(TypeError):
        world.restore_checkpoint("text")
    state.q = state.q[:-1]
    with pytest.raises(ValueError):
        world.state = state


def test_keyframes_and_reset():
    world, robot = standing_strider()
    begin = world.state
    world.save_keyframe("begin")
    world.step(30)
    world.save_keyframe("later")
    assert world.keyframe_names == ["begin", "later"]
    world.reset("begin")
    assert world.state == begin
    world.reset()
    assert world.time == 0 and np.all(robot.u == 0) and robot.base_position[2] == 0
    with pytest.raises(ValueError):
        world.reset("none")


@pytest.mark.parametrize("duplicate", [
    copy.copy, copy.deepcopy, espalier.copy_world, lambda w: pickle.loads(pickle.dumps(w))])
def test_a_copy_goes_on_bit_for_bit(duplicate):
    world, robot = standing_strider()
    box = world.add_box(0.3, 0.3, 0.3, 2, material="wood")
    box.position, box.linear_damping, box.name = [0.1, 0, 2], 0.3, "crate"
    world.set_material_pair_prop("wood", "default", 0.2, 0.3, 0.01)
    world.set_contact_solver_param(1e-9, 500)
    world.set_contact_margin(0.003)
    world.gravity, world.time_step = [0, 0.5, -9], 0.002
    world.integration_scheme = Scheme.TRAPEZOID
    second = world.add_articulated_system(MODELS / "geared_biped" / "geared_biped.urdf")
    second.base_position = [5, 0, 1]
    robot.set_mass(1, 1.5 * robot.mass[1])
    robot.joint_friction = np.where(np.arange(robot.dof) < 6, 0, 0.1)
    robot.joint_velocity_limits = np.full(robot.dof, 5.0)
    robot.enforce_joint_velocity_limits(True)
    robot.ignore_collision_between(3, 6)
    robot.generalized_force = np.where(np.arange(robot.dof) < 6, 0, 0.2)
    robot.torque_limits = espalier.TorqueLimits.EXACT
    robot.joint_damping = np.where(np.arange(robot.dof) < 6, 0, 0.05)
    slope = espalier.BodySpec(name="slope", type=espalier.BodyType.STATIC)
    slope.collisions = [espalier.CollisionSpec(shape=espalier.BoxShape([0.5, 0.5, 0.1]))]
    c, s, d, t = np.cos(0.3), np.sin(0.3), np.cos(0.2), np.sin(0.2)
    slope.X_WB = [[c, -s * d, s * t, 3], [s, c * d, -c * t, 0], [0, t, d, 0], [0, 0, 0, 1]]
    world.add_body(slope)
    world.add_sphere(0.1, 1).position = [3, 0, 0.2]
    world.step(150)
    world.save_keyframe("mark")
    other = duplicate(world)
    assert other is not world and other.state == world.state
    assert [o.name for o in other.objects] == [o.name for o in world.objects]
    for _ in range(4):
        world.step(100)
        other.step(100)
        assert other.state_hash == world.state_hash and other.time == world.time
    other.reset("mark")
    world.reset("mark")
    world.step(50), other.step(50)
    assert other.state_hash == world.state_hash
    other.object("crate").position = [9, 9, 9]  # its own
    assert world.object("crate").position[0] < 8


def test_copies_with_loops_keep_dependent_gains():
    world = espalier.World()
    robot = world.add_articulated_system(MODELS / "six_bar" / "six_bar.urdf")
    n = robot.spanning_dof
    assert n > robot.dof
    robot.set_spanning_pd_gains(np.full(n, 5.0), np.full(n, 0.3))
    robot.set_spanning_pd_target(robot.spanning_coordinate + 0.05, np.zeros(n))
    world.step(50)
    other = copy.deepcopy(world)
    world.step(200), other.step(200)
    assert world.state_hash == other.state_hash


def test_what_cannot_be_copied_says_so():
    world, ball = ball_on_ground()
    weld = world.attach(ball)
    with pytest.raises(ValueError, match="welds"):
        copy.copy(world)
    world.detach(weld)
    world.set_contact_callback(lambda contact, material: True)
    with pytest.raises(ValueError, match="callback"):
        pickle.dumps(world)
    world.set_contact_callback(None)
    copy.copy(world)


# ---- worlds as data

def test_worlds_as_files_and_specs(tmp_path):
    world, robot = standing_strider()
    world.step(20)
    world.export_to_xml(tmp_path / "world.xml")
    for source in (tmp_path / "world.xml", (tmp_path / "world.xml").read_text(), world.spec()):
        other = espalier.World(source)
        assert np.allclose(other.state.q, world.state.q, atol=1e-12)
        assert other.time_step == world.time_step
    with pytest.raises(espalier.SpecError):
        espalier.World("<raisim><objects></raisim>")
    with pytest.raises(TypeError):
        espalier.World(3)


def test_settings_are_checked():
    world = espalier.World()
    nan = float("nan")
    for name, wrong in (("time_step", [0, -1, nan]), ("max_depenetration_velocity", [0, -1, nan]),
                        ("gravity", [[nan, 0, 0]])):
        before = getattr(world, name)
        for value in wrong:
            with pytest.raises(ValueError):
                setattr(world, name, value)
        assert np.array_equal(getattr(world, name), before)
    for call in (lambda: world.set_erp(2), lambda: world.set_contact_solver_param(0, 3),
                 lambda: world.set_contact_margin(-1), lambda: world.set_max_contacts(0),
                 lambda: world.set_sleeping(True, -1)):
        with pytest.raises(ValueError):
            call()
    assert len(world.diagnostics().all) == 0
    world.set_erp(0.2, 0.01)
    assert "0.01" in str(world.diagnostics().all[0])


def test_sleeping():
    world, ball = ball_on_ground()
    world.set_sleeping(True, quiet_steps=5)
    world.step(50)
    asleep = ball.position
    world.step()
    assert np.array_equal(ball.position, asleep)
    world.gravity = [1, 0, -9.81]
    world.step()
    assert ball.position[0] > asleep[0]
    world.gravity = [0, 0, -9.81]
    world.step(2000)
    asleep = ball.position
    world.step()
    assert np.array_equal(ball.position, asleep)
    for _ in range(3):
        ball.set_external_force([50, 0, 0])
        world.step()
    assert ball.position[0] > asleep[0]
