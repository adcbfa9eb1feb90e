"""docs/site: our docstrings, plain text, as Sphinx has to be given them; each public name has a place in
the reference."""
import importlib
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "lib"))

import api_pages  # noqa: E402

import espalier  # noqa: E402


def test_plain_text_becomes_rst():
    text = ["Poses X_WB [nb], a*b and `q`.", "  in   q  [nq]", "", "  out  u", "The end."]
    assert api_pages.as_rst(text) == [
        r"Poses X\_WB [nb], a\*b and ``q``.", "", "::", "", "     in   q  [nq]", "",
        "     out  u", "", "The end."]


def test_doctests_stay():
    assert api_pages.as_rst([">>> a_b * c", "3"]) == [">>> a_b * c", "3"]


def test_every_public_class_and_function_has_a_place(tmp_path):
    api_pages.main(tmp_path)
    placed = set()
    for page in tmp_path.glob("*.rst"):
        text = page.read_text()
        module = importlib.import_module(re.search(r"currentmodule:: (\S+)", text)[1]) \
            if "currentmodule" in text else espalier
        names = re.findall(r"^\.\. auto(?:class|function|data):: (\S+)", text, re.M)
        placed.update(id(getattr(module, name)) for name in names)
    missing = [name for name, thing in vars(espalier).items() if name[0] != "_"
               and callable(thing) and api_pages.is_ours(thing) and id(thing) not in placed]
    assert placed and missing == []
