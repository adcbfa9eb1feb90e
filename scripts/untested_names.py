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

# The headers that users include; what a room needs for itself is no part of them.
HEADERS = {
    "world": [
        "articulated_conventions", "articulated_refs", "articulated_system", "body_kinds", "child",
        "collision_body", "contact", "contact_view", "coordinate_frame", "joint_limits",
        "lane_pack", "material_manager", "math", "object", "raisim_names", "ray_hits",
        "single_body", "sparse_jacobian", "step_report", "world",
    ],
    "simulate": [
        "ball_and_socket", "constraint", "controller", "csv_logger", "frame", "hdf5_logger",
        "joint_limits", "mechanism", "monitors", "observer", "pd_controller", "point_contact",
        "simulate", "simulation", "slip_force", "soft_finger", "weight_controller",
    ],
    "visual": [
        "charts", "frame", "page", "recording_reader", "recording_writer", "visual_objects", "visuals",
        "world_capture",
    ],
    "io": ["export", "mjcf", "sdf", "spec_difference", "urdf", "world_xml"],
    "model": [
        "check_spec", "cluster_joints", "clusters", "compile_cache",
        "coordinates", "joint_objects", "loop_constraints", "model", "spec", "spherical_limits",
        "state", "tape", "trace",
    ],
}
# name: why no test calls it.
ALLOWED = {
    "actors": "for the constraints and observers of its own room",
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

COMMENTS_AND_STRINGS = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.DOTALL
)
PREPROCESSOR = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
NOT_FUNCTIONS = {
    "alignas", "decltype", "noexcept", "requires", "return", "sizeof", "static_assert", "operator",
    "__attribute__", "explicit",
}


def code_of(path):
    """C++ without comments, strings and preprocessor."""
    text = COMMENTS_AND_STRINGS.sub(" ", path.read_text(encoding="utf-8"))
    return PREPROCESSOR.sub("", text)


def without_templates(statement):
    """The statement without what stands in <...> or (...) inside of <...>."""
    before = None
    while before != statement:
        before = statement
        statement = re.sub(r"(?<![<-])<[^<>]*>", " ", statement)
    return statement


def function_in(statement, owner):
    """The name of the function that a statement declares; None where it declares none."""
    text = without_templates(re.sub(r"\[\[.*?\]\]", " ", statement)).strip()
    if re.match(r"(using|typedef|friend|static_assert|namespace|enum)\b", text):
        return None
    if "operator" in text or "~" in text or re.search(r"=\s*(delete|default)\s*$", text):
        return None
    for match in re.finditer(r"([A-Za-z_]\w*)\s*\(", text):
        name = match.group(1)
        if "=" in text[: match.start()] and "(" not in text[: match.start()]:
            return None  # the initializer of a variable
        if name in NOT_FUNCTIONS or name.isupper():
            continue
        return None if name == owner else name
    return None


def skip_braces(code, at):
    """The place behind the brace that closes the one at `at`."""
    depth = 0
    for i in range(at, len(code)):
        depth += (code[i] == "{") - (code[i] == "}")
        if depth == 0:
            return i + 1
    return len(code)


def public_functions(code):
    """Names of functions at namespace scope and in public parts of classes."""
    names = set()
    scopes = []  # [class name or "", whether public]
    statement = ""
    i = 0

    def is_public():
        return all(public for _, public in scopes)

    def declare():
        name = function_in(statement, scopes[-1][0] if scopes else "")
        if name and is_public():
            names.add(name)

    while i < len(code):
        c = code[i]
        if c == ";":
            declare()
            statement = ""
        elif c == "{":
            head = without_templates(statement)
            kind = re.search(r"\b(namespace|class|struct|union|enum)\b\s*(?:\w+\s+)*?(\w*)", head)
            if kind and kind.group(1) == "namespace":
                scopes.append(["", not head.rstrip().endswith("detail")])
                statement = ""
            elif kind and kind.group(1) != "enum" and "(" not in head:
                name = re.search(r"(?:class|struct|union)\s+(\w+)", head)
                scopes.append([name.group(1) if name else "", kind.group(1) != "class"])
                statement = ""
            else:
                if "(" in head:
                    declare()
                    statement = ""
                i = skip_braces(code, i)
                continue
        elif c == "}":
            if scopes:
                scopes.pop()
            statement = ""
        elif c == ":" and re.search(r"\b(public|protected|private)\s*$", statement):
            if code[i + 1 : i + 2] != ":":
                scopes[-1][1] = statement.split()[-1] == "public"
                statement = ""
                i += 1
                continue
            statement += c
        else:
            statement += c
        i += 1
    return names


def headers(root):
    for room, stems in HEADERS.items():
        folder = root / "espalier" / room
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
