"""The notebooks of examples/notebooks run from the first cell to the last, and stand in git without
outputs."""

import json
import os
from pathlib import Path

import pytest
from package_paths import BUILD, ROOT

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))


@pytest.fixture(autouse=True)
def package_of_the_build(monkeypatch):
    """The kernel is a process of its own."""
    path = os.pathsep.join(filter(None, [str(BUILD / "python"), os.environ.get("PYTHONPATH")]))
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")


def outputs_of(cell):
    return cell.get("outputs", [])


def test_there_are_notebooks():
    assert {path.stem for path in NOTEBOOKS} >= {"first_look", "closed_loops"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_not_kept_in_git(path):
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        assert not outputs_of(cell) and cell.get("execution_count") is None, cell["id"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path):
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    book = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        book, timeout=300, resources={"metadata": {"path": path.parent}})
    client.execute()  # raises where a cell does
    outputs = [output for cell in book.cells for output in outputs_of(cell)]
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    assert "image/png" in kinds  # plots
    frames = [text for output in outputs
              if (text := output.get("data", {}).get("text/html", "")).startswith("<iframe srcdoc")]
    assert frames and all("espalier-recording" in text for text in frames)
    said = [output for output in outputs if output.get("name") == "stderr"]
    assert not said, said
