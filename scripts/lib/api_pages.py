#!/usr/bin/env python3
"""Writes the pages of the Python reference for Sphinx: one for each public class, and one for each module
with its functions, enums and constants.

    api_pages.py FOLDER        the package espalier has to be importable
"""
import enum
import importlib
import inspect
import pkgutil
import re
import sys
from pathlib import Path

SMALL = 4  # a class with fewer public members stands on its module's page


def as_rst(lines):
    """Our docstrings are plain text: lines with an indent are kept as they are, `name` is code, and no
    other sign means anything."""
    result, is_kept = [], False
    for line in lines:
        indented = line.startswith(" ")
        if indented and not is_kept:
            result += ["", "::", ""]
        elif not indented and is_kept and line:
            result.append("")
        is_kept = indented or (is_kept and not line)
        result.append("   " + line if indented else plain(line))
    return result


def plain(line):
    """Text in which only `name` and a doctest mean something to Sphinx."""
    if line.startswith((">>>", "...")):
        return line
    parts = re.split(r"(``[^`]+``|`[^`]+`)", line)
    return "".join("``" + part.strip("`") + "``" if part.startswith("`") and part.endswith("`")
                   and len(part) > 2 else re.sub(r"([\\*`|_])", r"\\\1", part) for part in parts)


def modules():
    """The public modules of the package, its own first."""
    package = importlib.import_module("espalier")
    found = ["espalier"]
    for entry in pkgutil.walk_packages(package.__path__, "espalier."):
        if not any(part.startswith("_") for part in entry.name.split(".")):
            found.append(entry.name)
    imported = (import_or_none(name) for name in sorted(found))
    return [module for module in imported if module]


def import_or_none(name):
    """A module; None where it needs a package of others that is not installed, as adapters do."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "espalier").split(".")[0] == "espalier":
            raise
        print(f"left out of the reference: {name}, which needs {error.name}", file=sys.stderr)
        return None


def public_names(module):
    names = getattr(module, "__all__", None) or [name for name in vars(module) if name[0] != "_"]
    return [name for name in sorted(names) if not inspect.ismodule(getattr(module, name))]


def is_ours(thing):
    return (getattr(thing, "__module__", "") or "").split(".")[0] == "espalier"


def heading(text, sign="="):
    return [text, sign * len(text), ""]


def directive(kind, name, *options):
    return [f".. {kind}:: {name}", *(f"   :{option}:" for option in options), ""]


def page_of(folder, module, seen):
    """Writes the page of a module; returns its name, or None where it has nothing of its own."""
    name = module.__name__
    classes, small, functions, others = [], [], [], []
    for public in public_names(module):
        thing = getattr(module, public)
        if id(thing) in seen:
            continue
        if inspect.isclass(thing):
            if not is_ours(thing):
                continue
            members = [key for key in vars(thing) if key[0] != "_"]
            is_small = issubclass(thing, (enum.Enum, Exception)) or len(members) < SMALL
            (small if is_small else classes).append(public)
        elif callable(thing) and is_ours(thing):
            functions.append(public)
        elif isinstance(thing, (int, float, str, tuple, dict)):
            others.append(public)
            continue
        else:
            continue
        seen.add(id(thing))
    if not (classes or small or functions or others):
        return None
    lines = [*heading(name), f".. py:module:: {name}", "", f".. currentmodule:: {name}", ""]
    lines += [*as_rst((inspect.getdoc(module) or "").splitlines()), ""]
    if classes:
        lines += [*heading("Classes", "-"), ".. toctree::", "   :maxdepth: 1", ""]
        for public in classes:
            path = f"{name}.{public}"
            lines.append(f"   {public} <{path}>")
            (folder / f"{path}.rst").write_text("\n".join(
                [*heading(public), f".. currentmodule:: {name}", "",
                 *directive("autoclass", public, "members", "undoc-members",
                            "special-members: __init__", "show-inheritance")]))
        lines.append("")
    for title, kind, names in (("Small classes and enums", "autoclass", small),
                               ("Functions", "autofunction", functions),
                               ("Constants", "autodata", others)):
        if names:
            lines += heading(title, "-")
            for public in names:
                lines += directive(kind, public)
    (folder / f"{name}.rst").write_text("\n".join(lines))
    return name


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    seen = set()
    pages = [page_of(folder, module, seen) for module in modules()]
    lines = [*heading("Python reference"), ".. toctree::", "   :maxdepth: 2", ""]
    lines += [f"   {page}" for page in pages if page]
    (folder / "index.rst").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
