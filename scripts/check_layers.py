#!/usr/bin/env python3
"""Says whether the layers still hold: includes point down, files stay short, flags stay honest.

    scripts/check_layers.py [ROOT]

One module is one folder of espalier/. A module may include itself and modules of lower layers; a few
modules see less (NARROW). Programs (apps, python, bench) may include every module and nothing in
espalier/ may include them. Own headers are included by their full name, "espalier/module/file.h".
Beside that: no source file is longer than 600 lines, and none asks for fast maths, which would
break determinism. Exit code 1 and a line for each breach.
"""
import re
import sys
from pathlib import Path

# Bottom to top. Modules of one layer do not see each other.
LAYERS = [
    ["core"],
    ["scalar"],
    ["spatial"],
    ["geometry", "contact"],
    ["model", "collision"],
    ["dynamics", "io"],
    ["step"],
    ["robot"],
    ["world"],
    ["batch", "visual", "compat"],
    ["server"],
]
# Modules that see less than everything below them.
NARROW = {
    "contact": {"core", "scalar", "spatial"},
    "io": {"core", "scalar", "spatial", "geometry", "model"},
    "step": {
        *("core", "scalar", "spatial", "geometry", "contact", "model", "collision", "dynamics")
    },
}
# Modules of plain arrays and structures: no Eigen.
WITHOUT_EIGEN = {"core", "scalar", "spatial", "contact", "dynamics", "step"}
LONGEST = 600
CODE = {".h", ".hpp", ".cpp", ".cc", ".py", ".ts"}
BUILD_FILES = {".cmake", ".txt", ".json", ".toml", ".sh"}
SKIPPED = {"build", "out", ".git", ".venv", "node_modules", "__pycache__"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def allowed():
    """{module: modules it may include}, itself among them."""
    below, rules = set(), {}
    for layer in LAYERS:
        for module in layer:
            rules[module] = NARROW.get(module, below) | {module}
        below = below | set(layer)
    return rules


def files(root, folder="."):
    for path in sorted((root / folder).rglob("*")):
        inner = path.relative_to(root)
        if path.is_file() and not SKIPPED.intersection(inner.parts):
            yield path, inner.as_posix()


def include_breaches(root):
    rules = allowed()
    for path, name in files(root, "espalier"):
        if path.suffix not in {".h", ".hpp", ".cpp", ".cc", ".inl"}:
            continue
        parts = name.split("/")
        # A file directly in espalier/ (an umbrella header) may name every module.
        module = parts[1] if len(parts) > 2 else None
        if module and module not in rules:
            yield f"{name}: module '{module}' has no layer in scripts/check_layers.py"
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            found = INCLUDE.match(line)
            if not found:
                continue
            quote, target = found.groups()
            top, *inner = target.split("/")
            if top == "espalier":
                if module and inner[0] not in rules[module]:
                    yield f"{name}:{number}: {module} may not include {target}"
            elif top == "Eigen" and module in WITHOUT_EIGEN:
                yield f"{name}:{number}: {module} does without Eigen"
            elif top in {"apps", "python", "bench", "tests"}:
                yield f"{name}:{number}: the library may not include {target}"
            elif quote == '"':
                yield f'{name}:{number}: write "espalier/module/file.h" instead of "{target}"'


def length_breaches(root):
    for path, name in files(root):
        if path.suffix in CODE:
            lines = len(path.read_text(errors="replace").splitlines())
            if lines > LONGEST:
                yield f"{name}: {lines} lines, more than {LONGEST}"


def flag_breaches(root):
    flag = "-ffast" + "-math"
    for path, name in files(root):
        if path.suffix not in CODE | BUILD_FILES:
            continue
        comment = "//" if path.suffix in {".h", ".hpp", ".cpp", ".cc", ".ts"} else "#"
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if flag in line.split(comment)[0]:
                yield f"{name}:{number}: {flag} breaks determinism"


def breaches(root):
    return [*include_breaches(root), *length_breaches(root), *flag_breaches(root)]


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    if not (root / "espalier").is_dir():
        sys.exit(f"no folder espalier/ in {root}")
    found = breaches(root)
    for line in found:
        print(line)
    print(f"check_layers: {len(found)} breach{'' if len(found) == 1 else 'es'}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
