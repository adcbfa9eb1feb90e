"""Batch.observe(): columns and names, memory of the caller, threads, history, delay, noise, refusals; poses and
velocities are tested in C++."""

import gc

import numpy as np
import pytest

import espalier
from espalier import Quantity
from package_paths import ROOT

N = 70
MODES = [("accurate", "double"), ("throughput", "double"), ("throughput", "float")]


def world():
    made = espalier.World()
    made.time_step = 0.002
    made.add_ground()
    robot = made.add_articulated_system(ROOT / "models/strider/strider.urdf")
    robot.base_position = [0, 0, 0.02 - robot.lowest_collision_point]
    robot.set_pd_gains(100, 5)
    robot.set_pd_target(robot.q)
    return made


def moving(mode="throughput", scalar="float", threads=1):
    batch = espalier.Batch(world, N, mode=mode, scalar=scalar, threads=threads)
    rng = np.random.default_rng(0)
    batch.bind("u")[:] = rng.uniform(-0.5, 0.5, (N, batch.nu))
    batch.step(nstep=15)
    return batch


@pytest.mark.parametrize(("mode", "scalar"), MODES)
def test_columns_are_those_of_the_state(mode, scalar):
    batch = moving(mode, scalar)
    q, u = batch.bind("q"), batch.bind("u")
    commands = np.arange(3.0 * N).reshape(3, N)
    observer = batch.observe([
        "q", Quantity("u", ["LF_KFE", "base.vx"], scale=(0.5, 2), offset=1, clip=(-1, 1.2)),
        Quantity(array=commands.T, scale=0.1, label="command"), Quantity("gravity", label="down"),
        Quantity("contact_force", "LF_shank"), "time", Quantity("contact", threshold=1.0)], dtype="float64")
    seen = observer()
    assert seen.shape == (N, len(observer.names)) and seen.dtype == np.float64 and seen.flags.c_contiguous
    at = dict(zip(observer.names, seen.T, strict=True))
    assert observer.names[:8] == ["q/base.x", "q/base.y", "q/base.z", "q/base.qw", "q/base.qx", "q/base.qy",
                                  "q/base.qz", "q/LF_HAA"]
    np.testing.assert_array_equal(seen[:, :19], q)
    names = espalier.load(ROOT / "models/strider/strider.urdf").dof_names()
    np.testing.assert_allclose(at["u/LF_KFE"], np.clip(0.5 * u[:, names.index("LF_KFE")] + 1, -1, 1.2), rtol=1e-6)
    np.testing.assert_allclose(at["u/base.vx"], np.clip(2 * u[:, 0] + 1, -1, 1.2), rtol=1e-6)
    np.testing.assert_allclose(at["command.2"], 0.1 * commands[2], rtol=1e-6)
    w, x, y, z = q[:, 3:7].T
    np.testing.assert_allclose(at["down/base.x"], -2 * (x * z - w * y), atol=1e-6)
    bodies = [body.name for body in espalier.load(ROOT / "models/strider/strider.urdf").bodies]
    shank = bodies.index("LF_shank")
    np.testing.assert_array_equal(at["contact_force/LF_shank.z"], batch.bind("contact_force")[:, 3 * shank + 2])
    np.testing.assert_array_equal(at["time"], batch.bind("time")[:, 0])
    force = batch.bind("contact_force").reshape(N, -1, 3)
    np.testing.assert_array_equal(seen[:, -len(bodies):], np.linalg.norm(force, axis=2) > 1)
    assert 0 < at["contact/LF_shank"].sum()


def test_arrays_are_read_as_they_are_now():
    batch = moving()
    for dtype in (np.float32, np.float64, np.int32, np.int64, bool):
        wide = np.zeros((N, 6), dtype)
        observer = batch.observe([Quantity(array=wide[:, 1::2])])
        wide[:, 3] = np.arange(N) % 2
        np.testing.assert_array_equal(observer(), wide[:, 1::2])
        np.testing.assert_array_equal(observer([3, 8]), wide[[3, 8], 1::2])
    del wide
    gc.collect()
    assert observer()[1].tolist() == [0, 1, 0]


@pytest.mark.parametrize(("mode", "scalar"), MODES)
def test_torques_are_those_of_the_motors(mode, scalar):
    batch = moving(mode, scalar)
    bound = {name: batch.bind(name) for name in ("q", "u", "target_q", "target_u", "kp", "kd", "feedforward",
                                                 "torque_lower", "torque_upper")}
    bound["feedforward"][:, 8] = 500
    bound["target_u"][:, 7] = 0.3
    q, target = bound["q"][:, 7:], bound["target_q"][:, 7:]
    u, rate, kp, kd, forward, lower, upper = (
        bound[name][:, 6:] for name in ("u", "target_u", "kp", "kd", "feedforward", "torque_lower", "torque_upper"))
    wanted = np.clip(kp * (target - q) + kd * (rate - u) + forward, lower, upper)
    observer = batch.observe(["torque", Quantity("torque", ["RH_KFE"])], dtype="float64")
    assert observer.names[0] == "torque/LF_HAA" and len(observer.names) == 13
    np.testing.assert_allclose(observer()[:, :12], wanted, rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(observer()[:, 12], observer()[:, 11])
    assert (observer()[:, 2] == upper[:, 2]).all()


@pytest.mark.parametrize(("mode", "scalar"), MODES)
def test_differences_and_reductions(mode, scalar):
    batch = moving(mode, scalar)
    q, u = (batch.bind(name).astype(float) for name in "qu")
    last = np.random.default_rng(2).normal(size=(18, N)).astype(np.float32)
    observer = batch.observe([
        Quantity("u", minus=last.T, scale=2), Quantity("u", minus=last.T, scale=2, reduction="squares"),
        Quantity("q", ["LF_HAA", "base"], offset=np.arange(8), reduction="largest", label="far"),
        Quantity("frame_position", ["base", "LF_shank"], reduction="squares", clip=(0, 0.3))], dtype="float64")
    assert observer.names[18:] == ["u/squares", "far/largest", "frame_position/squares"]
    seen = observer()
    rates = 2 * (u - last.T)
    np.testing.assert_allclose(seen[:, :18], rates, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(seen[:, 18], (rates**2).sum(axis=1), rtol=1e-5)
    np.testing.assert_allclose(seen[:, 19], np.abs(q[:, [7, 0, 1, 2, 3, 4, 5, 6]] + np.arange(8)).max(axis=1),
                               rtol=1e-6)
    positions = batch.observe([Quantity("frame_position", ["base", "LF_shank"])])()
    np.testing.assert_allclose(seen[:, 20], np.minimum((positions**2).sum(axis=1), 0.3), rtol=1e-5)


def test_out_may_have_any_strides():
    batch = moving()
    observer = batch.observe(["u", "gravity"])
    seen = observer()
    columns = np.zeros((len(observer.names), N), np.float32)
    assert observer(out=columns.T).base is columns
    np.testing.assert_array_equal(columns.T, seen)
    wide = np.zeros((2 * N, 30), np.float32)
    observer(out=wide[::2, 3:3 + len(observer.names)])
    np.testing.assert_array_equal(wide[::2, 3:3 + len(observer.names)], seen)
    assert not wide[1::2].any()
    mask = np.arange(N) % 3 == 1
    np.testing.assert_array_equal(observer(mask), seen[mask])
    assert observer([]).shape == (0, len(observer.names))


@pytest.mark.parametrize(("mode", "scalar"), MODES)
def test_threads_change_nothing(mode, scalar):
    def run(threads):
        batch = espalier.Batch(world, 300, mode=mode, scalar=scalar, threads=threads)
        observer = batch.observe(["q", "frame_quaternion", "frame_velocity", "contact_force"], history=2,
                                 noise=0.1, delay=np.arange(300) % 2, seed=3)
        seen = []
        for _ in range(3):
            batch.step(nstep=2)
            seen.append(observer())
        return np.array(seen)

    np.testing.assert_array_equal(run(1), run(2))


def test_history_is_newest_first_and_starts_at_the_reset():
    batch = moving()
    observer = batch.observe(["time"], history=3)
    assert observer.names == ["time", "time@-1", "time@-2"]
    time = batch.bind("time")
    for now, wanted in ((1, [1, 1, 1]), (2, [2, 1, 1]), (3, [3, 2, 1]), (4, [4, 3, 2])):
        time[:] = now
        assert (observer() == wanted).all()
    observer.reset([4])
    time[:] = 5
    seen = observer()
    assert seen[4].tolist() == [5, 5, 5] and seen[3].tolist() == [5, 4, 3]


def test_delays_are_those_of_each_world():
    batch = moving()
    delay = np.arange(N) % 4
    observer = batch.observe(["time"], delay=delay)
    time = batch.bind("time")
    for now in range(10):
        time[:] = now
        seen = observer()[:, 0]
    np.testing.assert_array_equal(seen, 9 - delay)
    observer.set_delay(0, ids=[3])
    observer.set_delay(2)
    with pytest.raises(ValueError, match="between 0 and 3"):
        observer.set_delay(4)
    assert (observer() == 8).sum() > 0


def test_noise_is_a_function_of_seed_world_and_step():
    batch = moving()
    plain = batch.observe(["q"])()

    def noise(**options):
        observer = batch.observe(["q"], noise=0.25, **options)
        return np.array([observer() - plain for _ in range(3)])

    first = noise(seed=1)
    assert np.abs(first).max() <= 0.2501 and np.abs(first).max() > 0.24 and abs(first.mean()) < 0.01
    np.testing.assert_array_equal(noise(seed=1), first)
    assert not np.array_equal(noise(seed=2), first) and not np.array_equal(first[0], first[1])
    np.testing.assert_allclose(noise(seed=1, first_world=10)[:, :-10], first[:, 10:], atol=1e-6)
    each = np.zeros(19)
    each[4] = 0.1
    difference = batch.observe(["q"], noise=each)() - plain
    assert difference[:, 4].any() and not np.delete(difference, 4, axis=1).any()


def test_an_observer_keeps_its_batch():
    observer = moving().observe(["q"])
    gc.collect()
    assert observer().shape == (N, 19)


def test_what_is_wrong_is_named():
    batch = moving()
    out = np.zeros((N, 19), np.float32)
    out.setflags(write=False)
    for call, message in [
        (lambda: batch.observe(["speed"]), "no quantity 'speed'; the nearest are"),
        (lambda: batch.observe([Quantity("q", "LF_HFF")]), "no joint 'LF_HFF'; the nearest are LF_HFE"),
        (lambda: batch.observe([Quantity("gravity", "torso")]), "no frame 'torso'; the nearest are"),
        (lambda: batch.observe([]), "an observation needs a quantity"),
        (lambda: batch.observe("q"), "quantities is a list"),
        (lambda: batch.observe(["q"], history=0), "history is at least 1"),
        (lambda: batch.observe(["q"], delay=-1), "delay is not negative"),
        (lambda: batch.observe(["q"], delay=0.5), "delay is a whole number"),
        (lambda: batch.observe(["q"], delay=[1, 2]), "delay has 2 numbers"),
        (lambda: batch.observe(["q"], noise=[1, 2]), "noise has 2 numbers"),
        (lambda: batch.observe(["q"], noise=-1), "noise is finite and not negative"),
        (lambda: batch.observe(["q"], seed=-1), "a seed is not negative"),
        (lambda: batch.observe(["q"], dtype="int32"), "dtype is float32 or float64"),
        (lambda: batch.observe([Quantity("q", scale=[1, 2])]), "scale of 'q' has 2 numbers"),
        (lambda: batch.observe([Quantity("q", clip=(1, 0))]), "ends before it begins"),
        (lambda: batch.observe([Quantity("q", minus=np.zeros((N, 3)))]), "minus of 'q' has 3 columns, and the .* 19"),
        (lambda: batch.observe([Quantity("q", "LF_HAA", minus=np.zeros((2, 1)))]), "has 2 rows"),
        (lambda: batch.observe([Quantity("torque", "base")]), "joints without a quaternion"),
        (lambda: Quantity("q", reduction="sum"), "reduction is 'squares' or 'largest'"),
        (lambda: batch.observe([Quantity("heights")]), "points are given for 'heights'"),
        (lambda: batch.observe([Quantity()]), "needs an array"),
        (lambda: batch.observe([Quantity(array=np.zeros((3, 2)))]), "has 3 rows, and there are 70 worlds"),
        (lambda: batch.observe([Quantity(array=np.zeros((N, 2), complex))]), "float32, float64"),
        (lambda: Quantity(array=[[1, 2]]), "an observed array is a numpy array"),
        (lambda: Quantity("q", axes="local"), "axes is 'world' or 'frame'"),
        (lambda: batch.observe(["q"])([N]), "there is no world 70"),
        (lambda: batch.observe(["q"])([1, 1]), "world 1 is named twice"),
        (lambda: batch.observe(["q"])(out=np.zeros((N, 19))), "out is an array of float32"),
        (lambda: batch.observe(["q"])(out=out), "that can be written"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()


def test_ground_is_needed_for_heights():
    made = espalier.World()
    made.add_articulated_system(ROOT / "models/cartpole/cartpole.urdf")
    batch = espalier.Batch(made, 2)
    with pytest.raises(ValueError, match="the world has no ground"):
        batch.observe([Quantity("heights", points=[[0, 0]])])


def test_heights_of_rough_ground():
    from espalier.learn.terrain import Terrain, TerrainOptions

    terrain = Terrain(TerrainOptions(levels=2))

    def rough():
        made = espalier.World()
        terrain.add_to(made)
        made.add_articulated_system(ROOT / "models/strider/strider.urdf")
        return made

    batch = espalier.Batch(rough, N, mode="throughput", scalar="double")
    q = batch.bind("q")
    rng = np.random.default_rng(1)
    q[:, :2] = rng.uniform(-6, 6, (N, 2))
    yaw = rng.uniform(-3, 3, N)
    q[:, 3], q[:, 6] = np.cos(yaw / 2), np.sin(yaw / 2)
    points = np.stack(np.meshgrid([-0.5, 0, 0.5], [-0.3, 0.3])).reshape(2, -1).T
    seen = batch.observe([Quantity("heights", points=points)], dtype="float64")()
    x = q[:, :1] + np.outer(np.cos(yaw), points[:, 0]) - np.outer(np.sin(yaw), points[:, 1])
    y = q[:, 1:2] + np.outer(np.sin(yaw), points[:, 0]) + np.outer(np.cos(yaw), points[:, 1])
    bilinear = terrain.height(np.stack([x.ravel(), y.ravel()])).reshape(x.shape) - q[:, 2:3]
    assert np.abs(seen - bilinear).max() < 0.13 and np.median(np.abs(seen - bilinear)) < 0.005
