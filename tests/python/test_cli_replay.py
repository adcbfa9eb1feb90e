"""espalier sim --record and espalier replay."""

import base64
import csv
import json
import re
import shutil
import signal
import subprocess
import urllib.request

import pytest
from cli_runner import BINARY, MODELS, answer, good, model, run
import esp_file

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def fall(tmp_path_factory):
    """A recording of the strider that lands, its log and its summary."""
    folder = tmp_path_factory.mktemp("fall")
    esp, log = folder / "run.esp", folder / "run.csv"
    said = answer("sim", model("strider"), "--time", "1", "--seed", "3", "--record", esp, "--log", log)
    rows = [{k: float(v) for k, v in row.items() if v} for row in csv.DictReader(log.open())]
    return esp, rows, said


@pytest.fixture(scope="module")
def page(fall, tmp_path_factory):
    """Skips where the command was built without the viewer's page, which it has to say."""
    done = run("replay", fall[0], "--html", tmp_path_factory.mktemp("page") / "run.html")
    if done.returncode != 0:
        assert "without the viewer's page" in done.stderr and "-DESPALIER_VIEWER=ON" in done.stderr
        pytest.skip("built with -DESPALIER_VIEWER=OFF")


def test_a_recording_tells_what_the_log_tells(fall):
    esp, rows, _ = fall
    recorded = esp_file.read(esp)
    assert recorded["info"]["source"] == [str(model("strider"))]
    (scene,) = recorded["scenes"]
    frames = recorded["frames"]
    assert frames[0]["time"] == 0 and frames[-1]["time"] == pytest.approx(1)
    assert 58 <= len(frames) <= 62  # 60 a second
    names = [body["name"] for body in scene["bodies"]]
    channels = [channel["name"] for channel in scene["channels"]]
    trunk = names.index("trunk") if "trunk" in names else names.index("base")
    compared = 0
    for frame in frames:
        row = next((r for r in rows if abs(r["time"] - frame["time"]) < 1e-9), None)
        if row is None:
            continue
        compared += 1
        pose = frame["poses"][trunk]
        assert pose[:3] == pytest.approx([row[f"base_{x}"] for x in "xyz"], abs=1e-5)
        turn = [row[f"base_q{x}"] for x in "wxyz"]
        same = sum(a * b for a, b in zip(turn, pose[3:]))
        assert abs(same) == pytest.approx(1, abs=1e-4)
        for joint in ("LF_HAA", "RH_KFE"):
            at = channels.index(f"strider/q/{joint}")
            assert frame["channels"][at] == pytest.approx(row[f"q.{joint}"], abs=1e-3)
        assert len(frame["contacts"]) == row["contacts"]
    assert compared > 10


def test_contact_forces_carry_the_robot_in_the_end(fall):
    recorded = esp_file.read(fall[0])
    weight = 9.81 * sum(body["mass"] for body in recorded["scenes"][0]["bodies"])
    last = recorded["frames"][-1]
    assert len(last["contacts"]) == 4
    up = sum(c["force"][2] if c["normal"][2] > 0 else -c["force"][2] for c in last["contacts"])
    assert up == pytest.approx(weight, rel=0.1)


@pytest.mark.parametrize("files", [[model("strider")], [model("four_bar"), model("gripper")],
                                   [MODELS / "worlds/strider_crates.xml"]])
def test_a_recorded_run_is_the_same_run(files, tmp_path):
    esp = tmp_path / "run.esp"
    plain = answer("sim", *files, "--time", "0.3")
    recorded = answer("sim", *files, "--time", "0.3", "--record", esp, "--record-rate", "500")
    assert recorded["state_hash"] == plain["state_hash"]
    times = [frame["time"] for frame in esp_file.read(esp)["frames"]]
    assert len(times) == 1 + recorded["steps"] // round(1 / (500 * recorded["dt"]))
    assert times[0] == 0 and times[-1] == pytest.approx(recorded["time"])


def test_ten_seconds_of_the_strider_fit_into_300_kb(tmp_path):
    esp = tmp_path / "run.esp"
    answer("sim", model("strider"), "--time", "10", "--record", esp)
    assert len(esp_file.read(esp)["frames"]) >= 580
    assert esp.stat().st_size <= 300_000


def test_what_cannot_be_written_is_an_error(tmp_path):
    done = run("sim", model("strider"), "--time", "0.1", "--record", tmp_path / "no/run.esp")
    assert done.returncode == 1 and "cannot be written" in done.stderr
    assert "choose a folder" in done.stderr
    done = run("sim", model("strider"), "--record", tmp_path / "run.esp", "--record-rate", "0")
    assert done.returncode == 2 and "positive" in done.stderr


def test_info_tells_what_is_in_a_recording(fall):
    esp = fall[0]
    said = answer("replay", esp, "--info")
    recorded = esp_file.read(esp)
    assert said["frames"] == len(recorded["frames"])
    assert said["time"] == [0, pytest.approx(1)]
    assert said["scenes"][0]["bodies"] == len(recorded["scenes"][0]["bodies"])
    assert said["scenes"][0]["channels"] == len(recorded["scenes"][0]["channels"])
    assert said["run"]["rate"] == 60 and said["diagnostics"] == []
    text = good("replay", esp, "--info")
    assert "strider" in text and f"{said['frames']}" in text


def test_a_broken_recording_says_where(fall, tmp_path):
    data = fall[0].read_bytes()
    cut = tmp_path / "cut.esp"
    cut.write_bytes(data[:-10])
    last = [tag for tag, *_ in esp_file.blocks(data)]
    if last.count("FRAM") == 1:  # the only frames are gone
        done = run("replay", cut, "--info")
        assert done.returncode == 1 and f"block {len(last)} (byte" in done.stderr
    twice = tmp_path / "twice.esp"
    body = data[16:]
    twice.write_bytes(data + body[:-10])
    done = run("replay", twice, "--info")
    assert done.returncode == 0 and f"block {2 * len(last)} (byte" in done.stderr
    noise = tmp_path / "noise.esp"
    noise.write_bytes(b"no recording at all, but long enough")
    done = run("replay", noise, "--info", "--json")
    (error,) = json.loads(done.stdout)["diagnostics"]
    assert done.returncode == 1 and "no recording" in error["what"] and error["remedy"]
    assert run("replay", tmp_path / "nowhere.esp").returncode == 1
    empty = tmp_path / "empty.esp"
    empty.write_bytes(data[:16])
    assert "no frames" in run("replay", empty, "--info").stderr


def test_html_holds_the_page_and_the_recording(fall, tmp_path, page):
    html = tmp_path / "run.html"
    good("replay", fall[0], "--html", html)
    text = html.read_text(encoding="utf-8")

    def script(name):
        return re.search(rf'<script[^>]*id="{name}"[^>]*>(.*?)</script>', text, re.S).group(1)

    assert json.loads(script("espalier-config"))["mode"] == "file"
    assert base64.b64decode(script("espalier-recording"), validate=True) == fall[0].read_bytes()
    # It needs nothing from elsewhere.
    assert not re.search(r'<(script|link|img)[^>]*(src|href)="(?!data:)', text)


def test_html_of_a_cut_recording_holds_what_is_whole(fall, tmp_path, page):
    data = fall[0].read_bytes()
    twice, html = tmp_path / "twice.esp", tmp_path / "run.html"
    twice.write_bytes(data + data[16:-10])
    done = run("replay", twice, "--html", html)
    assert done.returncode == 0 and "is broken at block" in done.stderr
    recording = re.search(r'id="espalier-recording"[^>]*>(.*?)</script>',
                          html.read_text(encoding="utf-8"), re.S).group(1)
    assert len(esp_file.read(base64.b64decode(recording))["frames"]) > 0


def test_replay_serves_the_page_and_the_recording(fall, page):
    server = subprocess.Popen([BINARY, "replay", fall[0], "--port", "18080"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
    try:
        url = server.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:")
        html = urllib.request.urlopen(url, timeout=10).read().decode()
        assert '"mode":"replay"' in html
        assert urllib.request.urlopen(url + "recording", timeout=10).read() == fall[0].read_bytes()
    finally:
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=10) == 0


def test_times_and_sizes_that_do_not_exist_are_refused(fall, tmp_path):
    png = tmp_path / "run.png"
    done = run("replay", fall[0], "--png", png, "--time", "7")
    assert done.returncode == 1 and "from 0 to 1 s" in done.stderr
    for wrong in (["--size", "100"], ["--size", "8x8"], ["--view", "10,100"], ["--rate", "0"]):
        assert run("replay", fall[0], "--png", png, *wrong).returncode == 2
    done = run("replay", fall[0], "--mp4", tmp_path / "a.mp4", "--from", "0.5", "--to", "0.2")
    assert done.returncode == 1 and "--from" in done.stderr


def test_without_a_browser_or_ffmpeg_there_is_a_remedy(fall, tmp_path):
    done = run("replay", fall[0], "--png", tmp_path / "a.png", env={"PATH": str(tmp_path)})
    assert done.returncode == 1 and "apt-get install chromium" in done.stderr
    done = run("replay", fall[0], "--mp4", tmp_path / "a.mp4", env={"PATH": str(tmp_path)})
    assert done.returncode == 1 and "apt-get install ffmpeg" in done.stderr


def test_a_browser_that_fails_is_told_of(fall, tmp_path):
    fake = tmp_path / "chromium"
    fake.write_text("#!/bin/sh\necho cannot open display >&2\nexit 1\n")
    fake.chmod(0o755)
    done = run("replay", fall[0], "--png", tmp_path / "a.png", env={"PATH": str(tmp_path)})
    assert done.returncode == 1
    assert "ended without a picture" in done.stderr and "cannot open display" in done.stderr


needs_browser = pytest.mark.skipif(not any(map(shutil.which, BROWSERS)),
                                   reason="no Chromium on PATH for pictures")


def png_size(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


@needs_browser
def test_layers_are_shown_and_hidden(fall, tmp_path, page):
    plain, without = tmp_path / "a.png", tmp_path / "b.png"
    good("replay", fall[0], "--png", plain, "--size", "160x120")
    good("replay", fall[0], "--png", without, "--size", "160x120", "--show=-visuals,-contacts")
    assert plain.read_bytes() != without.read_bytes()
    done = run("replay", fall[0], "--png", plain, "--show", "feelings")
    assert done.returncode == 1 and "feelings" in done.stderr


@needs_browser
def test_pictures_have_their_size_and_show_the_moment(fall, tmp_path, page):
    pictures = []
    for moment in ("0", "1", "1"):
        png = tmp_path / f"{len(pictures)}.png"
        good("replay", fall[0], "--png", png, "--time", moment, "--size", "320x240")
        pictures.append(png.read_bytes())
        assert png_size(pictures[-1]) == (320, 240)
    assert pictures[0] != pictures[1] == pictures[2]


@needs_browser
@pytest.mark.skipif(not shutil.which("ffmpeg"), reason="no ffmpeg on PATH for films")
def test_films_have_their_pictures(fall, tmp_path, page):
    mp4, webp = tmp_path / "run.mp4", tmp_path / "run.webp"
    good("replay", fall[0], "--mp4", mp4, "--webp", webp, "--to", "0.5", "--rate", "10",
         "--size", "160x120")
    told = subprocess.run(["ffmpeg", "-i", mp4, "-f", "null", "-"], capture_output=True, text=True,
                          check=True).stderr
    assert re.search(r"frame=\s*6\b", told) and "160x120" in told
    data = webp.read_bytes()
    assert data[:4] == b"RIFF" and data[8:12] == b"WEBP" and data.count(b"ANMF") >= 2


def test_mcap_tells_poses_contacts_and_numbers(fall, tmp_path):
    reader = pytest.importorskip("mcap.reader", reason="the package mcap is not installed")
    path = tmp_path / "run.mcap"
    good("replay", fall[0], "--mcap", path)
    recorded = esp_file.read(fall[0])
    frames, (scene,) = recorded["frames"], recorded["scenes"]
    messages = {}
    with path.open("rb") as file:
        for schema, channel, message in reader.make_reader(file).iter_messages():
            messages.setdefault((channel.topic, schema.name), []).append(
                (message.log_time, json.loads(message.data)))
    transforms = messages["/tf", "foxglove.FrameTransforms"]
    assert len(transforms) == len(frames)
    assert transforms[-1][0] == pytest.approx(1e9, abs=2)
    for (_, said), frame in zip(transforms[::7], frames[::7]):
        assert len(said["transforms"]) == len(scene["bodies"])
        for transform, pose in zip(said["transforms"], frame["poses"]):
            t, r = transform["translation"], transform["rotation"]
            assert [t["x"], t["y"], t["z"], r["w"], r["x"], r["y"], r["z"]] == pytest.approx(
                pose, abs=1e-6)
    (_, drawn), = messages["/scene", "foxglove.SceneUpdate"]
    children = {t["child_frame_id"] for t in transforms[0][1]["transforms"]}
    assert {entity["frame_id"] for entity in drawn["entities"]} <= children
    arrows = messages["/contacts", "foxglove.SceneUpdate"][-1][1]["entities"][0]["arrows"]
    assert len(arrows) == len(frames[-1]["contacts"])
    for group in {channel["group"] for channel in scene["channels"]}:
        numbers = messages[f"/{group}", f"espalier.{group}"][-1][1]
        wanted = [v for c, v in zip(scene["channels"], frames[-1]["channels"])
                  if c["group"] == group]
        assert list(numbers.values()) == pytest.approx(wanted, rel=1e-5, abs=1e-12)


def test_mcap_without_its_package_has_a_remedy(fall, tmp_path):
    bare = tmp_path / "bare"
    subprocess.run(["python3", "-m", "venv", "--without-pip", bare], check=True)
    done = run("replay", fall[0], "--mcap", tmp_path / "a.mcap", "--python", bare / "bin/python")
    assert done.returncode == 1 and "lacks the package mcap" in done.stderr
    assert "pip install mcap" in done.stderr
