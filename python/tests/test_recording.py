"""Recordings from Python: written while a World steps, read as arrays, shown as one page."""

import base64
import gc
import html
import json
import re
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import espalier
import numpy as np
import pytest

MODELS = Path(__file__).resolve().parents[2] / "models"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
                None)


def falling():
    world = espalier.World()
    world.time_step = 0.005
    ball = world.add_sphere(0.1, 1)
    ball.position = [0, 0, 5]
    return world, ball


@pytest.fixture
def run(tmp_path):
    """A ball that falls for half a second."""
    world, _ = falling()
    with world.record(tmp_path / "run.esp", sources=["ball.xml"]) as recording:
        for _ in range(100):
            world.integrate()
    return recording


def test_a_run_is_read_as_arrays(run):
    assert not run.is_open and run.frame_count == 35
    recording = run.read()
    assert len(recording) == 35 and recording.info == {
        "espalier": espalier.__version__, "source": ["ball.xml"], "rate": 60.0}
    t = recording.times
    assert np.allclose(np.diff(t)[:-1], 0.015) and t[0] == 0 and t[-1] == pytest.approx(0.5)
    [body] = recording.bodies
    poses = recording.body(body)
    assert recording.poses.shape == (35, 1, 7) and poses.shape == (35, 7)
    assert np.allclose(poses[:, 2], 5 - 0.5 * 9.81 * t**2, atol=2e-5)
    assert np.allclose(poses[:, 3:], [1, 0, 0, 0], atol=2e-5)
    speed = next(name for name in recording.channels if name.endswith("/u/vz"))
    assert np.allclose(recording.channel(speed), -9.81 * t, atol=1e-3)
    assert recording.scenes[0].units[recording.channels.index(speed)] == "m/s"
    assert "35 frames" in repr(recording) and "0.5 s" in repr(recording)
    with pytest.raises(KeyError, match="no channel"):
        recording.channel("speed")
    with pytest.raises(KeyError, match="no body"):
        recording.body("cube")


def test_contacts_are_in_the_frames(tmp_path):
    world, ball = falling()
    world.add_ground()
    ball.position = [0, 0, 0.1]
    with world.record(tmp_path / "run.esp") as run:
        for _ in range(50):
            world.integrate()
    frame = run.read().frames[-1]
    [contact] = frame.contacts
    assert np.allclose(contact.position[:2], 0, atol=1e-3)
    assert abs(contact.force[2]) == pytest.approx(9.81, rel=1e-3)
    assert frame.poses.shape[1] == 7 and frame.pushes == []
    again = espalier.decode_frame(espalier.encode_frame(frame))
    assert np.array_equal(again.poses, frame.poses) and again.time == frame.time
    with pytest.raises(ValueError):
        espalier.decode_frame(b"nothing")


def test_objects_that_come_and_time_that_goes_back_begin_a_scene(tmp_path):
    world, _ = falling()
    visuals = espalier.Visuals()
    visuals.add_visual_poly_line("trail").points = np.zeros((2, 3))
    with world.record(tmp_path / "run.esp", rate=1000, name="balls", visuals=visuals) as run:
        for _ in range(3):
            world.integrate()
        world.add_box(1, 1, 1, 1)
        world.integrate()
        world.reset()
        world.integrate()
    recording = run.read()
    assert [len(s) for s in recording.scenes] == [4, 1, 1] and len(recording.times) == 6
    assert recording.scenes[0].name == "balls" and len(recording.scenes[1].bodies) == 2
    with pytest.raises(ValueError, match="3 scenes"):
        recording.poses  # noqa: B018
    blocks = espalier.RecordingReader(recording.to_bytes()).blocks
    assert [b.tag for b in blocks].count("OVER") == 3


def test_a_server_and_two_recordings_may_be_of_one_world(tmp_path):
    world, _ = falling()
    server = espalier.Server(world)
    with world.record(tmp_path / "a.esp", rate=1000), world.record(tmp_path / "b.esp", rate=20):
        for _ in range(20):
            server.step()
    world.integrate()  # not recorded any more
    assert len(espalier.Recording(tmp_path / "a.esp")) == 21
    assert len(espalier.Recording(str(tmp_path / "b.esp"))) == 3
    with world.record(tmp_path / "a.esp", append=True):
        world.integrate()
    assert len(espalier.Recording(tmp_path / "a.esp")) == 23


def test_steps_of_a_world_and_of_a_simulation_are_recorded(tmp_path):
    pendulum = str(MODELS / "double_pendulum" / "double_pendulum.urdf")
    world = espalier.World()
    world.add_articulated_system(pendulum)
    with world.record(tmp_path / "run.esp", rate=1e6) as run:
        world.step(4)
        simulation = espalier.sim.Simulation(world)
        simulation.add(espalier.sim.WeightController())
        simulation.init()
        dt = world.time_step
        for _ in range(3):
            simulation.update_dynamic()
            simulation.update_controllers(dt)
            simulation.update_constraints(dt)
            simulation.integrate(dt)
            assert run.update() and not run.update()
    assert np.allclose(run.read().times, dt * np.arange(8))


def test_a_recording_that_is_let_go_is_whole_and_the_world_steps_on(tmp_path):
    world, _ = falling()
    recording = world.record(tmp_path / "run.esp", rate=1000)
    with pytest.raises(ValueError, match="open"):
        recording.read()
    world.integrate()
    del recording
    gc.collect()
    world.integrate()
    assert len(espalier.Recording(tmp_path / "run.esp")) == 2
    kept = world.record(tmp_path / "run.esp")
    del world, _
    gc.collect()
    kept.capture()
    kept.close()
    kept.close()
    with pytest.raises(ValueError, match="closed"):
        kept.capture()


def test_what_cannot_be_written_or_read_is_refused(tmp_path, run):
    world, _ = falling()
    with pytest.raises(OSError, match="cannot be written"):
        world.record(tmp_path / "no" / "run.esp")
    for rate in (0, -1, np.inf, np.nan):
        with pytest.raises(ValueError, match="rate"):
            world.record(tmp_path / "x.esp", rate=rate)
    with pytest.raises(ValueError, match="Server"):
        world.record(tmp_path / "x.esp", visuals=espalier.Server(world))
    for wrong in ("drawn", world):
        with pytest.raises(TypeError):
            world.record(tmp_path / "x.esp", visuals=wrong)
    with pytest.raises(FileNotFoundError):
        espalier.Recording(tmp_path / "nothing.esp")
    text = tmp_path / "text.esp"
    text.write_text("this is no recording")
    with pytest.raises(ValueError, match="recording"):
        espalier.Recording(text)
    data = run.read().to_bytes()
    with pytest.warns(espalier.EspalierWarning), pytest.raises(ValueError, match="no frames"):
        espalier.Recording(data[:-5])
    with pytest.raises(ValueError):
        espalier.Recording(b"")


def with_scene(data, scene):
    """A recording's bytes with another text in the block of its scene."""
    out, at = data[:16], 16
    while at < len(data):
        tag, _, stored, _, first, last = struct.unpack_from("<4sIIIdd", data, at)
        content = data[at + 32:at + 32 + stored]
        at += 32 + stored
        if tag == b"SCEN":
            text = scene.encode()
            content = zlib.compress(text)
            begin = struct.pack("<4sII", tag, len(text), len(content))
            times = struct.pack("<dd", first, last)
            crc = zlib.crc32(content, zlib.crc32(times, zlib.crc32(begin)))
            out += begin + struct.pack("<I", crc) + times + content
        else:
            out += data[at - 32 - stored:at]
    return out


def test_scenes_that_nobody_vouches_for_are_refused(run):
    data = Path(run.file).read_bytes()
    text = json.dumps({"bodies": [{"name": "a"}], "channels": []})
    for scene, what in (("[]", "no JSON object"), ("{", "no JSON"), ("{}", "no bodies"),
                        ('{"bodies": [3]}', "no bodies"), (text, "differ")):
        with pytest.raises(ValueError, match=what):
            espalier.Recording(with_scene(data, scene)).times  # noqa: B018


def embedded(page):
    """The recording that stands in a page, and its configuration."""
    config = re.search(r'<script[^>]*id="espalier-config"[^>]*>(.*?)</script>', page, re.S)
    data = re.search(r'<script[^>]*id="espalier-recording"[^>]*>(.*?)</script>', page, re.S)
    return json.loads(config[1]), base64.b64decode(data[1])


def test_the_page_holds_the_recording(run, tmp_path):
    recording = run.read()
    recording.to_html(tmp_path / "run.html")
    page = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert embedded(page) == ({"mode": "file"}, Path(run.file).read_bytes())
    for shown in (recording, run, espalier.show(recording, height=300, width="50%"),
                  espalier.show(run.file)):
        frame = shown._repr_html_()
        assert frame.startswith("<iframe srcdoc=") and frame.endswith("</iframe>")
        assert html.unescape(re.search('srcdoc="(.*?)"', frame, re.S)[1]) == page
    assert 'height="300"' in espalier.show(recording, height=300)._repr_html_()


def test_a_world_and_a_file_are_shown_as_they_stand():
    world, _ = falling()
    for what, bodies in ((world, 1), (MODELS / "strider" / "strider.urdf", 13)):
        _, data = embedded(espalier.show(what).page)
        recording = espalier.Recording(data)
        assert len(recording) == 1 and len(recording.bodies) == bodies


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium to open the page with")
def test_a_notebook_shows_the_page_in_a_frame(run, tmp_path):
    """The frame's own script writes the time of its slider into its document."""
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!doctype html><meta charset=utf-8>{run._repr_html_()}", encoding="utf-8")
    picture = tmp_path / "picture.png"
    subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--use-angle=swiftshader",
         "--enable-unsafe-swiftshader", f"--user-data-dir={tmp_path / 'profile'}",
         "--window-size=800,600", "--virtual-time-budget=8000", f"--screenshot={picture}",
         notebook.as_uri()], check=True, capture_output=True, timeout=120)
    matplotlib = pytest.importorskip("matplotlib.image")
    pixels = matplotlib.imread(picture)[..., :3]
    colours = np.unique((pixels.reshape(-1, 3) * 255).astype(int), axis=0)
    assert len(colours) > 200  # a shaded scene; an empty frame is of one colour
