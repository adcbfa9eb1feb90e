"""What collides with what: info --collisions, sim --contacts, --no-self-collision, --srdf."""

import json
import math

import pytest
from cli_runner import answer, good, model, run

INERTIA = ('<inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" '
           'iyz="0"/></inertial>')


def link(name, shape='<sphere radius="0.1"/>', group=""):
    return (f'<link name="{name}">{INERTIA}<collision {group}><geometry>{shape}</geometry>'
            '</collision></link>')


def joint(parent, child, xyz, kind="revolute"):
    return (f'<joint name="{parent}_{child}" type="{kind}"><parent link="{parent}"/>'
            f'<child link="{child}"/><origin xyz="{xyz}"/><axis xyz="0 1 0"/>'
            '<limit lower="-1" upper="1" effort="10" velocity="10"/></joint>')


@pytest.fixture
def crab(tmp_path):
    """A body, two arms of two links; a plate is welded to the body, the hands overlap by 50 mm."""
    parts = [link("body"), link("plate"), joint("body", "plate", "0 0 0.3", "fixed")]
    for side, y in (("left", 0.3), ("right", -0.3)):
        parts += [link(f"{side}_arm"), link(f"{side}_hand"),
                  joint("body", f"{side}_arm", f"0 {y} 0"),
                  joint(f"{side}_arm", f"{side}_hand", f"0.5 {-y + math.copysign(0.075, y)} 0")]
    path = tmp_path / "crab.urdf"
    path.write_text(f'<robot name="crab">{"".join(parts)}</robot>', encoding="utf-8")
    return path


def pairs_of(said):
    return {frozenset((p["first"], p["second"])): p for p in said["collision_pairs"]}


def test_every_pair_is_listed_with_its_reason(crab):
    said = pairs_of(answer("info", crab, "--collisions"))
    assert len(said) == 10  # five bodies: the plate is part of the first
    tested = {pair for pair, p in said.items() if p["tested"]}
    assert tested == {frozenset(p) for p in (
        ("left_arm", "right_arm"), ("left_arm", "right_hand"), ("right_arm", "left_hand"),
        ("body", "left_hand"), ("body", "right_hand"))}
    for side in ("left", "right"):
        for parent, child in (("body", f"{side}_arm"), (f"{side}_arm", f"{side}_hand")):
            assert said[frozenset((parent, child))]["reason"] == "neighbours in the tree"
    hands = said[frozenset(("left_hand", "right_hand"))]
    assert "overlap" in hands["reason"] and hands["overlap"] == pytest.approx(0.05, abs=1e-9)
    text = good("info", crab, "--collisions")
    assert "tested (5 pairs)" in text and "neighbours in the tree (4 pairs)" in text
    assert "50 mm" in text


def test_an_srdf_beside_the_file_or_named(crab, tmp_path):
    srdf = tmp_path / "crab.srdf"
    srdf.write_text('<robot name="crab"><disable_collisions link1="plate" link2="left_hand" '
                    'reason="Never"/></robot>', encoding="utf-8")
    said = pairs_of(answer("info", crab, "--collisions"))
    assert said[frozenset(("body", "left_hand"))]["reason"] == "SRDF: Never"
    assert said[frozenset(("body", "right_hand"))]["tested"]
    other = tmp_path / "other.srdf"
    other.write_text('<robot name="crab"><disable_collisions link1="left_arm" '
                     'link2="right_arm"/></robot>', encoding="utf-8")
    said = pairs_of(answer("info", crab, "--collisions", "--srdf", other))
    assert said[frozenset(("left_arm", "right_arm"))]["reason"] == "SRDF"
    assert said[frozenset(("body", "left_hand"))]["tested"]
    bad = run("info", crab, "--srdf", tmp_path / "none.srdf", "--json")
    assert bad.returncode == 1
    assert "none.srdf" in json.loads(bad.stdout)["diagnostics"][0]["file"]


def test_without_self_collision_no_pair_is_tested(crab):
    said = pairs_of(answer("info", crab, "--collisions", "--no-self-collision"))
    assert len(said) == 10 and not any(p["tested"] for p in said.values())
    assert answer("check", crab, "--no-self-collision")["ok"]

    def overlaps(*options):
        said = answer("sim", crab, "--time", "0.01", *options)
        return [d for d in said["diagnostics"] if "overlap" in d["what"]]

    assert overlaps() and not overlaps("--no-self-collision")


def test_groups_are_a_reason(tmp_path):
    path = tmp_path / "groups.urdf"
    path.write_text(
        '<robot name="groups">' + link("trunk", group='collision_group="2" collision_mask="1"') +
        link("arm") + link("tip", group='collision_group="2" collision_mask="1"') +
        joint("trunk", "arm", "0 0 1") + joint("arm", "tip", "0 0 1") + "</robot>",
        encoding="utf-8")
    said = pairs_of(answer("info", path, "--collisions"))
    assert said[frozenset(("trunk", "tip"))]["reason"] == "collision groups and masks"


def test_excludes_of_mjcf_are_listed(tmp_path):
    path = tmp_path / "pair.xml"
    body = '<geom type="sphere" size="0.1"/><freejoint/>'
    arms = "".join(
        f'<body name="{name}" pos="0 {y} 0"><joint axis="1 0 0"/><geom type="sphere" size="0.1"/>'
        '</body>' for name, y in (("a", 0.5), ("b", -0.5)))
    path.write_text(
        f'<mujoco><worldbody><body name="base" pos="0 0 1">{body}{arms}</body></worldbody>'
        '<contact><exclude body1="a" body2="b"/></contact></mujoco>', encoding="utf-8")
    robot, = answer("info", path, "--collisions")["world"]["robots"]
    said = pairs_of(robot)
    assert said[frozenset(("a", "b"))]["reason"] == "MJCF <exclude>"
    assert said[frozenset(("base", "a"))]["reason"] == "neighbours in the tree"


OBJ = """v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
v 0.3 0.3 0.3
f 1 3 2
f 1 2 4
f 1 4 3
f 2 5 4
f 2 3 5
f 3 4 5
"""


def test_hulls_and_what_they_leave_out(tmp_path):
    (tmp_path / "dent.obj").write_text(OBJ, encoding="utf-8")
    path = tmp_path / "dent.urdf"
    path.write_text('<robot name="dent">' + link("a", '<mesh filename="dent.obj"/>') + "</robot>",
                    encoding="utf-8")
    hull, = answer("info", path, "--collisions")["hulls"]
    # (0.3, 0.3, 0.3) lies within x + y + z <= 1.
    assert (hull["mesh_vertices"], hull["vertices"], hull["error"]) == (5, 4, 0)
    text = OBJ.replace("v 0.3 0.3 0.3", "v 0.4 0.4 0.4")  # 0.2 / sqrt(3) outside
    (tmp_path / "dent.obj").write_text(text, encoding="utf-8")
    hull, = answer("info", path, "--collisions")["hulls"]
    assert (hull["vertices"], hull["error"]) == (5, 0)
    hull, = answer("info", path, "--collisions", "--hull-vertices", "4")["hulls"]
    assert hull["vertices"] == 4 and 0 < hull["error"] < 0.5
    assert run("info", path, "--hull-vertices", "3").returncode == 2


def ball_of_points(n):
    """Points on an ellipsoid as an OBJ, triangles between neighbours in the list."""
    golden = math.pi * (3 - math.sqrt(5))
    points = []
    for i in range(n):
        z = 1 - 2 * (i + 0.5) / n
        r = math.sqrt(1 - z * z)
        points.append((0.2 * r * math.cos(golden * i), 0.1 * r * math.sin(golden * i), 0.15 * z))
    lines = [f"v {x:.9f} {y:.9f} {z:.9f}" for x, y, z in points]
    return "\n".join(lines + [f"f {i} {i + 1} {i + 2}" for i in range(1, n - 1)]) + "\n"


def test_hulls_are_kept_and_change_nothing(tmp_path):
    (tmp_path / "egg.obj").write_text(ball_of_points(400), encoding="utf-8")
    path = tmp_path / "egg.urdf"
    path.write_text('<robot name="egg">' + link("a", '<mesh filename="egg.obj"/>') + "</robot>",
                    encoding="utf-8")
    cache = tmp_path / "cache"

    def falls(where):
        env = {"ESPALIER_CACHE": str(where)}
        return answer("sim", path, "--time", "0.5", env=env)["state_hash"]

    without = falls("off")
    assert not cache.exists()
    assert falls(cache) == without
    kept, = (cache / "hulls").iterdir()
    before = kept.stat().st_mtime_ns
    assert falls(cache) == without
    assert kept.stat().st_mtime_ns == before and len(list((cache / "hulls").iterdir())) == 1
    kept.write_bytes(kept.read_bytes()[:-7])
    assert falls(cache) == without
    assert falls(path) == without  # a file in the folder's place
    xdg = answer("sim", path, "--time", "0.5",
                 env={"ESPALIER_CACHE": "", "XDG_CACHE_HOME": str(tmp_path / "xdg")})
    assert xdg["state_hash"] == without
    assert len(list((tmp_path / "xdg" / "espalier" / "hulls").iterdir())) == 1


def test_contacts_of_a_run_have_names():
    said = answer("sim", model("strider"), "--time", "1", "--contacts")
    touching = said["touching"]
    ground = [t for t in touching if "ground" in (t["first"], t["second"])]
    assert len(ground) >= 3
    weight = 9.81 * answer("info", model("strider"))["mass"]
    at_end = [t for t in ground if t["points_at_end"] > 0]
    # What it stands on carries it, on the average of the time after landing.
    assert sum(t["mean_force"] for t in at_end) == pytest.approx(weight, rel=0.5)
    for t in touching:
        assert 1 <= t["began"] <= t["steps"] <= said["steps"]
        assert 0 <= t["first_time"] <= said["time"] and t["mean_force"] <= t["largest_force"]
    began = [t["began"] for t in touching]
    assert began == sorted(began, reverse=True)
    text = good("sim", model("strider"), "--time", "1", "--contacts")
    assert "began" in text and "ground" in text


def test_nothing_touches_in_free_fall():
    said = answer("sim", model("strider"), "--time", "0.05", "--height", "5", "--contacts")
    assert said["touching"] == []
    assert "nothing touched anything" in good(
        "sim", model("strider"), "--time", "0.05", "--height", "5", "--contacts")
