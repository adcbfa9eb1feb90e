"""The blocks in Python of the pages run in order; an expression followed by `# -> value` has this value."""
import ast
import re

import numpy as np
import pytest

import espalier
from conftest import ROOT

PAGE = ROOT / "docs/python.md"
PAGES = [PAGE, ROOT / "docs/coming_from_raisim.md", ROOT / "README.md"]
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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks_of_a_page_run(page, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    names = {"__name__": "docs"}
    checked = [run(source, line, names, page) for line, source in blocks(page)]
    assert checked
    if page == PAGE:
        assert sum(checked) > 15
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
