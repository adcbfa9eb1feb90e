"""The command as such: help, exit codes, colours."""

import json

import pytest
from cli_runner import NAMES, ROOT, answer, good, model, run

COMMANDS = ["info", "check", "compute", "sim", "bench"]


def test_help_names_every_command_and_shows_examples():
    text = good("--help")
    for command in COMMANDS:
        assert f"\n  {command} " in text
        assert f"\n  espalier {command} " in good(command, "--help")


def test_version():
    version = (ROOT / "CMakeLists.txt").read_text().split("VERSION ")[2].split()[0]
    assert good("--version").strip() == f"espalier {version}"


@pytest.mark.parametrize("arguments", [
    [], ["nonsense"], ["info"], ["info", "a", "b"], ["info", "--nonsense", "a"],
    ["compute", "a", "--gravity", "1,2"], ["compute", "a", "--gravity", "1,2,x"],
    ["info", "a", "--param", "noequals"], ["sim", "a", "--dt", "0"], ["sim", "a", "--time", "-1"],
    ["sim", "a", "--pd", "1"], ["sim", "a", "--pd", "1,-2"], ["sim", "a", "--scheme", "leapfrog"],
    ["bench", "a", "--repetitions", "0"],
])
def test_wrong_usage_is_2_and_says_so(arguments):
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == "" and "--help" in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_a_missing_file_is_1_in_text_and_in_json(command):
    done = run(command, "/nowhere/robot.urdf")
    assert done.returncode == 1
    assert "/nowhere/robot.urdf" in done.stdout + done.stderr
    done = run(command, "/nowhere/robot.urdf", "--json")
    assert done.returncode == 1
    said = json.loads(done.stdout)
    assert said["ok"] is False


def test_no_colour_and_no_progress_in_a_pipe():
    for arguments in (["info", model("strider")], ["check", model("arm7")],
                      ["sim", model("strider"), "--time", "0.05"]):
        done = run(*arguments)
        assert "\033" not in done.stdout + done.stderr
        assert "\r" not in done.stdout + done.stderr


def test_templates_take_parameters(tmp_path):
    robot = tmp_path / "robot.urdf"
    robot.write_text('<robot name="r"><link name="world"><inertial><mass value="{2 * m}"/>'
                     '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
                     '<link name="@@tip"/><joint name="j" type="fixed"><parent link="world"/>'
                     '<child link="@@tip"/></joint></robot>')
    assert run("info", robot).returncode == 1
    assert run("info", robot, "--param", "m=3").returncode == 1
    said = answer("info", "--param", "m=3", "--param", "tip=end", robot)
    assert said["mass"] == 6 and said["links"][1]["name"] == "end"


def test_search_finds_packages(tmp_path):
    robot = tmp_path / "robot.urdf"
    robot.write_text(
        '<robot name="r"><link name="world"><collision><geometry>'
        '<mesh filename="package://pkg/cube.obj"/></geometry></collision></link></robot>')
    elsewhere = tmp_path / "elsewhere" / "pkg"
    elsewhere.mkdir(parents=True)
    (elsewhere / "cube.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")

    def warnings(*more):
        return answer("check", robot, *more)["files"][0]["warnings"]

    assert warnings("--search", tmp_path / "elsewhere") == warnings() - 1


@pytest.mark.parametrize("name", NAMES)
def test_fixed_base_takes_six_dofs_away(name):
    free, welded = answer("info", model(name)), answer("info", model(name), "--fixed-base")
    assert welded["nv"] == free["nv"] - 6 * free["floating"]
    assert welded["floating"] is False
