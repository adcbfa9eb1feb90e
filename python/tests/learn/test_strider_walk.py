"""StriderWalk: what its numbers mean, and what its options do."""
import numpy as np
import pytest

import espalier
from espalier.learn import RolloutEnv, StriderWalk, StriderWalkOptions, TerrainOptions
from espalier.learn.commands import CommandOptions
from espalier.learn.model_files import model_file
from espalier.learn.pushes import PushOptions
from espalier.learn.tasks.strider_rewards import TERMS, Weights

CALM = {"threads": 1, "rough": False, "pushes": PushOptions(impulse=0), "load": (1, 1), "friction": (1, 1),
        "strength": (1, 1)}


def walk(n=4, **options):
    return StriderWalk(n, StriderWalkOptions(**{**CALM, **options}))


def test_it_stands_under_zero_actions():
    task = walk(commands=CommandOptions(vx=(0, 0), vy=(0, 0), yaw_rate=(0, 0)))
    task.begin(1)
    for _ in range(100):
        came = task.step(np.zeros((4, 12)))
        assert not came.terminated.any() and not came.truncated.any()
    height = task.motion.position[2]
    assert (height > 0.45).all() and (height < 0.53).all()
    assert came.reward == pytest.approx(0.02 * (1.5 + 0.75), abs=0.01)  # it was told to stand
    assert task.feet.touching.all() and task.touches(task.shanks).all()
    assert not task.touches(task.thighs).any()


def test_observations_are_those_of_the_state():
    task = walk()
    task.begin(2)
    rng = np.random.default_rng(0)
    for _ in range(10):
        last = rng.uniform(-1, 1, (4, 12))
        obs = task.step(last).observation
    assert len(task.observation_names) == obs.shape[1] == 48
    at = {name: obs[:, i] for i, name in enumerate(task.observation_names)}
    q, u = task.batch.bind("q"), task.batch.bind("u")
    for i in range(4):
        R = rotation(q[i, 3:7])
        assert [at[f"velocity_{a}"][i] for a in "xyz"] == pytest.approx(2 * R.T @ u[i, :3], abs=1e-5)
        assert [at[f"rate_{a}"][i] for a in "xyz"] == pytest.approx(0.25 * R.T @ u[i, 3:6], abs=1e-5)
        assert [at[f"gravity_{a}"][i] for a in "xyz"] == pytest.approx(-R[2], abs=1e-6)
    joints = espalier.load(model_file("strider")).dof_names()[6:]
    assert joints == list(task.action_names)
    assert at["offset_LF_KFE"] == pytest.approx(q[:, 9] + 1.2, abs=1e-6)
    assert at["rate_RH_KFE"] == pytest.approx(0.05 * u[:, 17], abs=1e-6)
    assert at["action_LF_HFE"] == pytest.approx(last[:, 1], abs=1e-6)
    assert at["command_vx"] == pytest.approx(2 * task.commands.values[0])


def rotation(quaternion):
    w, x, y, z = quaternion
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


def test_motors_may_be_late():
    """By a control step: what they do in the second one was told them in the first."""
    prompt, late = walk(2, delay=(1e-6, 1e-6)), walk(2, delay=(0.02, 0.02))
    drawn = walk(4, delay=(0.004, 0.04))
    actions = np.zeros((2, 12))
    for task in (prompt, late):
        task.begin(3)
        task.step(actions)
    late.step(actions + 0.5)
    prompt.step(actions)
    assert np.array_equal(late.motors.q, prompt.motors.q)
    late.step(actions)
    prompt.step(actions + 0.5)
    assert np.array_equal(late.motors.q, prompt.motors.q)
    assert np.abs(late.motors.q - late.nominal[7:, None]).max() > 0.05
    drawn.begin(3)
    delays = drawn.batch.bind("delay")
    assert (delays >= 0.004).all() and (delays < 0.04).all() and np.unique(delays).size == 4


def test_actions_move_their_joints():
    task = walk(2, action_scale=0.4)
    task.begin(0)
    actions = np.zeros((2, 12))
    actions[1, task.action_names.index("LH_HFE")] = 1
    task.step(actions)
    target = task.batch.bind("target_q")[:, 7:]
    assert target[0] == pytest.approx(task.nominal[7:])
    assert target[1] - target[0] == pytest.approx(0.4 * actions[1])


def test_a_fall_ends_the_episode():
    task = walk(3)
    task.begin(0)
    q = task.batch.bind("q")
    q[1, 3:7] = [np.cos(0.6), np.sin(0.6), 0, 0]  # rolled by 1.2 rad
    q[1, 2] = 1.0
    assert task.step(np.zeros((3, 12))).terminated.tolist() == [False, True, False]


def test_the_base_on_the_ground_ends_the_episode():
    task = walk(2, mode="accurate", scalar="double")
    task.begin(0)
    q = task.batch.bind("q")
    q[1, 2] = 0.12  # level, limp, legs stretched out and up a little
    q[1, 7:] = 2 * [0, 1.75, 0] + 2 * [0, -1.75, 0]
    task.batch.bind("u")[1] = 0
    task.batch.bind("kp")[1] = 0
    came = []
    for _ in range(15):
        came.append(task.step(np.zeros((2, 12))).terminated.tolist())
        assert not task.diverged.any()
    assert [False, False] in came and [False, True] in came


def test_time_and_the_border_break_it_off():
    task = walk(1, episode_seconds=0.1)
    task.begin(0)
    assert [bool(task.step(np.zeros((1, 12))).truncated[0]) for _ in range(5)] == [False] * 4 + [True]
    task = walk(2, rough=True, terrain=TerrainOptions(levels=2, kinds=("flat",)))
    task.begin(0)
    task.batch.bind("q")[1, 0] = 11.0  # two tiles of 8 m, a border of 4 m
    came = task.step(np.zeros((2, 12)))
    assert came.truncated.tolist() == [False, True] and not came.terminated.any()


def test_every_term_of_the_reward_counts():
    task = walk(8)
    task.begin(3)
    rng = np.random.default_rng(1)
    for _ in range(60):
        task.step(rng.uniform(-1, 1, (8, 12)))
    signs = {name: np.sign(getattr(Weights(), name)) for name in TERMS}
    for name, sums in task.rewards.sums.items():
        if name not in ("leg_contact", "air_time"):
            assert (np.sign(sums) == signs[name]).all(), name
    assert np.abs(task.rewards.sums["air_time"]).max() > 0
    task.restart(np.array([2]))
    assert all(sums[2] == 0 for sums in task.rewards.sums.values())


def test_rewards_are_never_negative():
    task = walk(4, weights=Weights(velocity=0, yaw_rate=0))
    task.begin(0)
    assert task.step(np.ones((4, 12))).reward.tolist() == [0] * 4


def test_terms_without_weight_are_left_out():
    task = walk(1, weights=Weights(torque=0))
    assert "torque" not in task.rewards.sums and "tilt" in task.rewards.sums


def test_worlds_are_randomised_within_their_ranges():
    task = walk(200, load=(0.8, 1.3), friction=(0.5, 1.2), strength=(0.9, 1.1))
    task.begin(0)
    for name, low, high in (("mass", 0.8, 1.3), ("friction", 0.5, 1.2)):
        drawn = task.batch.bind(name)[:, 0]
        assert low <= drawn.min() < low + 0.05 and high - 0.05 < drawn.max() < high
    assert (task.batch.bind("mass")[:, 1:] == 1).all()
    gains = task.batch.bind("kp")[:, 6:]
    assert 90 <= gains.min() < 92 and 108 < gains.max() < 110 and (np.ptp(gains, axis=1) == 0).all()
    assert (task.batch.bind("kp")[:, :6] == 0).all()


def test_a_push_changes_the_momentum():
    task = walk(2, pushes=PushOptions(impulse=15, seconds=1000))
    task.begin(0)
    task.pushes._phase[:] = [1, 5]  # nobody is due but world 1, whose episode step is set so
    task.episode_step[:] = [0, task.pushes.interval - 6]
    before = task.batch.bind("u")[:, :2].copy()
    task.step(np.zeros((2, 12)))
    impulse = task.batch.bind("wrench")[:, :2] * 0.02
    assert not impulse[0].any() and np.abs(impulse[1]).max() > 1
    unpushed = task.batch.bind("u")[:, :2] - before
    task.step(np.zeros((2, 12)))
    pushed = task.batch.bind("u")[:, :2] - before - unpushed
    assert not task.batch.bind("wrench").any()
    # 30 kg, the feet hold some of it back
    assert np.linalg.norm(pushed[1]) > 0.3 * np.linalg.norm(impulse[1]) / 30
    assert pushed[1] @ impulse[1] > 0


def test_robots_start_on_their_tiles():
    task = walk(60, rough=True, highest_start=1)
    task.begin(4)
    xy = task.motion.position[:2]
    middle = task.terrain.middle(task.curriculum.level, task.curriculum.kind)
    assert np.abs(xy - middle).max() <= 0.3 and task.curriculum.level.max() == 1
    assert len(set(task.curriculum.kind)) == 6
    above = task.motion.position[2] - task.terrain.height(xy)
    assert (above > 0.5).all() and (above < 0.7).all()
    for _ in range(50):
        came = task.step(np.zeros((60, 12)))
        assert not came.terminated.any()


def test_who_falls_starts_lower():
    task = walk(2, rough=True, terrain=TerrainOptions(levels=3, kinds=("flat",)))
    env = RolloutEnv(task)
    env.reset(0)
    task.curriculum.level[:] = 2
    task.batch.bind("q")[0, 3:7] = [0, 1, 0, 0]  # on its back
    terminated = env.step(np.zeros((2, 12)))[2]
    assert terminated.tolist() == [True, False] and task.curriculum.level.tolist() == [1, 2]
    assert task.motion.up[2, 0] == pytest.approx(1)  # and stands again


def test_metrics_are_means_by_the_second():
    task = walk(3, episode_seconds=1)
    task.begin(0)
    total = sum(task.step(np.zeros((3, 12))).reward.astype(float) for _ in range(50))
    metrics = task.metrics(np.array([0, 2]))
    terms = sum(value for name, value in metrics.items() if name in TERMS)
    assert terms == pytest.approx(total[[0, 2]].mean(), rel=1e-4)  # nothing was cut off at zero
    assert metrics["fell"] == 0 and metrics["level"] == task.curriculum.level[[0, 2]].mean()


def test_a_world_does_not_depend_on_the_others():
    def run(n, first):
        task = walk(n, rough=True, first_world=first, pushes=PushOptions(seconds=0.2))
        numbers = np.arange(first, first + n)[:, None] + np.arange(12)
        return np.array([task.begin(5)] + [
            task.step(np.sin(numbers + k)).observation for k in range(30)])

    assert np.array_equal(run(6, 0)[:, 4:], run(2, 4))


def test_threads_change_nothing():
    def run(threads):
        task = walk(40, rough=True, threads=threads, pushes=PushOptions(seconds=0.2))
        first = task.begin(5)
        return np.array([first] + [
            task.step(np.full((40, 12), np.sin(k))).observation for k in range(15)])

    assert np.array_equal(run(1), run(2))
