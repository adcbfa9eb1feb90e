"""python -m espalier is the command."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import espalier
import pytest
from package_paths import BUILD

MODELS = Path(__file__).resolve().parents[2] / "models"
STRIDER = str(MODELS / "strider" / "strider.urdf")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(BUILD / "python"), "LC_ALL": "C.UTF-8"}


def run(*arguments):
    return subprocess.run([sys.executable, "-m", "espalier", *arguments], env=ENVIRONMENT,
                          capture_output=True, text=True, timeout=120, check=False)


def test_it_prints_and_returns_what_the_command_does():
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"espalier {espalier.__version__}\n")
    done = run("info", STRIDER, "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["name"] == "strider"
    assert run("check", "nothing.urdf").returncode == 1
    done = run("frobnicate")
    assert done.returncode == 2 and "there is no command 'frobnicate'" in done.stderr


def test_it_agrees_with_the_program():
    program = BUILD / "bin" / "espalier"
    if not program.exists():
        pytest.skip(f"{program} is not built")
    for arguments in (["--help"], ["info", STRIDER], ["compute", STRIDER, "mass-matrix"],
                      ["sim", STRIDER, "--time", "-1"]):
        done = subprocess.run([program, *arguments], env=ENVIRONMENT, capture_output=True,
                              text=True, timeout=120, check=False)
        mine = run(*arguments)
        assert (mine.returncode, mine.stdout, mine.stderr) == (
            done.returncode, done.stdout, done.stderr)


def test_it_may_be_called_again_and_again_in_one_process(capfd):
    from espalier.__main__ import main

    handler = signal.getsignal(signal.SIGINT)
    for _ in range(2):
        assert main(["sim", STRIDER, "--time", "0.01", "--json"]) == 0
        assert json.loads(capfd.readouterr().out)["steps"] == 10
        assert main(["sim"]) == 2
        assert "FILE" in capfd.readouterr().err
    assert signal.getsignal(signal.SIGINT) is handler


def start(*arguments):
    return subprocess.Popen([sys.executable, "-m", "espalier", *arguments], env=ENVIRONMENT,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_ctrl_c_ends_the_viewer():
    with start("view", STRIDER, "--port", "0") as process:
        while not (line := process.stdout.readline()).startswith("http://"):
            assert line
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 0


def test_ctrl_c_ends_a_run_with_its_summary():
    with start("sim", STRIDER, "--time", "10000", "--json") as process:
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
        assert process.returncode == 0 and json.loads(out)["interrupted"]
