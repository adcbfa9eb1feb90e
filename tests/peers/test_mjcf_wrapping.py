"""Tendons led round spheres and cylinders, of MuJoCo's files: length and moment arms as MuJoCo has them."""

import subprocess

import numpy as np
import pytest

import espalier_cli
from test_mjcf_motion import assert_accelerates_alike

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (pip install mujoco)")

# An arm of three hinges and a slide, a wheel and a ball on it, sites on all of them.
ARM = """<mujoco><option gravity="0 0 -9"/><worldbody>
  <site name="w" pos="-.3 .2 .6"/><site name="top" pos=".2 .1 .9"/>
  <geom name="post" type="cylinder" size=".12 .4" pos="0 .25 .5" euler="10 -20 0"/>
  <body name="upper" pos="0 0 .1"><joint name="a" axis="0 1 0"/>
   <geom type="capsule" size=".02" fromto="0 0 0 .4 0 .1"/>
   <geom name="wheel" type="cylinder" size=".08 .02" pos=".35 0 .12" euler="90 15 0" contype="0"/>
   <site name="u" pos=".1 .02 .22"/><site name="over" pos=".35 0 .5"/><site name="under" pos=".35 0 -.4"/>
   <site name="hub" pos=".36 .01 .11"/>
   <body name="lower" pos=".4 0 .1"><joint name="b" axis="1 1 0" pos=".02 0 0" ref="20"/>
    <geom type="box" size=".1 .03 .02" pos=".1 .05 0"/>
    <geom name="ball" type="sphere" size=".06" pos=".15 .05 .02"/>
    <site name="l" pos=".1 .15 .1"/><site name="inner" pos=".16 .06 .02"/>
    <site name="beyond" pos=".15 .05 .4"/>
    <body name="hand" pos=".2 .1 0"><joint name="c" axis="0 0 1"/>
     <joint name="d" type="slide" axis="1 0 0"/><geom size=".03" pos=".1 0 0"/>
     <site name="h" pos=".12 .03 -.05"/></body></body></body></worldbody>
  <tendon>%s</tendon><keyframe><key name="k" qpos=".3 -.5 .4 .02" qvel=".7 -1.1 .3 -.2"/></keyframe>
  </mujoco>"""
PATHS = {
    "a wheel": '<site site="w"/><geom geom="wheel"/><site site="h"/>',
    "a ball": '<site site="u"/><geom geom="ball"/><site site="h"/>',
    "a post of the world": '<site site="w"/><geom geom="post"/><site site="l"/>',
    "over a wheel": '<site site="w"/><geom geom="wheel" sidesite="over"/><site site="l"/>',
    "under a wheel": '<site site="w"/><geom geom="wheel" sidesite="under"/><site site="l"/>',
    "beyond a ball": '<site site="u"/><geom geom="ball" sidesite="beyond"/><site site="h"/>',
    "a side on another body": '<site site="w"/><geom geom="wheel" sidesite="beyond"/><site site="h"/>',
    "through a wheel": '<site site="w"/><geom geom="wheel" sidesite="hub"/><site site="l"/>',
    "through a ball": '<site site="u"/><geom geom="ball" sidesite="inner"/><site site="h"/>',
    "several, and a pulley": '<site site="w"/><geom geom="wheel" sidesite="over"/><site site="l"/>'
                             '<geom geom="ball"/><site site="h"/><pulley divisor="2"/>'
                             '<site site="top"/><geom geom="post"/><site site="l"/>',
}
# MuJoCo finds where a string is reflected only to 1e-6 rad; there its length is stationary.
THROUGH = [name for name in PATHS if name.startswith("through")]


def write(path, name, attributes=""):
    path.write_text(ARM % f'<spatial name="t" {attributes}>{PATHS[name]}</spatial>', encoding="utf-8")


def jacobian_of(model, data):
    """Of the one tendon; MuJoCo keeps its non-zeros."""
    J = np.zeros(model.nv)
    first, count = model.ten_J_rowadr[0], model.ten_J_rownnz[0]
    J[np.ravel(model.ten_J_colind)[first:first + count]] = np.ravel(data.ten_J)[first:first + count]
    return J


@pytest.mark.parametrize("name", PATHS)
def test_length_and_moment_arms(name, tmp_path):
    path = tmp_path / "arm.xml"
    write(path, name, 'stiffness="1"')
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    random = np.random.default_rng(1)
    states = [{"q": random.uniform([-3, -3, -3, -.1], [3, 3, 3, .3]), "u": random.normal(size=4)}
              for _ in range(200)]
    answers = espalier_cli.compute(path, states, tmp_path)
    wrapped = 0
    for state, ours in zip(states, answers):
        data.qpos[:], data.qvel[:] = state["q"], state["u"]
        mujoco.mj_forward(model, data)
        ours = ours["tendons"]["t"]
        parts = slice(data.ten_wrapadr[0], data.ten_wrapadr[0] + data.ten_wrapnum[0])
        wrapped += bool((np.ravel(data.wrap_obj)[parts] >= 0).any())
        assert abs(ours["length"] - data.ten_length[0]) <= 1e-9
        tolerance = 1e-5 if name in THROUGH else 1e-9
        assert np.abs(ours["jacobian"] - jacobian_of(model, data)).max() <= tolerance
        assert abs(ours["velocity"] - np.dot(ours["jacobian"], state["u"])) <= 1e-12
    assert wrapped >= 10, "the tendon touches its geom too seldom"


@pytest.mark.parametrize("name", PATHS)
@pytest.mark.parametrize("attributes", ['stiffness="60" springlength=".3"', 'stiffness="60"',
                                        'damping="4"'])
def test_tension(name, attributes, tmp_path):
    path = tmp_path / "arm.xml"
    write(path, name, attributes)
    assert_accelerates_alike(path, tmp_path, 1e-4 if name in THROUGH else 1e-6)


@pytest.mark.parametrize("wrong, said", [
    ('<geom geom="ball"/><site site="h"/>', "between two sites"),
    ('<site site="h"/><geom geom="ball"/>', "between two sites"),
    ('<site site="w"/><geom geom="ball"/><geom geom="wheel"/><site site="h"/>', "between two sites"),
    ('<site site="w"/><geom geom="none"/><site site="h"/>', "no geom"),
    ('<site site="w"/><geom geom="box"/><site site="h"/>', "no geom"),
    ('<site site="w"/><geom geom="ball" sidesite="none"/><site site="h"/>', "no site")])
def test_what_is_refused(wrong, said, tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(ARM % f'<spatial name="t">{wrong}</spatial>', encoding="utf-8")
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_path(str(path))
    done = subprocess.run([espalier_cli.BINARY, "check", path], capture_output=True, text=True)
    assert done.returncode == 1 and said in done.stdout
