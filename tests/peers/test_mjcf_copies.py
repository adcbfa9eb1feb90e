"""<replicate>, <attach> and <frame> against MuJoCo: names, masses and places of bodies, M and h."""

import pytest

import espalier_cli
from mjcf_peer import assert_agrees, mujoco

ARM = """<body name="arm" pos="1 0 0" euler="10 0 0"><joint name="j" axis="0 1 0"/><geom name="g"
    type="box" size=".1 .2 .3" pos=".1 .2 .3"/><body name="hand" pos="0 0 .5"><joint name="k"
    axis="1 0 0"/><geom size=".1"/><site name="tip" pos="0 0 .1"/></body></body>"""

MODELS = {
    "replicate": f"""<mujoco><worldbody><replicate count="12" offset=".5 .1 .2" euler="0 20 30"
        sep="-">{ARM}</replicate></worldbody></mujoco>""",
    "replicate in a body": """<mujoco><worldbody><body name="drum"><joint name="a" axis="1 2 3"/>
        <replicate count="5" euler="0 0 72"><geom size=".1" pos="1 0 0" mass=".3"/></replicate>
        </body></worldbody></mujoco>""",
    "replicate in replicate": f"""<mujoco><compiler angle="radian"/><worldbody><replicate count="2"
        offset="3 0 0" euler=".1 0 0"><replicate count="3" offset="0 3 0" sep="_">{ARM}</replicate>
        </replicate></worldbody></mujoco>""",
    "replicate in a frame": f"""<mujoco><worldbody><frame pos="1 2 3" euler="30 0 0"><replicate
        count="3" offset="0 0 1" euler="0 0 90"><frame pos="1 0 0" euler="0 40 0">{ARM}</frame>
        </replicate></frame></worldbody></mujoco>""",
    "attach": """<mujoco><asset><model name="kid" file="parts/child.xml"/></asset><worldbody><body
        name="trunk" pos="0 0 1"><freejoint name="f"/><geom size=".2"/><frame pos="1 0 0"
        euler="0 30 0"><attach model="kid" body="arm" prefix="l_"/></frame><frame pos="-1 0 0"
        euler="0 0 180"><attach model="kid" body="arm" prefix="r_"/></frame></body></worldbody>
        </mujoco>""",
    "attach a body within": """<mujoco><asset><model name="kid" file="parts/child.xml"/></asset>
        <worldbody><body name="trunk"><joint name="t"/><geom size=".2"/><attach model="kid"
        body="hand" prefix="x"/></body></worldbody></mujoco>""",
    "attach all": """<mujoco><compiler angle="radian" boundmass=".01"/><asset><model
        file="parts/child.xml"/></asset><worldbody><body name="trunk" euler=".3 0 0"><joint name="t"/>
        <geom size=".2"/><attach model="child" prefix="a_"/></body></worldbody></mujoco>""",
    "attach in replicate": """<mujoco><asset><model file="parts/child.xml"/></asset><worldbody>
        <replicate count="3" offset="0 0 2" euler="0 0 10"><attach model="child" body="arm"
        prefix="a_"/></replicate></worldbody></mujoco>""",
    "attach in attach": """<mujoco><asset><model file="parts/both.xml"/></asset><worldbody><attach
        model="both" prefix="x_"/></worldbody></mujoco>""",
}

CHILD = f"""<mujoco model="child"><compiler angle="radian" meshdir="meshes"/><option gravity="0 0 -1"/>
    <default><geom density="500"/><default class="soft"><joint damping=".3" armature=".1"/></default>
    </default><asset><mesh name="m" file="tetra.obj" scale="2 1 1"/></asset><worldbody><geom
    name="w" size=".3"/>{ARM.replace('name="k"', 'name="k" class="soft"')}<body name="other"
    pos="2 0 0" euler="0 .5 0"><joint name="o"/><geom type="mesh" mesh="m"/></body></worldbody>
    <contact><exclude body1="arm" body2="other"/></contact><actuator><motor name="m1" joint="j"
    gear="3" ctrlrange="-1 1"/><motor name="m2" joint="o"/></actuator></mujoco>"""

BOTH = """<mujoco model="both"><asset><model name="kid" file="child.xml"/></asset><worldbody><body
    name="trunk"><joint name="t"/><geom size=".2"/><frame euler="20 0 0"><attach model="kid"
    body="other" prefix="y_"/></frame></body></worldbody></mujoco>"""


def write(folder, text):
    parts = folder / "parts"
    (parts / "meshes").mkdir(parents=True)
    (parts / "meshes/tetra.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    (parts / "child.xml").write_text(CHILD)
    (parts / "both.xml").write_text(BOTH)
    path = folder / "model.xml"
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", MODELS)
def test_copies(name, tmp_path):
    path = write(tmp_path, MODELS[name])
    theirs = mujoco.MjModel.from_xml_path(str(path))
    said = espalier_cli.answer("info", path)
    if "robots" not in said:
        bodies = {b["name"]: b["mass"] for b in said["bodies"]}
        for b in range(1, theirs.nbody):
            assert bodies[theirs.body(b).name] == pytest.approx(theirs.body_mass[b], rel=1e-9)
    else:
        assert sum(r["mass"] for r in said["robots"]) == pytest.approx(sum(theirs.body_mass))
    [ours] = espalier_cli.compute(path, [{}], tmp_path)
    joints = [theirs.joint(j).name for j in range(theirs.njnt)
              if theirs.jnt_type[j] != mujoco.mjtJoint.mjJNT_FREE]
    assert [j for j in ours["joints"] if j != "f"] == joints
    assert_agrees(path, tmp_path)


def test_what_an_attached_model_says_of_its_parts(tmp_path):
    """Its actuators come with their joints; those of parts that stay behind do not."""
    path = write(tmp_path, MODELS["attach"])
    theirs = mujoco.MjModel.from_xml_path(str(path))
    assert [theirs.actuator(a).name for a in range(theirs.nu)] == ["l_m1", "r_m1"]
    efforts = {j["name"]: j["effort"] for j in espalier_cli.answer("info", path)["joints"]}
    assert efforts["l_j"] == efforts["r_j"] == 3.0
    assert efforts["l_k"] is None


def test_no_end_of_attaching(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text("""<mujoco model="self"><asset><model file="model.xml"/></asset><worldbody><body
        name="b"><joint/><geom size=".1"/><attach model="self" body="b" prefix="x"/></body>
        </worldbody></mujoco>""")
    with pytest.raises(AssertionError, match="too deeply"):
        espalier_cli.answer("info", path)
