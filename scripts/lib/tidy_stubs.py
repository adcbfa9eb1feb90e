#!/usr/bin/env python3
"""Makes stubs that nanobind's stubgen has written pass mypy --strict.

    tidy_stubs.py FILE.pyi...

Containers of anything say so (list -> list[Any]), == takes any object, what has no hash is allowed not to
have one; `object` means the builtin where a class has a member of that name, what enums have for
themselves is left out, and submodules are not handed on: the package has modules with their names.
Exit code 1 where a signature names a C++ type, which is bound too late or not at all.
"""
import re
import sys
from pathlib import Path

GENERIC = {"list": "list[Any]", "tuple": "tuple[Any, ...]", "dict": "dict[Any, Any]",
           "set": "set[Any]", "Iterable": "Iterable[Any]", "Iterator": "Iterator[Any]",
           "Sequence": "Sequence[Any]", "Mapping": "Mapping[Any, Any]",
           "Callable": "Callable[..., Any]", "type": "type[Any]", "os.PathLike": "os.PathLike[str]"}
NAMES = re.compile(r"(?<![\w.\"'])(os\.PathLike|" + "|".join([*GENERIC, "object"]) + r")(?![\w\[(=.\"'])")
SUBMODULES = re.compile(r"^from espalier\._espalier import (\([^)]*\)|[^(\n]*)\n", re.MULTILINE)
NESTED = re.compile(r"^from espalier\._espalier\.(\w+) import Kind as Kind\n", re.MULTILINE)
UNWANTED = re.compile(r"    _\w+_: \S+ = .*|__all__: .*")


def annotated(text):
    """An annotation in which nothing is left open."""
    def replace(found):
        return GENERIC.get(found[1], "builtins.object")
    return NAMES.sub(replace, text)


def tidy_line(line):
    if re.match(r"\s*__hash__: None = None", line):
        return line + "  # type: ignore[assignment]"
    signature = re.match(r"(\s*def \w+\()(.*)(\) -> )(.*?)(:(?: \.\.\.)?)$", line)
    if signature:
        head, parameters, arrow, result, end = signature.groups()
        if "__reduce__(" in head:
            result = "tuple[Any, ...]"
        if "__eq__(" in head or "__ne__(" in head:
            parameters = re.sub(r"(arg|other): [^,]+", r"\1: object", parameters)
        parameters = re.sub(r"(\*{1,2}\w+)(?=,|$)", r"\1: Any", parameters)
        # Only what stands behind ":" is an annotation; a parameter may be called `object` as well.
        parameters = re.sub(r": ([^:]*?)(?=(?: = [^:]*)?(?:, \*{0,2}\w+:|, /|, \*,|$))",
                            lambda found: ": " + annotated(found[1]), parameters)
        return head + parameters + arrow + annotated(result) + end
    variable = re.match(r"(\s*\w+: )(.*?)( = .*)?$", line)
    if variable and not line.lstrip().startswith(("class ", "def ", "import ", "from ")):
        return variable[1] + annotated(variable[2]) + (variable[3] or "")
    return line


def full_names(line, modules):
    """io.Options -> espalier._espalier.io.Options for the extension's submodules."""
    for name in modules:
        line = re.sub(rf"(?<=[ \[(]){name}\.(?=[A-Z])", f"espalier._espalier.{name}.", line)
    return line


def tidy(text):
    """The text of a stub, tidied."""
    handed_on = SUBMODULES.findall(text)
    modules = sorted({name for part in handed_on for name in re.findall(r"(\w+) as", part)})
    text = NESTED.sub("", SUBMODULES.sub("", text))
    lines, in_text = [], False
    for line in text.splitlines():
        if UNWANTED.fullmatch(line):
            continue
        quotes = line.count('"""')
        lines.append(line if in_text or quotes else tidy_line(full_names(line, modules)))
        in_text ^= quotes % 2 == 1
    body = "\n".join(lines) + "\n"
    imports = [name for name in ("builtins", *(f"espalier._espalier.{name}" for name in modules))
               if f"{name}." in body]
    needed = "".join(f"import {name}\n" for name in imports)
    if re.search(r"\bAny\b", body) and not re.search(r"^from typing import .*\bAny\b", body, re.M):
        needed += "from typing import Any\n"
    # Behind the module's docstring, before the first import.
    at = re.search(r"^(?:from|import|class|def|@)", body, re.MULTILINE)
    return body[: at.start()] + needed + body[at.start() :] if at and needed else body


def main(paths):
    failed = False
    for path in map(Path, paths):
        text = tidy(path.read_text())
        path.write_text(text)
        for number, line in enumerate(text.splitlines(), 1):
            if re.search(r"\"?\bespalier::|\bstd::", line) and ("def " in line or ": " in line):
                print(f"{path}:{number}: names a C++ type: {line.strip()}")
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
