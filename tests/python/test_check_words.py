"""scripts/check_words.py: refused words are found as whole words, in code and docs, and nowhere else."""
import subprocess
import sys
from pathlib import Path

import check_words
import pytest

ROOT = Path(check_words.__file__).resolve().parents[1]


@pytest.fixture
def places(tmp_path):
    """places(table, {name: text}) writes a tree with these files and returns the places found."""

    def build(table, files):
        for name, text in {check_words.TABLE: table, **files}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return list(check_words.places(tmp_path))

    return build


@pytest.mark.parametrize(
    "name", ["espalier/world/a.h", "tests/unit/a_test.cpp", "docs/a.md", "scripts/plot", "README.md"]
)
def test_a_word_is_found_with_its_line_and_the_words_to_use(places, name):
    found = places("quux\tfrobnicator\n", {name: "one\ntwo quux three\n"})
    assert found == [f"{name}:2: 'quux': say frobnicator"]


def test_only_whole_words_of_the_same_case_count(places):
    assert places("quux\tx\n", {"docs/a.md": "quuxes, Quux, a_quux, quux1\n"}) == []


def test_a_pattern_may_hold_several_words(places):
    assert len(places("quux of \\d+\tx\n", {"docs/a.md": "quux of 12; quux of twelve\n"})) == 1


def test_the_table_and_built_files_are_not_searched(places):
    assert places("# quux\nquux\tx\n", {"docs/build/a.md": "quux\n", "docs/a.png": "quux\n"}) == []


def test_a_line_of_the_table_needs_a_tab(places):
    with pytest.raises(SystemExit, match="words.txt:2"):
        places("# fine\nquux\n", {})


def test_the_project_holds_no_refused_word():
    done = subprocess.run([sys.executable, check_words.__file__, ROOT], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "check_words: 0 places" in done.stdout
