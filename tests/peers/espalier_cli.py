"""`espalier compute` as the tests ask it: many states of one file in one call."""

import json
import os
import pathlib
import subprocess

import pytest
import robots

_BUILD = pathlib.Path(os.environ.get("ESPALIER_BUILD", robots.REPOSITORY / "build/release"))
BINARY = pathlib.Path(os.environ.get("ESPALIER_BIN", _BUILD / "bin/espalier"))


def compute(path, states, folder):
    """The answers to `states`, in order."""
    if not BINARY.exists():
        pytest.skip(f"{BINARY} is not built")
    asked = folder / "states.json"
    asked.write_text(json.dumps([{k: list(map(float, v)) for k, v in s.items()} for s in states]))
    done = subprocess.run([BINARY, "compute", path, "--state", asked, "--json"],
                          capture_output=True, text=True)
    assert done.returncode == 0, f"espalier compute {path} failed:\n{done.stdout}{done.stderr}"
    answers = json.loads(done.stdout)
    assert len(answers) == len(states)
    return answers


def answer(command, *arguments):
    """What a command with --json says that ends well."""
    if not BINARY.exists():
        pytest.skip(f"{BINARY} is not built")
    done = subprocess.run([BINARY, command, *arguments, "--json"], capture_output=True, text=True)
    assert done.returncode == 0, f"espalier {command} failed:\n{done.stdout}{done.stderr}"
    return json.loads(done.stdout)
