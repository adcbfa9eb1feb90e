"""What the command says when it cannot do what was asked: in text, in JSON, on a full disk."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from cli_runner import BINARY, MODELS, answer, good, model, run

COMMANDS = ["info", "check", "compute", "sim", "bench"]
FULL = Path("/dev/full")


def errors(done):
    """The errors of a call with --json, each complete."""
    assert done.returncode in (1, 2), done.stdout + done.stderr
    said = json.loads(done.stdout)
    assert said["ok"] is False
    lists = [file["diagnostics"] for file in said["files"]] if "files" in said else [
        said["diagnostics"]]
    found = [d for one in lists for d in one if d["severity"] == "error"]
    for d in found:
        assert set(d) == {"severity", "file", "line", "what", "remedy"}
        assert d["what"] and d["remedy"]
    assert found
    return found


@pytest.mark.parametrize("arguments", [
    [], ["nonsense"], ["info"], ["sim"], ["check", ""], ["info", "a", "b"],
    ["compute", "a", "--gravity", "1,2"], ["sim", "a", "--seed", "-1"], ["bench", "a", "--what"],
    ["sim", model("cartpole"), "--time", "1e300"],
])
def test_wrong_usage_with_json_is_json(arguments):
    done = run(*arguments, "--json")
    assert done.returncode == 2 and done.stderr == ""
    assert len(errors(done)) == 1


def test_an_unknown_command_is_named():
    assert "'nonsense'" in run("nonsense").stderr
    assert "command" in run().stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_bad_files_are_errors_with_file_and_line(command, tmp_path):
    def said(name, content):
        path = tmp_path / name
        path.write_bytes(content)
        text = run(command, path)
        assert text.returncode == 1
        assert str(path) in text.stdout + text.stderr
        found = errors(run(command, path, "--json"))
        assert found[0]["file"] == str(path)
        return found[0]["line"]

    assert said("empty.urdf", b"") == 1
    assert said("text.urdf", b"hello\n") == 1
    assert said("cut.urdf", b'<robot name="r">\n<link') == 2
    assert said("binary.urdf", bytes(range(256)) * 20) == 1
    assert said("nothing.urdf", b'<robot name="r"/>') == 0
    assert said("page.xml", b"\n<html/>") == 2
    folder = tmp_path / "folder.urdf"
    folder.mkdir()
    assert errors(run(command, folder, "--json"))[0]["file"] == str(folder)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_may_not_be_read_is_an_error(command, tmp_path):
    path = tmp_path / "closed.urdf"
    path.write_text(model("cartpole").read_text(encoding="utf-8"))
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read every file")
    assert "permissions" in errors(run(command, path, "--json"))[0]["remedy"]


def test_a_state_that_does_not_fit_is_an_error(tmp_path):
    state = tmp_path / "state.json"
    state.write_text('{"q": [1,\n 2\n')
    assert errors(run("compute", model("cartpole"), "--state", state, "--json"))[0]["line"] == 3
    state.write_text('{"q": [1]}')
    for arguments in (["compute", model("cartpole"), "--state", state],
                      ["sim", model("cartpole"), "--pose", state]):
        assert errors(run(*arguments, "--json"))[0]["file"] == str(state)


def test_what_throws_in_the_dynamics_names_the_file(tmp_path):
    """Drawn flat a parallelogram is at a change point: its accelerations are not determined."""
    path = tmp_path / "flat.urdf"
    text = model("parallelogram").read_text(encoding="utf-8")
    path.write_text(text.replace('"0.09 0 0.12"', '"0.15 0 0"'))
    done = run("compute", path, "--json")
    found = errors(done)[0]
    assert found["file"] == str(path) and "set other coordinates" in found["remedy"]


@pytest.mark.parametrize("arguments, word", [
    (["--time", "1e300"], "--dt"), (["--dt", "1e-300"], "--dt"), (["--dt", "10"], "--time"),
    (["--time", "0.0005"], "--time"), (["--time", "1e6"], "--long"), (["--time", "nan"], "positive"),
    (["--time", "1e300", "--long"], "--dt"), (["--dt", "inf"], "positive"),
    (["--seed", "-1"], "whole number"), (["--seed", "1.5"], "whole number"),
    (["--seed", "18446744073709551616"], "whole number"), (["--height", "nan"], "finite"),
    (["--log-rate", "0"], "positive"),
])
def test_runs_that_are_none_are_refused_with_the_remedy(arguments, word):
    done = run("sim", model("cartpole"), *arguments)
    assert done.returncode == 2 and done.stdout == ""
    assert word in done.stderr


def test_a_worlds_own_time_step_may_not_exceed_the_run(tmp_path):
    path = MODELS / "worlds" / "strider_crates.xml"
    done = run("sim", path, "--time", "0.001")
    assert done.returncode == 2
    assert str(path) in done.stderr and "<timeStep>" in done.stderr
    assert answer("sim", path, "--time", "0.001", "--dt", "0.001")["steps"] == 1


def test_the_largest_seed_is_one():
    most = 2**64 - 1
    assert answer("sim", model("cartpole"), "--time", "0.01", "--seed", most)["steps"] == 10


def test_any_rate_of_the_log_will_do(tmp_path):
    log = tmp_path / "run.csv"
    for rate, lines in (("1e-300", 3), ("1e300", 12), ("500", 7)):
        good("sim", model("cartpole"), "--time", "0.01", "--log", log, "--log-rate", rate)
        assert len(log.read_text().splitlines()) == lines


def on_full_disk(*arguments):
    """Standard output is a device that takes no byte."""
    if not BINARY.exists():
        pytest.skip(f"{BINARY} is not built")
    if not FULL.exists():
        pytest.skip("this system has no /dev/full")
    with FULL.open("w") as full:
        return subprocess.run([str(BINARY), *map(str, arguments)], stdout=full,
                              stderr=subprocess.PIPE, text=True, timeout=120, check=False)


@pytest.mark.parametrize("arguments", [
    ["--help"], ["--version"], ["info", model("strider")], ["info", model("strider"), "--json"],
    ["check", model("strider")], ["check", model("strider"), "--json"],
    ["compute", model("strider")], ["compute", model("strider"), "--json"],
    ["sim", model("strider"), "--time", "0.01"],
    ["sim", model("strider"), "--time", "0.01", "--json"],
    ["bench", model("cartpole"), "--repetitions", "1"],
])
def test_a_full_disk_is_an_error(arguments):
    done = on_full_disk(*arguments)
    assert done.returncode == 1
    assert "standard output" in done.stderr and os.strerror(28) in done.stderr


def test_a_log_on_a_full_disk_is_an_error():
    if not FULL.exists():
        pytest.skip("this system has no /dev/full")
    for time in ("0.01", "2"):  # the whole log within the buffer, and beyond it
        done = run("sim", model("strider"), "--time", time, "--log", FULL)
        assert done.returncode == 1 and str(FULL) in done.stderr
        found = errors(run("sim", model("strider"), "--time", time, "--log", FULL, "--json"))
        assert found[0]["file"] == str(FULL)
