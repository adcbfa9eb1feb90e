"""MuJoCo's files as robots and worlds of the command line."""

import json

import pytest
from cli_runner import answer, good, run

ROBOT = """<mujoco model="walker"><option gravity="0 0 {gravity}" timestep=".002"/>
<worldbody><geom name="floor" type="plane" size="1 1 1"/>
<body name="trunk" pos="0 0 1"><freejoint name="f"/><geom type="box" size=".1 .2 .3"/>
<body name="leg" pos="0 0 -.3"><joint name="hip" axis="0 1 0" range="-90 90"/><geom size=".1"/>
{more}
</body></body>
<body name="ball" pos="3 0 1"><freejoint/><geom size=".1" mass="2"/></body>
</worldbody></mujoco>"""


@pytest.fixture
def robot(tmp_path):
    def write(more="", gravity="-9.81"):
        path = tmp_path / "robot.xml"
        path.write_text(ROBOT.format(more=more, gravity=gravity))
        return path
    return write


def test_what_acts_and_is_left_out_is_no_good_unless_lenient(robot):
    path = robot("<flexcomp/>")
    done = run("check", path)
    assert done.returncode == 1
    assert f"{path}:5: omission: " in done.stdout and "1 omission" in done.stdout
    assert run("check", path, "--lenient").returncode == 0
    [said] = json.loads(run("check", path, "--json").stdout)["files"]
    assert said["ok"] is False and said["errors"] == 0
    [omission] = [d for d in said["diagnostics"] if d.get("omission")]
    assert omission["severity"] == "warning" and "<flexcomp>" in omission["what"]
    assert run("check", robot("<camera/><light/>")).returncode == 0


def test_sim_tells_what_is_left_out_and_runs(robot):
    done = run("sim", robot("<flexcomp/>"), "--time", "0.01")
    assert done.returncode == 0
    assert "omission: " in done.stderr and "<flexcomp>" in done.stderr
    assert "omission" not in run("sim", robot(), "--time", "0.01").stderr


def test_info_of_a_robot_is_a_robots(robot):
    text = good("info", robot())
    assert "trunk" in text and "hip" in text and "└" in text and "ball" in text
    said = answer("info", robot())
    assert [j["name"] for j in said["joints"]] == ["hip"]
    assert said["nv"] == 7 and said["dofs"][-1] == "hip" and said["floating"]
    assert [thing["name"] for thing in said["world"]["objects"]] == ["ball", "floor"]
    assert said["world"]["gravity"] == [0, 0, -9.81]


def test_info_of_several_robots_is_a_worlds(tmp_path):
    arm = '<body name="{}"><joint/><geom size=".1"/></body>'
    path = tmp_path / "two.xml"
    path.write_text(f"<mujoco><worldbody>{arm.format('a')}{arm.format('b')}</worldbody></mujoco>")
    assert [r["name"] for r in answer("info", path)["robots"]] == ["a", "b"]


def test_compute_takes_the_files_gravity(robot, tmp_path):
    state = tmp_path / "state.json"
    state.write_text("{}")
    weight = [answer("compute", robot(gravity=g), "--state", state)["h"][2] for g in ("-9.81", "-1")]
    assert weight[0] == pytest.approx(9.81 * weight[1])
    given = answer("compute", robot(gravity="-1"), "--gravity", "0,0,-9.81")["h"][2]
    assert given == pytest.approx(weight[0])
    assert answer("compute", robot())["dofs"][:7] == [
        "f.vx", "f.vy", "f.vz", "f.wx", "f.wy", "f.wz", "hip"]
