#!/usr/bin/env python3
"""Says whether code for wide registers could leak into programs that run without them.

    scripts/check_isa.py BUILD_FOLDER

The linker keeps one copy of each inline function. If an object compiled for x86-64-v4 brings a copy
of, say, std::max, that copy may be the one every other module then calls, and an older processor
stops on it. So every function that an object of a *_v4.cpp offers to the linker has to carry `v4`
in its name, by an inline namespace or as the type of an argument. Data (vtables, constants) may be
shared: it is the same for all. Exit code 1 and a line for each function that may not.
"""
import re
import subprocess
import sys
from pathlib import Path

FUNCTION = {"FUNC", "IFUNC"}


def offered(path):
    """Mangled names of the functions that the object `path` defines for others."""
    table = subprocess.run(
        ["readelf", "--syms", "--wide", str(path)], check=True, capture_output=True, text=True
    ).stdout
    for line in table.splitlines():
        # Num: Value Size Type Bind Vis Ndx Name
        row = re.match(r"\s*\d+:\s+\S+\s+\S+\s+(\S+)\s+(\S+)\s+\S+\s+(\S+)\s+(\S+)", line)
        if row:
            kind, binding, section, name = row.groups()
            if kind in FUNCTION and binding != "LOCAL" and section != "UND":
                yield name


def demangle(names):
    text = subprocess.run(
        ["c++filt"], input="\n".join(names), check=True, capture_output=True, text=True
    ).stdout
    return text.splitlines()


def breaches(build):
    """(objects looked at, [(object, function)])"""
    objects = sorted(build.rglob("*_v4.cpp.o"))
    found = []
    for path in objects:
        for name in demangle(list(offered(path))):
            if name and "v4" not in name:
                found.append((path.relative_to(build).as_posix(), name))
    return objects, found


def main():
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit("usage: scripts/check_isa.py BUILD_FOLDER")
    objects, found = breaches(Path(sys.argv[1]))
    for path, name in found:
        print(f"{path}: offers {name}")
    print(f"check_isa: {len(objects)} wide objects, {len(found)} functions that may leak")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
