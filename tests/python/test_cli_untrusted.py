"""Magnitudes that no robot has are refused; --no-bounds lifts the bounds."""

import json

from cli_runner import model, run

FAR = ('<robot name="r"><link name="world"/><link name="a"><inertial><mass value="1"/>'
       '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
       '<joint name="j" type="continuous"><parent link="world"/><child link="a"/>'
       '<origin xyz="2e6 0 0"/></joint></robot>')


def test_a_far_joint_is_refused_unless_bounds_are_lifted(tmp_path):
    path = tmp_path / "far.urdf"
    path.write_text(FAR)
    done = run("check", str(path))
    assert done.returncode == 1
    assert "2e+06 m, more than 1e+06 m" in done.stdout + done.stderr
    assert run("check", str(path), "--no-bounds").returncode == 0
    world = tmp_path / "world.xml"
    world.write_text('<raisim><objects><articulated_system urdf_path="[THIS_DIR]/far.urdf"/>'
                     "</objects></raisim>")
    assert run("check", str(world)).returncode == 1
    assert run("check", str(world), "--no-bounds").returncode == 0


def test_a_state_of_absurd_speed_is_refused_unless_bounds_are_lifted(tmp_path):
    path = tmp_path / "state.json"
    path.write_text(json.dumps({"u": [0, 2e6]}))
    done = run("compute", model("cartpole"), "--state", str(path), "--json")
    assert done.returncode == 1
    what = json.loads(done.stdout)["diagnostics"][-1]
    assert "2e+06, more than 1e+06 m/s or rad/s" in what["what"]
    assert "--no-bounds" in what["remedy"]
    assert run("compute", model("cartpole"), "--state", str(path), "--no-bounds").returncode == 0
