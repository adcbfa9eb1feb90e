"""The robots that the peers are asked about: {name: path of a URDF}."""

import os
import pathlib
import xml.etree.ElementTree as ET

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


def spanning_tree(path, folder):
    """The file without what closes its loops, which the peers' readers leave out as well."""
    root = ET.parse(path).getroot()
    closing = [e for e in root if e.tag in ("loop", "coupling", "constraint", "constraints")]
    mimics = [(joint, e) for joint in root.iter("joint") for e in joint.findall("mimic")]
    if not closing and not mimics and not (path.parent / "robot.yaml").exists():
        return path
    for e in closing:
        root.remove(e)
    for joint, e in mimics:
        joint.remove(e)
    for joint in root.iter("joint"):
        joint.attrib.pop("independent", None)
    tree = folder / path.name
    ET.ElementTree(root).write(tree)
    return tree
