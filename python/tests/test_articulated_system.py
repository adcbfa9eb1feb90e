"""Robots in a World, beside closed forms and Pinocchio."""
import copy
from pathlib import Path

import espalier
import numpy as np
import pytest
from espalier import ArticulatedSystem, ControlMode

MODELS = Path(__file__).resolve().parents[2] / "models"
ARM, QUADRUPED, SIX_BAR = (MODELS / name / f"{name}.urdf"
                           for name in ("arm7", "quadruped", "six_bar"))
PENDULUM = """<robot name="pendulum"><link name="world"/><link name="bob"><inertial>
<origin xyz="0 0 -2"/><mass value="3"/>
<inertia ixx="0.5" iyy="0.5" izz="0.1" ixy="0" ixz="0" iyz="0"/>
</inertial><collision><origin xyz="0 0 -2"/><geometry><sphere radius="0.2"/></geometry></collision>
</link><joint name="hinge" type="revolute"><parent link="world"/><child link="bob"/>
<axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="9" velocity="7"/></joint></robot>"""


def robot_of(source, gravity=(0, 0, -9.81), seed=None):
    world = espalier.World()
    world.gravity = gravity
    robot = world.add_articulated_system(source)
    if seed is not None:
        rng = np.random.default_rng(seed)
        robot.set_state(robot.q + 0.4 * rng.normal(size=robot.q.size), rng.normal(size=robot.dof))
    return world, robot


# ---- dynamics

def test_a_pendulum():
    world, robot = robot_of(PENDULUM)
    robot.q, robot.u = [0.3], [0.7]
    m, l, I, g = 3, 2, 0.5 + 3 * 4, 9.81
    assert np.allclose(robot.mass_matrix, [[I]])
    assert np.allclose(robot.inverse_mass_matrix, [[1 / I]])
    assert np.allclose(robot.nonlinearities(), [m * g * l * np.sin(0.3)])
    assert np.allclose(robot.nonlinearities([0, 0, 0]), [0])
    assert np.allclose(robot.compute_forward_dynamics([5]), [(5 - m * g * l * np.sin(0.3)) / I])
    assert np.allclose(robot.compute_inverse_dynamics([2]), [2 * I + m * g * l * np.sin(0.3)])
    assert robot.kinetic_energy == pytest.approx(I * 0.7**2 / 2)
    assert robot.potential_energy() == pytest.approx(-m * g * l * np.cos(0.3))
    assert robot.energy([0, 0, -1]) == pytest.approx(I * 0.49 / 2 - m * l * np.cos(0.3))
    assert np.allclose(robot.generalized_momentum, [I * 0.7])
    assert np.allclose(robot.mass_matrix_vec_mul([2]), [2 * I])
    assert np.allclose(robot.com, [-2 * np.sin(0.3), 0, -2 * np.cos(0.3)])
    along = np.array([-np.cos(0.3), 0, np.sin(0.3)])
    assert np.allclose(robot.linear_momentum, 3 * 0.7 * 2 * along)
    assert np.allclose(robot.angular_momentum(), [0, 0.5 * 0.7, 0])
    assert np.allclose(robot.angular_momentum([0, 0, 0]), [0, I * 0.7, 0])
    world.integrate()
    assert np.allclose(robot.generalized_acceleration, [-m * g * l * np.sin(0.3) / I], rtol=1e-2)


def test_arm_beside_pinocchio():
    pinocchio = pytest.importorskip("pinocchio")
    model = pinocchio.buildModelFromUrdf(str(ARM))
    data = model.createData()
    world, robot = robot_of(ARM, seed=3)
    assert [n for n in model.names][1:] == robot.movable_joint_names[1:]
    q, u = robot.q, robot.u
    robot.rotor_inertia = np.zeros(robot.dof)  # which Pinocchio does not read
    robot.update_mass_info()
    assert model.nq == robot.q.size
    M = pinocchio.crba(model, data, q)
    M = np.triu(M) + np.triu(M, 1).T
    assert np.allclose(robot.mass_matrix, M, rtol=1e-10, atol=1e-12)
    assert np.allclose(robot.nonlinearities(), pinocchio.nonLinearEffects(model, data, q, u),
                       rtol=1e-10, atol=1e-10)
    tau = np.arange(7.0)
    assert np.allclose(robot.compute_forward_dynamics(tau), pinocchio.aba(model, data, q, u, tau),
                       rtol=1e-9)
    pinocchio.forwardKinematics(model, data, q, u)
    pinocchio.computeJointJacobians(model, data, q)
    for i, name in enumerate(model.names[1:], start=1):
        pose = data.oMi[i]
        assert np.allclose(robot.frame_pose(name), pose.homogeneous, atol=1e-12)
        J = pinocchio.getJointJacobian(model, data, i, pinocchio.LOCAL_WORLD_ALIGNED)
        assert np.allclose(robot.dense_frame_jacobian(name), J[:3], atol=1e-12)
        assert np.allclose(robot.dense_frame_rotational_jacobian(name), J[3:], atol=1e-12)
        v = pinocchio.getVelocity(model, data, i, pinocchio.LOCAL_WORLD_ALIGNED)
        assert np.allclose(robot.frame_velocity(name), v.linear, atol=1e-12)
        assert np.allclose(robot.frame_angular_velocity(name), v.angular, atol=1e-12)


@pytest.mark.parametrize("source", [ARM, QUADRUPED, SIX_BAR])
def test_jacobians_are_one_another(source):
    world, robot = robot_of(source, seed=None if source is SIX_BAR else 11)
    nv, body = robot.dof, robot.number_of_joints - 1
    point = np.array([0.1, -0.2, 0.3])
    J = robot.dense_jacobian(body, point, ArticulatedSystem.BODY_FRAME)
    assert J.shape == (3, nv)
    assert np.allclose(J @ robot.u, robot.velocity(body, point), atol=1e-12)
    at = robot.position(body, point)
    assert np.allclose(robot.dense_jacobian(body, at), J, atol=1e-12)
    sparse = robot.sparse_jacobian(body, at)
    assert np.allclose(sparse.dense(nv), J, atol=1e-12)
    assert np.allclose(sparse.times(robot.u), J @ robot.u, atol=1e-12)
    assert np.allclose(sparse.fill(np.zeros((3, nv))), J, atol=1e-12)
    assert sparse.size == len(sparse.idx) == sparse.v.shape[1]
    W = robot.dense_rotational_jacobian(body)
    assert np.allclose(W @ robot.u, robot.angular_velocity(body), atol=1e-12)
    assert np.allclose(robot.sparse_rotational_jacobian(body).dense(nv), W, atol=1e-12)
    with pytest.raises(ValueError):
        sparse.times(np.zeros(0))
    for wrong in (-1, robot.number_of_joints):
        with pytest.raises(ValueError, match="no body"):
            robot.dense_jacobian(wrong, point)


def test_rates_of_jacobians_beside_differences():
    world, robot = robot_of(ARM, seed=2)
    nv, q, u, h = robot.dof, robot.q, robot.u, 1e-6
    rate = robot.time_derivative_of_sparse_frame_jacobian(6).dense(nv)
    along = []
    for sign in (1, -1):
        robot.q = q + sign * h * u
        along.append(robot.dense_frame_jacobian(6))
    assert np.allclose(rate, (along[0] - along[1]) / (2 * h), atol=1e-7)


def test_operational_space():
    world, robot = robot_of(ARM, seed=4)
    J = np.vstack([robot.dense_frame_rotational_jacobian(6), robot.dense_frame_jacobian(6)])
    whole = robot.inverse_operational_space_inertia_matrix([6])
    assert np.allclose(whole, J @ robot.inverse_mass_matrix @ J.T, rtol=1e-9)
    both = robot.inverse_operational_space_inertia_matrix([6, robot.frames[2].name])
    assert both.shape == (12, 12) and np.allclose(both[:6, :6], whole, rtol=1e-9)
    share, udot = robot.apply_test_force(6, [0, 0, 1])
    assert np.allclose(udot, robot.inverse_mass_matrix @ J[3:].T @ [0, 0, 1], rtol=1e-9)
    assert share == pytest.approx(whole[5, 5], rel=1e-9)
    share, udot, acceleration = robot.apply_test_force(3, [0.1, 0, 0], [0, 1, 0])
    assert share == pytest.approx(acceleration[1])


# ---- frames, joints, links

def test_frames_by_index_name_and_object():
    world, robot = robot_of(ARM, seed=1)
    frame = robot.frame_by_name(robot.frames[3].name)
    by_name = robot.frame_pose(frame.name)
    assert np.array_equal(robot.frame_pose(3), by_name)
    assert np.array_equal(robot.frame_pose(frame), by_name)
    assert robot.frame_idx_by_name(frame.name) == 3 and robot.frame_idx_by_name("none") == -1
    frame.position = frame.position + [0, 0, 0.5]  # an edit of the robot's frame
    assert np.allclose(robot.frame_position(3), by_name[:3, 3] + 0.5 * by_name[:3, 2])
    own = espalier.CoordinateFrame(2, [0.1, 0, 0])
    assert np.allclose(robot.frame_position(own), robot.position(2, [0.1, 0, 0]))
    assert np.allclose(robot.position_in_frame(own, [0, 1, 0]), robot.position(2, [0.1, 1, 0]))
    for wrong in ("none", -1, 1000, espalier.CoordinateFrame(99)):
        with pytest.raises(ValueError):
            robot.frame_position(wrong)
    for wrong in (None, 1.5, [1]):
        with pytest.raises(TypeError):
            robot.frame_position(wrong)


def test_bodies_by_name():
    world, robot = robot_of(QUADRUPED, seed=8)
    name = robot.body_names[3]
    assert robot.body_idx(name) == 3
    assert np.array_equal(robot.position(name, [0.1, 0, 0]), robot.position(3, [0.1, 0, 0]))
    assert np.array_equal(robot.dense_jacobian(name, [0, 0, 0]), robot.dense_jacobian(3, [0, 0, 0]))
    with pytest.raises(ValueError, match="no link 'none'"):
        robot.position("none")
    X = robot.body_pose(name)
    assert np.allclose(X @ [0.1, 0.2, 0.3, 1], [*robot.position(name, [0.1, 0.2, 0.3]), 1])
    at = robot.position(3, [1, 2, 3])
    assert np.allclose(robot.position_in_body_coordinate(name, at), [1, 2, 3])


def test_joints_and_links():
    world, robot = robot_of(PENDULUM)
    joint, link = robot.joint("hinge"), robot.link("bob")
    joint.joint_angle = 0.4
    assert robot.q[0] == 0.4 and joint.joint_coordinate.tolist() == [0.4]
    joint.joint_velocity = [1.5]
    assert np.allclose(joint.angular_velocity, [0, 1.5, 0]) and np.allclose(joint.axis, [0, 1, 0])
    assert joint.type == espalier.JointKind.REVOLUTE and joint.is_movable and joint.index == 1
    assert joint.limits.tolist() == [-2, 2]
    joint.set_limits(-1, 1)
    assert robot.joint_limits[1].tolist() == [-1, 1]
    position, orientation = link.pose
    assert np.allclose(orientation, link.orientation) and np.allclose(position, [0, 0, 0])
    assert link.weight == 3 and np.allclose(link.inertia, np.diag([0.5, 0.5, 0.1]))
    assert list(link.collision_set) == ["bob/0"] and link.collision_definition("none") is None
    with pytest.raises(ValueError):
        robot.joint("none")
    with pytest.raises(ValueError):
        robot.link("none")
    with pytest.raises(ValueError):
        joint.joint_coordinate = [1, 2]


# ---- actuation and forces

def test_pd_holds_and_torque_limits_bound():
    world, robot = robot_of(PENDULUM)
    robot.set_pd_gains(400, 40)
    assert robot.control_mode == ControlMode.PD_PLUS_FEEDFORWARD_TORQUE
    robot.set_pd_target([0.5])
    world.step(3000)
    kp, kd = robot.pd_gains
    assert (kp.tolist(), kd.tolist()) == ([400], [40])
    assert np.array_equal(robot.generalized_force, [9])  # its effort limit bounds the command
    assert 400 * (0.5 - robot.q[0]) > 20
    robot.set_actuation_limits([1000], [-1000])
    world.step(20000)
    assert np.allclose(400 * (0.5 - robot.q), robot.nonlinearities(), rtol=1e-6)
    for wrong in ([-1], [1, 2], [np.nan]):
        with pytest.raises(ValueError):
            robot.set_pd_gains(wrong, wrong)
    robot.control_mode = ControlMode.FORCE_AND_TORQUE
    robot.generalized_force = [2.5]
    assert np.allclose(robot.generalized_force, [2.5])
    assert np.allclose(robot.feed_forward_generalized_force, [2.5])


def test_external_forces_are_jacobians_transposed():
    for place in ("point", "com", "frame", "torque", "link"):
        world, robot = robot_of(QUADRUPED, gravity=(0, 0, 0), seed=6)
        robot.u = np.zeros(robot.dof)
        world.integration_scheme = espalier.Scheme.SEMI_IMPLICIT
        body, force = 3, np.array([1.0, -2, 3])
        name = robot.frames[2].name
        J = {"point": robot.dense_jacobian(body, [0.1, 0, 0], ArticulatedSystem.BODY_FRAME),
             "com": robot.dense_jacobian(body, robot.body_com_W[body]),
             "link": robot.dense_jacobian(body, robot.body_com_W[body]),
             "frame": robot.dense_frame_jacobian(name),
             "torque": robot.dense_rotational_jacobian(body)}[place]
        expected = robot.compute_forward_dynamics(J.T @ force)
        {"point": lambda: robot.set_external_force(body, [0.1, 0, 0], force),
         "com": lambda: robot.set_external_force(body, force),
         "link": lambda: robot.link(robot.body_names[body]).set_external_force(force),
         "frame": lambda: robot.set_external_force(name, force),
         "torque": lambda: robot.set_external_torque(body, force)}[place]()
        world.step()
        assert np.allclose(robot.generalized_acceleration, expected, rtol=1e-6, atol=1e-9), place
        robot.set_external_force(body, force)
        robot.clear_external_forces()
        before = robot.generalized_momentum
        world.step()
        assert np.allclose(robot.generalized_momentum, before, atol=0.05)


def test_forces_in_joints():
    world, robot = robot_of(PENDULUM)
    with pytest.raises(ValueError):
        robot.force_at_joint_in_world_frame(1)
    robot.set_compute_inverse_dynamics(True)
    assert robot.computes_inverse_dynamics
    world.step()
    assert np.allclose(robot.force_at_joint_in_world_frame(1), [0, 0, 3 * 9.81])
    assert np.allclose(robot.torque_at_joint_in_world_frame("bob"), 0, atol=1e-12)


def test_springs_dampers_and_limits():
    world, robot = robot_of(PENDULUM)
    robot.add_spring(espalier.SpringElement(1, 1000, [0.5]))
    assert robot.springs[0].stiffness == 1000 and robot.spring_stiffness.tolist() == [1000]
    robot.joint_damping = [200]
    world.step(20000)
    assert np.allclose(1000 * (0.5 - robot.q), robot.nonlinearities(), rtol=1e-5)
    robot.spring_stiffness = [0]
    robot.joint_limits = [[-np.inf, np.inf], [0.2, 1]]
    world.step(20000)
    violation, = robot.joint_limit_violations
    assert violation.joint_id == 1 and not violation.is_upper
    assert violation.impulse / world.time_step == pytest.approx(robot.nonlinearities()[0], rel=1e-4)
    with pytest.raises(ValueError):
        robot.joint_limits = [[0, 0], [1, -1]]


# ---- loops

def test_closed_loops():
    world, robot = robot_of(SIX_BAR)
    assert robot.spanning_dof > robot.dof
    world.step(300)
    assert 0 < robot.closure_residual < 1e-6
    q = robot.spanning_coordinate
    robot.spanning_coordinate = q
    assert np.allclose(robot.spanning_coordinate, q, atol=1e-9)
    before = robot.q
    with pytest.raises(ValueError):
        robot.spanning_coordinate = np.full_like(q, 40.0)[:-1]
    assert np.array_equal(robot.q, before)


# ---- description

def test_edits_are_those_of_the_compiled_robot():
    world, robot = robot_of(PENDULUM)
    M = robot.mass_matrix
    robot.set_mass("bob", 6)
    robot.set_com(1, [0, 0, -1])
    assert np.array_equal(robot.mass_matrix, M)  # until it takes effect
    robot.update_mass_info()
    assert np.allclose(robot.mass_matrix, [[0.5 + 6]])
    assert robot.mass.tolist() == [0, 6] and robot.total_mass == 6
    robot.inertia = robot.inertia + np.diag([1, 1, 1])
    robot.rotor_inertia = [0.25]
    world.step()
    assert np.allclose(robot.mass_matrix, [[1.5 + 6 + 0.25]])
    twin = world.add_articulated_system(robot.spec())
    twin.q = robot.q
    assert np.array_equal(twin.mass_matrix, robot.mass_matrix)
    assert robot.model.nb == 2
    robot.mass = [0, -1]
    with pytest.raises(ValueError):
        world.step()
    robot.mass = [0, 6]
    world.step()
    with pytest.raises(ValueError, match="rows"):
        robot.mass = [1, 2, 3]


def test_the_model_is_a_snapshot():
    world, robot = robot_of(PENDULUM)
    robot.set_mass(1, 4)
    robot.update_mass_info()
    model = robot.model
    robot.set_mass(1, 8)
    robot.update_mass_info()
    assert (model.mass, robot.model.mass) == (4, 8)


def test_collision_bodies():
    world, robot = robot_of(PENDULUM)
    shape = robot.collision_body("bob/0")
    assert robot.lowest_collision_point == pytest.approx(-2.2)
    shape.pos_offset = [0, 0, -3]
    world.integrate1()
    world.integrate2()
    robot.q = [0]
    assert robot.lowest_collision_point == pytest.approx(-3.2)
    robot.set_collision_object_shape_parameters(0, [0.5])
    assert shape.shape.radius == 0.5
    shape.material, shape.collision_group = "rubber", 6
    assert robot.spec().links[1].collisions[0].material == "rubber"
    assert robot.collision_bodies[0].collision_group == 6
    for wrong in ([-1], [1, 2, 3, 4, 5]):
        with pytest.raises(ValueError):
            robot.set_collision_object_shape_parameters(0, wrong)
    with pytest.raises(ValueError):
        robot.set_collision_object_shape_parameters(3, [1])


def test_overlaps_are_told_and_can_be_ignored():
    ball = ('<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
            '</inertial><collision><geometry><sphere radius="0.1"/></geometry></collision>')
    text = '<robot name="balls"><link name="world"/>' + "".join(
        f'<link name="{name}">{ball}</link><joint name="rail_{name}" type="prismatic">'
        f'<origin xyz="{x} 0 1"/><parent link="world"/><child link="{name}"/><axis xyz="1 0 0"/>'
        '<limit lower="-1" upper="1" effort="9" velocity="9"/></joint>'
        for name, x in (("a", 0), ("b", 0.15), ("c", 1))) + "</robot>"
    world = espalier.World()
    with pytest.warns(espalier.EspalierWarning, match="a and b.*load_robot"):
        world.add_articulated_system(text)
    assert world.integrate().contacts == 0 and copy.copy(world).integrate().contacts == 0

    world = espalier.World()
    robot = world.add_articulated_system(espalier.io.load_robot(text))  # as data: with all contacts
    assert world.integrate().contacts == 1
    other = copy.copy(world)
    robot.q = [0, 0, 0]
    assert robot.ignore_overlaps() == {(1, 2): pytest.approx(0.05)}
    assert world.integrate().contacts == 0 and copy.copy(world).integrate().contacts == 0
    assert other.integrate().contacts == 1


def test_overlaps_of_a_world_file_are_kept_and_told():
    ball = '<joint name="{0}" type="slide" axis="1 0 0"/><geom size=".1"/>'
    text = ('<mujoco><worldbody><body name="base"><freejoint/><geom size=".02" pos="0 0 1"/>'
            f'<body name="a">{ball.format("ja")}</body><body name="b" pos=".15 0 0">{ball.format("jb")}</body>'
            '</body></worldbody></mujoco>')
    with pytest.warns(espalier.EspalierWarning, match="a and b.*ignore_overlaps"):
        world = espalier.World(text)
    assert world.integrate().contacts == 1
    assert list(world.objects[0].ignore_overlaps()) == [(1, 2)]
    assert world.integrate().contacts == 0


def test_visuals_and_files(tmp_path):
    world, robot = robot_of(QUADRUPED)
    drawn = robot.vis_col_ob[0]
    R, position = robot.vis_col_ob_pose(0)
    assert R.shape == (3, 3) and position.shape == (3,)
    drawn.color = [1, 0, 0, 1]
    assert robot.vis_col_ob[0].color.tolist() == [1, 0, 0, 1]
    assert len(espalier.visuals_of_collisions(robot.model)) == len(robot.vis_col_ob)
    assert robot.robot_description_full_path == str(QUADRUPED)
    robot.export_robot_description_to_urdf(tmp_path / "copy.urdf")
    twin = world.add_articulated_system(tmp_path / "copy.urdf")
    assert np.allclose(twin.mass_matrix, robot.mass_matrix, rtol=1e-12)
    assert robot.robot_description.startswith("<?xml") or "<robot" in robot.robot_description
    assert robot.options.do_not_collide_with_parent


def test_a_robot_shows_its_tree():
    world, robot = robot_of(QUADRUPED)
    text = repr(robot)
    for name in (*robot.body_names, *robot.movable_joint_names[1:], "floating", "revolute"):
        assert name in text


def test_sizes_are_checked():
    world, robot = robot_of(ARM)
    for name in ("q", "u", "generalized_force", "joint_damping", "joint_friction",
                 "spring_stiffness", "joint_velocity_limits", "spring_mount", "rotor_inertia"):
        before = getattr(robot, name)
        for wrong in (np.zeros(6), np.zeros(8), np.zeros((7, 1)), 3.0):
            with pytest.raises(ValueError):
                setattr(robot, name, wrong)
        assert np.array_equal(getattr(robot, name), before)
    for call in (robot.compute_forward_dynamics, robot.compute_inverse_dynamics,
                 robot.mass_matrix_vec_mul):
        with pytest.raises(ValueError):
            call(np.zeros(3))
    for name in ("q", "u"):
        with pytest.raises(ValueError):
            setattr(robot, name, np.full(7, np.nan))
