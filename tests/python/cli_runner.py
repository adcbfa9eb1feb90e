"""The `espalier` command as the tests call it."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"
BUILD = Path(os.environ.get("ESPALIER_BUILD", ROOT / "build/release"))
BINARY = Path(os.environ.get("ESPALIER_BIN", BUILD / "bin/espalier"))
ALL = sorted(path.stem for path in MODELS.glob("*/*.urdf"))


def model(name):
    return MODELS / name / f"{name}.urdf"


def closes_loops(name):
    text = model(name).read_text(encoding="utf-8")
    return any(tag in text for tag in ("<loop ", "<coupling ", "<constraint "))


NAMES = [name for name in ALL if not closes_loops(name)]  # trees: any q will do
MECHANISMS = [name for name in ALL if closes_loops(name)]


def run(*arguments, stdin=None, env=None):
    if not BINARY.exists():
        pytest.skip(f"{BINARY} is not built")
    return subprocess.run(
        [str(BINARY), *map(str, arguments)], input=stdin, capture_output=True, text=True,
        env={**os.environ, "LC_ALL": "C.UTF-8", **(env or {})}, timeout=120, check=False)


def good(*arguments, **more):
    """What a call that ends well prints."""
    done = run(*arguments, **more)
    assert done.returncode == 0, f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def answer(*arguments, **more):
    """What a call with --json that ends well says."""
    return json.loads(good(*arguments, "--json", **more))
