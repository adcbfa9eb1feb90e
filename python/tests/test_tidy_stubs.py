"""scripts/lib/tidy_stubs.py: what of nanobind's stubs mypy --strict would refuse."""
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts" / "lib"))

import tidy_stubs  # noqa: E402


@pytest.mark.parametrize("line, wanted", [
    ("    def f(self, a: list, *args) -> tuple: ...",
     "    def f(self, a: list[Any], *args: Any) -> tuple[Any, ...]: ..."),
    ("    def f(self, a: list[int], b: dict | None = None) -> list[tuple]:",
     "    def f(self, a: list[int], b: dict[Any, Any] | None = None) -> list[tuple[Any, ...]]:"),
    ("    def __eq__(self, arg: Tape, /) -> bool: ...",
     "    def __eq__(self, arg: builtins.object, /) -> bool: ..."),
    ("    def object(self, object: object) -> object: ...",
     "    def object(self, object: builtins.object) -> builtins.object: ..."),
    ("    def __reduce__(self) -> object:", "    def __reduce__(self) -> tuple[Any, ...]:"),
    ("    __hash__: None = None", "    __hash__: None = None  # type: ignore[assignment]"),
    ("def load(path: str | os.PathLike) -> None: ...",
     "def load(path: str | os.PathLike[str]) -> None: ..."),
    ("    list_of = 3", "    list_of = 3"),
])
def test_lines(line, wanted):
    assert tidy_stubs.tidy_line(line) == wanted


def test_text_of_docstrings_stays_and_imports_come():
    text = '"""Doc."""\n\nfrom espalier._espalier import (\n    io as io\n)\nimport enum\n\n' \
        'class Flag(enum.Flag):\n    _mask_: int = 3\n    def f(self) -> io.Options:\n' \
        '        """\n        def g(a: list) -> tuple:\n        """\n    def h(self) -> list: ...\n'
    tidy = tidy_stubs.tidy(text)
    assert "        def g(a: list) -> tuple:\n" in tidy
    assert "def h(self) -> list[Any]: ...\n" in tidy
    assert "_mask_" not in tidy and "io as io" not in tidy
    assert "def f(self) -> espalier._espalier.io.Options:\n" in tidy
    assert "import espalier._espalier.io\nfrom typing import Any\nimport enum\n" in tidy


def test_types_of_cpp_are_refused(tmp_path, capsys):
    path = tmp_path / "a.pyi"
    path.write_text('def f(a: "espalier::ShapeType") -> None: ...\n')
    assert tidy_stubs.main([path]) == 1
    assert "espalier::ShapeType" in capsys.readouterr().out
