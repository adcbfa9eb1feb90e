"""espalier view: what a page is told and what it may do."""

import json
import math
import socket
import time
import urllib.error
import urllib.request

import pytest
from cli_runner import MODELS, answer, good, model, run
from view_client import ConnectionClosed, InvalidStatus, viewing


def get(url, **headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=5) as got:
            return got.status, got.read()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read()


def close(a, b, tolerance=1e-5):
    return all(math.isclose(x, y, abs_tol=tolerance) for x, y in zip(a, b, strict=True))


def test_a_robot_waits_for_play_and_stands_where_compute_says(tmp_path):
    with viewing(model("strider")) as viewer:
        page = viewer.page()
        page.until(lambda: page.frame)
        assert page.kinds[:2] == ["hello", "scene"] and page.last["hello"]["protocol"] == 1
        status = page.last["status"]
        assert status["paused"] and status["canReload"] and status["source"].endswith(
            "strider.urdf")
        assert page.frame.version == page.scene["version"] and page.frame.time == 0
        # Body by body where kinematics puts them at the coordinates in the channels.
        robot = next(o for o in page.scene["objects"] if o["kind"] == "system")
        first, count = robot["bodies"]
        values = {c["name"].removeprefix("strider/q/"): page.frame.channels[i]
                  for i, c in enumerate(page.scene["channels"]) if c["group"] == "q"}
        names = answer("info", model("strider"))["coordinates"]
        state = tmp_path / "state.json"
        state.write_text(json.dumps({"q": [values[name] for name in names]}), encoding="utf-8")
        said = answer("compute", model("strider"), "--state", state)
        assert close(page.frame.poses[first][:3], said["q"][:3])
        checked = 0
        for i in range(first + 1, first + count):
            joint = page.scene["bodies"][i]["joint"]["name"]
            assert close(page.frame.poses[i][:3], said["frames"][joint]["position"]), joint
            checked += 1
        assert checked == 12


def test_play_pause_step_and_reset():
    with viewing(model("strider")) as viewer:
        page = viewer.page()
        page.until(lambda: page.frame)
        start = page.frame.poses
        page.pause(False)
        page.until(lambda: page.frame.time > 0.05)
        page.pause()
        page.rest(0.3)
        stopped = page.frame.time
        page.rest(0.3)
        assert page.frame.time == stopped
        page.send("step", count=5)
        page.until(lambda: page.frame.time > stopped + 0.0045)
        page.rest(0.2)
        assert page.frame.time == pytest.approx(stopped + 0.005, abs=1e-9)
        page.send("reset", keyframe=None)
        page.until(lambda: page.frame.time == 0)
        assert page.frame.poses == start


def test_real_time_and_half_of_it():
    with viewing(model("double_pendulum"), "--play") as viewer:
        page = viewer.page()
        # A loaded machine may be late now and then, and does not make up for it.
        for speed in (1, 0.5):
            page.send("speed", factor=speed)
            page.until(lambda s=speed: page.last.get("status", {}).get("speed") == s)
            page.until(lambda s=speed:
                       0.9 * s < page.last["status"]["realTimeFactor"] < 1.02 * s, seconds=30)
            begin, start = time.monotonic(), page.next_frame().time
            page.rest(1)
            assert page.frame.time - start < speed * (time.monotonic() - begin) + 0.15


def test_a_drag_is_a_force_and_moves_the_body():
    with viewing(model("strider"), "--pd", "0,0") as viewer:
        page = viewer.page()
        page.until(lambda: page.frame)
        trunk = next(o for o in page.scene["objects"] if o["kind"] == "system")["bodies"][0]
        x, y, z = page.frame.poses[trunk][:3]
        page.send("drag", body=trunk, point=[0, 0, 0], target=[x, y, z + 1])
        page.pause(False)
        page.until(lambda: page.frame.pushes)
        push = page.frame.pushes[0]
        assert push[6] == trunk and push[5] > 0
        page.until(lambda: page.frame.poses[trunk][2] > z + 0.5)
        page.send("release")
        page.until(lambda: not page.frame.pushes)
        page.until(lambda: page.frame.poses[trunk][2] < z + 0.3)


def test_a_slider_takes_the_dependents_of_a_four_bar_along():
    with viewing(model("four_bar")) as viewer:
        page = viewer.page()
        page.until(lambda: page.frame)
        joints = [b["joint"] for b in page.scene["bodies"]
                  if b["joint"] and b["joint"]["coordinates"] == 1]
        assert {j["isIndependent"] for j in joints} == {True, False}
        crank = next(j for j in joints if j["isIndependent"])
        # Away from where the rocker turns back.
        page.send("joint", body=page.joint(crank["name"]), value=1.2)
        page.until(lambda: math.isclose(page.frame.channels[crank["q"]], 1.2, abs_tol=1e-6))
        for moved in joints:
            before = {j["name"]: page.frame.channels[j["q"]] for j in joints}
            wanted = before[moved["name"]] + 0.1
            page.send("joint", body=page.joint(moved["name"]), value=wanted)
            page.until(lambda m=moved, w=wanted:
                       math.isclose(page.frame.channels[m["q"]], w, abs_tol=1e-6))
            for other in joints:
                assert abs(page.frame.channels[other["q"]] - before[other["name"]]) > 1e-4
            for loop in page.scene["loops"]:
                assert page.frame.channels[loop["channel"]] < 1e-6


def test_two_spectators_see_the_same_and_are_counted():
    with viewing(model("double_pendulum")) as viewer:
        one, two = viewer.page(), viewer.page()
        one.until(lambda: one.frame and one.last["status"]["spectators"] == 2)
        two.until(lambda: two.frame)
        one.pause(False)
        two.until(lambda: not two.last["status"]["paused"])
        two.until(lambda: two.frame.time > 0.2)
        two.pause()
        one.until(lambda: one.last["status"]["paused"])
        one.rest(0.2)
        two.rest(0.2)
        assert one.frame.time == two.frame.time and one.frame.poses == two.frame.poses
        two.close()
        one.until(lambda: one.last["status"]["spectators"] == 1)


def test_commands_that_cannot_be_done_are_answered():
    with viewing(model("double_pendulum")) as viewer:
        page = viewer.page()
        page.until(lambda: page.frame)
        for text in ("", "{", "[]", '{"type": "explode"}', '{"type": "joint", "body": 999, "value": 0}',
                     '{"type": "joint", "body": 1, "value": 1e999}',
                     '{"type": "reset", "keyframe": "nowhere"}', "[" * 60000):
            page.last.pop("error", None)
            page.socket.send(text)
            page.until(lambda: "error" in page.last)
            assert page.last["error"]["what"]


def test_other_sites_are_refused():
    with viewing(model("double_pendulum")) as viewer:
        page = f"http://127.0.0.1:{viewer.port}/"
        assert get(page)[0] == 200
        assert get(page, Host="evil.com")[0] == 403
        assert get(page, Origin="http://evil.com")[0] == 403
        for options in ({"origin": "http://evil.com"},
                        {"additional_headers": {"Host": "evil.com"}}):
            with pytest.raises(InvalidStatus):
                viewer.page(**options)
        viewer.page(origin=f"http://127.0.0.1:{viewer.port}").close()


def test_beyond_this_machine_a_token_is_needed():
    with viewing(model("double_pendulum"), "--host", "0.0.0.0") as viewer:
        page = f"http://127.0.0.1:{viewer.port}/"
        assert viewer.query.startswith("?token=") and len(viewer.query) == len("?token=") + 32
        assert get(page)[0] == 403
        assert get(page + "?token=" + "0" * 32)[0] == 403
        status, body = get(page + viewer.query)
        assert status == 200 and b"<html" in body.lower() or b"doctype" in body.lower()
        for query in ("", "?token=" + "0" * 32):
            with pytest.raises(InvalidStatus):
                viewer.page(query=query)
        viewer.page().close()


def test_the_file_is_read_again_when_it_changes(tmp_path):
    file = tmp_path / "pendulum.urdf"
    text = model("double_pendulum").read_text(encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    with viewing(file) as viewer:
        page = viewer.page()
        page.until(lambda: page.frame)
        assert page.scene["version"] == 1
        # Broken: the old robot stays, with the fault and its line beside it.
        file.write_text(text.replace("</robot>", ""), encoding="utf-8")
        page.until(lambda: any(d["severity"] == "error"
                               for d in page.last["diagnostics"]["list"]))
        fault = next(d for d in page.last["diagnostics"]["list"] if d["severity"] == "error")
        assert fault["file"].endswith("pendulum.urdf") and fault["line"] > 0 and fault["remedy"]
        assert page.scene["version"] == 1
        file.write_text(text.replace('name="double_pendulum"', 'name="other"'), encoding="utf-8")
        page.until(lambda: page.scene["version"] == 2)
        page.until(lambda: page.frame.version == 2)
        page.until(lambda: not any(d["severity"] == "error"
                                   for d in page.last["diagnostics"]["list"]))
        page.send("reload")
        page.until(lambda: page.scene["version"] == 3)


def test_a_broken_robot_is_served_with_its_faults(tmp_path):
    file = tmp_path / "broken.urdf"
    file.write_text("<robot name='x'><link name='a'/><joint/></robot>", encoding="utf-8")
    with viewing(file) as viewer:
        page = viewer.page()
        page.until(lambda: "diagnostics" in page.last and page.frame)
        assert page.scene["objects"] == []
        assert any(d["severity"] == "error" for d in page.last["diagnostics"]["list"])
        file.write_text(model("double_pendulum").read_text(encoding="utf-8"), encoding="utf-8")
        page.until(lambda: page.scene["objects"])


def test_worlds_run_at_once_and_robots_stand_side_by_side():
    with viewing(MODELS / "worlds" / "strider_crates.xml") as viewer:
        page = viewer.page()
        page.until(lambda: page.frame and page.frame.time > 0.1)
        assert not page.last["status"]["paused"]
    with viewing(model("strider"), model("four_bar"), "--dt", "0.002") as viewer:
        page = viewer.page()
        page.until(lambda: page.frame)
        assert [o["name"] for o in page.scene["objects"] if o["kind"] == "system"] == [
            "strider", "four_bar"]
        assert page.scene["dt"] == 0.002


def test_a_recording_is_served(tmp_path):
    file = tmp_path / "run.esp"
    good("sim", model("double_pendulum"), "--time", "0.2", "--record", file)
    with viewing(file) as viewer:
        page = f"http://127.0.0.1:{viewer.port}/"
        status, body = get(page)
        assert status == 200 and b'"mode":"replay"' in body.replace(b" ", b"")
        assert get(page + "recording") == (200, file.read_bytes())
        with pytest.raises(InvalidStatus):
            viewer.page()
        assert viewer.stop()[1] == 0
    file.write_bytes(b"no recording at all")
    bad = run("view", file)
    assert bad.returncode == 1 and "run.esp" in bad.stderr


def test_floods_and_garbage_leave_others_alone():
    with viewing(model("strider"), "--play") as viewer:
        page = viewer.page()
        page.until(lambda: page.frame)
        silent = [socket.create_connection(("127.0.0.1", viewer.port)) for _ in range(60)]
        for i, stream in enumerate(silent):
            stream.sendall([b"", b"GET /", bytes(range(256)) * 10, b"\x81\xff" * 500][i % 4])
        deaf = viewer.page()  # never read from here on
        noisy = viewer.page()
        for _ in range(300):
            noisy.socket.send("x" * 1000)
        begin, start = time.monotonic(), page.next_frame().time
        page.until(lambda: page.frame.time > start + 1)
        assert time.monotonic() - begin < 8
        noisy.until(lambda: "error" in noisy.last)
        # One that is too long ends its connection, and no other.
        with pytest.raises(ConnectionClosed):
            noisy.socket.send("x" * 100_000)
            while noisy.take():
                pass
        page.next_frame()
        for stream in silent:
            stream.close()
        deaf.close()


def test_it_ends_soon_and_well():
    with viewing(model("strider")) as viewer:
        pages = [viewer.page() for _ in range(3)]
        assert len(pages) == 3
        seconds, code = viewer.stop()
        assert code == 0 and seconds < 2.5


def test_bad_command_lines():
    missing = run("view", "nowhere.urdf")
    assert missing.returncode == 1 and "there is no such file" in missing.stderr
    assert run("view").returncode == 2
    assert run("view", model("strider"), "--port", "70000").returncode == 2
    assert run("view", model("strider"), "--speed", "-1").returncode == 2
