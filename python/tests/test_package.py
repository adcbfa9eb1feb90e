"""The package is the one that was built, and says which version it is."""
import os
import re
from pathlib import Path

import espalier

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ESPALIER_BUILD", ROOT / "build" / "release"))


def test_version_is_that_of_cmake():
    project = re.search(r"project\(espalier VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert project and espalier.__version__ == project[1]


def test_package_is_the_one_of_the_build_tree():
    assert Path(espalier.__file__).is_relative_to(BUILD)
