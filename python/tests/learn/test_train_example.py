"""examples/train_strider.py, train_cassie.py and play.py, run for a few updates."""
import os
import re
import subprocess
import sys

import numpy as np
import pytest

import espalier
from espalier.learn import Policy
from espalier.learn.curve import fingerprint, read_curve
from package_paths import BUILD, ROOT


def run(program, *arguments):
    python_path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(BUILD / "python")]))
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / program, *map(str, arguments)], text=True,
        capture_output=True, check=False, env=os.environ | {"PYTHONPATH": python_path})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def train(out, seed):
    return run("train_strider.py", "--updates", 2, "--envs", 16, "--mode", "accurate", "--threads", 1,
               "--seed", seed, "--out", out)


def test_training_writes_what_it_says_and_repeats_itself(tmp_path):
    told = train(tmp_path / "a", seed=3)
    assert len(re.findall(r"^ +\d+ .* steps/s .*reward.*episode", told, re.MULTILINE)) == 2
    curve = read_curve(tmp_path / "a" / "curve.csv")
    assert len(curve) == 2 and f"curve {fingerprint(curve)}" in told
    assert re.search(r"\d+ of 16 did not fall", told)
    assert Policy.load(tmp_path / "a" / "policy.npz").observation_size == 48
    recording = espalier.Recording(tmp_path / "a" / "walk.esp")
    assert recording.times[-1] > 0.1 and np.ptp(recording.poses[:, :, 2]) > 0.1
    assert (tmp_path / "a" / "walk.html").stat().st_size > 100_000

    train(tmp_path / "b", seed=3)
    assert fingerprint(read_curve(tmp_path / "b" / "curve.csv")) == fingerprint(curve)
    page = tmp_path / "page.html"
    assert "0.2 s" in run("play.py", tmp_path / "a" / "policy.npz", "--html", page, "--seconds", 0.2,
                          "--flat")
    assert page.stat().st_size > 100_000


def test_cassie_is_trained_by_the_same_program(tmp_path):
    start = Policy(48, 10, (16,))
    start.initialize(np.random.default_rng(0))
    start.save(tmp_path / "start.npz")
    told = run("train_cassie.py", "--updates", 1, "--envs", 16, "--threads", 1, "--out", tmp_path,
               "--from", tmp_path / "start.npz")
    assert re.search(r"at 0.7 m/s for 10 s: \d+ of 16 did not fall", told)
    assert Policy.load(tmp_path / "policy.npz").hidden == (16,)
    assert espalier.Recording(tmp_path / "walk.esp").times[-1] > 0.1


@pytest.mark.parametrize("task", ["StriderWalk", "CassieWalk", "BipedWalk"])
def test_a_policy_that_comes_with_the_package_is_played(tmp_path, task):
    page = tmp_path / "page.html"
    assert "0.4 s" in run("play.py", "--task", task, "--html", page, "--seconds", 0.4)
    assert page.stat().st_size > 100_000
