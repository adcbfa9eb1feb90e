"""Drag of a medium (MediumSpec), against MuJoCo's forces of fluids by inertia."""

import numpy as np
import pytest

import espalier
from package_paths import ROOT

SWIMMER = """<mujoco model="swimmer"><option density="{density}" viscosity="{viscosity}" wind="{wind}"/>
<worldbody><body name="head" pos="0 0 1" euler="10 -20 30"><freejoint/>
  <geom type="capsule" fromto="-.5 .1 0 .5 0 .2" size=".1"/>
  <geom type="box" size=".2 .05 .1" pos=".3 0 .2" euler="0 40 0" density="400"/>
  <body name="fin" pos=".6 .1 0"><geom type="box" size=".02 .2 .1" euler="0 30 0" mass=".02"/></body>
  <body name="tail" pos="-.5 0 0"><joint name="tail" axis="0 .6 .8"/>
    <geom type="ellipsoid" size=".3 .1 .05" pos="-.3 0 0" euler="5 6 7"/>
    <body name="end" pos="-.6 0 0"><joint name="end" axis="0 0 1"/>
      <geom type="cylinder" size=".1 .02" pos="-.1 .02 0"/></body></body></body></worldbody></mujoco>"""


def robot_of(text):
    return espalier.io.parse_mjcf_robot(text, "swimmer.xml")


MEDIA = [(1000, 0, "0 0 0"), (0, 3, "0 0 0"), (1.2, 1.8e-5, "3 -4 1"), (300, 2, ".5 1 -1")]


def accelerations(text, q, u):
    """udot of one step of 1e-8 s."""
    world = espalier.World()
    world.gravity = (0, 0, -9.81)
    world.integration_scheme = espalier.Scheme.SEMI_IMPLICIT
    world.time_step = 1e-8
    robot = world.add_articulated_system(robot_of(text))
    robot.set_state(q, u)
    world.integrate()
    return (robot.generalized_velocity - u) / 1e-8


@pytest.mark.parametrize("density, viscosity, wind", MEDIA)
def test_links_are_dragged_as_in_mujoco(density, viscosity, wind):
    mujoco = pytest.importorskip("mujoco")
    text = SWIMMER.format(density=density, viscosity=viscosity, wind=wind)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    rng = np.random.default_rng(4)
    for _ in range(5):
        mujoco.mj_resetData(model, data)
        mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv), 1)
        data.qvel[:] = rng.normal(size=model.nv)
        mujoco.mj_forward(model, data)
        assert np.linalg.norm(data.qfrc_fluid) > 1e-3
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, data.qpos[3:7])
        turn = np.eye(model.nv)
        turn[3:6, 3:6] = R.reshape(3, 3)  # MuJoCo's angular velocity is in the body's axes
        ours = accelerations(text, data.qpos, turn @ data.qvel)
        np.testing.assert_allclose(ours, turn @ data.qacc, rtol=1e-5, atol=2e-5)


def test_a_medium_may_be_given_in_a_spec():
    spec = robot_of(SWIMMER.format(density=0, viscosity=0, wind="0 0 0"))
    assert spec.medium.density == 0 and not espalier.compile(spec).drag_boxes
    spec.medium.density = 5
    spec.medium.wind = (1, 2, 3)
    again = espalier.io.parse_urdf(espalier.io.export_urdf(spec), "again.urdf")
    assert again.medium.density == 5
    np.testing.assert_array_equal(again.medium.wind, (1, 2, 3))
    boxes = espalier.compile(again).drag_boxes
    assert [box.body for box in boxes] == [0, 0, 1, 2]
    np.testing.assert_allclose(sorted(boxes[1].size), (0.04, 0.2, 0.4), rtol=1e-9)
    spec.medium.viscosity = -1
    with pytest.raises(espalier.SpecError, match="medium"):
        espalier.compile(spec)


def cube_in(**medium):
    """A cube of 2 kg that has the inertia of one of 0.3 m."""
    inertia = 2 * 0.3**2 / 6
    spec = espalier.SystemSpec(name="cube", links=[espalier.LinkSpec(
        "cube", espalier.InertialSpec(2, I=inertia * np.eye(3)))])
    spec.medium = espalier.MediumSpec(**medium)
    return spec


def test_a_cube_sinks_at_its_terminal_velocity_and_drifts_with_the_wind():
    density, viscosity, side = 50, 3, 0.3
    world = espalier.World()
    world.time_step = 0.002
    cube = world.add_articulated_system(
        cube_in(density=density, viscosity=viscosity, wind=(0.5, 0, 0)))
    for _ in range(5000):
        world.integrate()
    linear, square = 3 * np.pi * side * viscosity, density / 2 * side**2
    fall = (-linear + np.sqrt(linear**2 + 4 * square * 2 * 9.81)) / (2 * square)
    np.testing.assert_allclose(cube.generalized_velocity[:3], (0.5, 0, -fall), rtol=1e-9, atol=1e-9)


def test_a_stiff_medium_stops_and_does_not_throw_back():
    world = espalier.World()
    world.gravity = (0, 0, 0)
    cube = world.add_articulated_system(cube_in(viscosity=1e6))
    cube.set_state(cube.generalized_coordinate, [3, -2, 1, 5, 6, -7])
    for _ in range(50):
        before = cube.kinetic_energy
        world.integrate()
        assert cube.kinetic_energy <= before
    assert cube.kinetic_energy < 1e-12


@pytest.mark.parametrize("mode", ["accurate", "throughput"])
def test_lanes_have_it(mode):
    text = SWIMMER.format(density=300, viscosity=2, wind=".5 1 -1")
    world = espalier.World()
    robot = world.add_articulated_system(robot_of(text))
    batch = espalier.Batch(espalier.copy_world(world), 9, mode=mode, threads=1)
    speed = np.random.default_rng(0).normal(size=(9, robot.dof))
    batch.bind("u")[:] = speed
    batch.step(nstep=100)
    for k in (0, 4, 8):
        world.reset()
        robot.generalized_velocity = speed[k]
        for _ in range(100):
            world.integrate()
        if mode == "accurate":
            np.testing.assert_array_equal(batch.bind("q")[k], robot.generalized_coordinate)
        else:
            np.testing.assert_allclose(
                batch.bind("q")[k], robot.generalized_coordinate, rtol=0, atol=1e-6)


def test_a_linkage_is_slowed_down():
    spec = espalier.io.load_robot(ROOT / "models/four_bar/four_bar.urdf")
    spec.medium.viscosity = 2
    world = espalier.World()
    world.gravity = (0, 0, 0)
    robot = world.add_articulated_system(spec)
    robot.generalized_velocity = [3]
    before = start = robot.kinetic_energy
    for _ in range(300):
        world.integrate()
        assert robot.kinetic_energy < before
        before = robot.kinetic_energy
    assert before < 0.5 * start
