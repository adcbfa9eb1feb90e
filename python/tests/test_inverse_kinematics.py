"""inverse_kinematics(): poses that can be reached, with limits, several targets and closed loops; what
cannot be reached; bad input. Where the result puts the frames is asked of Pinocchio, too."""

import sys

import numpy as np
import pytest
from package_paths import ROOT

import espalier
from espalier import dynamics

TOLERANCE = 1e-8


def model_of(name):
    remarks = espalier.Diagnostics()  # of massless links that only carry others
    return espalier.load(ROOT / "models" / name / f"{name}.urdf", diagnostics=remarks)


def limits_of(model):
    """[(place in the spanning q, lower, upper)] of all joints whose coordinates have limits."""
    return [(p.spanning_q + k, p.lower, p.upper)
            for p in dynamics.joint_places(model) if p.nq == p.nv for k in range(p.nq)]


def is_within(model, spanning_q, slack=1e-6):
    return all(low - slack <= spanning_q[i] <= high + slack for i, low, high in limits_of(model))


def somewhere(model, rng, spread):
    """q of all joints, within the limits, loops closed."""
    neutral = dynamics.neutral_coordinate(model)
    for _ in range(200):
        step = spread * rng.uniform(-1, 1, model.public_nv)
        try:
            q = dynamics.spanning_coordinate(model, dynamics.advanced(model, neutral, step))
        except ValueError:  # its loops do not close there
            continue
        if is_within(model, q, 0):
            return q
    raise AssertionError("no such q")


def assert_there(model, found, targets):
    assert found.success, found
    assert is_within(model, found.spanning_q)
    for frame, wanted in targets.items():
        X = dynamics.frame_pose(model, found.spanning_q, frame)
        is_position = np.shape(wanted) == (3,)
        assert np.abs((X[:3, 3] if is_position else X) - wanted).max() < 2 * TOLERANCE


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("position_only", [False, True])
def test_poses_of_an_arm(seed, position_only):
    model, rng = model_of("arm7"), np.random.default_rng(seed)
    q = np.array([rng.uniform(low, high) for _, low, high in limits_of(model)])
    X = dynamics.frame_pose(model, q, "tool_mount")
    targets = {"tool_mount": X[:3, 3] if position_only else X}
    assert_there(model, espalier.inverse_kinematics(model, targets), targets)


@pytest.mark.parametrize("name, frames, spread", [
    ("biped", ["L_ankle_roll", "R_ankle_roll"], 0.5),
    ("biped", ["L_ankle_roll", "R_ankle_roll", "L_hand_mount"], 0.3),
    ("human36", ["FootLJoint", "FootRJoint", "HandLJoint", "HandRJoint", "HeadJoint"], 0.8)])
@pytest.mark.parametrize("seed", range(5))
def test_several_targets_of_what_floats(name, frames, spread, seed):
    model, rng = model_of(name), np.random.default_rng(seed)
    q = somewhere(model, rng, spread)
    targets = {frame: dynamics.frame_pose(model, q, frame) for frame in frames}
    assert_there(model, espalier.inverse_kinematics(model, targets), targets)


@pytest.mark.parametrize("name, frame, position_only", [
    ("delta", "tool_mount", True), ("five_bar", "right_lower", True), ("linkage_arm", "rod", False),
    ("differential_leg", None, True)])
@pytest.mark.parametrize("seed", range(5))
def test_through_closed_loops(name, frame, position_only, seed):
    model, rng = model_of(name), np.random.default_rng(seed)
    frame = frame or model.frames[-1].name
    q = somewhere(model, rng, 0.5)
    X = dynamics.frame_pose(model, q, frame)
    targets = {frame: X[:3, 3] if position_only else X}
    found = espalier.inverse_kinematics(model, targets)
    assert_there(model, found, targets)
    assert np.abs(dynamics.loop_equations(model, found.spanning_q).phi).max() < 1e-10


def two_links(lower=-3.0, upper=3.0):
    """A planar arm of two links of 1 m; its second joint has these limits."""
    link = """<link name="{}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"
      ixy="0" ixz="0" iyz="0"/></inertial></link>"""
    joint = """<joint name="{}" type="revolute"><parent link="{}"/><child link="{}"/>
      <origin xyz="{} 0 0"/><axis xyz="0 0 1"/><limit lower="{}" upper="{}" effort="1" velocity="1"/>
      </joint>"""
    return espalier.load('<robot name="two"><link name="world"/>' + link.format("a")
                         + link.format("b") + link.format("tip")
                         + joint.format("first", "world", "a", 0, -3, 3)
                         + joint.format("second", "a", "b", 1, lower, upper)
                         + joint.format("mount", "b", "tip", 1, 0, 0).replace("revolute", "fixed")
                         + "</robot>")


def test_limits_choose_the_elbow():
    p = np.array([1.0, 1.0, 0.0])  # the second joint at +-pi/2
    for lower, upper, wanted in ((0.1, 3, np.pi / 2), (-3, -0.1, -np.pi / 2)):
        found = espalier.inverse_kinematics(two_links(lower, upper), {"tip": p}, [0.3, 0.0])
        assert found.success and abs(found.q[1] - wanted) < 1e-7


def test_limits_that_stand_in_the_way():
    """The elbow turns by 1 rad at most, which leaves the tip 2 cos(1/2) from the base at least."""
    p = np.array([1.0, 0.0, 0.0])
    found = espalier.inverse_kinematics(two_links(-1, 1), {"tip": p})
    assert not found.success
    assert abs(abs(found.q[1]) - 1) < 1e-6
    assert abs(found.error - (2 * np.cos(0.5) - 1)) < 1e-6
    free = espalier.inverse_kinematics(two_links(-1, 1), {"tip": p}, limits=False)
    assert free.success and abs(abs(free.q[1]) - 2 * np.pi / 3) < 1e-6


def test_out_of_reach_the_nearest_is_told():
    found = espalier.inverse_kinematics(two_links(), {"tip": [3.0, 4.0, 0.0]})
    assert not found.success
    assert abs(found.error - 3) < 1e-8  # the arm is 2 m long, stretched towards it
    assert np.allclose(found.errors["tip"], [1.8, 2.4, 0], atol=1e-4)
    assert "not reached" in repr(found)


def test_weights_decide_between_targets():
    model = two_links()
    targets = {"first": [0, 0, 0], "second": [0, 1, 0], "tip": [1.5, 0, 0]}
    near = {name: espalier.inverse_kinematics(model, targets, [0.5, 0.3], weights={name: 100.0})
            for name in ("second", "tip")}
    assert np.linalg.norm(near["second"].errors["second"]) < 1e-3
    assert np.linalg.norm(near["tip"].errors["tip"]) < 1e-3
    assert np.linalg.norm(near["tip"].errors["second"]) > 0.5
    X = np.eye(4)
    X[:3, 3] = 1, 1, 0
    by_position = espalier.inverse_kinematics(model, {"tip": X}, weights={"tip": (0, 1)})
    assert np.linalg.norm(by_position.errors["tip"][3:]) < 1e-6


def test_held_joints_stay():
    model = model_of("biped")
    q0 = dynamics.neutral_coordinate(model)
    X = dynamics.frame_pose(model, q0, "L_ankle_roll")
    X[2, 3] += 0.05
    found = espalier.inverse_kinematics(
        model, {"L_ankle_roll": X}, q0, held=[dynamics.joint_places(model)[0].joint])
    assert found.success
    assert np.array_equal(found.q[:7], q0[:7])
    assert np.abs(found.q - q0).max() > 0.01


def test_the_same_call_gives_the_same_answer():
    model, X = model_of("arm7"), np.eye(4)
    X[:3, 3] = 0.3, 0.2, 0.4
    one, other = (espalier.inverse_kinematics(model, {"tool_mount": X}) for _ in range(2))
    assert np.array_equal(one.q, other.q) and one.iterations == other.iterations
    assert espalier.inverse_kinematics(model, {}).success


@pytest.mark.peers
def test_pinocchio_sees_the_frame_there():
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed (pip install pin)")
    sys.path.append(str(ROOT / "tests/peers"))
    import urdf_tree
    from pinocchio_peer import PinocchioPeer
    model, rng = model_of("arm7"), np.random.default_rng(0)
    peer = PinocchioPeer(urdf_tree.read(ROOT / "models/arm7/arm7.urdf"))
    c = espalier.pinocchio.Conventions(model, peer.model)
    for _ in range(10):
        q = np.array([rng.uniform(low, high) for _, low, high in limits_of(model)])
        pin.framesForwardKinematics(peer.model, peer.data, c.q_to(q))
        X = peer.data.oMf[peer.frames["tool_mount"]].homogeneous.copy()
        found = espalier.inverse_kinematics(model, {"tool_mount": X})
        assert found.success
        pin.framesForwardKinematics(peer.model, peer.data, c.q_to(found.q))
        there = peer.data.oMf[peer.frames["tool_mount"]].homogeneous
        assert np.abs(there - X).max() < 2 * TOLERANCE


def test_bad_input():
    arm = model_of("arm7")
    X = np.eye(4)
    for targets, options, why in (
        ({"nothing": X}, {}, "no joint or link"),
        ({"tool_mount": np.eye(3)}, {}, r"shape \(3, 3\)"),
        ({"tool_mount": 2 * X}, {}, "not orthonormal"),
        ({"tool_mount": np.full(3, np.nan)}, {}, "finite"),
        ({"tool_mount": X}, {"q0": np.zeros(6)}, "6"),
        ({"tool_mount": X}, {"weights": {"other": 1}}, "without a target"),
        ({"tool_mount": X}, {"weights": {"tool_mount": -1}}, "negative"),
        ({"tool_mount": X}, {"held": ["nothing"]}, "no independent joint"),
    ):
        with pytest.raises(ValueError, match=why):
            espalier.inverse_kinematics(arm, targets, **options)
    spec = espalier.io.load_robot(ROOT / "models/five_bar/five_bar.urdf")
    for loop in spec.loops:
        loop.is_bilateral = True
    with pytest.raises(ValueError, match="bilateral"):
        espalier.inverse_kinematics(espalier.compile(spec), {"right_lower": [0, 0, 0]})
