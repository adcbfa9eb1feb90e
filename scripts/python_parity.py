#!/usr/bin/env python3
"""Lists what of the public C++ headers has no name in the Python package.

    scripts/python_parity.py [--count] [MODULE...]

Each header under espalier/ is public unless a pattern of python/parity.toml, [internal], says why it is
not. Each public class, field, function, constant and enumerator has a Python name by rule, in the
module of its namespace and in the class of its class:

    fooBar()            foo_bar             getX()              x
    setX(v)             x, writable,        isX(), hasX()       is_x, has_x
                        or set_x            field fooBar        foo_bar
    Enum::FooBar        Enum.FOO_BAR        X_PJ, pos_P         as they are
    begin(), size()     iteration, len()    operator[]          __getitem__
    raise, from         raise_, from_

A name that deviates stands in [renamed] of that file, what is left out in [left_out] with its
reason. Needless entries are reported as well. With modules (world, io, ...) only these are looked at;
--count prints one line for each module. Exit code 1 where something is missing.
"""
import argparse
import fnmatch
import importlib
import inspect
import keyword
import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

try:
    import tomllib
except ModuleNotFoundError:  # before Python 3.11; pytest brings it
    import tomli as tomllib

sys.path.insert(0, str(Path(__file__).resolve().parent / "lib"))
from public_headers import Declaration, code_of, declarations  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "python" / "parity.toml"
# namespace: modules in which its names may stand.
MODULES = {
    "espalier": ["espalier", "espalier.dynamics"],
    "espalier::io": ["espalier.io"],
    "espalier::sim": ["espalier.sim"],
    "espalier::ClusterJoint": ["espalier.cluster_joint"],
    "espalier::LoopConstraint": ["espalier.loop_constraint"],
}
OPERATORS = {
    "operator[]": "__getitem__", "operator()": "__call__", "operator+": "__add__",
    "operator-": "__sub__", "operator*": "__mul__", "operator/": "__truediv__",
    "operator+=": "__add__", "operator-=": "__sub__", "operator*=": "__mul__",
    "operator/=": "__truediv__", "operator==": "__eq__",
}
NOTHING = object()
CONTAINER = {"begin": "__iter__", "end": "__iter__", "size": "__len__", "empty": "__len__"}


class Table(NamedTuple):
    internal: dict  # pattern of headers: reason
    left_out: dict  # pattern of names: reason
    renamed: dict  # name: its path in the package


class Missing(NamedTuple):
    header: str
    path: str  # io::loadRobot, World::integrate
    wanted: str

    @property
    def module(self):
        parts = self.header.split("/")
        return parts[1] if len(parts) > 2 else "espalier"


def read_table(path=TABLE):
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    return Table(*(content.get(part, {}) for part in Table._fields))


def snake(name):
    """fooBarURDF -> foo_bar_urdf; a frame or symbol behind "_" keeps its case: getCom_B -> com_B."""
    head, *tail = name.split("_")
    if len(head) > 1:
        head = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", head)
        head = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", head).lower()
    return "_".join([head, *(part if re.fullmatch(r"[A-Z]{1,2}", part) else part.lower()
                             for part in tail)])


def unreserved(names):
    """The names, each once; with "_" behind it where Python has the word for itself."""
    return list(dict.fromkeys(name + "_" if keyword.iskeyword(name) else name for name in names))


def names_of(declared: Declaration):
    """Names under which the declaration may stand in Python, the wanted one first; a name behind
    "=" has to be writable."""
    name = declared.name
    if declared.kind in ("class", "enum"):
        return [name]
    if declared.kind == "enumerator":
        return [re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).upper()]
    if declared.kind == "constant":
        return [snake(name).upper(), snake(name)]
    if declared.kind == "field":
        return unreserved([snake(name), name])
    if declared.kind == "operator":
        return [OPERATORS[name]] if name in OPERATORS else []
    found = re.match(r"(get|set)(?=[A-Za-z])(?![a-z]*$)(.+)", name)
    if found and found[1] == "get":
        return [snake(found[2])]
    if found and found[2][0].isupper():
        return ["=" + snake(found[2]), "set_" + snake(found[2])]
    names = [snake(name), name]
    if name in CONTAINER:
        names.append(CONTAINER[name])
    return unreserved(names)


def spoken(declared):
    """The path without the outer namespace: io::loadRobot."""
    inner = declared.namespace.removeprefix("espalier").removeprefix("::")
    return f"{inner}::{declared.path}" if inner else declared.path


def resolve(path):
    """What "World.step" or "io.load_robot" is in the package; NOTHING where there is none."""
    thing = importlib.import_module("espalier")
    for part in path.split("."):
        if not hasattr(thing, part):
            return NOTHING
        thing = getattr(thing, part)
    return thing


def is_writable(owner, name):
    found = inspect.getattr_static(owner, name, None)
    return (getattr(found, "fset", None) is not None or inspect.ismemberdescriptor(found)
            or name in getattr(owner, "__dataclass_fields__", {}))


def stands_in(owner, names):
    for name in names:
        if name.startswith("="):
            if is_writable(owner, name[1:]):
                return True
        elif hasattr(owner, name) or name in getattr(owner, "__dataclass_fields__", {}):
            return True
    return False


def modules_of(namespace):
    found = []
    for name in MODULES.get(namespace, []):
        try:
            found.append(importlib.import_module(name))
        except ModuleNotFoundError:
            continue
    return found


def owners_of(declared, renamed):
    """Modules or classes in which the declaration may stand."""
    found = []
    for owner in modules_of(declared.namespace):
        for depth, part in enumerate(declared.owner.split("::") if declared.owner else []):
            upper = "::".join(declared.owner.split("::")[: depth + 1])
            other = renamed.get(spoken(declared._replace(owner="", name=upper)))
            owner = resolve(other) if other else getattr(owner, part, NOTHING)
            if owner is NOTHING:
                break
        if owner is not NOTHING:
            found.append(owner)
    return found


def is_bound(declared, renamed):
    names = names_of(declared)
    return not names or any(stands_in(owner, names) for owner in owners_of(declared, renamed))


def public_headers(root, table):
    for path in sorted((root / "espalier").rglob("*.h")):
        name = path.relative_to(root).as_posix()
        if not any(fnmatch.fnmatch(name, pattern) for pattern in table.internal):
            yield name, path


def surface(root, table):
    """[(header, declaration)], overloads once."""
    for name, path in public_headers(root, table):
        seen = set()
        for declared in declarations(code_of(path)):
            key = (declared.kind, declared.namespace, declared.path)
            if key not in seen and (declared.kind != "operator" or declared.owner):
                seen.add(key)
                yield name, declared


def compare(root=ROOT, table=None):
    """(missing, complaints about the table)"""
    table = table or read_table()
    missing, complaints = [], []
    needed = set()
    for header, declared in surface(root, table):
        path = spoken(declared)
        if path in table.renamed:
            needed.add(path)
            if resolve(table.renamed[path]) is NOTHING:
                missing.append(Missing(header, path, table.renamed[path]))
            continue
        if is_bound(declared, table.renamed):
            continue
        reasons = [pattern for pattern in table.left_out if fnmatch.fnmatchcase(path, pattern)]
        needed.update(reasons)
        if not reasons:
            missing.append(Missing(header, path, names_of(declared)[0].removeprefix("=")))
    for kind, entries in (("left_out", table.left_out), ("renamed", table.renamed)):
        complaints += [f"[{kind}] \"{path}\": needless, there is no such name or it is bound"
                       for path in entries if path not in needed]
    headers = [path.relative_to(root).as_posix() for path in (root / "espalier").rglob("*.h")]
    complaints += [f"[internal] \"{pattern}\": there is no such header" for pattern in table.internal
                   if not fnmatch.filter(headers, pattern)]
    return missing, complaints


def main():
    parser = argparse.ArgumentParser(prog="scripts/python_parity.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", action="store_true", help="one line for each module")
    parser.add_argument("modules", nargs="*")
    arguments = parser.parse_args()
    build = Path(os.environ.get("ESPALIER_BUILD", ROOT / "build" / "release"))
    sys.path.insert(0, str(build / "python"))

    missing, complaints = compare()
    if arguments.modules:
        missing = [one for one in missing if one.module in arguments.modules]
    if arguments.count:
        for module in sorted({one.room for one in missing}):
            print(f"{module}: {sum(one.module == room for one in missing)} missing")
    else:
        for one in missing:
            print(f"{one.header}: {one.path} is missing: {one.wanted}")
        for line in complaints:
            print(f"python/parity.toml: {line}")
    return 1 if missing or complaints else 0


if __name__ == "__main__":
    sys.exit(main())
