"""The robots in models/ as other readers of URDF see them, when those are installed."""

import re
from math import cos, sin

import pytest
from model_files import DOFS, FLOATING, MODELS, TREES, load, movable, nominal


def with_length(name):
    """The URDF with capsules as parsers that follow ROS know them."""
    text = (MODELS / name / f"{name}.urdf").read_text(encoding="utf-8")
    return re.sub(r'(<capsule [^>]*)height=', r"\1length=", text)


def pinocchio_nominal(pin, name, model):
    q, (height, pose) = pin.neutral(model), nominal(name)
    if name in FLOATING:
        q[2] = height
    for joint, (angle,) in pose.items():
        at = model.joints[model.getJointId(joint)]
        if at.nq == 2:  # Pinocchio keeps cosine and sine of a continuous joint
            q[at.idx_q : at.idx_q + 2] = cos(angle), sin(angle)
        else:
            q[at.idx_q] = angle
    return q


# Joints that neither reader of URDF knows, and a robot that nothing carries.
OTHER_JOINTS = ("human36",)
IN_FREE_FALL = ("snake_free",)


@pytest.mark.parametrize(
    "name", [name for name in TREES if name not in ("chain20", *OTHER_JOINTS, *IN_FREE_FALL)])
def test_pinocchio_finds_gravity_within_the_motors_reach(name):
    pin = pytest.importorskip("pinocchio")
    import numpy as np

    base = (pin.JointModelFreeFlyer(),) if name in FLOATING else ()
    model = pin.buildModelFromXML(with_length(name), *base)
    data = model.createData()
    joints = sum(DOFS[joint.get("type")] for joint in movable(load(name)))
    assert model.nv == joints + 6 * len(base)

    q = pinocchio_nominal(pin, name, model)
    pin.framesForwardKinematics(model, data, q)
    tau = pin.computeGeneralizedGravity(model, data, q)
    if base:
        # The ground carries the base; of all the ways the least squares one.
        feet = [frame for frame in model.frames if re.fullmatch(r"[LR][FH]?_foot", frame.name)]
        rows = []
        for foot in feet:
            offsets = [(0, 0, 0)]
            if name == "biped":
                offsets = [(x, y, -0.09) for x in (-0.09, 0.15) for y in (-0.05, 0.05)]
            index = model.getFrameId(foot.name)
            J = pin.computeFrameJacobian(model, data, q, index, pin.LOCAL_WORLD_ALIGNED)
            for offset in offsets:
                arm = data.oMf[index].rotation @ np.array(offset)
                rows.append(J[:3] - pin.skew(arm) @ J[3:])
        J = np.vstack(rows)
        force = np.linalg.lstsq(J[:, :6].T, tau[:6], rcond=None)[0]
        assert all(force[2::3] > 0)
        tau = tau - J.T @ force
        assert abs(tau[:6]).max() < 1e-9
        tau = tau[6:]
    # A joint without a motor must be at rest by itself (Pinocchio gives it an infinite limit).
    effort = model.effortLimit[-len(tau) :]
    assert all(abs(tau) <= np.where(np.isfinite(effort), effort / 2, 1e-9))


@pytest.mark.parametrize("name", [name for name in TREES if name not in OTHER_JOINTS])
def test_mujoco_finds_no_body_in_another(name):
    mujoco = pytest.importorskip("mujoco")
    keep = '<mujoco><compiler fusestatic="false" balanceinertia="false"/></mujoco></robot>'
    spec = mujoco.MjSpec.from_string(with_length(name).replace("</robot>", keep))
    model = spec.compile()
    data = mujoco.MjData(model)
    for joint, q in nominal(name)[1].items():
        start = model.joint(joint).qposadr[0]
        data.qpos[start : start + len(q)] = q
    mujoco.mj_forward(model, data)
    geoms = len(load(name).findall("link/collision"))
    assert sum(model.geom_contype != 0) == geoms
    assert data.ncon == 0
