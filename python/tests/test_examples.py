"""The programs of examples/: each runs in C++ and in Python, both print the same numbers, and these
agree with a closed form, a count of freedoms or another program."""
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from package_paths import BUILD, ROOT

EXAMPLES = sorted(file.parent.name for file in (ROOT / "examples").glob("*/main.cpp"))
MOST_LINES = {"main.cpp": 60, "main.py": 40}
MOST_LINES_OF_HELLO = {"main.cpp": 30, "main.py": 15}
PICTURES = {"four_bar", "delta_workspace", "trot"}
NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
GRAVITY = 9.81


def run(command, folder):
    environment = os.environ | {
        "MPLBACKEND": "Agg", "MPLCONFIGDIR": str(folder), "PYTHONPATH": str(BUILD / "python")}
    done = subprocess.run([str(word) for word in command], cwd=ROOT, env=environment,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def in_python(name, folder, *arguments):
    return run([sys.executable, ROOT / f"examples/{name}/main.py", *arguments], folder)


def in_cpp(name, folder, *arguments):
    program = BUILD / f"bin/example_{name}"
    if not program.exists():
        pytest.skip(f"{program} is not built")
    return run([program, *arguments], folder)


def numbers(text):
    return [float(n) for n in NUMBER.findall(text)]


@pytest.fixture(scope="module", name="printed")
def _printed(tmp_path_factory):
    """What a Python example prints; each is run once."""
    known = {}

    def of(name):
        if name not in known:
            known[name] = in_python(name, tmp_path_factory.mktemp(name))
        return known[name]

    return of


@pytest.mark.parametrize("name", EXAMPLES)
def test_is_short(name):
    most = MOST_LINES_OF_HELLO if name == "hello" else MOST_LINES
    for file, lines in most.items():
        text = (ROOT / "examples" / name / file).read_text(encoding="utf-8")
        assert len(text.splitlines()) < lines


def same(one, other):
    """Two printed numbers: equal up to one unit of the last place; measures of an error, which are
    printed as 1.2e-05, up to their order."""
    if "e" in one:
        return abs(math.log10(float(one) / float(other))) < 1
    places = len(one.partition(".")[2])
    return len(other.partition(".")[2]) == places and (
        abs(float(one) - float(other)) < 1.5 * 10.0**-places)


@pytest.mark.parametrize("name", EXAMPLES)
def test_both_languages_print_the_same(name, printed, tmp_path):
    python, cpp = printed(name), in_cpp(name, tmp_path)
    assert NUMBER.sub("#", python) == NUMBER.sub("#", cpp)
    for one, other in zip(NUMBER.findall(python), NUMBER.findall(cpp), strict=True):
        if "e" in one and max(float(one), float(other)) < 1e-12:
            continue  # rounding on both sides
        assert same(one, other), f"{one} in Python, {other} in C++\n{python}\n{cpp}"


def test_hello_carries_its_weight(printed):
    height, force, weight = numbers(printed("hello"))
    assert weight == pytest.approx(30 * GRAVITY, abs=0.01)
    assert force == pytest.approx(weight, abs=0.05)
    assert 0.45 < height < 0.54  # it stands


def test_four_bar_meets_the_closed_form(printed):
    *curves, difference = printed("four_bar").splitlines()
    assert numbers(difference)[0] < 1e-6  # the file has whole micrometres
    for line in curves:
        across, length = numbers(line)
        assert length == pytest.approx(length_of_coupler_curve(across), abs=2e-5)


def length_of_coupler_curve(across):
    """By the two circles, of the polygon of 360 corners."""
    A = 0.12 * np.exp(-1j * np.radians(np.arange(361)) + 1j * math.pi / 3)
    d = abs(0.4 - A)
    a = (0.36**2 - 0.28**2 + d**2) / (2 * d)
    C = A + (0.4 - A) / d * (a + 1j * np.sqrt(0.36**2 - a**2))
    return abs(np.diff(A + (C - A) / 0.36 * (0.18 + 1j * across))).sum()


def test_operational_space_is_a_spring(printed):
    *rows, difference = [numbers(line) for line in printed("operational_space").splitlines()]
    d0 = math.sqrt(0.15**2 + 0.25**2 + 0.2**2)
    for t, distance, closed in rows:
        assert closed == pytest.approx(d0 * (1 + 4 * t) * math.exp(-4 * t), abs=1e-4)
        assert distance == pytest.approx(closed, abs=4e-4)
    assert difference[0] < 4e-4


def test_standing_biped_stands(printed):
    *rows, (weight,) = [numbers(line) for line in printed("standing_biped").splitlines()]
    assert weight == pytest.approx(60 * GRAVITY, abs=0.01)
    moved = [abs(x) for t, x, *_ in rows if t == 1.5]
    assert moved[0] > 1e-3  # the push was felt
    t, x, z, planned, measured = rows[-1]
    assert t == 4 and abs(x) < 1e-4 and z == pytest.approx(0.8853, abs=2e-4)
    assert measured == pytest.approx(weight, abs=0.05)
    assert planned == pytest.approx(weight, abs=0.5)


def test_loops_stand_and_the_tree_falls(printed):
    freedoms, *rows, gap = [numbers(line) for line in printed("loops_and_tree").splitlines()]
    # The tree: base, 25 motors, and of each ankle 2 joints and 2 rods on universal joints. Four balls
    # close the loops, at 3 equations each.
    assert freedoms == [6 + 25 + 2 * (2 + 2 * 2) - 4 * 3, 6 + 25 + 2 * (2 + 2 * 2)]
    start, *_, (_, real, tree) = rows
    assert start[1] == start[2]
    assert real > 0.87 and tree < 0.2
    assert gap[0] < 1e-12


def test_cassie_stands_and_its_tree_falls(tmp_path):
    shared = Path(os.environ.get("ESPALIER_SHARED", ROOT.parent / "shared"))
    cassie = shared / "models/menagerie/agility_cassie/scene.xml"
    if not cassie.exists():
        pytest.skip("needs ESPALIER_SHARED: Cassie is not ours")
    _, *rows, _ = [numbers(line) for line in
                   in_python("loops_and_tree", tmp_path, cassie).splitlines()]
    _, real, tree = rows[-1]
    assert real > 0.9 and tree < 0.3


def test_payload_is_found(printed):
    for line in printed("payload").splitlines():
        found, true = [numbers(part) for part in line.replace("m^2", "").split("(")]
        assert found == pytest.approx(true, abs=1.5e-4)


def test_delta_workspace_has_the_volume_of_the_inverse_kinematics(printed):
    extent, volume = printed("delta_workspace").splitlines()
    low, high, bottom, top = numbers(extent)
    assert -0.23 < low < high < 0.28 and 0.30 < bottom < top < 0.66
    side = 0.004
    reachable = 0
    for x in np.arange(-0.30 + side / 2, 0.30, side):
        for z in np.arange(0.30 + side / 2, 0.72, side):
            y = np.arange(-0.30 + side / 2, 0.30, side)
            reachable += int(is_reachable(x, y, z).sum())
    assert numbers(volume.replace("m^3", ""))[0] == pytest.approx(reachable * side**3, rel=0.005)


def is_reachable(x, y, z):
    """Whether each arm has an angle in its range that puts its elbow a rod's length from the tool's
    corner; by geometry alone (models/recipes/delta.py)."""
    is_in = np.ones_like(y, dtype=bool)
    for direction in np.radians([0, 120, 240]):
        out = x * math.cos(direction) + y * math.sin(direction) + 0.05 - 0.12
        aside = y * math.cos(direction) - x * math.sin(direction)
        down = 0.8 - z
        # |elbow - corner|^2 = 0.36^2 with the elbow at 0.18 (cos a, -sin a), a > 0 downwards
        k = (out**2 + aside**2 + down**2 + 0.18**2 - 0.36**2) / (2 * 0.18)
        r = np.hypot(out, down)
        with np.errstate(invalid="ignore"):
            turn = np.arccos(k / r)
        middle = np.arctan2(down, out)
        has_angle = np.zeros_like(is_in)
        for angle in (middle - turn, middle + turn):
            has_angle |= (-1 <= angle) & (angle <= 1.2)
        is_in &= has_angle
    return is_in


def test_trot_keeps_the_momentum(printed):
    walked, impulse, weight = printed("trot").splitlines()
    assert numbers(walked)[0] > 0.5
    assert numbers(weight)[0] == pytest.approx(30 * GRAVITY * 4, rel=0.02)
    assert numbers(impulse)[0] == pytest.approx(numbers(weight)[0], rel=2e-5)


def test_tracked_robots_drive(printed):
    short, long = [numbers(line) for line in printed("tracked_robot").splitlines()]
    # Wheels of a radius that the template has, 5 rad/s for 2 s, less what they slip and take to start.
    template = (ROOT / "models/tracked_robot/tracked_robot.urdf").read_text(encoding="utf-8")
    radius = float(re.search(r'<radius value="([\d.]+)"', template)[1])
    for wheels, (count, _, distance, turned) in zip((3, 7), (short, long), strict=True):
        assert count == wheels
        assert 0.8 * 5 * 2 * radius < distance < 5 * 2 * radius
        assert turned > 0.2
    assert long[3] < short[3]  # many wheels in a row scrub sideways


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_draws_a_picture(name, tmp_path):
    picture = tmp_path / "picture.png"
    in_python(name, tmp_path, picture)
    assert picture.read_bytes().startswith(b"\x89PNG")
    in_cpp(name, tmp_path, tmp_path / "drawing")
    assert (tmp_path / "drawing").stat().st_size > 10_000
