"""examples/mppi.py and identify.py, run for a short time."""
import os
import re
import subprocess
import sys

import numpy as np

import espalier
from package_paths import BUILD, ROOT


def run(program, *arguments):
    """Exit status and what it prints."""
    python_path = os.pathsep.join(filter(None, [str(BUILD / "python"), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / program, *map(str, arguments)], text=True,
        capture_output=True, check=False, env=os.environ | {"PYTHONPATH": python_path})
    assert not done.stderr, done.stdout + done.stderr
    return done.returncode, done.stdout


def test_mppi_swings_the_pole_up(tmp_path):
    status, told = run("mppi.py", "--seconds", 2.4, "--samples", 192, "--out", tmp_path)
    recording = espalier.Recording(tmp_path / "swing_up.esp")
    angle = recording.channel("cartpole/q/hinge")
    from_top = np.abs(np.remainder(angle + np.pi, 2 * np.pi) - np.pi)
    assert from_top[0] > 3 and from_top[-1] < np.radians(10), told
    assert np.abs(recording.channel("cartpole/q/slider")).max() < 2
    assert recording.times[-1] > 2.3
    assert (tmp_path / "swing_up.html").stat().st_size > 100_000
    assert status == (0 if "it stands" in told else 1)


def test_mppi_says_when_the_pole_does_not_stand(tmp_path):
    arguments = ("--seconds", 0.2, "--samples", 8, "--out", tmp_path)
    status, told = run("mppi.py", *arguments)
    assert status == 1 and "it does not stand" in told
    assert re.sub(r"in [\d.]+ s", "", run("mppi.py", *arguments)[1]) == re.sub(r"in [\d.]+ s", "", told)


def identified(told):
    """{name: (true, fitted)} of the parameters that were found."""
    rows = re.findall(r"^((?:mass|kd) of \w+) +([\d.]+) +([\d.]+) +\S+ +\S+$", told, re.MULTILINE)
    return {name: (float(true), float(fitted)) for name, true, fitted in rows}


def test_identify_finds_what_made_the_data():
    status, told = run("identify.py", "--seconds", 1)
    assert status == 0, told
    found = identified(told)
    assert len(found) == 14
    for true, fitted in found.values():
        assert abs(true - fitted) < 6e-5  # of the digits that are printed
    assert float(re.search(r"largest relative error (\S+);", told)[1]) < 1e-6
    assert "mass of world" not in found and told.count("not identifiable") == 1


def test_identify_with_noise_misses_by_what_it_says():
    status, told = run("identify.py", "--seconds", 1, "--noise", 1e-5)
    assert status == 0, told
    rows = re.findall(r"^(?:mass|kd) of \w+ +([\d.]+) +([\d.]+) +(\S+) +(\S+)$", told, re.MULTILINE)
    ratios = [float(true) * float(error) / float(deviation) for true, _, error, deviation in rows]
    assert len(ratios) == 14 and max(ratios) < 5 and max(ratios) > 0.1, told


def test_identify_says_when_it_did_not_converge():
    status, told = run("identify.py", "--seconds", 1, "--iterations", 1)
    assert status == 1 and "NOT converged" in told
