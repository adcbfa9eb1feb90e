"""CassieWalk and BipedWalk: what their numbers mean, and what their options do."""
import numpy as np
import pytest

import espalier
from espalier.learn import BipedWalk, BipedWalkOptions, CassieWalk, CassieWalkOptions, Playback, Policy
from espalier.learn.commands import CommandOptions
from espalier.learn.model_files import model_file
from espalier.learn.pushes import PushOptions
from espalier.learn.tasks.clocked_rewards import TERMS, Weights
from espalier.learn.weighted_rewards import named_terms

STAND = CommandOptions(vx=(0, 0), vy=(0, 0), yaw_rate=(0, 0))
CALM = {"threads": 1, "pushes": PushOptions(impulse=0), "load": (1, 1), "friction": (1, 1), "strength": (1, 1)}


def walk(n=4, **options):
    return CassieWalk(n, CassieWalkOptions(**{**CALM, **options}))


def test_motors_are_those_of_the_model():
    """Ten motors among thirty rates, the others are springs and what rods determine."""
    model = espalier.load(model_file("cassie_like"))
    names = model.dof_names()
    assert [name for name in names if name in CassieWalk.action_names] == list(CassieWalk.action_names)
    task = walk(2)
    task.begin(0)
    gains = task.batch.bind("kp")[0]
    names = [name.removeprefix("u/") for name in task.batch.observe(["u"]).names]
    assert [name for name, gain in zip(names, gains, strict=True) if gain] == list(CassieWalk.action_names)
    assert gains[names.index("R_knee")] == task.options.kp[3]
    actions = np.zeros((2, 10))
    actions[1, task.action_names.index("R_crank")] = 0.5
    task.step(actions)
    target = task.batch.bind("target_q")
    moved = np.flatnonzero(target[1] != target[0])
    coordinates = [name.removeprefix("q/") for name in task.batch.observe(["q"]).names]
    assert [coordinates[i] for i in moved] == ["R_crank"]
    assert target[1, moved] == pytest.approx(0.5 * task.options.action_scale)


def test_observations_are_those_of_the_state():
    task = walk()
    task.begin(2)
    rng = np.random.default_rng(0)
    for _ in range(5):
        last = rng.uniform(-0.5, 0.5, (4, 10))
        obs = task.step(last).observation
    assert len(task.observation_names) == obs.shape[1] == 48
    at = {name: obs[:, i] for i, name in enumerate(task.observation_names)}
    q, u = task.batch.bind("q"), task.batch.bind("u")
    coordinates = [name.removeprefix("q/") for name in task.batch.observe(["q"]).names]
    dofs = [name.removeprefix("u/") for name in task.batch.observe(["u"]).names]
    assert at["offset_L_knee"] == pytest.approx(2 * q[:, coordinates.index("L_knee")], abs=1e-6)
    assert at["rate_R_crank"] == pytest.approx(0.1 * u[:, dofs.index("R_crank")], abs=1e-5)
    assert at["deflection_L_shin"] == pytest.approx(10 * q[:, coordinates.index("L_shin")], abs=1e-5)
    assert at["action_R_hip_roll"] == pytest.approx(last[:, 5], abs=1e-6)
    assert at["command_vx"] == pytest.approx(2 * task.commands.values[0])
    assert np.hypot(at["clock_sin"], at["clock_cos"]) == pytest.approx(np.ones(4))


def test_feet_swing_in_turn_by_the_clock():
    task = walk(3)
    task.begin(0)
    task.start[:] = 0
    seen = []
    for _ in range(round(task.options.period / task.options.control_step)):
        task.step(np.zeros((3, 10)))
        seen.append(task.swinging()[:, 0])
        assert np.all(task.swing_height()[task.swinging()] >= 0)
    share = np.mean(seen, axis=0)
    assert share == pytest.approx([task.options.swing] * 2, abs=0.05)
    assert not np.all(seen, axis=1).any()  # never both


def test_feet_are_measured():
    task = walk(2, commands=STAND)
    task.begin(0)
    for _ in range(4):
        task.step(np.zeros((2, 10)))
    assert task.touching().all() and np.abs(task.foot_height).max() < 0.01
    assert np.abs(task.foot_gravity).max() < 0.2 and task.foot_speed.max() < 0.2
    force = task.batch.bind("contact_force").reshape(2, -1, 3).sum(axis=1)
    assert (force[:, 2] > 100).all()
    q = task.batch.bind("q")
    q[1, 2] += 0.5
    task.step(np.zeros((2, 10)))
    assert task.touching()[:, 0].all() and not task.touching()[:, 1].any()
    assert (task.foot_height[:, 1] > 0.3).all()


def test_loops_stay_closed_and_springs_give():
    """In both modes; the same world in accurate mode tells the closure."""
    for mode, scalar in (("throughput", "float"), ("accurate", "double")):
        task = walk(4, mode=mode, scalar=scalar)
        task.begin(1)
        rng = np.random.default_rng(3)
        deflection = 0.0
        for _ in range(20):
            obs = task.step(rng.uniform(-1, 1, (4, 10))).observation
            assert not (task.batch.flags & espalier.StepFlag.LOOP_OPEN.value).any()
            deflection = max(deflection, np.abs(obs[:, 34:38]).max() / 10)
        assert 0.005 < deflection < 0.35
        world = task.make_world()
        world.state = task.batch.state(2)
        assert world.systems[0].closure_residual < (1e-5 if scalar == "float" else 1e-9)


def test_a_low_or_tilted_pelvis_is_a_fall():
    task = walk(3)
    task.begin(0)
    q = task.batch.bind("q")
    q[1, 2] -= 0.5
    q[2, 3:7] = [np.cos(0.5), 0, np.sin(0.5), 0]
    q[2, 2] += 0.3
    task.motion.update()
    assert task.terminated().tolist() == [False, True, True]


def test_terms_and_weights_have_the_same_names():
    assert named_terms(Weights, *TERMS.values()) == TERMS
    with pytest.raises(ValueError, match="Weights has other fields than velocity, yaw_rate$"):
        named_terms(Weights, *list(TERMS.values())[:2])


def test_every_term_of_the_reward_counts():
    task = walk(8)
    task.begin(3)
    rng = np.random.default_rng(1)
    for _ in range(40):
        task.step(rng.uniform(-1, 1, (8, 10)))
    signs = {name: np.sign(getattr(Weights(), name)) for name in TERMS}
    for name, sums in task.rewards.sums.items():
        assert (sums != 0).all() if name == "stepping" else (np.sign(sums) == signs[name]).all(), name


@pytest.mark.parametrize("kind, options", [(CassieWalk, CassieWalkOptions), (BipedWalk, BipedWalkOptions)])
def test_the_world_that_is_shown_does_what_the_batch_does_to_the_bit(kind, options):
    task = kind(1, options(**{**CALM, "mode": "accurate", "scalar": "double",
                              "pushes": PushOptions(impulse=6, seconds=0.12)}))
    policy = Policy(task.observation_size, task.action_size, (8,))
    policy.initialize(np.random.default_rng(0))
    playback = Playback(task, task.make_world(), policy, seed=3)
    pushed = 0
    for _ in range(20):
        pushed += task.batch.bind("wrench").any()
        playback.act()
        state = task.batch.state(0)
        assert np.array_equal(playback.world.state.q, state.q) and np.array_equal(playback.world.state.u, state.u)
    assert pushed > 2


def test_the_biped_is_driven_by_its_cranks_and_holds_its_arms():
    task = BipedWalk(2, BipedWalkOptions(**{**CALM, "commands": STAND}))
    obs = task.begin(0)
    assert obs.shape == (2, len(task.observation_names)) == (2, 50)
    first = task.observation_names.index("offset_L_hip_yaw")
    assert obs[:, first:first + 12] == pytest.approx(0, abs=1e-6)
    dofs = [name.removeprefix("u/") for name in task.batch.observe(["u"]).names]
    gains = dict(zip(dofs, task.batch.bind("kp")[1], strict=True))
    assert gains["L_left_crank"] == 200 and gains["R_knee"] == 400 and gains["waist_roll"] == 400
    assert gains["L_ankle_pitch"] == gains["pelvis.vx"] == 0
    coordinates = [name.removeprefix("q/") for name in task.batch.observe(["q"]).names]
    ankle = coordinates.index("R_ankle_roll")
    actions = np.zeros((2, 12))
    actions[1, [task.action_names.index("R_left_crank"), task.action_names.index("R_right_crank")]] = 1, -1
    for _ in range(5):
        task.step(actions)
    q = task.batch.bind("q")
    assert abs(q[0, ankle]) < 0.1 < abs(q[1, ankle])  # one rod up, one down: the foot rolls
    assert abs(q[0, coordinates.index("L_elbow")] + 0.5) < 0.1
    assert np.abs(task.foot_gravity[:, 0]).max() < 0.2 and task.foot_gravity.shape == (4, 2)
    assert np.abs(task.foot_height[:, 0]).max() < 0.02
