"""What the benchmarks give to MuJoCo: the same robot as Espalier's, and servos of the same forces;
and which peers a suite asks for."""

import argparse
import pathlib
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import mujoco_peer
import robots
import urdf_tree

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")
BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.path += [str(BENCH), str(BENCH / "peers")]

import mjcf  # noqa: E402
import robot_scenes  # noqa: E402
import run  # noqa: E402
import servos  # noqa: E402

OWN = {name: path for name, path in robots.own().items()
       if ET.parse(path).getroot().find("constraint") is None}


def mass_matrix(model, qpos):
    data = mujoco.MjData(model)
    data.qpos = qpos
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    return M


def places(model):
    """{joint: (its coordinates, its dofs)}"""
    ends = lambda adr, total: [*list(adr)[1:], total]
    return {model.joint(i).name or "root_joint": (range(q, q_end), range(v, v_end))
            for i, (q, q_end, v, v_end) in enumerate(zip(
                model.jnt_qposadr, ends(model.jnt_qposadr, model.nq),
                model.jnt_dofadr, ends(model.jnt_dofadr, model.nv), strict=True))}


@pytest.mark.parametrize("name", OWN)
def test_a_robot_has_the_mass_matrix_of_the_tree_built_link_by_link(name):
    """mjcf.py welds fixed links together and leaves massless ones out; mujoco_peer does neither, and
    is compared with Espalier elsewhere."""
    urdf = OWN[name].read_text()
    one = mjcf.spec(urdf, mjcf.WHOLE).compile()
    other = mujoco_peer.build_model(urdf_tree.parse(urdf))
    at, there = places(one), places(other)
    assert at.keys() == there.keys()
    rng = np.random.default_rng(20261123)
    q, p = np.array(one.qpos0), np.array(other.qpos0)
    dofs = [[], []]
    for joint, (own_q, own_v) in at.items():
        if len(own_q) == 1:
            q[own_q[0]] = p[there[joint][0][0]] = rng.uniform(-1, 1)
        dofs[0] += own_v
        dofs[1] += there[joint][1]
    M, expected = mass_matrix(one, q), mass_matrix(other, p)
    M, expected = M[np.ix_(dofs[0], dofs[0])], expected[np.ix_(dofs[1], dofs[1])]
    assert np.abs(M - expected).max() <= 1e-8 * np.abs(expected).max()


def test_couplings_hold_where_the_robot_is_drawn():
    model = mjcf.spec(robots.own()["geared_strider/geared_strider.urdf"].read_text(),
                      mjcf.WHOLE).compile()
    data = mujoco.MjData(model)
    joint, rotor = (model.joint(name).qposadr[0] for name in ("LF_HAA", "LF_HAA_rotor"))
    data.qpos[joint], data.qpos[rotor] = 0.1, 0.8  # geared 8 to 1
    mujoco.mj_forward(model, data)
    assert model.neq == 12
    assert np.abs(data.efc_pos[data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY]).max() < 1e-12
    data.qpos[rotor] = 0.7
    mujoco.mj_forward(model, data)
    gap = np.abs(data.efc_pos[data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY])
    assert gap.max() == pytest.approx(0.1)


SERVOS = """<mujoco><default><motor gear="7" ctrlrange="-1 1" ctrllimited="true"/></default><worldbody>
  <body><joint name="a" axis="0 1 0"/><geom size=".1"/>
    <body pos="1 0 0"><joint name="b" axis="0 1 0"/><geom size=".1"/></body></body>
  <body pos="0 1 0"><joint name="c" axis="0 1 0"/><geom size=".1"/></body>
  <body pos="0 2 0"><joint name="d" axis="0 1 0"/><geom size=".1"/></body>
</worldbody>
<tendon><fixed name="t"><joint joint="c" coef="0.5"/><joint joint="d" coef="0.5"/></fixed></tendon>
<actuator>
  <position joint="a" kp="30" kv="2" gear="3" ctrlrange="-1 1"/>
  <motor joint="b" gear="2" ctrlrange="-5 5"/>
  <general tendon="t" biastype="affine" gainprm="0.3" biasprm="1 -100 -10"/>
</actuator></mujoco>"""


def test_servos_are_those_of_the_file():
    model = mujoco.MjModel.from_xml_string(SERVOS)
    data = mujoco.MjData(model)
    data.ctrl = [2.0, 0.5, 7.0]  # the first is clamped to 1, the second a motor's, which becomes 0
    own, motors = servos.servos_of(model, data.ctrl)
    assert own.keys() == {"a", "c", "d"}
    assert motors == {"b": 10.0}
    assert list(data.ctrl) == [2.0, 0.0, 7.0]
    data.qpos, data.qvel = [0.3, -0.2, 0.4, 0.4], [1.0, 2.0, -0.5, -0.5]
    mujoco.mj_forward(model, data)
    for joint, servo in own.items():
        q, u = data.joint(joint).qpos[0], data.joint(joint).qvel[0]
        force = servo["kp"] * (servo["target"] - q) - servo["kd"] * u
        assert force == pytest.approx(data.joint(joint).qfrc_actuator[0], abs=1e-12)


def test_joints_of_motors_are_held_by_a_servo_of_the_gains_given():
    spec = mujoco.MjSpec.from_string(SERVOS)
    servos.hold(spec, {"joint": "b", "kp": 50.0, "kd": 4.0}, 20.0)
    model = spec.compile()
    data = mujoco.MjData(model)
    at = model.joint("b")
    assert model.dof_damping[at.dofadr[0]] == 4.0
    for target, force in ((0.3, 50 * (0.3 + 0.05)), (-2.0, -20.0)):
        data.ctrl[model.actuator("hold b").id] = target
        data.joint("b").qpos = -0.05
        mujoco.mj_forward(model, data)
        assert data.joint("b").qfrc_actuator[0] == pytest.approx(force, abs=1e-12)


def test_the_guides_settings_leave_what_the_file_says():
    spec = mujoco.MjSpec.from_string("""<mujoco><option impratio="50"/><worldbody>
      <geom name="soft" size=".1" solref="0.05 1"/><geom name="usual" size=".1"/>
    </worldbody></mujoco>""")
    robot_scenes.take_guide(spec)
    model = spec.compile()
    assert model.opt.integrator == mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    assert model.opt.cone == mujoco.mjtCone.mjCONE_ELLIPTIC
    assert model.opt.impratio == 50
    assert model.geom("soft").solref[0] == 0.05
    assert model.geom("usual").solref[0] == robot_scenes.GUIDE_CONTACT


def options(*tasks):
    return argparse.Namespace(task=list(tasks), quick=False)


def test_an_unknown_task_is_told_with_all_that_there_are():
    said = run.unknown_tasks(["loops", "robots"], options("beest", "best"))
    assert "'best'" in said and "'beest'" not in said
    for name in ("beest", "mini_cheetah", "unitree_go2", "strider"):
        assert name in said
    assert run.unknown_tasks(["loops"], options("beest")) == ""
    assert "none in dynamics" in run.unknown_tasks(["dynamics"], options("beest"))


def test_a_suite_asks_for_its_own_peers_alone():
    assert run.programs_of_peers("contact", options()) == {"mujoco_contact", "bullet_contact"}
    assert run.programs_of_peers("loops", options("beest")) == {"mujoco_contact"}
    assert "pinocchio" in run.programs_of_peers("dynamics", options())
