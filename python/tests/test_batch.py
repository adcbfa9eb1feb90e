"""Batch from Python: live views, who is stepped and reset, refusals; numbers are tested in C++."""

import numpy as np
import pytest

import espalier
from package_paths import ROOT

STRIDER = "models/strider/strider.urdf"


@pytest.fixture
def world():
    world = espalier.World()
    world.time_step = 0.002
    world.add_ground()
    robot = world.add_articulated_system(ROOT / STRIDER)
    robot.base_position = [0, 0, 0.02 - robot.lowest_collision_point]
    robot.set_pd_gains(100, 5)
    robot.set_pd_target(robot.q)
    return world


MODES = [("accurate", "double"), ("throughput", "double"), ("throughput", "float")]


@pytest.mark.parametrize(("mode", "scalar"), MODES)
def test_views_are_the_batch_own_memory(world, mode, scalar):
    batch = espalier.Batch(world, 5, mode=mode, scalar=scalar, threads=2)
    q = batch.bind("q")
    assert q.shape == (len(batch), batch.nq) == (5, 19)
    assert q.dtype == (np.float64 if scalar == "double" else np.float32)
    assert batch.bind("kp")[3, 6] == 100 and batch.bind("kp")[3, 0] == 0
    np.testing.assert_allclose(q[4], world.state.q, atol=1e-6)
    batch.step(nstep=3)
    assert batch.bind("q") is q
    assert np.all(q[:, 2] != np.float32(world.state.q[2]))
    q[1, 2] += 1
    assert batch.state(1).q[2] == q[1, 2]
    np.testing.assert_allclose(batch.bind("time")[:, 0], 0.006, rtol=1e-6)


def test_accurate_worlds_are_the_world_alone(world):
    batch = espalier.Batch(world, 3)
    alone = espalier.copy_world(world)
    batch.step(nstep=50)
    alone.step(50)
    np.testing.assert_array_equal(batch.bind("q")[2], alone.state.q)
    alone.state = batch.state(0)
    batch.step()
    alone.step()
    np.testing.assert_array_equal(batch.bind("u")[0], alone.state.u)


@pytest.mark.parametrize(("mode", "scalar"), MODES)
def test_the_report_is_live_and_read_only(world, mode, scalar):
    batch = espalier.Batch(world, 3, mode=mode, scalar=scalar)
    report = batch.report
    batch.bind("q")[1, 2] -= 0.1
    batch.step(nstep=5)
    assert all(each.shape == (3,) and not each.flags.writeable for each in report)
    assert report.penetration[1] > 0.05 > report.penetration[0]
    assert report.iterations[1] > 0
    np.testing.assert_array_equal(report.flags, batch.flags)
    batch.reset([1])
    assert report.penetration[1] == 0


@pytest.mark.parametrize(("mode", "scalar"), MODES)
def test_some_are_stepped_and_reset(world, mode, scalar):
    batch = espalier.Batch(world, 6, mode=mode, scalar=scalar)
    start = batch.bind("q").copy()
    batch.step([4, 1], nstep=5)
    moved = (batch.bind("q") != start).any(axis=1)
    assert moved.tolist() == [False, True, False, False, True, False]
    batch.reset(moved)
    np.testing.assert_array_equal(batch.bind("q"), start)
    state = batch.initial_state
    state.q[2] += 0.5
    batch.set_state(3, state)
    assert batch.bind("q")[3, 2] == pytest.approx(start[3, 2] + 0.5)
    batch.reset(state=state)
    assert (batch.bind("q")[:, 2] == batch.bind("q")[3, 2]).all()
    assert batch.flags.tolist() == [0] * 6


def test_who_falls_carries_its_weight(world):
    batch = espalier.Batch(world, 4, mode="throughput")
    batch.step(nstep=1500)
    force = batch.bind("contact_force").reshape(4, -1, 3).sum(axis=1)
    np.testing.assert_allclose(force[:, 2], world.systems[0].mass.sum() * 9.81, rtol=1e-3)
    assert batch.residual.max() < 1e-5


def test_a_source_may_be_a_function_or_a_world_file(world):
    made = espalier.Batch(lambda: espalier.copy_world(world), 2, threads=1)
    assert made.nq == 19
    crates = espalier.Batch(ROOT / "models/worlds/strider_crates.xml", 2, threads=1)
    crates.step()
    assert crates.nq == espalier.World(str(ROOT / "models/worlds/strider_crates.xml")).state.q.size
    fast = espalier.Batch(ROOT / "models/worlds/strider_crates.xml", 2, mode="throughput")
    fast.step()
    np.testing.assert_allclose(fast.bind("q"), crates.bind("q"), atol=1e-6)


def test_what_is_wrong_is_named(world):
    batch = espalier.Batch(world, 3, threads=1)
    for call, message in [
        (lambda: batch.bind("speed"), "no quantity 'speed'; there are q, u,"),
        (lambda: batch.step([3]), "there is no world 3 in a batch of 3"),
        (lambda: batch.step([1, 1]), "world 1 is named twice"),
        (lambda: batch.step(np.ones(4, bool)), r"a mask of worlds has the shape \(3,\)"),
        (lambda: batch.reset([0.5]), "ids are a list of integers or a mask"),
        (lambda: batch.step(nstep=0), "at least one step"),
        (lambda: espalier.Batch(world, 0), "a batch needs a world"),
        (lambda: espalier.Batch(world, 2, mode="fast"), "mode is 'accurate' or 'throughput'"),
        (lambda: espalier.Batch(world, 2, scalar="float"), "no ACCURATE mode"),
        (lambda: espalier.Batch(3, 2), "a Batch is made from a World"),
        (lambda: espalier.Batch(lambda: 3, 2), "must return a World"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()


def test_a_world_with_contacts_takes_its_own_state(world):
    batch = espalier.Batch(world, 2)
    batch.step(nstep=300)
    state = batch.state(0)
    batch.step(nstep=30)
    batch.set_state(1, state)
    batch.step([1], nstep=30)
    np.testing.assert_array_equal(batch.bind("q")[1], batch.bind("q")[0])


@pytest.mark.parametrize(("mode", "scalar"), MODES)
def test_what_was_saved_goes_on_to_the_bit(world, mode, scalar):
    """Accurate: from anywhere. Throughput: from a reset, because the warm start is not saved."""
    first, second = (espalier.Batch(world, 5, mode=mode, scalar=scalar, threads=1) for _ in range(2))
    first.bind("mass")[:, 0] = second.bind("mass")[:, 0] = np.linspace(0.8, 1.2, 5)
    first.bind("target_q")[:, 8] += 0.2
    first.step(nstep=40)
    if mode == "throughput":
        first.reset([1, 3])
    second.step([0, 2], nstep=7)
    second.restore(first.save([3, 1]), [0, 2])
    for batch, ids in ((first, [3, 1]), (second, [0, 2])):
        batch.step(ids, nstep=60)
    for name in ("q", "u", "time", "target_q", "mass"):
        np.testing.assert_array_equal(first.bind(name)[[3, 1]], second.bind(name)[[0, 2]])
    assert (second.bind("time")[:, 0] > 0).tolist() == [True, False, True, False, False]


def test_commands_on_their_way_are_saved(world):
    batch = espalier.Batch(world, 3)
    batch.bind("delay")[:] = [[0], [0.01], [0.06]]
    target = batch.bind("target_q")

    def go_on():
        for i in range(20):
            target[:, 8] = 0.6 + 0.2 * np.sin(0.3 * i)
            batch.step()
        return batch.bind("q").copy()

    go_on()
    saved = batch.save()
    first = go_on()
    batch.restore(saved)
    np.testing.assert_array_equal(go_on(), first)
    assert np.ptp(first[:, 7:], axis=0).max() > 1e-3


def test_a_delay_is_checked(world):
    batch = espalier.Batch(world, 3)
    batch.bind("delay")[2] = 1
    with pytest.raises(ValueError, match="world 2 have a delay of 1.0.* s: from 0 to 0.126"):
        batch.step()


def test_a_warm_start_is_not_saved_in_throughput_mode(world):
    first, second = (espalier.Batch(world, 1, mode="throughput", threads=1) for _ in range(2))
    first.step(nstep=40)
    second.restore(first.save())
    for batch in (first, second):
        batch.step(nstep=20)
    difference = np.abs(first.bind("q") - second.bind("q")).max()
    assert 0 < difference < 1e-6  # the solver's tolerance is 1e-6 m/s


def test_what_is_saved_is_checked(world):
    batch = espalier.Batch(world, 3)
    batch.step()
    saved = batch.save()
    assert saved["q"].shape == (19, 3) and saved["history_size"].all()
    before = batch.bind("q").copy()
    batch.step()
    for wrong, told in (({**saved, "speed": saved["q"]}, "no quantity 'speed'"),
                        ({**saved, "u": saved["u"][:, :2]}, r"u is saved with the shape \(18, 2\)"),
                        ({"q": saved["q"]}, "u, time, history, history_size is missing")):
        with pytest.raises(ValueError, match=told):
            batch.restore(wrong)
    assert not np.array_equal(batch.bind("q"), before)
    batch.restore(saved)
    np.testing.assert_array_equal(batch.bind("q"), before)


@pytest.mark.parametrize(("mode", "scalar"), MODES)
def test_batches_of_other_robots_step_together(world, mode, scalar):
    other = espalier.World()
    other.add_ground()
    other.add_articulated_system(ROOT / "models/arm7/arm7.urdf")
    made = [[espalier.Batch(source, n, mode=mode, scalar=scalar, threads=2) for source, n in ((world, 9), (other, 30))]
            for _ in range(2)]
    espalier.Batch.step_together(made[0], nstep=7)
    for together, alone in zip(*made):
        alone.step(nstep=7)
        np.testing.assert_array_equal(together.bind("q"), alone.bind("q"))
    espalier.Batch.step_together([])
    with pytest.raises(ValueError, match="twice"):
        espalier.Batch.step_together([made[0][0], made[0][0]])
    double, single = (espalier.Batch(other, 2, mode="throughput", scalar=s) for s in ("double", "float"))
    with pytest.raises(ValueError, match="all of double or all of float"):
        espalier.Batch.step_together([double, single])


@pytest.mark.parametrize(("mode", "scalar"), MODES)
def test_terrain_is_where_each_world_has_it(world, mode, scalar):
    batch = espalier.Batch(world, 3, mode=mode, scalar=scalar)
    heights = batch.observe([espalier.Quantity("heights", points=[[0, 0]])])
    terrain, q = batch.bind("terrain"), batch.bind("q")
    assert terrain.shape == (3, 3) and not terrain.any()
    terrain[1, 2], q[1, 2] = -1, q[1, 2] - 1
    terrain[2, 2] = -100
    batch.step(nstep=100)
    assert q[0, 2] == pytest.approx(q[1, 2] + 1, abs=1e-5)
    assert q[2, 2] < q[0, 2] - 0.15  # 0.2 s of free fall
    np.testing.assert_allclose(heights()[:, 0], terrain[:, 2] - q[:, 2], atol=1e-5)
    assert "terrain" in batch.save()


GRIPPER = """<mujoco><option timestep="0.002"/><worldbody>
  <body name="left" pos="0 0.1 0.5"><joint name="left" type="slide" axis="0 -1 0" range="0 0.09"/>
    <geom size="0.02" mass="0.1" contype="0" conaffinity="0"/></body>
  <body name="right" pos="0 -0.1 0.5"><joint name="right" type="slide" axis="0 1 0" range="0 0.09"/>
    <geom size="0.02" mass="0.1" contype="0" conaffinity="0"/></body>
</worldbody>
<tendon><fixed name="split"><joint joint="left" coef="0.5"/><joint joint="right" coef="0.5"/></fixed></tendon>
<actuator><position name="close" tendon="split" kp="100" kv="6" ctrlrange="0 0.1"/></actuator></mujoco>"""


@pytest.fixture
def gripper(tmp_path):
    file = tmp_path / "gripper.xml"
    file.write_text(GRIPPER)
    return espalier.World(file)


def test_a_gripper_is_closed_by_its_tendon(gripper):
    robot = gripper.systems[0]
    assert robot.tendon_names == ["close"]  # the actuator is a tendon, beside those of the file
    kp, kd = robot.tendon_gains
    assert kp == [100] and kd == [6]
    robot.set_tendon_target([0.05])
    copy = espalier.copy_world(gripper)
    gripper.step(500)
    assert robot.tendon_length == pytest.approx(0.05, abs=1e-6)
    np.testing.assert_allclose(robot.q, 0.05, atol=1e-6)
    robot.tendon_force = [1.5]
    gripper.step(500)
    assert robot.tendon_length == pytest.approx(0.05 + 1.5 / 100, abs=1e-6)
    copy.step(500)
    assert copy.systems[0].tendon_length == pytest.approx(0.05, abs=1e-6)


@pytest.mark.parametrize(("mode", "scalar"), MODES)
def test_grippers_of_a_batch_are_closed_each_by_its_own_command(gripper, mode, scalar):
    batch = espalier.Batch(gripper, 4, mode=mode, scalar=scalar)
    batch.bind("tendon_target")[:, 0] = [0.0, 0.02, 0.04, 0.06]
    batch.step(nstep=600)
    np.testing.assert_allclose(batch.bind("q"), np.outer([0.0, 0.02, 0.04, 0.06], [1, 1]), atol=1e-5)
