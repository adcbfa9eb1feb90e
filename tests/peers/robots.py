"""The robots that the peers are asked about: {name: path of a URDF}."""

import os
import pathlib

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("ESPALIER_SHARED", REPOSITORY.parent / "shared"))


def _in(folder):
    # Templates are ours alone: peers cannot read @@NAME.
    return {str(p.relative_to(folder)): p for p in sorted(folder.rglob("*.urdf"))
            if "@@" not in p.read_text()}


def own():
    return _in(REPOSITORY / "models")


def shared():
    """Empty where the shared folder is not there."""
    return _in(SHARED / "models")
