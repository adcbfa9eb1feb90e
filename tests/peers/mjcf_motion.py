"""The motion of a MuJoCo file in Espalier and in MuJoCo: `espalier sim` logs one step, so short that its
forces are those at its start."""

import csv
import subprocess

import numpy as np
import pytest

import conventions
import espalier_cli

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")

FORCES = 1e-13  # s: implicit parts of a force are less than 1e-9 of it
MOTION = 1e-9  # s: a change of velocity has enough digits

HINGE, SLIDE = int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)
BALL, FREE = int(mujoco.mjtJoint.mjJNT_BALL), int(mujoco.mjtJoint.mjJNT_FREE)


def run(path, folder, dt, *options):
    """The log of one step: the columns' first and second numbers."""
    if not espalier_cli.BINARY.exists():
        pytest.skip(f"{espalier_cli.BINARY} is not built")
    log = folder / "run.csv"
    done = subprocess.run(
        [espalier_cli.BINARY, "sim", path, "--dt", str(dt), "--time", str(dt), "--log", log,
         "--log-rate", str(1 / dt), "--keep-overlaps", *options], capture_output=True, text=True)
    assert done.returncode == 0, f"espalier sim {path} failed:\n{done.stdout}{done.stderr}"
    with open(log) as file:
        names, first, second = list(csv.reader(file))[:3]
    # Several robots have their names before their columns'; joints have theirs once in a model.
    bare = [name.split("/")[-1] for name in names]
    return [dict(zip(bare, map(lambda x: float(x or 0), row))) for row in (first, second)]


def limp(model):
    """Options that keep `sim` from holding a model whose actuators have no gains."""
    has_bias = model.actuator_biastype == mujoco.mjtBias.mjBIAS_AFFINE
    has_gain = model.actuator_gaintype == mujoco.mjtGain.mjGAIN_AFFINE
    has_gains = (model.actuator_biasprm[has_bias, 1:3].any()
                 or model.actuator_gainprm[has_gain, 1:3].any())
    return [] if has_gains else ["--pd", "0,0"]


def numbers(row, kind, joint, suffixes):
    return np.array([row[f"{kind}.{joint}{suffix}"] for suffix in suffixes])


Q4, W3 = [".qw", ".qx", ".qy", ".qz"], [".wx", ".wy", ".wz"]
BASE_Q = ["base_x", "base_y", "base_z", "base_qw", "base_qx", "base_qy", "base_qz"]
BASE_U = ["base_vx", "base_vy", "base_vz", "base_wx", "base_wy", "base_wz"]


def state_of(model, row):
    """qpos and qvel of the joints in a log's row; NaN of bodies that are not in it."""
    qpos, qvel = np.full(model.nq, np.nan), np.full(model.nv, np.nan)
    for j in range(model.njnt):
        name, kind = model.joint(j).name, model.jnt_type[j]
        q, u = model.jnt_qposadr[j], model.jnt_dofadr[j]
        if kind in (HINGE, SLIDE):
            qpos[q], qvel[u] = row[f"q.{name}"], row[f"u.{name}"]
        elif kind == BALL:
            quaternion = numbers(row, "q", name, Q4)
            R = conventions.rotation_from_quaternion(quaternion)
            qpos[q:q + 4], qvel[u:u + 3] = quaternion, R.T @ numbers(row, "u", name, W3)
        elif kind == FREE and f"q.{name}.x" in row:  # from the pose as drawn
            own = numbers(row, "q", name, [".x", ".y", ".z", *Q4])
            rates = numbers(row, "u", name, [".vx", ".vy", ".vz", *W3])
            drawn = model.qpos0[q:q + 7]
            R_WJ = conventions.rotation_from_quaternion(drawn[3:])
            R_JB = conventions.rotation_from_quaternion(own[3:])
            qpos[q:q + 3] = drawn[:3] + R_WJ @ own[:3]
            qpos[q + 3:q + 7] = conventions.quaternion_product(drawn[3:], own[3:])
            qvel[u:u + 6] = [*(R_WJ @ rates[:3]), *(R_JB.T @ rates[3:])]
        elif kind == FREE and is_robot(model, j) and "base_x" in row:
            qpos[q:q + 7] = [row[c] for c in BASE_Q]
            rates = np.array([row[c] for c in BASE_U])
            R = conventions.rotation_from_quaternion(qpos[q + 3:q + 7])
            qvel[u:u + 6] = [*rates[:3], *(R.T @ rates[3:])]
    return qpos, qvel


def is_robot(model, joint):
    """Whether something moves in the free joint's body."""
    body = model.jnt_bodyid[joint]
    return any(model.body_rootid[b] == body and b != body and model.body_jntnum[b] > 0
               for b in range(model.nbody))


def text_of(values):
    return " ".join(repr(float(x)) for x in values)


def key(model, rng, name):
    """A keyframe with the model about as drawn and moving."""
    qpos, qvel = model.qpos0.copy(), rng.uniform(-2, 2, model.nv)
    mujoco.mj_integratePos(model, qpos, rng.uniform(-0.3, 0.3, model.nv), 1)
    for j in range(model.njnt):  # away from limits and ground, which act at once
        at, (lower, upper) = model.jnt_qposadr[j], model.jnt_range[j]
        if model.jnt_type[j] == FREE:
            qpos[at + 2] += 5
        elif model.jnt_limited[j] and model.jnt_type[j] != BALL:
            margin = 0.2 * (upper - lower)
            qpos[at] = np.clip(qpos[at], lower + margin, upper - margin)
    ctrl = rng.uniform(-2, 2, model.nu)
    return (f'<key name="{name}" qpos="{text_of(qpos)}" qvel="{text_of(qvel)}" '
            f'ctrl="{text_of(ctrl)}"/>')
