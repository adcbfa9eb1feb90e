"""Joint objects: against poses by exponentials, differences, and arboris' figures if there."""
import copy
import gc
import json
import os
import sys
from pathlib import Path

import espalier
import numpy as np
import pytest
from sim_scenes import Ad, exp, skew, twist_of

AXES = {"x": 0, "y": 1, "z": 2}
CLASSES = {
    "RxJoint": "Rx", "RyJoint": "Ry", "RzJoint": "Rz", "RzRyJoint": "RzRy", "RzRxJoint": "RzRx",
    "RyRxJoint": "RyRx", "RzRyRxJoint": "RzRyRx", "TxJoint": "Tx", "TyJoint": "Ty", "TzJoint": "Tz",
    "TxTyTzJoint": "TxTyTz",
}
JOINTS = sorted(CLASSES) + ["FreeJoint"]
SHARED = Path(os.environ.get("ESPALIER_SHARED", "/nonexistent"))


def pose_of(name, q):
    """By turns and shifts in sequence."""
    H = np.eye(4)
    for kind, axis, x in zip(CLASSES[name][::2], CLASSES[name][1::2], q):
        twist = np.zeros(6)
        twist[AXES[axis] + (3 if kind == "T" else 0)] = x
        H = H @ exp(twist)
    return H


def drawn(name, seed=0):
    """A joint in the midst of its range, and its coordinates ahead of time."""
    random = np.random.default_rng(seed)
    cls = getattr(espalier, name)
    if name == "FreeJoint":
        return cls(exp(random.normal(size=6)), random.normal(size=6))
    n = cls().ndof
    return cls(random.uniform(-1.2, 1.2, n), random.normal(size=n))


def moved(joint, dt):
    """gpos after a time dt at these velocities."""
    other = type(joint)(joint.gpos, joint.gvel)
    other.integrate(dt)
    return other


@pytest.mark.parametrize("name", JOINTS)
def test_pose_and_its_inverse(name):
    joint = drawn(name)
    wanted = joint.gpos if name == "FreeJoint" else pose_of(name, joint.gpos)
    assert np.abs(joint.pose - wanted).max() < 1e-14
    assert np.abs(joint.ipose @ joint.pose - np.eye(4)).max() < 1e-14


@pytest.mark.parametrize("name", JOINTS)
def test_twists_are_rates_of_poses(name):
    joint, h = drawn(name), 1e-5
    rate = (moved(joint, h).pose - moved(joint, -h).pose) / (2 * h)
    assert np.abs(joint.twist - twist_of(joint.pose, rate)).max() < 1e-8
    assert np.abs(joint.twist - joint.jacobian @ joint.gvel).max() < 1e-14
    back = (moved(joint, h).ipose - moved(joint, -h).ipose) / (2 * h)
    assert np.abs(joint.itwist - twist_of(joint.ipose, back)).max() < 1e-8
    assert np.abs(joint.itwist + Ad(joint.pose) @ joint.twist).max() < 1e-14


@pytest.mark.parametrize("name", JOINTS)
def test_rates_of_jacobian_and_adjoint(name):
    joint, h = drawn(name), 1e-5
    assert joint.jacobian.shape == joint.djacobian.shape == (6, joint.ndof)
    rate = (moved(joint, h).jacobian - moved(joint, -h).jacobian) / (2 * h)
    assert np.abs(joint.djacobian - rate).max() < 1e-8
    assert np.abs(joint.iadjoint - Ad(joint.ipose)).max() < 1e-14
    rate = (moved(joint, h).iadjoint - moved(joint, -h).iadjoint) / (2 * h)
    assert np.abs(joint.idadjoint - rate).max() < 1e-8


@pytest.mark.parametrize("name", JOINTS)
def test_integration(name):
    joint, dt = drawn(name), 0.3
    gvel = np.linspace(0.5, 1.0, joint.ndof)
    start = joint.gpos.copy()
    joint.integrate(gvel, dt)
    assert (joint.gvel == gvel).all()
    wanted = start @ exp(dt * gvel) if name == "FreeJoint" else start + dt * gvel
    assert np.abs(joint.gpos - wanted).max() < 1e-14
    joint.integrate(-dt)
    assert np.abs(joint.gpos - start).max() < 1e-14


def test_numbers_in_any_form():
    hinge = espalier.RzJoint(gpos=3.14 / 3, gvel=2)
    assert hinge.gpos == [3.14 / 3] and hinge.gvel == [2.0]
    assert hinge.gpos.dtype == float and hinge.gpos.shape == (1,)
    for number in (1, 1.0, [1], (1.0,), np.array([1]), np.float32(1), np.array(1.0), np.int64(1)):
        hinge.gpos = 0
        hinge.gpos = number
        assert hinge.gpos[0] == 1.0
    hinge.integrate(2, 0.5)
    assert hinge.gpos[0] == 2.0
    assert espalier.RzRyJoint().gpos.tolist() == [0.0, 0.0]
    assert espalier.FreeJoint().gpos.tolist() == np.eye(4).tolist()
    assert espalier.RxJoint(name="knee").name == "knee" and espalier.RxJoint().name is None
    assert "RzRyJoint(gpos=[0.1, 0.2]" in repr(espalier.RzRyJoint([0.1, 0.2], name="a"))


def test_gpos_is_a_view_that_outlives_its_name():
    joint = espalier.RzRyJoint([0.1, 0.2])
    view = joint.gpos
    view[1] = 0.5
    assert joint.gpos.tolist() == [0.1, 0.5]
    assert np.abs(joint.pose - pose_of("RzRyJoint", [0.1, 0.5])).max() < 1e-14
    before = sys.getrefcount(joint)
    del joint
    gc.collect()
    view[0] = 3.0
    assert view.tolist() == [3.0, 0.5] and before > 1
    copied = copy.copy(view)
    copied[0] = 4
    assert view[0] == 3.0


@pytest.mark.parametrize("wrong", [[1, 2], [[1]], [], np.nan, [np.inf], "x", None, {}, [1j]])
def test_wrong_numbers_change_nothing(wrong):
    joint = espalier.RzJoint(0.25, 0.5)
    for name in ("gpos", "gvel"):
        with pytest.raises((ValueError, TypeError)):
            setattr(joint, name, wrong)
    with pytest.raises((ValueError, TypeError)):
        joint.integrate(wrong, 0.1)
    assert joint.gpos[0] == 0.25 and joint.gvel[0] == 0.5


def test_wrong_poses_and_times():
    joint = espalier.FreeJoint()
    for wrong in (2 * np.eye(4), np.diag([1, 1, -1, 1]), np.eye(3), np.full((4, 4), np.nan)):
        with pytest.raises(ValueError):
            joint.gpos = wrong
    for dt in (np.nan, np.inf):
        with pytest.raises(ValueError, match="dt is finite"):
            joint.integrate(dt)
        with pytest.raises(ValueError, match="dt is finite"):
            joint.integrate(np.ones(6), dt)
    assert (joint.gvel == 0).all()
    # A view can break it; what uses it then says so.
    joint.gpos[0, 0] = 5
    with pytest.raises(ValueError, match="rotation"):
        joint.integrate(0.1)
    with pytest.raises(TypeError):
        espalier.JointObject()
    with pytest.raises(AttributeError):
        joint.pose = np.eye(4)


def test_adjoint_of_a_pose():
    H = exp(np.array([0.3, -0.2, 0.5, 1, 2, 3]))
    assert np.abs(espalier.adjoint(H) - Ad(H)).max() < 1e-15
    assert np.abs(espalier.inverse_pose(H) @ H - np.eye(4)).max() < 1e-13
    assert np.abs(espalier.adjoint(H)[3:, :3] - skew(H[:3, 3]) @ H[:3, :3]).max() < 1e-15
    with pytest.raises(ValueError, match="shape"):
        espalier.adjoint(np.eye(3))


@pytest.mark.skipif(not SHARED.is_dir(), reason="ESPALIER_SHARED is not set")
def test_figures_of_arboris():
    compared = 0
    for name, cases in json.loads((SHARED / "fixtures/arboris/joints.json").read_text()).items():
        if not hasattr(espalier, name):
            continue
        for case in cases:
            joint = getattr(espalier, name)(case["gpos"], case["gvel"])
            for what in ("pose", "ipose", "twist", "jacobian", "djacobian", "iadjoint"):
                assert np.abs(getattr(joint, what) - np.array(case[what])).max() < 1e-12, what
            itwist = case.get("itwist_corrected", case["itwist"])
            assert np.abs(joint.itwist - itwist).max() < 1e-12
            idadjoint = case.get("idadjoint_corrected", case["idadjoint"])
            assert np.abs(joint.idadjoint - idadjoint).max() < 1e-12
            joint.integrate(case["integrate_gvel"], case["integrate_dt"])
            assert np.abs(joint.gpos - case["integrate_gpos"]).max() < 1e-12
            compared += 1
    assert compared >= 27
