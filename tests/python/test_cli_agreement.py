"""`check` and `sim` accept the same files: own models and worlds, changed at random."""

import json
import os
import random
import re
import shutil
import signal
from pathlib import Path

import pytest
from cli_runner import MODELS, ROOT, answer, model, run

ROBOTS = ["arm7", "cartpole", "differential_leg", "double_pendulum", "five_bar", "four_bar",
          "gripper", "parallelogram", "revolute_pair_with_rotor", "slider_crank", "strider",
          "tello_hip", "triple_rocker"]
WORLDS = ["strider_crates", "tracked_robot"]
SHARED = Path(os.environ.get("ESPALIER_SHARED", ROOT.parent / "shared")) / "models"
FOREIGN = sorted(path for kind in ("urdf", "sdf", "xml") for path in SHARED.rglob(f"*.{kind}"))
PER_FILE = 20
NUMBERS = ["0", "-1", "1", "2.5", "1e-300", "1e-170", "1e-20", "1e20", "1e170", "1e300", "nan",
           "inf", "", "x", "1 2"]
ATTRIBUTE = re.compile(r'([\w:]+)="([^"]*)"')
ELEMENT = re.compile(r"<(\w+)[^<>]*/>")
NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?")

SMALL_WORLD = """<espalier version="1">
 <material>
  <default friction="0.8" restitution="0.1" restitution_threshold="0.01"/>
  <pair_prop name1="a" name2="b" friction="0.5" static_friction="0.6"
             static_friction_velocity_threshold="0.02" restitution="0.3"
             rolling_friction="0.01" spinning_friction="0.01"/>
 </material>
 <gravity value="0 0 -9.81"/> <time_step value="0.0025"/> <erp erp="0.2" slop="0.001"/>
 <objects>
  <ground name="floor" material="a" height="-0.1"/>
  <sphere name="s" mass="1" material="b"><dim radius="0.1"/><state pos="0 0 1" quat="1 0 0 0"/>
   </sphere>
  <box name="x" mass="2"><dim x="0.1" y="0.2" z="0.3"/><state pos="1 0 1" lin_vel="1 0 0"/></box>
  <cylinder name="c" mass="1" com="0 0 0.1"><dim radius="0.1" height="0.3"/>
   <inertia xx="0.1" yy="0.1" zz="0.1"/><state pos="2 0 1" ang_vel="0 1 0"/></cylinder>
  <capsule name="k" body_type="kinematic"><dim radius="0.1" height="0.3"/><state pos="3 0 1"/>
   </capsule>
  <compound name="m" mass="1"><children>
   <sphere><dim radius="0.1"/><state pos="0 0 0.2"/></sphere>
   <box><dim x="0.1" y="0.1" z="0.1"/></box></children><state pos="4 0 1"/></compound>
  <heightmap name="h" x_sample="3" y_sample="2" x_size="2" y_size="1" center_x="9"
   height="0 0.1 0 0.2 0 0.1"/>
  <articulated_system name="bar" urdf_path="[THIS_DIR]/../four_bar/four_bar.urdf">
   <state qpos="0.4" qvel="1"/></articulated_system>
 </objects>
</espalier>
"""


def changed(text, chance):
    """The text with one to three changes."""
    for _ in range(chance.choice([1, 1, 2, 3])):
        kind = chance.choice(["number"] * 6 + ["attribute", "value", "element", "twice", "cut", "byte"])
        if kind in ("number", "attribute", "value"):
            found = list(ATTRIBUTE.finditer(text))
            if kind == "number":
                found = [m for m in found if NUMBER.search(m[2])]
            if not found:
                continue
            at = chance.choice(found)
            if kind == "attribute":
                new = ""
            elif kind == "value":
                new = f'{at[1]}="{chance.choice(found)[2]}"'
            else:
                number = chance.choice(list(NUMBER.finditer(at[2])))
                value = at[2][:number.start()] + chance.choice(NUMBERS) + at[2][number.end():]
                new = f'{at[1]}="{value}"'
            text = text[:at.start()] + new + text[at.end():]
        elif kind in ("element", "twice"):
            found = list(ELEMENT.finditer(text))
            if found:
                at = chance.choice(found)
                text = text[:at.start()] + (2 * at[0] if kind == "twice" else "") + text[at.end():]
        elif kind == "cut":
            text = text[:chance.randrange(len(text))] if chance.random() < 0.3 else text
        else:
            at = chance.randrange(len(text))
            text = text[:at] + chr(chance.randrange(32, 127)) + text[at + 1:]
    return text


def short_time(text):
    """Two steps or a few, s; so that `sim` counts them where it would count 5 s of them."""
    step = re.search(r'<time_?[sS]tep value="([^"]*)"', text)
    try:
        dt = float(step[1]) if step else 0.001
    except ValueError:
        dt = 0.001
    return min(max(2 * dt, 0.005), 5) if dt > 0 else 0.005


def written(folder, name, source, count, seed):
    """Changed copies of a text as files: [(path, text)]."""
    chance = random.Random(f"{name} {seed}")
    copies = []
    for i in range(count):
        text = changed(source, chance)
        path = folder / f"{name}{i}{'.xml' if '<objects>' in source else '.urdf'}"
        path.write_text(text, encoding="utf-8")
        copies.append((path, text))
    return copies


def verdicts(paths):
    """What `check` says of each file; asked one by one where a file takes the process down. Lenient:
    `sim` runs without what is left out of a file."""
    done = run("check", "--lenient", "--json", *paths)
    if done.returncode in (0, 1):
        return [file["ok"] for file in json.loads(done.stdout)["files"]]
    return [answer_of("check", "--lenient", path)["ok"] for path in paths]


def answer_of(*arguments):
    done = run(*arguments, "--json")
    assert done.returncode in (0, 1, 2), f"{arguments}: {describe(done)}"
    return json.loads(done.stdout)


def describe(done):
    name = signal.Signals(-done.returncode).name if done.returncode < 0 else done.returncode
    return f"{name}: {done.stderr[-500:]}"


def hold_together(copies):
    good = 0
    for (path, text), is_good in zip(copies, verdicts([path for path, _ in copies])):
        done = run("sim", path, "--time", short_time(text), "--json")
        assert done.returncode in (0, 1, 2), f"sim {path}: {describe(done)}"
        said = json.loads(done.stdout)
        assert (done.returncode == 0) == is_good, f"{path}: check says {is_good}, sim {said}"
        good += is_good
        if not is_good:
            errors = [d for d in said["diagnostics"] if d["severity"] == "error"]
            assert said["ok"] is False and errors
            assert all(d["what"] and d["remedy"] for d in errors), errors
    return good


@pytest.mark.parametrize("name", ROBOTS)
def test_of_changed_robots(name, tmp_path):
    source = model(name).read_text(encoding="utf-8")
    shutil.copy(model(name).with_name("nominal.json"), tmp_path)
    good = hold_together(written(tmp_path, name, source, PER_FILE, 1))
    assert 0 < good < PER_FILE


@pytest.mark.parametrize("name", WORLDS)
def test_of_changed_worlds(name, tmp_path):
    source = (MODELS / "worlds" / f"{name}.xml").read_text(encoding="utf-8")
    source = source.replace("[THIS_DIR]", str(MODELS / "worlds"))
    shutil.copy(MODELS / "worlds" / "meadow.txt", tmp_path)
    good = hold_together(written(tmp_path, name, source, PER_FILE, 2))
    assert 0 < good < PER_FILE


@pytest.mark.parametrize("seed", range(4))
def test_of_a_changed_world_of_every_object(seed, tmp_path):
    source = SMALL_WORLD.replace("[THIS_DIR]", str(MODELS / "worlds"))
    good = hold_together(written(tmp_path, "world", source, 40, seed))
    assert 0 < good < 40


@pytest.mark.skipif(not FOREIGN, reason="ESPALIER_SHARED has no robots")
@pytest.mark.parametrize("path", FOREIGN, ids=lambda path: path.stem)
def test_of_shared_files(path):
    hold_together([(path, path.read_text(encoding="utf-8"))])


REFUSED = {
    "restitution": ('restitution="0.3"', 'restitution="1.5"', 4),
    "erp": ('erp="0.2"', 'erp="2"', 8),
    "friction": ('velocity_threshold="0.02"', 'velocity_threshold="0"', 4),
    "inertia that underflows": ('name="s" mass="1"', 'name="s" mass="1e-320"', 0),
    "inertia that overflows": ('x="0.1" y="0.2" z="0.3"', 'x="1e200" y="0.2" z="0.3"', 0),
    "time step above the run's time": ('time_step value="0.0025"', 'time_step value="7"', 0),
    "time step beyond counting": ('time_step value="0.0025"', 'time_step value="1e-300"', 0),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_world_refuses_is_an_error_of_check_too(name, tmp_path):
    old, new, line = REFUSED[name]
    source = SMALL_WORLD.replace("[THIS_DIR]", str(MODELS / "worlds"))
    assert source.count(old) == 1
    path = tmp_path / "world.xml"
    path.write_text(source)
    assert answer("check", path)["ok"]
    path.write_text(source.replace(old, new))
    assert hold_together([(path, source.replace(old, new))]) == 0
    errors = [d for d in answer_of("check", path)["files"][0]["diagnostics"]
              if d["severity"] == "error"]
    assert [d["file"] for d in errors] == [str(path)]
    assert line in (0, errors[0]["line"])


def test_loops_that_do_not_close_in_a_worlds_pose_are_an_error_of_both(tmp_path):
    path = tmp_path / "world.xml"

    def pose(q):
        path.write_text('<raisim><objects><articulated_system name="rocker" urdf_path="'
                        f'{model("triple_rocker")}"><state qpos="{q}"/></articulated_system>'
                        "</objects></raisim>")
        return hold_together([(path, "")])

    assert pose(0.1) == 1
    assert pose(1.5) == 0
    what = answer_of("check", path)["files"][0]["diagnostics"][-1]["what"]
    assert "'rocker'" in what and "do not close" in what


def test_a_start_at_a_change_point_is_moved_onto_a_way_by_both(tmp_path):
    """A parallelogram drawn flat; a nominal.json takes it elsewhere."""
    path = tmp_path / "flat.urdf"
    text = model("parallelogram").read_text(encoding="utf-8")
    assert text.count('"0.09 0 0.12"') == 2
    path.write_text(text.replace('"0.09 0 0.12"', '"0.15 0 0"'))
    assert hold_together([(path, "")]) == 1
    begins = "starts at a change point"
    said = [d["what"] for d in answer("sim", path, "--time", "0.1")["diagnostics"]]
    moved = [what for what in said if begins in what]
    assert len(moved) == 1 and " by 0.02" in moved[0]
    again = [d["what"] for d in answer("sim", path, "--time", "0.1")["diagnostics"]]
    assert again == said, "the same way every time"
    (tmp_path / "nominal.json").write_text('{"q": [0.5]}')
    assert hold_together([(path, "")]) == 1
    assert not any(begins in d["what"]
                   for d in answer("sim", path, "--time", "0.1")["diagnostics"])
