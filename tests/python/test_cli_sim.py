"""espalier sim and espalier bench."""

import csv
import json
import signal
import subprocess
import time

import pytest
from cli_runner import BINARY, MECHANISMS, MODELS, NAMES, answer, good, model, run


def test_the_quadruped_stands(tmp_path):
    log = tmp_path / "run.csv"
    said = answer("sim", model("strider"), "--time", "1.5", "--dt", "0.0025", "--log", log)
    assert said["steps"] == 600 and said["time"] == pytest.approx(1.5) and not said["interrupted"]
    assert said["flags"] == [] and said["contacts"]["max"] == 4
    assert said["residual"] <= 1e-8 and said["penetration"] < 1e-3
    assert 0.5 < said["robots"][0]["base_height"] < 0.53

    rows = list(csv.DictReader(log.open()))
    assert len(rows) == 301  # 200 a second, and the start
    assert float(rows[0]["time"]) == 0 and float(rows[-1]["time"]) == pytest.approx(1.5)
    assert float(rows[0]["base_z"]) == pytest.approx(0.5252 + 0.05, abs=1e-3)
    assert float(rows[-1]["base_z"]) == pytest.approx(said["robots"][0]["base_height"], abs=1e-12)
    assert rows[-1]["contacts"] == "4"
    for key in ("q.LF_KFE", "u.LF_KFE", "tau.LF_KFE", "base_qw", "base_vx", "kinetic_energy",
                "potential_energy", "mechanical_energy", "energy_balance", "residual",
                "iterations", "penetration"):
        float(rows[-1][key])
    # What the knees hold by then is the weight: kp times what they gave way.
    knee = rows[-1]
    assert float(knee["tau.LF_KFE"]) == pytest.approx(
        said["robots"][0]["kp"] * (-1.2 - float(knee["q.LF_KFE"])), abs=0.5)


@pytest.mark.parametrize("name", NAMES)
# RUNGE_KUTTA_4, which takes no damping implicitly, diverges with the PD control of human36.
@pytest.mark.parametrize("scheme", ["midpoint", "trapezoid", "semi_implicit", "euler"])
def test_own_models_run_without_a_flag(name, scheme):
    said = answer("sim", model(name), "--time", "0.3", "--scheme", scheme)
    assert said["scheme"] == scheme and said["flags"] == []
    assert said["penetration"] < 1e-3


@pytest.mark.parametrize("name", MECHANISMS)
def test_mechanisms_stay_closed_and_log_all_their_joints(name, tmp_path):
    log = tmp_path / "run.csv"
    said = answer("sim", model(name), "--time", "0.2", "--seed", 2, "--log", log)
    info = answer("info", model(name))
    closes = bool(info["clusters"])  # rotors alone are nothing to close
    assert said["flags"] == [] and 0 <= said["closure"] <= 1e-12
    rows = list(csv.DictReader(log.open()))
    joints = info["joints"]
    for joint in joints:
        own = [key for key in rows[0] if key.partition(".")[2].startswith(joint["name"])]
        assert {key[0] for key in own} == {"q", "u", "t"}
    if closes:
        assert max(float(row["closure"]) for row in rows) <= said["closure"]
    assert all(float(value) == float(value) for value in rows[-1].values())  # no NaN


def test_a_driven_four_bar_turns_its_dependent_joints(tmp_path):
    log, pose = tmp_path / "run.csv", tmp_path / "pose.json"
    pose.write_text('{"q": [0.4], "u": [6]}')
    answer("sim", model("four_bar"), "--pd", "0,0", "--pose", pose, "--time", "0.5", "--log", log,
           "--log-rate", "1000")
    rows = [{k: float(v) for k, v in row.items() if v} for row in csv.DictReader(log.open())]
    assert rows[0]["q.crank"] == 0.4 and rows[0]["u.crank"] == 6
    assert rows[-1]["q.crank"] > 2
    for a, b in zip(rows, rows[1:]):  # every joint moves by its own velocity
        for joint in ("crank", "coupler", "rocker"):
            mean = (a[f"u.{joint}"] + b[f"u.{joint}"]) / 2
            moved = (b[f"q.{joint}"] - a[f"q.{joint}"]) / (b["time"] - a["time"])
            assert moved == pytest.approx(mean, abs=5e-3)


def test_equal_calls_end_in_equal_bits_and_seeds_differ():
    def state(*more):
        return answer("sim", model("strider"), "--time", "0.4", *more)["state_hash"]

    assert state() == state() and state("--seed", 3) == state("--seed", 3)
    assert len({state(), state("--seed", 3), state("--seed", 4)}) == 3


def test_a_free_pendulum_keeps_its_energy(tmp_path):
    log = tmp_path / "run.csv"
    pose = tmp_path / "pose.json"
    pose.write_text('{"q": [1.2, 0.5]}')
    said = answer("sim", model("double_pendulum"), "--pd", "0,0", "--pose", pose, "--time", "2",
                  "--height", "0", "--log", log)
    rows = list(csv.DictReader(log.open()))
    energy = [float(r["kinetic_energy"]) + float(r["potential_energy"]) for r in rows]
    moving = max(float(r["kinetic_energy"]) for r in rows)
    assert moving > 1 and max(energy) - min(energy) < 1e-3 * moving
    assert abs(said["energy_balance"]["sum"]) < 1e-3 * moving
    first = answer("info", model("double_pendulum"))["joints"][0]["name"]
    assert float(rows[0][f"q.{first}"]) == 1.2


def test_several_robots_stand_side_by_side(tmp_path):
    log = tmp_path / "run.csv"
    said = answer("sim", model("strider"), model("biped"), model("strider"), "--time", "0.3",
                  "--log", log)
    assert [r["name"] for r in said["robots"]] == ["strider", "biped", "strider2"]
    row = list(csv.DictReader(log.open()))[-1]
    y = [float(row[f"{r['name']}/base_y"]) for r in said["robots"]]
    assert y[0] + 0.5 < y[1] and y[1] + 0.5 < y[2]
    assert said["contacts"]["max"] <= 16  # feet on the ground, nothing between robots


def test_pd_and_height_are_followed(tmp_path):
    log = tmp_path / "run.csv"
    said = answer("sim", model("strider"), "--pd", "150,5", "--height", "0.2", "--time", "0.01",
                  "--log", log)
    assert (said["robots"][0]["kp"], said["robots"][0]["kd"]) == (150, 5)
    first = next(csv.DictReader(log.open()))
    assert float(first["base_z"]) == pytest.approx(0.5252 + 0.2, abs=1e-3)


@pytest.mark.parametrize("file", [model("strider"), MODELS / "worlds/strider_crates.xml"])
def test_the_residual_keeps_to_the_tolerance(file):
    coarse, fine = (answer("sim", file, "--time", "1", "--tolerance", t)
                    for t in ("1e-4", "1e-10"))
    assert 1e-8 < coarse["residual"] <= 1e-4 and fine["residual"] <= 1e-10
    assert run("sim", model("strider"), "--tolerance", "0").returncode == 2


def test_the_table_tells_what_json_tells():
    text = good("sim", model("strider"), "--time", "0.2")
    said = answer("sim", model("strider"), "--time", "0.2")
    assert said["closure"] == 0 and "closure" not in text
    assert "largest closure error" in good("sim", model("four_bar"), "--time", "0.1")
    for word in ("real-time factor", "steps/s", "contacts", "largest penetration",
                 "largest NCP residual", "energy balance", "base height", said["state_hash"]):
        assert word in text


def test_overlapping_links_are_let_through_unless_told_otherwise(tmp_path):
    ball = ('<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
            '</inertial><collision><geometry><sphere radius="0.1"/></geometry></collision>')
    robot = tmp_path / "balls.urdf"
    robot.write_text('<robot name="balls"><link name="world"/>' + "".join(
        f'<link name="{name}">{ball}</link><joint name="j{name}" type="prismatic">'
        f'<origin xyz="{x} 0 1"/><parent link="world"/><child link="{name}"/><axis xyz="1 0 0"/>'
        '<limit lower="-1" upper="1" effort="100" velocity="10"/></joint>'
        for name, x in (("a", 0), ("b", 0.15))) + "</robot>")

    said = answer("sim", robot, "--time", "0.05")
    assert said["contacts"]["max"] == 0
    assert any("a and b" in d["what"] for d in said["diagnostics"])
    assert answer("sim", robot, "--time", "0.05", "--keep-overlaps")["contacts"]["max"] > 0


def test_ctrl_c_ends_with_a_summary():
    if not BINARY.exists():
        pytest.skip(f"{BINARY} is not built")
    process = subprocess.Popen(
        [str(BINARY), "sim", str(model("strider")), "--time", "100000", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    said = json.loads(out)
    assert process.returncode == 0 and said["interrupted"] is True
    assert 0 < said["steps"] < 100_000_000 and len(said["state_hash"]) == 16


def test_bad_logs_and_poses_are_1(tmp_path):
    assert run("sim", model("strider"), "--log", tmp_path / "no/run.csv").returncode == 1
    assert run("sim", model("strider"), "--pose", tmp_path / "no.json").returncode == 1
    pose = tmp_path / "pose.json"
    pose.write_text('{"q": [0, 0]}')
    done = run("sim", model("strider"), "--pose", pose)
    assert done.returncode == 1 and "'q'" in done.stderr


@pytest.mark.parametrize("name", ["strider", "chain20"])
def test_bench_times_every_metric_for_every_scalar(name):
    rows = answer("bench", model(name), "--repetitions", "1")
    metrics = {"kinematics", "inverse_dynamics", "crba", "factor", "dynamics", "forward_dynamics"}
    scalars = {"double", "float", "lanes_double", "lanes_float"}
    assert {(r["metric"], r["scalar"]) for r in rows} >= {(m, s) for m in metrics for s in scalars}
    for row in rows:
        assert row["suite"] == "dynamics" and row["unit"] == "ns" and row["value"] > 0
        assert {"case", "peer", "peer_value", "ratio"} <= set(row)
    assert "lanes_float" in good("bench", model(name), "--repetitions", "1")


KEYED = """<mujoco><worldbody><body><joint name="a" axis="0 1 0"/><geom size=".1" pos=".3 0 0"
  contype="0" conaffinity="0"/></body></worldbody><actuator>{}</actuator><keyframe><key name="one"
  qpos=".1" ctrl=".2"/><key name="two" qpos=".5" qvel="2" ctrl=".4"/></keyframe></mujoco>"""


def test_a_file_with_servos_starts_at_a_keyframe_and_is_held_by_them(tmp_path):
    path, log = tmp_path / "arm.xml", tmp_path / "run.csv"
    path.write_text(KEYED.format('<position joint="a" kp="1e6" kv="1e5"/>'))
    for options, start, end in [([], .1, .2), (["--keyframe", "two"], .5, .4),
                                (["--keyframe", 1], .5, .4), (["--keyframe", "none"], 0, 0)]:
        said = answer("sim", path, "--time", "2", "--log", log, *options)
        assert said["robots"][0]["kp"] is None and said["robots"][0]["kd"] is None
        rows = list(csv.DictReader(log.open()))
        assert float(rows[0]["q.a"]) == start
        assert float(rows[-1]["q.a"]) == pytest.approx(end, abs=1e-4)
    assert "held by its file's actuators" in good("sim", path, "--time", ".1")
    said = answer("sim", path, "--time", ".1", "--pd", "7,1")
    assert (said["robots"][0]["kp"], said["robots"][0]["kd"]) == (7, 1)


def test_a_file_with_motors_only_is_held_at_its_keyframe(tmp_path):
    path, log = tmp_path / "arm.xml", tmp_path / "run.csv"
    path.write_text(KEYED.format('<motor joint="a"/>'))
    said = answer("sim", path, "--time", "2", "--keyframe", "one", "--log", log)
    assert said["robots"][0]["kp"] > 0
    assert abs(float(list(csv.DictReader(log.open()))[-1]["q.a"]) - .1) < 1


def test_keyframes_that_are_not_there_are_refused(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(KEYED.format(""))
    for file, name in [(path, "three"), (path, "2"), (model("strider"), "one")]:
        done = run("sim", file, "--keyframe", name)
        assert done.returncode != 0 and "keyframe" in done.stderr
