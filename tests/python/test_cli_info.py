"""espalier info and espalier check."""

import csv
import json
import math
import xml.etree.ElementTree as ET

import pytest
from cli_runner import ALL, MECHANISMS, NAMES, answer, good, model, run

DOFS = {"fixed": (0, 0), "revolute": (1, 1), "continuous": (1, 1), "prismatic": (1, 1),
        "universal": (2, 2), "euler": (3, 3), "spherical": (4, 3)}


def tree(name):
    return ET.parse(model(name)).getroot()


# A template holds less than it stands for.
@pytest.mark.parametrize("name", [name for name in NAMES if name != "tracked_robot"])
def test_info_counts_what_the_file_holds(name):
    robot, said = tree(name), answer("info", model(name))
    joints = robot.findall("joint")
    movable = [j for j in joints if j.get("type") != "fixed"]
    base = 0 if any(link.get("name") == "world" for link in robot.findall("link")) else 1
    assert said["nq"] == 7 * base + sum(DOFS[j.get("type")][0] for j in joints)
    assert said["nv"] == 6 * base + sum(DOFS[j.get("type")][1] for j in joints)
    assert len(said["coordinates"]) == said["nq"] and len(said["dofs"]) == said["nv"]
    assert [j["name"] for j in said["joints"]] == [j.get("name") for j in movable]
    assert [f["name"] for f in said["frames"]] == [j.get("name") for j in joints]
    assert [link["name"] for link in said["links"]] == [
        link.get("name") for link in robot.findall("link")]
    assert len(said["collisions"]) == len(robot.findall("link/collision"))
    masses = [float(m.get("value")) for m in robot.findall("link/inertial/mass")]
    assert said["mass"] == pytest.approx(sum(masses), rel=1e-12)
    assert sum(body["mass"] for body in said["bodies"]) == pytest.approx(sum(masses), rel=1e-12)


@pytest.mark.parametrize("name", MECHANISMS)
def test_clusters_take_from_the_joints_what_their_equations_take(name):
    robot, said = tree(name), answer("info", model(name))
    independent = [j.get("name") for j in robot.findall("joint")
                   if j.get("type") != "fixed" and j.get("independent") == "true"]
    clusters = said["clusters"]
    dependent = [joint for c in clusters for joint in c["dependent"]]
    assert len(said["dofs"]) == said["nv"] and len(said["coordinates"]) == said["nq"]
    assert said["spanning_nv"] - said["nv"] == len(dependent)
    assert set(said["dofs"]).isdisjoint(dependent) and set(independent) <= set(said["dofs"])
    assert said["lone_joints"] + sum(
        len(c["bodies"]) for c in clusters) == len(said["joints"])
    for c in clusters:
        assert c["dofs"] == len(c["independent"]) + len(c["dependent"])
        assert c["equations"] == sum(c["blocks"]) == len(c["dependent"])
        assert [said["dofs"][i] for i in c["public_dofs"]] == c["independent"]
        assert sum(t["kept"] for t in c["ties"]) == c["equations"]
        assert sum(t["equations"] for t in c["ties"]) == c["equations"] + c["dropped"]
    kinds = [t["kind"] for c in clusters for t in c["ties"]]
    equations = len(robot.findall("constraint/phi"))
    tied = len(robot.findall("coupling")) - len(said["rotors"])
    assert kinds.count("coupling") == tied
    assert kinds.count("constraint") == equations
    assert len(kinds) == tied + len(robot.findall("loop")) + equations
    for joint in said["joints"]:
        assert joint["independent"] == (joint["u"] is not None)
        if joint["independent"] and joint["nv"] == 1:
            assert said["dofs"][joint["u"]] == joint["name"] == said["coordinates"][joint["q"]]


def test_what_clusters_became():
    four_bar, = answer("info", model("four_bar"))["clusters"]
    assert four_bar == {
        "became": "implicit",
        "why": "2 equations in 3 dofs leave 1 to choose; 3 more say nothing new",
        "carrier": "world", "bodies": ["crank", "coupler", "rocker"],
        "independent": ["crank"], "dependent": ["coupler", "rocker"], "public_dofs": [0],
        "dofs": 3, "equations": 2, "dropped": 3, "blocks": [2],
        "ties": [{"name": "pin", "kind": "revolute", "equations": 5, "kept": 2}]}
    beest, = answer("info", model("beest"))["clusters"]
    assert beest["blocks"] == [2] * 36 and beest["dropped"] == 36 * 3
    triple, = answer("info", model("revolute_triple_with_rotor"))["clusters"]
    assert (triple["became"], len(triple["bodies"])) == ("linear", 4)
    assert answer("info", model("revolute_triple_with_rotor"))["rotor_bodies"] == [
        {"joint": "joint3_rotor", "why": "it ties joints that are no neighbours"}]
    strider = answer("info", model("geared_strider"))
    assert strider["clusters"] == [] and strider["lone_joints"] == 12
    knee = strider["rotors"][2]
    assert (knee["joint"], knee["carrier"], knee["offset"]) == ("LF_KFE_rotor", "LF_thigh", 0)
    assert [(r["joint"], abs(r["factor"])) for r in knee["ratios"]] == [("LF_KFE", 9)]
    plain = answer("info", model("strider"))
    assert plain["clusters"] == [] and plain["lone_joints"] == 12


def test_clusters_are_told_in_words_and_long_lists_cut_short():
    text = good("info", model("beest"))
    for words in ("cluster 1 on frame", "36 revolute", "108 more say nothing new",
                  "crank, dof 6", "36 blocks of 2", "and 67 more", "7  of 79 of all joints"):
        assert words in text
    assert max(map(len, text.splitlines())) < 200
    assert "cluster" not in good("info", model("strider"))
    assert good("info", model("revolute_triple_with_rotor")).count("by constant ratios") == 1
    assert good("info", model("geared_strider")).count("_rotor  ") >= 12
    assert "rotors that are bodies" not in good("info", model("geared_strider"))
    assert "no neighbours" in good("info", model("revolute_triple_with_rotor"))


def test_mimics_are_told_apart(tmp_path):
    inertial = ('<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" '
                'iyz="0"/></inertial>')
    robot = tmp_path / "pair.urdf"
    robot.write_text('<robot name="pair"><link name="world"/>' + "".join(
        f'<link name="l{i}">{inertial}</link><joint name="j{i}" type="continuous">'
        f'<parent link="world"/><child link="l{i}"/>{mimic}</joint>'
        for i, mimic in enumerate(("", '<mimic joint="j0" multiplier="2"/>', ""))) + "</robot>")
    said = answer("info", robot)
    cluster, = said["clusters"]
    assert cluster["ties"] == [{"name": "j1", "kind": "mimic", "equations": 1, "kept": 1}]
    assert cluster["independent"] == ["j0"] and cluster["dependent"] == ["j1"]
    assert said["dofs"] == ["j0", "j2"] and said["lone_joints"] == 1


def test_info_says_limits_axes_and_places():
    said = answer("info", model("strider"))
    knee = next(j for j in said["joints"] if j["name"] == "LF_KFE")
    element = next(j for j in tree("strider").findall("joint") if j.get("name") == "LF_KFE")
    limit = element.find("limit")
    assert knee["kind"] == "revolute" and knee["axes"] == [[0.0, 1.0, 0.0]]
    assert (knee["lower"], knee["upper"]) == (float(limit.get("lower")), float(limit.get("upper")))
    assert said["coordinates"][knee["q"]] == "LF_KFE" == said["dofs"][knee["u"]]
    assert said["coordinates"][:7] == [
        f"base.{x}" for x in ("x", "y", "z", "qw", "qx", "qy", "qz")]


def test_info_says_limits_of_a_spherical_joint(tmp_path):
    robot = tmp_path / "ball.urdf"
    robot.write_text(
        '<robot name="ball"><link name="world"/><link name="arm"><inertial><mass value="1"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        '<joint name="j" type="spherical"><parent link="world"/><child link="arm"/>'
        '<axis xyz="0 0 2"/><limit lower="0" upper="1.5" swing="0.4" twist_lower="-0.25"/>'
        '</joint></robot>')
    joint, = answer("info", robot)["joints"]
    assert (joint["lower"], joint["upper"], joint["swing"]) == (0, 1.5, 0.4)
    assert (joint["twist_lower"], joint["twist_upper"]) == (-0.25, None)
    assert joint["axes"] == [[0, 0, 1]]
    assert "angle 1.5, swing 0.4, twist -0.25 .. inf" in good("info", robot)


def test_sim_begins_within_the_limits_of_a_spherical_joint(tmp_path):
    robot = tmp_path / "ball.urdf"
    robot.write_text(
        '<robot name="ball"><link name="world"/><link name="arm"><inertial><mass value="1"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        '<joint name="j" type="spherical"><parent link="world"/><child link="arm"/>'
        '<axis xyz="0 0 1"/><limit twist_lower="0.5" twist_upper="0.75"/></joint></robot>')
    log = tmp_path / "run.csv"
    good("sim", robot, "--time", "0.01", "--log", log)
    first = next(csv.DictReader(log.open()))
    twist = 2 * math.atan2(float(first["q.j.qz"]), float(first["q.j.qw"]))
    assert twist == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize("name", ALL)
def test_the_drawing_shows_every_link_below_its_parent(name):
    text = good("info", model(name))
    lines = text.splitlines()
    robot = tree(name)
    first_words = [line.lstrip("│├└╴ ").split(" ")[0] for line in lines]
    row = {link.get("name"): first_words.index(link.get("name"), 3)
           for link in robot.findall("link")}
    for joint in robot.findall("joint"):
        child, parent = joint.find("child").get("link"), joint.find("parent").get("link")
        assert row[parent] < row[child]
        assert joint.get("name") in lines[row[child]].split()


def test_a_base_that_loops_weld_to_the_world_is_drawn_as_fixed(tmp_path):
    inertial = ('<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0"'
                ' iyz="0"/></inertial>')
    file = tmp_path / "welded.urdf"
    file.write_text(f"""<robot name="r"><link name="base">{inertial}</link>
      <link name="arm">{inertial}</link>
      <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>
      <loop name="weld" type="fixed"><predecessor link="world"/><successor link="base"/></loop>
      </robot>""")
    drawn = good("info", file)
    assert "fixed base" in drawn and "floating" not in drawn


def test_branches_are_ascii_without_utf8():
    text = good("info", model("strider"), env={"LC_ALL": "C"})
    assert text.isascii() and "`-LF_thigh" in text
    assert "└╴LF_thigh" in good("info", model("strider"))


def test_joint_order_is_followed():
    said = answer("info", model("strider"), "--joint-order", "RH_KFE,LF_HFE")
    names = [j["name"] for j in said["joints"]]
    assert names[:2] == ["RH_KFE", "LF_HFE"] and len(names) == 12
    assert said["dofs"][6:8] == ["RH_KFE", "LF_HFE"]


def test_deep_trees_do_not_fill_the_screen(tmp_path):
    count = 2000
    inertial = ('<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" '
                'iyz="0"/></inertial>')
    robot = tmp_path / "deep.urdf"
    robot.write_text('<robot name="deep"><link name="world"/>' + "".join(
        f'<link name="l{i}">{inertial}</link><joint name="j{i}" type="continuous">'
        f'<parent link="{f"l{i - 1}" if i else "world"}"/><child link="l{i}"/></joint>'
        for i in range(count)) + "</robot>")
    text = good("info", robot)
    assert f"l{count - 1} " in text
    assert max(map(len, text.splitlines())) < 200


def test_names_cannot_steer_the_terminal(tmp_path):
    robot = tmp_path / "evil.urdf"
    robot.write_text('<robot name="x&#27;[31m"><link name="world"/></robot>')
    for command in ("info", "check"):
        done = run(command, robot)
        assert "\033" not in done.stdout + done.stderr


def test_check_is_1_when_one_of_several_files_is_bad(tmp_path):
    bad = tmp_path / "bad.urdf"
    bad.write_text(model("cartpole").read_text().replace('<mass value="', '<mass value="-'))
    done = run("check", model("strider"), bad)
    assert done.returncode == 1
    line = next(line for line in done.stdout.splitlines() if "error:" in line)
    number = int(line.split("bad.urdf:")[1].split(":")[0])
    assert '<link name="cart"' in bad.read_text().splitlines()[number - 1] and "'cart'" in line

    said = json.loads(run("check", model("strider"), bad, "--json").stdout)
    assert [f["ok"] for f in said["files"]] == [True, False] and said["ok"] is False
    error = next(d for d in said["files"][1]["diagnostics"] if d["severity"] == "error")
    assert error["line"] == number and error["remedy"]


@pytest.mark.parametrize("name", ALL)
def test_own_models_have_no_errors(name):
    said = answer("check", model(name))
    assert said["ok"] is True and said["files"][0]["errors"] == 0
