"""The mechanisms in models/: at q = 0 loops close, equations hold, rotors are geared."""

from math import cos, dist, hypot, pi, sin

import pytest
from model_files import MECHANISMS, OPEN, floats, load, nominal, origin


def places_at_zero(name):
    """Where every link is at q = 0; no joint turns its frame."""
    robot = load(name)
    at = {robot.find("link").get("name"): [0.0, 0.0, 0.0]}
    for joint in robot.findall("joint"):
        assert joint.find("origin").get("rpy") is None
        parent = at[joint.find("parent").get("link")]
        at[joint.find("child").get("link")] = [a + b for a, b in zip(parent, origin(joint))]
    return at


def gaps(name, place_of):
    """Of every loop, how far its ends are apart."""
    for loop in load(name).findall("loop"):
        ends = [loop.find("predecessor"), loop.find("successor")]
        yield dist(*(place_of(end.get("link"), origin(end)) for end in ends))


@pytest.mark.parametrize("name", MECHANISMS)
def test_loops_close_at_zero(name):
    at = places_at_zero(name)
    widest = max(
        gaps(name, lambda link, point: [a + b for a, b in zip(at[link], point)]), default=0)
    assert 0.03 < widest < 0.2 if name in OPEN else widest < 1e-9


@pytest.mark.parametrize("name", MECHANISMS)
def test_equations_hold_at_zero(name):
    for constraint in load(name).findall("constraint"):
        values = {"sin": sin, "cos": cos, "pi": pi}
        values |= {joint.get("as"): 0.0 for joint in constraint.findall("joint")}
        for let in constraint.findall("let"):
            values[let.get("name")] = eval(let.get("value"), {}, values)
        for phi in constraint.findall("phi"):
            assert abs(eval(phi.get("value"), {}, values)) < 1e-15


@pytest.mark.parametrize("name", MECHANISMS)
def test_rotors_are_round_and_geared(name):
    robot = load(name)
    for coupling in robot.findall("coupling"):
        rotor = coupling.find("successor").get("link")
        if not rotor.endswith("_rotor"):
            continue
        ratio = float(coupling.find("ratio").get("value"))
        assert abs(ratio) > 1
        driven = next(j for j in robot.findall("joint") if j.get("name") == rotor[:-6])
        assert driven.find("child").get("link") == coupling.find("predecessor").get("link")
        inertial = robot.find(f"link[@name='{rotor}']/inertial")
        joint = next(j for j in robot.findall("joint") if j.get("name") == rotor)
        axis = floats(joint.find("axis"), "xyz")
        assert origin(inertial) == [0, 0, 0]
        I = {key: float(value) for key, value in inertial.find("inertia").attrib.items()}
        assert I["ixy"] == I["ixz"] == I["iyz"] == 0
        assert len({I[f"i{x}{x}"] for x, a in zip("xyz", axis) if a == 0}) == 1


@pytest.mark.parametrize("name, cranks", [("beest", 1), ("beest_steered", 2)])
def test_beest_has_jansens_numbers(name, cranks):
    robot, at = load(name), places_at_zero(name)
    links = robot.findall("link")
    assert (len(links), len(robot.findall("loop"))) == (73 + cranks, 36)
    pins = {loop.get("name"): loop for loop in robot.findall("loop")}

    def reach(leg, pin, end):
        return hypot(*origin(pins[f"{leg}_{pin}"].find(end)))

    for leg in (f"{way}{n}" for way in ("front", "back") for n in range(1, 7)):
        def between(first, second):
            return dist(at[f"{leg}_{first}"], at[f"{leg}_{second}"])

        foot = next(
            c for c in robot.findall(f"link[@name='{leg}_shank']/collision"))
        shank = at[f"{leg}_shank"]
        U = [a + b for a, b in zip(shank, origin(pins[f"{leg}_U"].find("successor")))]
        S = [a + b for a, b in zip(shank, origin(foot))]
        X = [a + b for a, b in zip(
            at[f"{leg}_shoulder"], origin(pins[f"{leg}_X"].find("successor")))]
        crank, hip = at[f"{leg}_upper_rod"], at[f"{leg}_shoulder"]
        measured = {
            "a": abs(hip[0]), "b": reach(leg, "X", "successor"), "c": between("rocker", "shank"),
            "d": between("shoulder", "link"), "e": dist(X, at[f"{leg}_link"]),
            "f": reach(leg, "U", "predecessor"), "g": reach(leg, "U", "successor"),
            "h": dist(U, S), "i": dist(shank, S), "j": reach(leg, "X", "predecessor"),
            "k": reach(leg, "V", "predecessor"), "l": -hip[2], "m": hypot(crank[0], crank[2]),
        }
        expected = dict(zip("abcdefghijklm", (
            38, 41.5, 39.3, 40.1, 55.8, 39.4, 36.7, 65.7, 49, 50, 61.9, 7.8, 15)))
        assert {key: 100 * value for key, value in measured.items()} == pytest.approx(
            expected, abs=2e-4)
    height, _ = nominal(name)
    feet = [
        at[link.get("name")][2] + origin(link.find("collision"))[2]
        for link in links if link.find("collision") is not None
    ]
    assert height + min(feet) == pytest.approx(0.025, abs=1e-6)
