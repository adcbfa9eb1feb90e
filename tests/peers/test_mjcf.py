"""MuJoCo's files as Espalier reads them, against MuJoCo: the same M and h at random states, and the
same place of every body. Small models ask for one thing each that a file may say."""

import pytest

import robots
from mjcf_peer import assert_agrees


@pytest.mark.parametrize("name", ["humanoid", "car", "anymal_scene"])
def test_shared_models(name, tmp_path):
    path = robots.SHARED / f"models/mjcf/{name}.xml"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    assert_agrees(path, tmp_path)


ARM = """<body pos=".1 .2 .3" euler="20 -30 40"><joint name="a"/>
  <geom type="capsule" size=".05 .2" pos=".1 0 .2" axisangle="1 2 3 50"/>{}</body>"""

MODELS = {
    "hinge beside its body": """<worldbody><body pos="1 0 2"><joint name="a" pos=".1 -.2 .3"
        axis="1 2 3"/><geom type="box" size=".1 .2 .3" quat="1 .2 .3 .4"/></body></worldbody>""",
    "three joints in a body": """<worldbody><body pos="0 0 1"><joint name="a" axis="1 0 0"
        pos="0 0 .1"/><joint name="b" axis="0 1 0" pos=".2 0 0" type="slide"/><joint name="c"
        axis="1 1 1" pos="0 .3 0"/><geom size=".1" pos=".3 0 0"/><body pos="0 0 .5"><joint name="d"
        type="ball" pos="0 0 -.1"/><geom type="box" size=".1 .2 .3"/></body></body></worldbody>""",
    "joint not at zero": """<worldbody><body pos="0 0 1"><joint name="a" axis="1 1 0" ref="30"
        pos=".1 0 0"/><geom type="cylinder" size=".1 .2" pos="0 .1 0"/><body pos="0 .5 0"><joint
        name="b" type="slide" axis="0 1 1" ref=".2"/><geom type="box" size=".1 .2 .3"/></body>
        </body></worldbody>""",
    "radians": '<compiler angle="radian"/><worldbody>'
               + ARM.replace("20 -30 40", ".2 -.3 .4").replace("3 50", "3 .5").format("")
               + "</worldbody>",
    "fixed axes": '<compiler eulerseq="ZXy"/><worldbody>' + ARM.format("") + "</worldbody>",
    "given inertia": """<worldbody><body><joint name="a" axis="1 0 0" armature=".1"/><inertial
        pos=".1 .2 .3" mass="2" diaginertia=".1 .2 .25" euler="10 20 30"/><geom size="1"/><body>
        <joint name="b" axis="0 1 0"/><inertial pos="0 0 .1" mass="1"
        fullinertia=".1 .2 .25 .01 .02 .03"/></body></body></worldbody>""",
    "given inertia passed over": """<compiler inertiafromgeom="true" inertiagrouprange="1 2"/>
        <worldbody><body><joint name="a" axis="1 0 0"/><inertial pos=".1 .2 .3" mass="2"
        diaginertia=".1 .2 .25"/><geom size=".2" group="1"/><geom size=".3" pos="0 0 1" group="3"/>
        </body></worldbody>""",
    "bounds, balance and total": """<compiler boundmass=".5" boundinertia=".01" settotalmass="7"
        balanceinertia="true"/><worldbody><body><joint name="a" axis="1 0 0"/><inertial
        pos=".1 .2 .3" quat="1 2 3 4" mass=".1" diaginertia=".001 .2 .3"/><body pos="0 0 1"><joint
        name="b" axis="0 1 0"/><geom type="box" size=".1 .2 .05" density="20"/></body></body>
        </worldbody>""",
    "no mass but the least": """<compiler boundmass=".5" boundinertia=".01"/><worldbody><frame
        pos="1 2 3"><body pos=".1 .2 .3"><joint name="a" axis="1 0 0"/><body pos="0 0 1"><joint
        name="b" axis="0 1 0"/><geom type="box" size=".1 .2 .05"/></body></body></frame>
        </worldbody>""",
    "given inertia where no geom counts": """<compiler inertiafromgeom="true" inertiagrouprange="0 1"/>
        <worldbody><body><joint name="a" axis="1 0 0"/><inertial pos=".1 .2 .3" mass="2"
        diaginertia=".1 .2 .25"/><geom size=".2" group="3"/></body></worldbody>""",
    "ways to turn": """<worldbody><body xyaxes="1 .2 0 0 1 .3"><joint name="a"/><geom
        type="box" size=".1 .2 .3" zaxis="1 -2 3"/><body zaxis="0 0 -1" pos=".5 0 0"><joint name="b"
        axis="1 0 0"/><geom type="box" size=".1 .2 .3" zaxis="1 0 0"/></body></body></worldbody>""",
    "an own orientation over a class's": """<default><geom euler="10 20 30"/><default class="k"><geom
        zaxis="1 2 3"/></default></default><worldbody><body><joint name="a"/><geom type="box"
        size=".1 .2 .3" quat="1 2 0 3"/><body pos="0 0 1"><joint name="b" axis="1 0 0"/><geom
        type="box" size=".1 .2 .3"/><geom type="box" class="k" size=".2 .1 .3" pos="1 0 0"/><geom
        type="box" class="k" size=".2 .1 .3" pos="0 1 0" xyaxes="1 1 0 0 0 1"/></body></body>
        </worldbody>""",
    "from here to there": """<worldbody><body><joint name="a" axis="1 2 3"/><geom type="box"
        size=".1" fromto=".1 .2 .3 .5 -.2 1"/><geom type="cylinder" size=".1"
        fromto=".1 .2 .3 .5 -.2 -1" mass=".3"/><geom type="ellipsoid" size=".1"
        fromto="0 0 0 .3 .4 .5"/></body></worldbody>""",
    "ellipsoid": """<worldbody><body><joint name="a" axis="1 2 3"/><geom type="ellipsoid"
        size=".1 .2 .3" pos=".1 0 0" euler="10 20 30"/></body></worldbody>""",
    "classes in classes": """<default><geom density="500"/><joint axis="0 1 0" armature=".02"/>
        <default class="thin"><geom size=".03 .2" type="capsule"/><default class="thinner"><geom
        size=".01" mass=".2"/></default></default></default><worldbody><body childclass="thin">
        <joint name="a"/><geom pos="0 .1 .2"/><body pos="0 0 .4"><joint name="b" class="main"/><geom
        class="thinner" fromto="0 0 0 .1 .2 .3"/><body childclass="thinner" pos=".2 0 0"><joint
        name="c" axis="1 0 0"/><geom size=".02 .3"/></body></body></body></worldbody>""",
    "frames": """<default><default class="big"><geom size=".4"/></default></default><worldbody>
        <frame pos="1 2 3" euler="30 40 50"><body pos=".1 .2 .3" euler="10 0 0"><frame
        pos="0 .1 0" euler="0 0 90" childclass="big"><joint name="a" pos=".1 0 0" axis="1 0 0"/>
        <geom type="box" size=".1 .2 .3"/><geom pos=".3 0 0"/></frame></body></frame>
        </worldbody>""",
    "free and welded": """<worldbody><body pos="0 0 1" euler="10 20 30"><freejoint name="f"/><geom
        type="box" size=".1 .2 .3"/><body pos=".3 0 0" euler="40 0 0"><geom size=".1"/><body
        pos="0 0 .2"><joint name="a" axis="1 0 0"/><geom type="capsule" size=".05 .2"/></body>
        </body></body></worldbody>""",
    "free with a rotor": """<worldbody><body><joint type="free" name="f" armature=".3"/>
        <geom type="box" size=".1 .2 .3"/><body pos=".3 0 0"><joint name="a" axis="1 0 0"/><geom
        size=".1"/></body></body></worldbody>""",
    "two mechanisms": """<worldbody><body><joint name="a" axis="1 0 0"/><geom size=".2" pos="0 0 1"/>
        </body><body pos="3 0 0"><geom size=".1"/><body pos="0 0 .3"><joint name="b" type="slide"/>
        <geom size=".1" mass="3"/></body></body></worldbody>""",
    "points": """<asset><mesh name="m" vertex="0 0 0 1 0 0 0 2 0 0 0 3 1 1 1" scale=".5 .25 .125"/>
        </asset><worldbody><body><joint name="a" axis="1 2 3"/><geom type="mesh" mesh="m"
        pos=".1 0 .2" euler="10 20 30"/></body></worldbody>""",
    "faces, moved and turned": """<asset><mesh name="m" vertex="0 0 0 1 0 0 0 2 0 0 0 3"
        face="0 2 1 0 1 3 0 3 2 1 2 3" scale=".2 .2 .2" refpos=".1 .2 .3" refquat="1 2 3 4"/>
        </asset><worldbody><body><joint name="a" axis="1 2 3"/><geom type="mesh" mesh="m"
        pos=".1 0 .2" euler="10 20 30" density="300"/></body></worldbody>""",
    "no weight": """<option gravity="0 0 -9.81"/><worldbody><body><joint name="a"
        axis="1 0 0"/><geom size=".2" pos="0 0 1" contype="0" conaffinity="0"/></body>
        </worldbody>""",
}


@pytest.mark.parametrize("name", MODELS)
def test_small_models(name, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(f"<mujoco>{MODELS[name]}</mujoco>")
    assert_agrees(path, tmp_path)


def test_included_files(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/arm.xml").write_text(
        "<mujocoinclude>" + ARM.format('<geom size=".2"/>') + "</mujocoinclude>")
    (tmp_path / "parts/defaults.xml").write_text(
        '<mujocoinclude><default><geom density="3"/></default></mujocoinclude>')
    path = tmp_path / "model.xml"
    path.write_text('<mujoco><include file="parts/defaults.xml"/><worldbody>'
                    '<include file="parts/arm.xml"/></worldbody></mujoco>')
    assert_agrees(path, tmp_path)
