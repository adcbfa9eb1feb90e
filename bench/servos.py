"""Servos of MuJoCo's models: those that a file has, as PD gains of joints, and those that the
benchmarks add."""

import mujoco
import numpy as np


def servos_of(model, ctrl):
    """(servos by joint, {joint that a motor drives: its strength, 0 where it has no limit}) of a
    model's actuators.

    io  ctrl  of motors it becomes zero: they are not to push

    A servo on a tendon is one on each of its joints, of the force that it has while they move
    together."""
    servos, motors = {}, {}
    for i in range(model.nu):
        actuator = model.actuator(i)
        if int(actuator.trntype[0]) == int(mujoco.mjtTrn.mjTRN_JOINT):
            driven = {model.joint(actuator.trnid[0]).name: actuator.gear[0]}
        elif int(actuator.trntype[0]) == int(mujoco.mjtTrn.mjTRN_TENDON):
            driven = _joints_of_tendon(model, actuator.trnid[0], actuator.gear[0])
        else:
            continue
        stiffness, damping = -actuator.biasprm[1], -actuator.biasprm[2]
        limits = model.actuator_ctrlrange[i]
        if int(actuator.biastype[0]) != int(mujoco.mjtBias.mjBIAS_AFFINE) or stiffness == 0:
            ctrl[i] = 0
            for joint, gear in driven.items():
                motors[joint] = abs(limits[1] * gear) if model.actuator_ctrllimited[i] else 0.0
            continue
        together = sum(driven.values())
        held = ctrl[i]
        if model.actuator_ctrllimited[i]:
            held = np.clip(held, *limits)
        length = (actuator.gainprm[0] * held + actuator.biasprm[0]) / stiffness
        for joint, gear in driven.items():
            servos[joint] = {"joint": joint, "kp": float(stiffness * gear * together),
                             "kd": float(damping * gear * together),
                             "target": float(length / together)}
    return servos, motors


def _joints_of_tendon(model, tendon, gear):
    first, count = model.tendon_adr[tendon], model.tendon_num[tendon]
    return {model.joint(model.wrap_objid[k]).name: gear * model.wrap_prm[k]
            for k in range(first, first + count)
            if int(model.wrap_type[k]) == int(mujoco.mjtWrap.mjWRAP_JOINT)}


def hold(spec, servo, strength):
    """PD of one joint: stiffness as an actuator, damping as the joint's own, which MuJoCo takes
    implicitly whatever the integrator; of a ball both are the joint's."""
    joint = spec.joint(servo["joint"])
    joint.damping[0] += servo["kd"]
    if joint.type == mujoco.mjtJoint.mjJNT_BALL:
        joint.stiffness[0] += servo["kp"]
        return
    made = spec.add_actuator(name=f"hold {servo['joint']}", target=servo["joint"],
                             trntype=mujoco.mjtTrn.mjTRN_JOINT,
                             biastype=mujoco.mjtBias.mjBIAS_AFFINE)
    made.gainprm[0], made.biasprm[1] = servo["kp"], -servo["kp"]
    # Nothing of what the file gives its actuators by default.
    made.gear, made.ctrllimited, made.actlimited = [1, 0, 0, 0, 0, 0], False, False
    made.forcelimited, made.forcerange = bool(strength), [-strength, strength]
