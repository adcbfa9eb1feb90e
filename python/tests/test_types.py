"""What type checkers see: the stubs are those of the built module, and mypy --strict finds no fault with
the package and the examples."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "espalier"
BUILD = Path(os.environ.get("ESPALIER_BUILD", ROOT / "build" / "release"))
EXAMPLES = sorted((ROOT / "examples").glob("**/*.py"))


def stubs_in(folder):
    """{path within the folder: text}"""
    found = [*folder.glob("_espalier.pyi"), *folder.glob("_espalier/**/*.pyi")]
    return {path.relative_to(folder).as_posix(): path.read_text() for path in found}


def test_stubs_are_those_of_the_module(tmp_path):
    subprocess.run([ROOT / "scripts" / "stubs", tmp_path], check=True,
                   env={**os.environ, "ESPALIER_BUILD": str(BUILD)})
    written = stubs_in(tmp_path)
    assert written
    assert stubs_in(PACKAGE) == written, "run scripts/stubs and commit what it writes"


def mypy(*arguments):
    pytest.importorskip("mypy")
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary",
         f"--cache-dir={BUILD / 'mypy'}", *map(str, arguments)],
        env={**os.environ, "MYPYPATH": os.pathsep.join([str(ROOT / "python"), str(ROOT / "examples")])}, cwd=ROOT, text=True,
        capture_output=True)


def test_package_is_typed():
    result = mypy("-p", "espalier")
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.skipif(not EXAMPLES, reason="there are no examples in Python")
def test_examples_are_typed():
    result = mypy("--explicit-package-bases", *EXAMPLES)
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_wrong_type_is_found(tmp_path):
    program = tmp_path / "wrong.py"
    program.write_text("import espalier\n\nespalier.World().time_step = 'slow'\n")
    result = mypy(program)
    assert result.returncode == 1 and "wrong.py:3" in result.stdout, result.stdout
