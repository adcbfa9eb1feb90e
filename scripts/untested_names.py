#!/usr/bin/env python3
"""Lists functions of the public headers that no test calls.

    scripts/untested_names.py [ROOT]

A name is tested if a file of tests/ calls it, in C++ or Python: the name before "(" or behind "::",
outside of comments and strings. Names are compared, not classes: where two classes have a function
of the same name, a call of one of them is enough. A name that is not to be called by a test stands
in ALLOWED with the reason. Exit code 1 and a line for each name that is left, or that is allowed
without need.
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "lib"))
from public_headers import code_of, public_functions  # noqa: E402

# The headers that users include; what a module needs for itself is no part of them.
HEADERS = {
    "world": ["material_manager", "ray_hits", "world"],
    "robot": [
        "articulated_conventions", "articulated_refs", "articulated_system", "body_kinds", "child",
        "collision_body", "contact_view", "coordinate_frame", "joint_limits", "math",
        "model_coordinates", "model_dynamics", "object", "raisim_names", "single_body",
        "sparse_jacobian",
    ],
    "step": ["contact", "step_report"],
    "compat/arboris": [
        "ball_and_socket", "constraint", "controller", "csv_logger", "frame", "hdf5_logger",
        "joint_limits", "joint_objects", "mechanism", "monitors", "observer", "pd_controller",
        "point_contact", "simulate", "simulation", "slip_force", "soft_finger", "weight_controller",
    ],
    "compat/grbda": ["cluster_joints", "loop_constraints"],
    "visual": [
        "charts", "frame", "page", "recording_reader", "recording_writer", "visual_objects", "visuals",
        "world_capture",
    ],
    "io": [
        "export/export", "mjcf/mjcf", "sdf/sdf", "spec_difference", "urdf/urdf", "world_xml/world_xml",
    ],
    "model": [
        "compile/compile_cache", "coordinates", "loops/clusters", "model", "spec/check_spec",
        "spec/spec", "spec/spherical_limits", "spec/tape", "spec/trace", "state",
    ],
}
# name: why no test calls it.
ALLOWED = {
    "actors": "for the constraints and observers of its own module",
    "carrier": "of Body, for the Simulation that places it",
    "columnsAt": "for constraints: every row of theirs is made of it",
    "driftAt": "for constraints: every row of theirs is made of it",
    "hasCarrier": "for Simulation::init(), which makes links of bodies with it",
    "isNamed": "of FrameOf, which every call by a frame's name goes through",
    "release": "of Constraint, for the simulation that drives it",
    "requireObjects": "every stage of a Simulation calls it; tests remove objects before stages",
    "setCarrier": "of Body, for the Simulation that places it",
    "twistAt": "for constraints: every row of theirs is made of it",
}


def headers(root):
    for module, stems in HEADERS.items():
        folder = root / "espalier" / module
        yield from (folder / f"{stem}.h" for stem in stems)


def called_in_tests(root):
    names = set()
    for path in sorted((root / "tests").rglob("*")):
        if path.suffix in {".cpp", ".h"}:
            code = code_of(path)
        elif path.suffix == ".py":
            code = re.sub(r"#[^\n]*", "", path.read_text(encoding="utf-8"))
        else:
            continue
        names.update(re.findall(r"\b([A-Za-z_]\w*)\s*(?:<[^<>();]*>)?\s*\(", code))
        names.update(re.findall(r"::([A-Za-z_]\w*)", code))
    return names


def untested(root):
    """[(header, name)] of what no test calls."""
    called = called_in_tests(root)
    missing = []
    for header in headers(root):
        for name in sorted(public_functions(code_of(header))):
            if name not in called:
                missing.append((header.relative_to(root).as_posix(), name))
    return missing


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    missing = untested(root)
    left = [(header, name) for header, name in missing if name not in ALLOWED]
    for header, name in left:
        print(f"{header}: no test calls {name}")
    needless = sorted(set(ALLOWED) - {name for _, name in missing})
    for name in needless:
        print(f"scripts/untested_names.py: {name} is allowed without need")
    return 1 if left or needless else 0


if __name__ == "__main__":
    sys.exit(main())
