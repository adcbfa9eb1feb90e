"""Completes web/package-lock.json, from which some registries leave out packages of other platforms.

    cd web && npm install --package-lock-only && python ../scripts/lib/complete_lock.py

`npm ci` refuses a lock file in which an optional dependency has no entry, on every platform. Those that
lack here get one with their version and platform, without an address or a hash: only the platform that
needs one asks its registry for it.
"""
import json
import pathlib


def platform(package):
    """{"os": [...], "cpu": [...]} of @rollup/rollup-OS-CPU[-LIBC], @esbuild/OS-CPU; else of fsevents."""
    words = package.split("/")[-1].removeprefix("rollup-").split("-")
    return {"os": [words[0]], "cpu": [words[1]]} if len(words) > 1 else {"os": ["darwin"]}


def main():
    file = pathlib.Path("package-lock.json")
    lock = json.loads(file.read_text())
    packages = lock["packages"]
    for entry in list(packages.values()):
        for name, version in entry.get("optionalDependencies", {}).items():
            if f"node_modules/{name}" not in packages:
                print(f"{name} {version}")
                packages[f"node_modules/{name}"] = {
                    "version": version.lstrip("~^"), **platform(name), "dev": True, "optional": True}
    lock["packages"] = dict(sorted(packages.items()))
    file.write_text(json.dumps(lock, indent=2) + "\n")


main()
