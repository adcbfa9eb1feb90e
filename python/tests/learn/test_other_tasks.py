"""ArmReach, BipedStand, and the chain of hinges."""
import re

import numpy as np
import pytest

import espalier
from espalier.learn import ArmReach, ArmReachOptions, BipedStand, BipedStandOptions
from espalier.learn.model_files import model_file, nominal_pose
from espalier.learn.pushes import PushOptions
from espalier.learn.serial_chain import SerialChain
from package_paths import ROOT

ONE = {"threads": 1}


def test_the_tip_is_where_the_model_has_it():
    chain = SerialChain(espalier.io.load_robot(model_file("arm7")), "tool")
    model = espalier.load(model_file("arm7"))
    assert chain.names == model.dof_names()
    q = np.random.default_rng(0).uniform(-2, 2, (7, 20))
    tips = chain.tip(q)
    for i in range(20):
        assert espalier.dynamics.frame_pose(model, q[:, i], "tool_mount")[:3, 3] == pytest.approx(tips[:, i])


def test_chains_are_of_hinges():
    with pytest.raises(ValueError, match="no joint to a link 'hand'"):
        SerialChain(espalier.io.load_robot(model_file("arm7")), "hand")
    with pytest.raises(ValueError, match="joint slider is PRISMATIC; a chain is of hinges"):
        SerialChain(espalier.io.load_robot(
            "<robot name='r'><link name='world'/><link name='cart'/>"
            "<joint name='slider' type='prismatic'><parent link='world'/><child link='cart'/>"
            "<axis xyz='1 0 0'/><limit lower='-1' upper='1' effort='1' velocity='1'/></joint></robot>"),
            "cart")


def test_the_arm_reaches_where_its_joints_are_sent():
    """Sent to the joint angles of the point, it arrives, and the reward is nearly the greatest."""
    task = ArmReach(4, ArmReachOptions(**ONE, spread=0.5))
    task.begin(0)
    q = task.nominal[:, None] + np.random.default_rng(1).uniform(-0.5, 0.5, (7, 4))
    task.points[...] = task.chain.tip(q)
    actions = ((q - task.nominal[:, None]) / task.options.action_scale).T
    for _ in range(75):
        came = task.step(actions)
    assert np.linalg.norm(task.error(), axis=0).max() < 0.06  # gravity pulls the soft motors off
    assert (came.reward > 0.02 * 0.5).all() and (came.reward < 0.02).all()
    assert not came.terminated.any()


def test_points_change_and_can_be_reached():
    task = ArmReach(50, ArmReachOptions(**ONE, seconds=0.1))
    task.begin(0)
    before = task.points.copy()
    for _ in range(4):
        task.step(np.zeros((50, 7)))
    assert np.array_equal(task.points, before)
    task.step(np.zeros((50, 7)))
    assert (task.points != before).any(axis=0).all()
    shoulder = np.array([[0.0], [0], [0.34]])
    assert (np.linalg.norm(task.points - shoulder, axis=0) <= 1.2).all()


def test_the_error_is_observed():
    task = ArmReach(2, ArmReachOptions(**ONE))
    obs = task.begin(3)
    assert obs.shape == (2, len(task.observation_names)) == (2, 27)
    error = [task.observation_names.index(f"error_{axis}") for axis in "xyz"]
    assert obs[:, error].T == pytest.approx(3 * task.error(), abs=1e-5)


def stand(n, **options):
    return BipedStand(n, BipedStandOptions(**{**ONE, "pushes": PushOptions(impulse=0), **options}))


def test_stiff_ankles_hold_the_biped_and_soft_ones_do_not():
    """models/README.md: 1000/30 holds it, 300/10 does not."""
    for kp, kd, holds in ((1000, 30, True), (300, 10, False)):
        task = stand(3, kp=kp, kd=kd)
        task.begin(0)
        fell = np.zeros(3, bool)
        for _ in range(200):
            came = task.step(np.zeros((3, 25)))
            fell |= came.terminated
        assert not fell.any() if holds else fell.all()
        if holds:
            assert (came.reward > 0.02 * 0.85).all()


def test_names_of_the_biped_are_those_of_the_model():
    model = espalier.load(model_file("biped"))
    task = stand(1)
    assert list(task.action_names) == model.dof_names()[6:]
    assert task.begin(0).shape == (1, 84)
    assert nominal_pose("biped").shape == (32,)


def test_a_missing_model_is_told():
    with pytest.raises(FileNotFoundError, match="the package has the models arm7, beest_steered, biped, cassie_like, geared_biped, strider"):
        model_file("dog")


def test_the_sdist_has_the_models_that_are_built_into_the_package():
    copied = re.search(r"foreach\(model ([\w ]+)\)", (ROOT / "python" / "CMakeLists.txt").read_text())[1].split()
    kept = re.findall(r'"!/models/(\w+)"', (ROOT / "pyproject.toml").read_text())
    assert sorted(kept) == sorted(copied)
