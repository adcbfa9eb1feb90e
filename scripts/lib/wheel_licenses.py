#!/usr/bin/env python3
"""Puts the licences of what a wheel contains of others into it.

    wheel_licenses.py WHEEL FOLDER        writes FOLDER/WHEEL, prints its path

Beside espalier/ a wheel of scripts/wheel has libraries of the distribution (espalier.libs/, by
auditwheel), code of headers and, in the viewer's page, of npm's packages. The texts come from
/usr/share/doc/PACKAGE/copyright, with the common licences that they name, and
web/node_modules/PACKAGE/LICENSE, and go to espalier-VERSION.dist-info/licenses/third_party/.
"""
import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Debian packages of headers that are compiled in.
HEADERS = ["libeigen3-dev", "nlohmann-json3-dev", "libstb-dev", "libcli11-dev"]
PAGE = ["three", "uplot"]
COMMON = re.compile(r"/usr/share/common-licenses/([\w.+-]*\w)")


def package_of(library):
    """The Debian package of a library that auditwheel has copied: libode-0123abcd.so.8 -> libode8."""
    name = re.sub(r"-[0-9a-f]{8}(?=\.)", "", library)
    stem = re.sub(r"\.so.*", "", name)
    found = subprocess.run(["dpkg-query", "-S", f"*/{stem}*.so*"], capture_output=True, text=True)
    for line in found.stdout.splitlines():
        package, path = line.split(": ", 1)
        soname = re.sub(r"(\.so\.\d+).*", r"\1", name)
        if Path(path).name == name or Path(path).name.startswith(soname + "."):
            return package.split(":")[0]
    return None


def copyright_of(package):
    path = Path("/usr/share/doc") / package / "copyright"
    return path if path.is_file() else None


def nanobind_license():
    found = importlib.util.find_spec("nanobind")
    if not found:
        return None
    folder = Path(found.submodule_search_locations[0])
    near = [*folder.glob("LICENSE*"), *folder.parent.glob("nanobind-*.dist-info/**/LICENSE*")]
    return near[0] if near else None


def texts(libraries):
    """{name: file with its licence}; exits where one is not to be found."""
    found = {}
    for library in libraries:
        package = package_of(library)
        found[package or library] = package and copyright_of(package)
    for package in HEADERS:
        found[package] = copyright_of(package)
    for package in PAGE:
        path = ROOT / "web" / "node_modules" / package / "LICENSE"
        found[package] = path if path.is_file() else None
    found["nanobind"] = nanobind_license()
    for path in [path for path in found.values() if path]:
        for name in COMMON.findall(path.read_text(errors="replace")):
            common = Path("/usr/share/common-licenses") / name
            found[f"common-license-{name}"] = common if common.is_file() else None
    without = sorted(name for name, path in found.items() if not path)
    if without:
        sys.exit(f"found no licence of: {', '.join(without)}")
    return found


def main(wheel, folder):
    with tempfile.TemporaryDirectory() as scratch:
        run = [sys.executable, "-m", "wheel"]
        subprocess.run([*run, "unpack", "--dest", scratch, wheel], check=True, capture_output=True)
        (content,) = Path(scratch).iterdir()
        (info,) = content.glob("*.dist-info")
        libraries = sorted(path.name for path in content.glob("*.libs/*"))
        target = info / "licenses" / "third_party"
        target.mkdir(parents=True)
        names = []
        for name, path in sorted(texts(libraries).items()):
            shutil.copyfile(path, target / f"{name}.txt")
            names.append(f"License-File: third_party/{name}.txt")
        metadata = info / "METADATA"
        head, blank, body = metadata.read_text().partition("\n\n")
        metadata.write_text("\n".join([head, *names]) + blank + body)
        subprocess.run([*run, "pack", "--dest-dir", folder, content], check=True,
                       capture_output=True)
    print(Path(folder) / Path(wheel).name)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
