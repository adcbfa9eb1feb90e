#!/usr/bin/env python3
"""Refuses words that the project has given up for the field's own (docs/glossary.md).

    scripts/check_words.py [ROOT]

The table is scripts/lib/words.txt: a regular expression, a tab, the words to use instead. It is searched for
as a whole word, case counts, in code, tests, scripts and docs. Exit code 1 and a line for each place.
"""
import re
import sys
from pathlib import Path

FOLDERS = ["apps", "bench", "cmake", "docs", "espalier", "examples", "python", "scripts", "tests", "web/src"]
ENDINGS = {".h", ".hpp", ".cpp", ".py", ".pyi", ".md", ".txt", ".cmake", ".toml", ".ts", ".sh", ""}
SKIPPED = {"build", "node_modules", "__pycache__", ".venv"}
TABLE = "scripts/lib/words.txt"


def table(root):
    """[(pattern, words to use instead)]; a line without a tab is an error."""
    words = []
    for number, line in enumerate((root / TABLE).read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        pattern, tab, instead = line.partition("\t")
        if not tab or not instead.strip():
            sys.exit(f"{TABLE}:{number}: no tab and words to use instead")
        words.append((re.compile(rf"(?<!\w)(?:{pattern})(?!\w)"), instead.strip()))
    return words


def texts(root):
    tops = [root / name for name in ("README.md", "CONTRIBUTING.md", "CMakeLists.txt")]
    for folder in FOLDERS:
        tops += sorted((root / folder).rglob("*"))
    for path in tops:
        inner = path.relative_to(root)
        if path.is_file() and path.suffix in ENDINGS and not SKIPPED.intersection(inner.parts):
            if inner.as_posix() != TABLE:
                yield path, inner.as_posix()


def places(root):
    words = table(root)
    some = re.compile("|".join(pattern.pattern for pattern, _ in words))
    for path, name in texts(root):
        text = path.read_text(errors="replace")
        if not words or not some.search(text):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            for pattern, instead in words:
                found = pattern.search(line)
                if found:
                    yield f"{name}:{number}: '{found.group()}': say {instead}"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    if not (root / TABLE).is_file():
        sys.exit(f"no {TABLE} in {root}")
    found = list(places(root))
    for line in found:
        print(line)
    print(f"check_words: {len(found)} place{'' if len(found) == 1 else 's'}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
