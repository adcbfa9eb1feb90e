"""scripts/check_layers.py: each kind of breach is found, and an sound tree has none."""
import subprocess
import sys
from pathlib import Path

import check_layers
import pytest

ROOT = Path(check_layers.__file__).resolve().parents[1]

SOUND = {
    "espalier/core/id.h": "#pragma once\n#include <vector>\n",
    "espalier/scalar/lanes.h": '#include "espalier/core/id.h"\n',
    "espalier/contact/cone.h": '#include "espalier/spatial/vec.h"\n',
    "espalier/contact/solver.cpp": '#include "espalier/contact/cone.h"\n',
    "espalier/world/world.cpp": '#include "espalier/io/urdf/urdf.h"\n#include "espalier/core/id.h"\n',
    "espalier/espalier.h": '#include "espalier/batch/batch.h"\n',
    "apps/cli/main.cpp": '#include "espalier/world/world.h"\n#include "apps/cli/table.h"\n',
}


@pytest.fixture
def tree(tmp_path):
    """tree({name: text}) writes an sound tree with these files in it, and says its breaches."""

    def build(extra):
        for name, text in {**SOUND, **extra}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return check_layers.breaches(tmp_path)

    return build


def test_a_sound_tree_has_no_breach(tree):
    assert tree({}) == []


@pytest.mark.parametrize(
    "name, include",
    [
        ("espalier/core/check.h", "espalier/scalar/lanes.h"),  # core and scalar: one way only
        ("espalier/model/model.h", "espalier/dynamics/tree/factor.h"),  # up
        ("espalier/model/model.h", "espalier/collision/ode.h"),  # across
        ("espalier/geometry/mesh.h", "espalier/contact/cone.h"),  # across
        ("espalier/contact/solver.h", "espalier/geometry/mesh.h"),  # contact knows only spatial
        ("espalier/contact/solver.h", "espalier/model/model.h"),  # up
        ("espalier/io/urdf/urdf.cpp", "espalier/dynamics/crba.h"),  # across
        ("espalier/io/urdf/urdf.cpp", "espalier/collision/ode.h"),  # io sees down to model only
        ("espalier/world/world.cpp", "espalier/batch/batch.h"),  # up
    ],
)
def test_a_forbidden_include_is_named(tree, name, include):
    found = tree({name: f'#pragma once\n  #  include "{include}"\n'})
    assert len(found) == 1
    assert found[0].startswith(f"{name}:2:") and include in found[0]


def test_angle_brackets_do_not_hide_an_include(tree):
    assert len(tree({"espalier/spatial/a.h": "#include <espalier/world/world.h>\n"})) == 1


@pytest.mark.parametrize("target", ["apps/cli/table.h", "../world/world.h", "world.h"])
def test_the_library_names_its_own_headers_in_full_and_no_programs(tree, target):
    assert len(tree({"espalier/model/model.h": f'#include "{target}"\n'})) == 1


def test_an_unknown_module_is_a_breach(tree):
    found = tree({"espalier/attic/box.h": "#pragma once\n"})
    assert len(found) == 1 and "attic" in found[0]


def test_length_ends_at_600_lines(tree):
    assert tree({"espalier/core/long.h": "\n" * 600}) == []
    found = tree({"espalier/core/long.h": "\n" * 601})
    assert found == ["espalier/core/long.h: 601 lines, more than 600"]


def test_fast_maths_is_found_but_may_be_spoken_of(tree):
    flag = "-ffast" + "-math"
    assert tree({"espalier/core/a.h": f"// never {flag}\n", "CMakeLists.txt": f"# no {flag}\n"}) == []
    found = tree({"CMakeLists.txt": f"# flags\nadd_compile_options({flag})\n"})
    assert len(found) == 1 and found[0].startswith("CMakeLists.txt:2:")


def test_build_folders_are_not_looked_at(tree):
    assert tree({"build/release/generated.cpp": "\n" * 9000}) == []


def test_the_exit_code_and_this_project(tmp_path):
    script = [sys.executable, check_layers.__file__]
    assert subprocess.run([*script, ROOT], capture_output=True).returncode == 0
    (tmp_path / "espalier/core").mkdir(parents=True)
    (tmp_path / "espalier/core/a.h").write_text('#include "espalier/world/world.h"\n')
    assert subprocess.run([*script, tmp_path], capture_output=True).returncode == 1
