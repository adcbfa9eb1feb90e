"""The blocks in Python of the pages run in order; an expression followed by `# -> value` has this value."""
import ast
import re

import numpy as np
import pytest

import espalier
from package_paths import ROOT

PAGE = ROOT / "docs/python.md"
# What stands before the blocks of a page that begins in the middle of a program.
BEFORE = {
    "docs/python.md": "",
    "docs/coming_from_raisim.md": "",
    "README.md": "",
    "docs/learning.md": "",
    "docs/learning_ppo.md": "import os\nos.chdir(folder)\n",
    "docs/learning_ray.md": "import ray_cluster\nray_cluster.start()\n",
    "docs/recordings.md": """
import os
import espalier
import matplotlib.pyplot as plt
world = espalier.World()
world.add_ground()
world.add_articulated_system("models/strider/strider.urdf")
os.chdir(folder)
""",
    "docs/loops.md": """
import espalier
import numpy as np
spec = espalier.io.load_robot("models/four_bar/four_bar.urdf")
spec.loops.clear()
""",
    "docs/coming_from_generalized_rbda.md": """
import os, shutil
import numpy as np
shutil.copy("models/arm7/arm7.urdf", folder / "robot.urdf")
os.chdir(folder)
q = u = tau = np.zeros(7)
""",
    "docs/coming_from_mujoco.md": """
import espalier
import mujoco
import numpy as np
text = open("models/arm7/arm7.urdf").read().replace("height=", "length=")  # of capsules
model, mj_model = espalier.load(text), mujoco.MjModel.from_xml_string(text)
data = mujoco.MjData(mj_model)
q, u = np.linspace(0.1, 0.7, 7), np.linspace(-1, 1, 7)
M_mujoco, jacp = np.eye(7), np.ones((3, 7))
""",
}
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
CLAIM = re.compile(r"#\s*->\s*(.+)$")


def blocks(page=PAGE):
    """Line of the page and source of each block."""
    text = page.read_text(encoding="utf-8")
    for match in BLOCK.finditer(text):
        yield text.count("\n", 0, match.start(1)), match[1]


def claim_of(statement, lines):
    """What stands after -> in the last line of an expression; None where nothing does."""
    found = CLAIM.search(lines[statement.end_lineno - 1])
    return found[1].strip() if found and isinstance(statement, ast.Expr) else None


def agrees(value, claim):
    expected = ast.literal_eval(claim)
    if isinstance(expected, (str, bool)) or expected is None:
        return value == expected
    places = max((len(n.partition(".")[2]) for n in re.findall(r"\d+\.\d+", claim)), default=9)
    return np.shape(value) == np.shape(expected) and np.allclose(
        value, expected, rtol=0, atol=0.6 * 10.0**-places)


def run(source, first_line, names, page=PAGE):
    """Runs one block, and returns how many values it compared; its lines are the page's in tracebacks."""
    lines = source.split("\n")
    checked = 0
    for statement in ast.parse(source).body:
        claim = claim_of(statement, lines)
        ast.increment_lineno(statement, first_line)
        if claim is None:
            exec(compile(ast.Module([statement], []), str(page), "exec"), names)
            continue
        value = eval(compile(ast.Expression(statement.value), str(page), "eval"), names)
        assert agrees(value, claim), f"{page}:{statement.end_lineno}: it is {value!r}, not {claim}"
        checked += 1
    return checked


@pytest.mark.parametrize("page", BEFORE)
def test_blocks_of_a_page_run(page, monkeypatch, capsys, tmp_path):
    if "import mujoco" in BEFORE[page]:
        pytest.importorskip("mujoco")
    if page == "docs/learning.md":
        pytest.importorskip("gymnasium")
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    names = {"__name__": "docs", "folder": tmp_path}
    run(BEFORE[page], 0, names)
    compared = [run(source, line, names, ROOT / page) for line, source in blocks(ROOT / page)]
    assert compared, f"{page} has no blocks in Python any more"
    if ROOT / page == PAGE:
        assert sum(compared) > 15
        assert "LF_KFE" in capsys.readouterr().out  # the robot's tree


@pytest.mark.parametrize("claim, value, is_so", [
    ("294.3", 294.34, True), ("294.3", 294.5, False), ("[1, 2]", np.array([1.0, 2.0]), True),
    ("[1, 2]", np.array([1.0, 3.0]), False), ("[1, 2]", 1.0, False), ("True", False, False),
    ("'a'", "a", True), ("(3,)", (3,), True),
])
def test_claims_can_fail(claim, value, is_so):
    assert agrees(value, claim) == is_so


def test_a_wrong_claim_is_told_with_its_line():
    with pytest.raises(AssertionError, match=r"python.md:7: it is 2, not 3"):
        run("1 + 1  # -> 3\n", 6, {})
    assert espalier.World  # the page speaks of what was imported
