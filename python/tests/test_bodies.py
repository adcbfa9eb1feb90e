"""Single bodies and the shapes they have."""
import espalier
import numpy as np
import pytest
from espalier import BodyType, ObjectType


@pytest.fixture
def world():
    return espalier.World()


def test_inertias_are_those_of_homogeneous_solids(world):
    m, r, h = 3.0, 0.2, 0.5
    sphere, box = world.add_sphere(r, m), world.add_box(0.1, 0.2, 0.3, m)
    cylinder, capsule = world.add_cylinder(r, h, m), world.add_capsule(r, h, m)
    assert np.allclose(sphere.inertia_B, 0.4 * m * r**2 * np.eye(3), rtol=1e-14)
    assert np.allclose(np.diag(box.inertia_B),
                       m / 12 * np.array([0.2**2 + 0.3**2, 0.1**2 + 0.3**2, 0.1**2 + 0.2**2]))
    side = m * (3 * r**2 + h**2) / 12
    assert np.allclose(np.diag(cylinder.inertia_B), [side, side, m * r**2 / 2])
    share = h / (h + 4 / 3 * r)  # of the cylinder in a capsule
    axial = m * (share * r**2 / 2 + (1 - share) * 0.4 * r**2)
    assert capsule.inertia_B[2, 2] == pytest.approx(axial, rel=1e-12)
    for body in (sphere, box, cylinder, capsule):
        assert body.mass == m and np.all(body.com == 0)
        assert isinstance(body, espalier.SingleBodyObject) and isinstance(body, espalier.Object)
    assert (sphere.radius, cylinder.radius, cylinder.height) == (r, r, h)
    assert (capsule.radius, capsule.height, box.dim.tolist()) == (r, h, [0.1, 0.2, 0.3])
    kinds = [ObjectType.SPHERE, ObjectType.BOX, ObjectType.CYLINDER, ObjectType.CAPSULE]
    assert [o.object_type for o in world.objects] == kinds


def test_poses(world):
    box = world.add_box(1, 2, 3, 1)
    half = np.sqrt(0.5)
    box.set_pose([1, 2, 3], [half, 0, 0, half])  # x to y
    assert np.allclose(box.rotation_matrix @ [1, 0, 0], [0, 1, 0])
    assert np.allclose(box.orientation, box.rotation_matrix)
    box.orientation = np.diag([1.0, -1, -1])
    assert np.allclose(np.abs(box.quaternion), [0, 1, 0, 0], atol=1e-12)
    box.quaternion = [2, 0, 0, 0]  # made unit
    assert box.quaternion.tolist() == [1, 0, 0, 0]
    box.set_pose([0, 0, 0], np.eye(3))
    for wrong in ([0, 0, 0, 0], 2 * np.eye(3), np.full((3, 3), np.nan)):
        with pytest.raises(ValueError):
            box.orientation = wrong
    with pytest.raises((TypeError, ValueError)):
        box.orientation = [1, 2, 3]
    with pytest.raises(ValueError):
        box.position = [np.inf, 0, 0]
    assert np.array_equal(box.rotation_matrix, np.eye(3))


def test_velocities_of_points(world):
    box = world.add_box(1, 1, 1, 1)
    box.set_velocity([1, 0, 0], [0, 0, 2])
    assert np.allclose(box.velocity(), [1, 0, 0])
    assert np.allclose(box.velocity([0, 0.5, 0]), [1 - 2 * 0.5, 0, 0])
    assert np.allclose(box.velocity(point_B=[0.5, 0, 0]), [1, 1, 0])


def test_momenta_and_energies(world):
    box = world.add_box(0.3, 0.4, 0.5, 2)
    box.position, box.linear_velocity, box.angular_velocity = [0, 0, 1], [1, 2, 3], [0.3, -1, 2]
    w, v = box.angular_velocity, box.linear_velocity
    assert np.allclose(box.linear_momentum, 2 * v)
    assert np.allclose(box.angular_momentum, box.inertia_matrix_W @ w)
    assert box.kinetic_energy == pytest.approx(v @ v + w @ box.inertia_matrix_W @ w / 2)
    assert box.potential_energy([0, 0, -10]) == pytest.approx(2 * 10 * 1)
    assert box.energy([0, 0, -10]) == pytest.approx(box.kinetic_energy + 20)
    world.gravity = [0, 0, 0]
    before = box.angular_momentum
    world.step(2000)
    assert np.allclose(box.angular_momentum, before, rtol=1e-6)


def test_forces_and_torques_act_for_one_step(world):
    world.gravity = [0, 0, 0]
    box, dt = world.add_box(1, 1, 1, 4), world.time_step
    box.set_external_force([8, 0, 0])
    box.set_external_force([0, 4, 0])  # they add up
    box.set_external_torque([0, 0, 2])
    world.step()
    assert np.allclose(box.linear_velocity, [2 * dt, dt, 0], rtol=1e-9)
    assert np.allclose(box.angular_velocity, [0, 0, 2 / box.inertia_B[2, 2] * dt], rtol=1e-9)
    velocity = box.linear_velocity
    world.step()
    assert np.allclose(box.linear_velocity, velocity)
    box.set_external_force([1, 0, 0], point_B=[0, 0.5, 0])
    box.clear_external_forces_and_torques()
    world.step()
    assert np.allclose(box.linear_velocity, velocity)
    box.angular_velocity = [0, 0, 0]
    box.quaternion = [1, 0, 0, 0]
    box.set_external_force([1, 0, 0], [0, 0.5, 0])
    world.step()
    assert box.angular_velocity[2] == pytest.approx(-0.5 / box.inertia_B[2, 2] * dt, rel=1e-6)


def test_body_types(world):
    box = world.add_box(1, 1, 1, 1)
    assert box.body_type == BodyType.DYNAMIC
    box.body_type = BodyType.KINEMATIC
    box.linear_velocity = [1, 0, 0]
    world.step(100)
    assert np.allclose(box.position, [0.1, 0, 0])
    box.body_type = BodyType.STATIC
    with pytest.raises(ValueError):
        box.linear_velocity = [1, 0, 0]
    with pytest.raises(ValueError):
        world.add_ground().body_type = BodyType.DYNAMIC
    with pytest.raises(TypeError):
        box.body_type = 1.5


def test_damping_slows_down_exponentially(world):
    world.gravity = [0, 0, 0]
    ball = world.add_sphere(0.1, 2)
    ball.linear_damping, ball.linear_velocity = 3, [1, 0, 0]
    world.step(500)
    assert ball.linear_velocity[0] == pytest.approx(np.exp(-3 / 2 * 0.5), rel=1e-5)


def test_masses_are_set(world):
    box = world.add_box(1, 1, 1, 1)
    box.mass, box.com, box.inertia_B = 5, [0.1, 0, 0], np.diag([1, 2, 2.5])
    assert box.mass == 5 and np.array_equal(box.inertia_matrix_B, np.diag([1, 2, 2.5]))
    assert np.allclose(box.com_position, [0.1, 0, 0]) and np.allclose(box.com_B, [0.1, 0, 0])
    for wrong in (0, -1, float("nan")):
        with pytest.raises(ValueError):
            box.mass = wrong
    with pytest.raises(ValueError):
        box.inertia_B = np.diag([1, -2, 3])
    with pytest.raises(ValueError):
        box.set_inertia(np.arange(9.0).reshape(3, 3))
    assert box.mass == 5


def test_groups_and_masks_decide_who_meets_whom(world):
    world.add_ground()
    through, carried = world.add_sphere(0.1, 1, group=2, mask=4), world.add_sphere(0.1, 1)
    carried.position, through.position = [1, 0, 0.1], [0, 0, 0.1]
    world.step(300)
    assert through.position[2] < -0.1 and carried.position[2] == pytest.approx(0.1, abs=1e-3)
    carried.collision_mask = 8
    assert (carried.collision_group, carried.collision_mask) == (1, 8)
    world.step(300)
    assert carried.position[2] < -0.1
    for wrong in (-1, 1 << 64, "a"):
        with pytest.raises(TypeError):
            carried.collision_group = wrong


def test_compounds_and_specs(world):
    parts = [espalier.CollisionSpec(shape=espalier.SphereShape(0.1)),
             espalier.CollisionSpec(shape=espalier.BoxShape([0.1, 0.1, 0.1]))]
    body = world.add_compound(parts, 2, [0, 0, 0], np.eye(3))
    assert isinstance(body, espalier.Compound) and len(body.spec().collisions) == 2
    twin = world.add_body(body.spec())
    assert isinstance(twin, espalier.Compound) and twin.mass == 2
    body.appearance = "0.1 0.2 0.3 1"
    assert np.allclose(body.spec().visuals[0].rgba, [0.1, 0.2, 0.3, 1])
    with pytest.raises(ValueError):
        world.add_compound([], 1, [0, 0, 0], np.eye(3))
    with pytest.raises(ValueError):
        world.add_sphere(-1, 1)


def test_height_maps(world):
    x, y = np.meshgrid(np.linspace(-1, 1, 5), np.linspace(-2, 2, 9))
    heights = 0.5 + 0.25 * x + 0.125 * y
    terrain = world.add_height_map(5, 9, 2, 4, 3, 4, heights)
    flat = world.add_height_map(5, 9, 2, 4, 30, 4, heights.ravel())
    assert np.array_equal(terrain.height_vector, heights.ravel())
    assert np.array_equal(flat.height_vector, terrain.height_vector)
    assert (terrain.x_samples, terrain.y_samples, terrain.x_size, terrain.center_y) == (5, 9, 2, 4)
    assert terrain.height(3.3, 4.7) == pytest.approx(0.5 + 0.25 * 0.3 + 0.125 * 0.7)
    normal = np.array([-0.25, -0.125, 1])
    assert np.allclose(terrain.normal(3.1, 4.2), normal / np.linalg.norm(normal))
    with pytest.raises(ValueError):
        terrain.height(100, 100)
    with pytest.raises(ValueError, match="y_samples, x_samples"):
        world.add_height_map(5, 9, 2, 4, 3, 4, heights.T)
    assert isinstance(world.add_height_map(terrain), espalier.HeightMap)
    assert terrain.data.x_samples == 5


def test_meshes(world, tmp_path):
    corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    faces = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]
    file = tmp_path / "cube.obj"
    file.write_text("".join(f"v {x} {y} {z}\n" for x, y, z in corners) +
                    "".join("f " + " ".join(map(str, face)) + "\n" for face in faces))
    mesh = world.add_mesh(file, 2, scale=0.5)
    assert np.allclose(mesh.com, [0.25, 0.25, 0.25])
    assert np.allclose(mesh.inertia_B, 2 * 0.5**2 / 6 * np.eye(3))
    twin = world.add_mesh(mesh)
    assert twin.mass == 2 and twin.mesh_file_name == str(file)
    own = world.add_mesh(str(file), 3, np.eye(3), [0.1, 0, 0])
    assert own.mass == 3 and np.allclose(own.com, [0.1, 0, 0])
    with pytest.raises(ValueError, match="none.obj"):
        world.add_mesh(tmp_path / "none.obj", 1)
