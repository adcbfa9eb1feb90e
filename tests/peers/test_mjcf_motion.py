"""Keyframes, actuators, tendons and compensated weights of MuJoCo's files, against MuJoCo: `espalier
sim` logs one step, so short that its forces are those at its start."""

import csv
import os
import re
import subprocess

import numpy as np
import pytest

import conventions
import espalier_cli
import robots
from mjcf_motion import (BASE_Q, FORCES, HINGE, MOTION, SLIDE, key, limp, mujoco, run, state_of,
                         text_of)

TOLERANCE = 1e-9

SCENES = [f"menagerie/{name}" for name in (
    "agility_cassie/scene.xml", "booster_t1/scene.xml", "robotiq_2f85/scene.xml",
    "unitree_go2/scene.xml", "unitree_go2/scene_mjx.xml", "wonik_allegro/scene_left.xml",
    "wonik_allegro/scene_right.xml")] + ["mjcf/humanoid.xml", "mjcf/car.xml"]
LOOPS = {"menagerie/agility_cassie/scene.xml", "menagerie/robotiq_2f85/scene.xml"}


def copy_of(scene, folder, keys):
    """A file that includes the scene and begins with keyframes of its own; the scene's are cut."""
    path = robots.SHARED / "models" / scene
    if not path.exists():
        pytest.skip(f"{path} is not there")
    for part in path.parent.iterdir():
        if part.suffix == ".xml":
            text = re.sub(r"<keyframe>.*?</keyframe>", "", part.read_text(), flags=re.S)
            (folder / part.name).write_text(text)
        else:
            os.symlink(part, folder / part.name)
    whole = folder / "whole.xml"
    whole.write_text(f'<mujoco><include file="{path.name}"/><keyframe>{keys}</keyframe></mujoco>')
    return whole


@pytest.mark.parametrize("scene", SCENES)
def test_starts_at_the_keyframes(scene, tmp_path):
    path = robots.SHARED / "models" / scene
    if not path.exists():
        pytest.skip(f"{path} is not there")
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    for k in [None, *range(model.nkey)]:
        options = [] if k is None else ["--keyframe", str(k)]
        first, _ = run(path, tmp_path, FORCES, *options)
        qpos, qvel = state_of(model, first)
        if model.nkey:
            mujoco.mj_resetDataKeyframe(model, data, k or 0)
        else:
            mujoco.mj_resetData(model, data)
        known = ~np.isnan(qpos)
        assert known.sum() >= model.nq - 7
        apart = np.abs(qpos - data.qpos)[known].max()
        if scene in LOOPS:  # whose loops the file closes to its digits, and ours to rounding
            assert apart <= 0.05
            continue
        assert apart <= TOLERANCE
        assert np.abs(qvel - data.qvel)[~np.isnan(qvel)].max() <= TOLERANCE
        wanted = data.qpos.copy()
        mujoco.mj_kinematics(model, data)
        positions = data.xpos.copy()
        data.qpos = np.where(known, qpos, wanted)
        mujoco.mj_kinematics(model, data)
        assert np.abs(positions - data.xpos).max() <= TOLERANCE


@pytest.mark.parametrize("scene", SCENES)
def test_actuators_of_scenes(scene, tmp_path):
    rng = np.random.default_rng(5)
    source = robots.SHARED / "models" / scene
    if not source.exists():
        pytest.skip(f"{source} is not there")
    plain = mujoco.MjModel.from_xml_path(str(source))
    names = ["a", "b", "c"]
    path = copy_of(scene, tmp_path, "".join(key(plain, rng, name) for name in names))
    assert_actuators_agree(path, tmp_path, names)


def assert_actuators_agree(path, folder, names):
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    most = 0
    for name in names:
        first, second = run(path, folder, FORCES, "--keyframe", name, *limp(model))
        mujoco.mj_resetDataKeyframe(model, data, model.key(name).id)
        qpos, qvel = state_of(model, first)
        data.qpos, data.qvel = (np.where(np.isnan(own), theirs, own) for own, theirs in
                                ((qpos, data.qpos), (qvel, data.qvel)))
        mujoco.mj_forward(model, data)
        ours, theirs = {}, {}
        leaders = leaders_of(model)
        for j in range(model.njnt):
            if model.jnt_type[j] not in (HINGE, SLIDE):
                continue
            lead = leaders.get(j, j)
            for force, to in ((second[f"tau.{model.joint(j).name}"], ours),
                              (data.qfrc_actuator[model.jnt_dofadr[j]], theirs)):
                to[lead] = to.get(lead, 0) + force
        for j, force in theirs.items():
            assert abs(ours[j] - force) <= TOLERANCE * max(1, abs(force)), model.joint(j).name
            most = max(most, abs(force))
    assert most > 0.1 or model.nu == 0


def leaders_of(model):
    """Joints that follow another one to one: their forces may as well act on that."""
    return {model.eq_obj1id[e]: model.eq_obj2id[e] for e in range(model.neq)
            if model.eq_type[e] == mujoco.mjtEq.mjEQ_JOINT
            and tuple(model.eq_data[e][:3]) == (0, 1, 0)}


ARM = """<mujoco>{}<worldbody><body name="upper" {}><joint name="a" axis="0 1 0" range="-60 90"
  armature=".2" {}/><geom type="capsule" size=".05" fromto="0 0 0 .4 0 .1" mass="2"/>
  <body name="lower" pos=".4 0 .1" {}><joint name="b" axis="1 1 0" pos=".02 0 0" ref="20"/>
  <geom type="box" size=".1 .03 .02" pos=".1 .05 0" mass="1"/><body name="tip" pos=".2 0 0">
  <joint name="c" type="slide" axis="1 0 .2" ref=".1"/><geom size=".05" mass=".5"
  pos="0 .02 .03"/></body></body></body></worldbody>{}<keyframe><key name="k"
  qpos=".3 -.5 .17" qvel=".7 -1.1 .4" ctrl="{}"/></keyframe></mujoco>"""

ACTUATORS = {
    "position": '<position joint="a" kp="5" kv="2" gear="3"/>',
    "damping ratio": '<position joint="a" kp="5" dampratio=".8" gear="3"/>',
    "damping ratio of a ball and a slide":
        '<position joint="c" kp="5" dampratio="1"/><position joint="b" kp="7" dampratio=".5"/>',
    "inherited range": '<position joint="a" kp="5" inheritrange=".5"/>',
    "velocity": '<velocity joint="a" kv="3" gear="-2"/>',
    "damper": '<damper joint="a" kv="3" ctrlrange="0 9"/>',
    "motor": '<motor joint="b" gear="7" ctrlrange="-1 .3"/>',
    "forces bounded on one side": '<position joint="a" kp="50" gear="-2" forcerange="-1 2"/>',
    "general": '<general joint="a" gaintype="affine" gainprm="2 -.5 -.1" biastype="affine" '
               'biasprm=".3 -4 -.6"/>',
    "bias without its type": '<general joint="a" gainprm="2" biasprm="1 -4 -.6"/>'
                             '<position joint="b"/>',
    "two of one joint": '<position joint="a" kp="5"/><velocity joint="a" kv="2"/>'
                        '<motor joint="a"/>',
    "damping ratio of a tendon": '<position tendon="s" kp="4" dampratio=".7" gear="2"/>',
    "damping ratio and armature": '<position joint="a" kp="5" dampratio="1" gear="2" armature=".3"/>',
    "range of a tendon's forces": '<motor tendon="s" gear="-3"/>',
    "general with an inherited range":
        '<general joint="a" biastype="affine" biasprm="0 -1" inheritrange=".3"/>',
    "range of a tendon inherited": '<position tendon="s" kp="3" inheritrange="1.5"/>',
    "armature and damping": '<position joint="a" kp="5" gear="2" armature=".3" damping=".4"/>',
    "motor of a tendon": '<motor tendon="t" gear="3"/>',
    "servo of a tendon of one joint": '<position tendon="s" kp="4" kv=".3"/>',
    "two of a bounded tendon": '<motor tendon="s"/><motor tendon="s"/>',
    "a servo and a motor of a bounded tendon":
        '<position tendon="s" kp="4" gear="2"/><motor tendon="s" gear="2"/>',
}
DEFAULTS = {
    "gains of a class": ('<default><general gainprm="50" biastype="affine" biasprm="0 -50 -1"/>'
                         '</default>', '<position joint="a" kp="3"/>'),
    "the kp of a class": ('<default><position kp="50" kv="2"/></default>',
                          '<velocity joint="a"/><general joint="b"/>'),
    "a class in a class": ('<default><position kp="50"/><default class="k"><position kv="3"/>'
                           '<default class="l"><position forcerange="-2 2"/></default></default>'
                           '</default>',
                           '<position joint="a" class="k"/><position joint="b" class="l"/>'),
    "a motor's range": ('<default><motor ctrlrange="-.2 .2" gear="4"/></default>',
                        '<motor joint="a"/><velocity joint="b"/>'),
}
TENDONS = """<tendon><fixed name="t"><joint joint="a" coef=".5"/><joint joint="b" coef="-2"/>
  </fixed><fixed name="s" range="-.2 .3" actuatorfrcrange="-.6 .5"><joint
  joint="c" coef="1.5"/></fixed></tendon>"""


def arm(path, actuators, head="", tendons=TENDONS, **parts):
    count = actuators.count("joint=") + actuators.count("tendon=")
    parts = {"upper": "", "a": "", "lower": "", **parts}
    path.write_text(ARM.format(head, parts["upper"], parts["a"], parts["lower"],
                               f"{tendons}<actuator>{actuators}</actuator>",
                               text_of([1.3, -.7, .4][:count])))


@pytest.mark.parametrize("name", [*ACTUATORS, *DEFAULTS])
def test_actuators(name, tmp_path):
    head, actuators = DEFAULTS.get(name) or ("", ACTUATORS[name])
    path = tmp_path / "arm.xml"
    arm(path, actuators, head)
    assert_actuators_agree(path, tmp_path, ["k"])


def random_law(rng, names=("general", "position", "velocity", "motor", "damper")):
    """An actuator with some of what its law is made of."""
    tag = str(rng.choice(names))
    number = iter(f"{x:.2f}" for x in rng.uniform(0.5, 9, 16))
    all_of = {
        "general": {"gainprm": f"{next(number)} -{next(number)}",
                    "biasprm": f"0 -{next(number)} -{next(number)}",
                    "gaintype": str(rng.choice(["fixed", "affine"])), "biastype": "affine"},
        "position": {"kp": next(number), "kv": next(number)}, "velocity": {"kv": next(number)},
        "motor": {}, "damper": {"kv": next(number)}}[tag]
    given = {k: v for k, v in all_of.items() if rng.random() < 0.5}
    if rng.random() < 0.3:
        given["gear"] = next(number)
    if rng.random() < 0.3:
        given["ctrlrange"] = f"0 {next(number)}"
    return tag, given


def written(law, names=""):
    tag, given = law
    return f"<{tag} {names} " + " ".join(f'{k}="{v}"' for k, v in given.items()) + "/>"


@pytest.mark.parametrize("seed", range(80))
def test_laws_of_random_classes(seed, tmp_path):
    """Shortcuts of any kind over defaults of any kind, in classes in classes."""
    rng = np.random.default_rng(seed)
    layers = ["".join(written(law) for law in dict(random_law(rng) for _ in range(count)).items())
              for count in rng.integers(0, 3, 3)]
    head = (f"<default>{layers[0]}<default class='k'>{layers[1]}<default class='l'>{layers[2]}"
            "</default></default></default>")
    law, kind = random_law(rng), rng.choice(["main", "k", "l"])
    law[1].setdefault("ctrlrange", "0 3")  # a damper needs one that is not negative
    path = tmp_path / "arm.xml"
    # Beside a motor, so that there is a force to compare.
    arm(path, written(law, f'joint="a" class="{kind}"') + '<motor joint="b" ctrlrange="-1 1"/>', head)
    assert_actuators_agree(path, tmp_path, ["k"])


def assert_accelerates_alike(path, folder, tolerance=1e-6):
    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    data = mujoco.MjData(model)
    first, second = run(path, folder, MOTION, "--keyframe", "k", *limp(model))
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    ours = (state_of(model, second)[1] - state_of(model, first)[1]) / MOTION
    assert np.abs(ours - data.qacc).max() <= tolerance * max(1, np.abs(data.qacc).max())
    return data


@pytest.mark.parametrize("ratio", [".2 1", ".05 .3"])
def test_springdampers(ratio, tmp_path):
    path = tmp_path / "arm.xml"
    arm(path, '<motor joint="b"/>', a=f'springdamper="{ratio}" springref="40"')
    assert_accelerates_alike(path, tmp_path)


def test_springdamper_of_a_ball(tmp_path):
    path = tmp_path / "ball.xml"
    path.write_text("""<mujoco><worldbody><body><joint type="ball" name="a" springdamper=".3 .7"/>
        <geom type="box" size=".1 .2 .3" pos=".3 0 .1"/><body pos=".5 0 0"><joint name="b"
        axis="1 1 0"/><geom size=".1" pos="0 0 .3"/></body></body></worldbody><actuator><motor
        joint="b"/></actuator><keyframe><key name="k" qpos=".9 .1 .3 -.2 .4" qvel="1 2 3 4"/>
        </keyframe></mujoco>""")
    assert_accelerates_alike(path, tmp_path)


def test_gravity_compensation(tmp_path):
    path = tmp_path / "arm.xml"
    arm(path, '<motor joint="a"/>', upper='gravcomp="1"', lower='gravcomp=".4"')
    data = assert_accelerates_alike(path, tmp_path)
    assert np.abs(data.qfrc_gravcomp).max() > 1


@pytest.mark.parametrize("name, attributes", {
    "spring": 'stiffness="40"', "spring with a rest length": 'stiffness="40" springlength=".2"',
    "slack spring": 'stiffness="40" springlength="-9 9"',
    "spring pulled out": 'stiffness="40" springlength="-.5 .3"', "damper": 'damping="3"',
    "both": 'stiffness="40" damping="3" springlength="-2"'}.items())
def test_tendons(name, attributes, tmp_path):
    path = tmp_path / "arm.xml"
    tendons = TENDONS.replace('<fixed name="t">', f'<fixed name="t" {attributes}>')
    arm(path, '<motor joint="c"/>', tendons=tendons)
    assert_accelerates_alike(path, tmp_path)


@pytest.mark.parametrize("law", ['kv="2"', 'dampratio=".6"', 'forcerange="-2 3"'])
def test_servo_of_a_tendon(law, tmp_path):
    """Of two joints; its damping ratio is that of the inertia that both together feel."""
    path = tmp_path / "arm.xml"
    arm(path, f'<position tendon="t" kp="30" gear="1.5" {law}/>')
    assert_accelerates_alike(path, tmp_path)


def test_tendons_between_mechanisms(tmp_path):
    path = tmp_path / "two.xml"
    path.write_text("""<mujoco><worldbody><body><joint name="a" axis="0 1 0"/><geom size=".1"
        pos=".3 0 0"/></body><body pos="0 2 0"><joint name="b" axis="0 1 0"/><geom size=".2"
        pos=".1 0 .2"/></body></worldbody><tendon><fixed stiffness="200" damping="3"><joint
        joint="a" coef="1"/><joint joint="b" coef="-1.5"/></fixed></tendon><keyframe><key name="k"
        qpos=".4 -.3" qvel="1 2"/></keyframe></mujoco>""")
    assert_accelerates_alike(path, tmp_path)


@pytest.mark.parametrize("polycoef", ["0 -.5 0 0 0", ".2 .7 .3 -.1 .2"])
def test_equalities_of_tendons(polycoef, tmp_path):
    path = tmp_path / "arm.xml"
    arm(path, '<motor joint="c"/>', tendons=TENDONS + f"""<equality><tendon tendon1="t"
        tendon2="s" polycoef="{polycoef}"/></equality>""")
    first, second = run(path, tmp_path, MOTION, "--keyframe", "k")
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    for row in first, second:  # MuJoCo's own equality is closed, and its rate zero
        data.qpos, data.qvel = state_of(model, row)
        mujoco.mj_forward(model, data)
        assert data.ne == 1
        assert np.abs(data.efc_pos[0]) <= TOLERANCE
        assert np.abs(data.efc_vel[0]) <= TOLERANCE * np.abs(data.qvel).max()


@pytest.mark.parametrize("equalities", [
    '<joint joint1="a" joint2="b" polycoef=".2 .7 .3 -.1 .2"/>',
    '<joint joint1="a" joint2="c" polycoef="0 -2 .5"/><joint joint1="b" joint2="a"/>',
    '<joint joint1="a" joint2="b" polycoef="0 .5"/><joint joint1="a" joint2="c" polycoef="0 2"/>'])
def test_equalities_of_joints(equalities, tmp_path):
    path = tmp_path / "arm.xml"
    arm(path, '<motor joint="c"/>', tendons=f"<equality>{equalities}</equality>")
    first, second = run(path, tmp_path, MOTION, "--keyframe", "k", "--pd", "0,0")
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    for row in first, second:  # MuJoCo's own equalities are closed, and their rates zero
        data.qpos, data.qvel = state_of(model, row)
        mujoco.mj_forward(model, data)
        assert data.ne == model.neq
        assert np.abs(data.efc_pos[:data.ne]).max() <= TOLERANCE
        assert np.abs(data.efc_vel[:data.ne]).max() <= TOLERANCE * np.abs(data.qvel).max()


SITES = """<mujoco><worldbody><site name="w" pos="-.3 .2 .6"/><body name="upper" pos="0 0 .1">
  <joint name="a" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .4 0 .1"/><site
  name="u" pos=".3 .02 .1"/><body name="lower" pos=".4 0 .1"><joint name="b" axis="1 1 0"
  pos=".02 0 0" ref="20"/><geom type="box" size=".1 .03 .02" pos=".1 .05 0"/><site name="l"
  pos=".1 .05 .1"/></body></body><body name="free" pos="1 0 1" euler="10 20 30"><freejoint
  name="f"/><geom type="box" size=".1 .2 .3"/><site name="r" pos=".1 .1 .1"/><body pos="0 0 .3">
  <joint name="c" axis="1 0 0"/><geom size=".1" pos="0 .2 0"/><site name="s" pos="0 .2 .1"/></body>
  </body></worldbody><tendon><spatial name="t" {}>{}</spatial></tendon><actuator>{}</actuator>
  <keyframe><key name="k" qpos=".3 -.5 1 .1 1.2 .5 .5 -.5 .5 .4"
  qvel=".7 -1.1 .3 -.2 .5 .1 .9 -.4 .8" ctrl="{}"/></keyframe></mujoco>"""
PATHS = {
    "to the world": '<site site="w"/><site site="l"/>',
    "over several bodies": '<site site="w"/><site site="u"/><site site="l"/>',
    "between mechanisms": '<site site="l"/><site site="r"/><site site="s"/>',
    "over pulleys": '<site site="w"/><site site="l"/><pulley divisor="2"/><site site="l"/>'
                    '<site site="r"/><pulley divisor="3"/><site site="u"/><site site="s"/>',
}


@pytest.mark.parametrize("name", PATHS)
@pytest.mark.parametrize("attributes, actuator", [
    ('stiffness="60" springlength=".3"', ""), ('stiffness="60"', ""), ('damping="4"', ""),
    ("", '<motor tendon="t" gear="-3"/>'), ("", '<position tendon="t" kp="30" dampratio=".5"/>'),
    ('actuatorfrcrange="-2 3"', '<motor tendon="t" gear="-3"/>'),
    ("", '<position tendon="t" kp="30" kv="2" gear="1.5" forcerange="-40 3"/>')])
def test_spatial_tendons(name, attributes, actuator, tmp_path):
    path = tmp_path / "sites.xml"
    path.write_text(SITES.format(attributes, PATHS[name], actuator, "1.2" if actuator else ""))
    assert_accelerates_alike(path, tmp_path)


def test_a_limited_spatial_tendon_holds_what_hangs_from_it(tmp_path):
    path = tmp_path / "hung.xml"
    path.write_text("""<mujoco><worldbody><site name="w" pos="0 0 2"/><body name="box" pos="0 0 1.8">
        <freejoint/><geom type="box" size=".1 .1 .1"/><site name="s" pos=".1 0 .1"/></body>
        </worldbody><tendon><spatial range="0 .5"><site site="w"/><site site="s"/></spatial></tendon>
        </mujoco>""")
    log = tmp_path / "run.csv"
    done = subprocess.run([espalier_cli.BINARY, "sim", path, "--time", "3", "--log", log],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with open(log) as file:
        rows = [dict(zip(r, map(lambda x: float(x or 0), r.values()))) for r in csv.DictReader(file)]
    lengths = []
    for row in rows:
        q = np.array([row[c] for c in BASE_Q])
        site = q[:3] + conventions.rotation_from_quaternion(q[3:]) @ [.1, 0, .1]
        lengths.append(np.linalg.norm(site - [0, 0, 2]))
    assert max(lengths) < 0.501
    assert max(lengths) > 0.4999
    assert rows[-1]["base_z"] > 1.2
