"""The viewer from Python: a server's page, its lock, what a program draws, files and recordings."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
import weakref
from pathlib import Path

import espalier
import numpy as np
import pytest
from package_paths import BUILD
from viewer_page import WatchingPage

MODELS = Path(__file__).resolve().parents[2] / "models"
STRIDER = str(MODELS / "strider" / "strider.urdf")


def falling():
    world = espalier.World()
    ball = world.add_sphere(0.1, 1)
    ball.position = [0, 0, 5]
    return world, ball


@pytest.fixture
def served():
    world, ball = falling()
    with espalier.view(world, port=0, speed=0, quiet=True) as server:
        yield world, ball, server


def get(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.headers, answer.read().decode()


def test_a_page_sees_the_world_that_a_program_steps(served):
    world, ball, server = served
    assert server.port > 0 and server.url == f"http://127.0.0.1:{server.port}/"
    assert not server.is_connected and server.spectators == 0
    with WatchingPage(server.url) as page:
        page.until(lambda: page.frames > 5, server.step)
        assert server.is_connected
        assert page.last["hello"]["protocol"] == 1
        z = page.frame.poses[page.body(ball.name)][2]
        assert z == pytest.approx(5 - 0.5 * 9.81 * page.frame.time**2, abs=1e-4)
        page.send("pause", on=True)
        page.until(lambda: page.last["status"]["paused"], lambda: server.integrate_unless_paused(0))
        assert server.is_paused
        before = world.world_time
        assert not server.integrate_unless_paused(0.05) and world.world_time == before
        page.send("step", count=3)
        steps = []
        page.until(lambda: len(steps) == 3,
                   lambda: steps.extend([1] * server.integrate_unless_paused(0)))
        assert world.world_time == pytest.approx(before + 3 * world.time_step)
    with WatchingPage(server.url) as page:
        page.send("reset", keyframe=None)
        page.until(lambda: world.world_time == 0, lambda: server.integrate_unless_paused(0))


def test_the_page_is_the_viewer_and_notebooks_of_this_machine_may_frame_it(served):
    headers, text = get(served[2].url)
    assert '"mode":"live"' in text and "<canvas" in text or "espalier-config" in text
    assert "http://localhost:*" in headers["Content-Security-Policy"]
    assert served[2].url in served[2]._repr_html_()


def test_a_stopped_server_has_no_address_and_may_be_launched_again(served):
    _, _, server = served
    server.stop()
    assert server.url == "" and server.port == 0
    server.step()  # nobody looks
    assert "not launched" in repr(server)
    server.launch_server(0, quiet=True)
    with pytest.raises(ValueError, match="runs already"):
        server.launch_server(0)
    assert str(server.port) in repr(server)
    with pytest.raises(ValueError, match="port"):
        server.launch_server(70000)


def test_the_address_is_printed(capsys):
    world, _ = falling()
    with espalier.view(world, port=0) as server:
        assert capsys.readouterr().out == f"espalier: the world can be seen at {server.url}\n"


class Token:
    pass


def test_a_server_keeps_its_world_and_all_can_go():
    world, ball = falling()
    server = espalier.Server(world)
    line = server.add_visual_poly_line("trail")
    token = Token()
    server.on_reset(lambda keyframe, kept=(line, token, server): None)  # a cycle
    gone = weakref.ref(token)
    del world, ball, line, token
    gc.collect()
    server.step()
    assert gone() is not None
    del server
    gc.collect()
    assert gone() is None


def test_several_worlds_are_stepped_together():
    worlds = [falling()[0] for _ in range(3)]
    server = espalier.Server(worlds, "three")
    server.step()
    assert [w.world_time for w in worlds] == [worlds[0].time_step] * 3
    server.set_world(worlds[1])
    server.step()
    assert worlds[1].world_time == 2 * worlds[0].time_step > worlds[0].world_time
    with pytest.raises(ValueError, match="at least one"):
        espalier.Server([])
    for wrong in (3, None, ["world"], [worlds[0], None]):
        with pytest.raises(TypeError):
            espalier.Server(wrong)
        with pytest.raises(TypeError):
            server.set_worlds(wrong)


def test_a_thread_steps_while_another_changes_the_world_under_the_lock():
    world, ball = falling()
    name = ball.name
    with espalier.view(world, port=0, quiet=True, background=True) as server:
        with WatchingPage(server.url) as page:
            page.until(lambda: page.frames > 2)
            for _ in range(20):
                with server.lock():
                    before = world.world_time
                    ball.position = [1, 2, 30]
                    with server.lock():
                        assert world.world_time == before  # nobody steps meanwhile
            page.until(lambda: page.frame.poses[page.body(name)][2] > 20)
            server.set_paused(True)
            page.until(lambda: page.last["status"]["paused"])
            with server.lock():
                before = world.world_time
                ball.position = [1, 2, 40]
            page.until(lambda: page.frame.poses[page.body(name)][2] == 40)
            assert world.world_time == before
    with pytest.raises(RuntimeError, match="does not have the lock"):
        server.unlock_visualization_server_mutex()


def test_whoever_waits_for_the_lock_gets_it():
    world, _ = falling()
    with espalier.view(world, port=0, quiet=True, background=True, speed=0) as server:
        begin = time.monotonic()
        for _ in range(100):
            with server.lock():
                world.world_time  # noqa: B018
        assert time.monotonic() - begin < 10


def test_a_world_that_is_stepped_without_the_server_is_shown_under_the_lock(served):
    world, ball, server = served
    with WatchingPage(server.url) as page:
        page.until(lambda: page.frames > 0, server.step)
        server.set_paused(True)
        for _ in range(10):
            with server.lock():
                world.integrate()
        page.until(lambda: page.frame.time == pytest.approx(world.world_time))


def test_paused_servers_can_be_interrupted_by_ctrl_c(served):
    import _thread

    _, _, server = served
    server.set_paused(True)
    threading.Timer(0.2, _thread.interrupt_main).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        server.integrate_world_thread_safe()
    assert 0.1 < time.monotonic() - begin < 5


def test_run_keeps_to_real_time_and_ends_when_the_server_stops():
    world, _ = falling()
    with espalier.view(world, port=0, quiet=True, speed=1) as server:
        server.run(0.3)
        assert 0.1 < world.world_time < 0.5
        threading.Timer(0.1, server.stop).start()
        server.run()
    assert server.url == ""


def test_functions_of_python_answer_the_page(served):
    _, _, server = served
    asked = []
    server.on_reset(asked.append)
    server.on_reload(lambda: asked.append("reload"))
    with WatchingPage(server.url) as page:
        page.send("reset", keyframe=None)
        page.send("reload")
        page.until(lambda: asked == [None, "reload"], server.step)
    with pytest.raises(TypeError):
        server.on_reset(3)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_function_that_fails_is_told_to_the_page(served):
    _, _, server = served

    def reload():
        raise ValueError("no such file today")

    server.on_reload(reload)
    with WatchingPage(server.url) as page:
        page.send("reload")
        page.until(lambda: "error" in page.last, server.step)
        assert "no such file today" in page.last["error"]["what"]
    server.on_reload(server.step)  # a step within a step
    with WatchingPage(server.url) as page:
        page.send("reload")
        page.until(lambda: "error" in page.last, server.step)
        assert "a step is being made" in page.last["error"]["what"]


def test_what_a_program_draws_is_in_the_scene_and_the_overlay(served):
    _, _, server = served
    sphere = server.add_visual_sphere("target", 0.2, 1, 0, 0, opacity=0.5)
    sphere.set_position(1, 2, 3)
    sphere.orientation = [0, 1, 0, 0]
    assert np.array_equal(sphere.position, [1, 2, 3]) and sphere.kind is espalier.Visual.Kind.SPHERE
    assert np.array_equal(sphere.color, [1, 0, 0, 0.5])
    assert np.allclose(sphere.pose, [[1, 0, 0, 1], [0, -1, 0, 2], [0, 0, -1, 3], [0, 0, 0, 1]])
    line = server.add_visual_poly_line("path")
    line.points = np.arange(6.0).reshape(2, 3)
    line.add_point([7, 8, 9])
    text = server.add_visual_text("label", "here")
    text.position = [0, 0, 1]
    cloud = server.add_point_cloud("cloud")
    cloud.points = np.zeros((4, 3))
    graph = server.add_time_series_graph("energy", ["kinetic", "potential"], "s", "J")
    bars = server.add_bar_chart("forces", ["left", "right"])
    ghost = server.add_visual_articulated_system("plan", STRIDER, 0, 1, 0, 0.4)
    q = ghost.q
    q[2] = 2
    ghost.set_generalized_coordinate(q)
    assert ghost.q[2] == 2
    with WatchingPage(server.url) as page:
        page.until(lambda: page.frames > 1 and "overlay" in page.last, server.step)
        names = [o["name"] for o in page.last["scene"]["objects"]]
        assert "target" in names and any("plan" in name for name in names)
        overlay = page.last["overlay"]
        assert overlay["polylines"][0]["points"] == [[0, 1, 2], [3, 4, 5], [7, 8, 9]]
        assert overlay["texts"][0]["text"] == "here" and len(overlay["points"][0]["points"]) == 4
        graph.add_data_points(0.5, [1, 2])
        bars.set_data([3, 4])
        page.until(lambda: "graphData" in page.last, server.step)
        assert {g["title"] for g in page.last["graphs"]["graphs"]} == {"energy", "forces"}
    assert np.array_equal(bars.data, [3, 4]) and graph.names == ["kinetic", "potential"]
    with pytest.raises(ValueError):
        graph.add_data_points(1, [1, 2, 3])


@pytest.mark.parametrize("make", [espalier.Visuals, lambda: espalier.Server(falling()[0])])
def test_what_was_removed_raises(make):
    visuals = make()
    made = [
        (visuals.add_visual_box("a", 1, 2, 3), visuals.remove_visual_object, "color"),
        (visuals.add_visual_poly_line("b"), visuals.remove_visual_poly_line, "points"),
        (visuals.add_point_cloud("c"), visuals.remove_point_cloud, "size"),
        (visuals.add_visual_text("d"), visuals.remove_visual_text, "text"),
        (visuals.add_time_series_graph("e", ["x"], "", ""), visuals.remove_chart, "names"),
        (visuals.add_bar_chart("f", ["x"]), visuals.remove_chart, "data"),
        (visuals.add_visual_articulated_system("g", STRIDER),
         visuals.remove_visual_articulated_system, "q"),
    ]
    for name, (item, remove, field) in zip("abcdefg", made, strict=True):
        getattr(item, field)
        remove(name)
        with pytest.raises(RuntimeError, match="removed"):
            getattr(item, field)
        with pytest.raises(ValueError):
            remove(name)
        assert "removed" in repr(item) or name in "ef"
    box = visuals.add_visual_box("a", 1, 2, 3)
    same = visuals.visual_object("a")
    assert [s.name for s in visuals.shapes] == ["a"]
    visuals.remove_visual_object(box)
    with pytest.raises(RuntimeError, match="removed"):
        same.set_box_size(1, 1, 1)
    with pytest.raises(ValueError, match="another"):
        visuals.remove_visual_object(espalier.Visuals().add_visual_sphere("a", 1))


def test_instances_are_drawn_many_at_once(served):
    _, _, server = served
    many = server.add_instanced_visuals("grains", espalier.ShapeType.BOX, [0.1, 0.2, 0.3],
                                        [1, 0, 0, 1], [0, 0, 1, 1])
    many.resize(2)
    many.set_position(0, [1, 2, 3])
    many.add_instance([4, 5, 6], scale=[2, 2, 2], color_weight=0.5)
    assert len(many) == many.count == 3
    last = many.instances[2]
    assert np.array_equal(last.position, [4, 5, 6]) and np.array_equal(last.scale, [2, 2, 2])
    assert np.array_equal(many.color_of(last), [0.5, 0, 0.5, 1])
    with WatchingPage(server.url) as page:
        page.until(lambda: page.last.get("overlay", {}).get("instances"), server.step)
        [drawn] = page.last["overlay"]["instances"]
        assert [pose[:3] for pose in drawn["poses"]] == [[1, 2, 3], [0, 0, 0], [4, 5, 6]]
    many.remove_instance(0)
    for wrong in (lambda: many.set_position(5, [0, 0, 0]), lambda: many.resize(10**9),
                  lambda: many.remove_instance(2)):
        with pytest.raises(ValueError):
            wrong()
    many.clear_instances()
    server.remove_instanced_visuals("grains")
    with pytest.raises(RuntimeError, match="removed"):
        many.resize(1)


def test_numbers_that_make_no_shape_are_refused():
    visuals = espalier.Visuals()
    with pytest.raises(ValueError):
        visuals.add_visual_sphere("s", -1)
    sphere = visuals.add_visual_sphere("s", 1)
    with pytest.raises(ValueError, match="already"):
        visuals.add_visual_box("s", 1, 1, 1)
    for wrong in ([1, 2], [np.nan, 0, 0], "abc"):
        with pytest.raises((ValueError, TypeError)):
            sphere.position = wrong
    with pytest.raises(ValueError):
        sphere.set_position(1, 2)
    for numbers in (("abc",), (1, 2, "3"), (None, 0, 0)):
        with pytest.raises(TypeError):
            sphere.set_position(*numbers)
    with pytest.raises(ValueError):
        sphere.set_box_size(1, 2, 3)
    with pytest.raises(ValueError):
        sphere.orientation = [0, 0, 0, 0]


def test_a_robot_file_is_shown_as_the_command_shows_it():
    with espalier.view(STRIDER, port=0, quiet=True, height=0.2, pd=(100, 3)) as shown:
        assert isinstance(shown, espalier.FileView) and not shown.is_connected
        with WatchingPage(shown.url) as page:
            page.until(lambda: page.frame is not None)
            assert shown.is_connected and page.last["status"]["paused"]
            assert page.last["status"]["canReload"] and page.frame.time == 0
            shown.set_paused(False)
            page.until(lambda: page.frame.time > 0.02)
    assert shown.url == "" and not shown.is_running and "stopped" in repr(shown)
    shown.stop()
    shown.wait()


def test_files_and_options_that_are_none_are_refused(tmp_path):
    with pytest.raises(ValueError, match="no such file"):
        espalier.view("nothing.urdf", port=0)
    with pytest.raises(ValueError):
        espalier.view(STRIDER, port=0, dt=-1)
    with pytest.raises(ValueError):
        espalier.view(STRIDER, port=0, colour="red")
    with pytest.raises(TypeError, match="dt"):
        espalier.view(falling()[0], port=0, dt=0.1)
    with pytest.raises(TypeError):
        espalier.view(STRIDER, port=0, name="x")
    broken = tmp_path / "broken.urdf"
    broken.write_text("<robot name='b'>\n<link/></robot>")
    with (pytest.warns(espalier.EspalierWarning),
          espalier.view(broken, port=0, quiet=True) as shown, WatchingPage(shown.url) as page):
        page.until(lambda: "diagnostics" in page.last)
        assert page.last["diagnostics"]["list"][0]["severity"] == "error"


def test_a_model_waits_for_its_sliders():
    for robot in (espalier.load(STRIDER), espalier.io.load_robot(STRIDER)):
        with espalier.view(robot, port=0, quiet=True) as server, WatchingPage(server.url) as page:
            page.until(lambda: page.frame is not None)
            assert page.last["status"]["paused"]
            scene = page.last["scene"]
            body = page.body("LF_thigh")
            joint = scene["bodies"][body]["joint"]
            page.send("joint", body=body, value=0.25)
            page.until(lambda: page.frame.channels[joint["q"]] == 0.25)
            assert page.frame.time == 0


def test_a_world_file_runs_at_once():
    with (espalier.view(MODELS / "worlds" / "tracked_robot.xml", port=0, quiet=True) as shown,
          WatchingPage(shown.url) as page):
        page.until(lambda: page.frame is not None and page.frame.time > 0)
    with pytest.raises(TypeError):
        espalier.view(3, port=0)


def test_recordings_are_replayed(tmp_path):
    world, _ = falling()
    file = tmp_path / "run.esp"
    with world.record(file):
        world.step(100)
    for what in (file, str(file), espalier.Recording(file)):
        with espalier.view(what, port=0, quiet=True) as shown:
            assert '"mode":"replay"' in get(shown.url)[1] and str(file) in repr(shown)
            with urllib.request.urlopen(shown.url + "recording", timeout=10) as answer:
                assert answer.read() == file.read_bytes()
        assert not shown.is_running
    with pytest.raises(TypeError, match="no options"):
        espalier.view(file, port=0, dt=0.1)


@pytest.mark.parametrize("what", [repr(STRIDER), f"espalier.load({STRIDER!r})", "espalier.World()"])
def test_a_program_may_stay_until_ctrl_c(what):
    program = f"import espalier\nespalier.view({what}, port=0, block=True)\nprint('ended')"
    with subprocess.Popen(
            [sys.executable, "-u", "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env={**os.environ, "PYTHONPATH": str(BUILD / "python")}) as process:
        assert "can be seen at http://127.0.0.1:" in process.stdout.readline()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=20)
        assert (process.returncode, out, said) == (0, "ended\n", "")


def test_a_program_that_stops_nothing_ends(tmp_path):
    program = f"""
import espalier
world = espalier.World()
world.add_sphere(0.1, 1)
recording = world.record({str(tmp_path / "run.esp")!r})
server = espalier.view(world, port=0, background=True, speed=0)
other = espalier.view({STRIDER!r}, port=0, paused=False)
cycle = [server, other, recording]
cycle.append(cycle)
server.on_reset(lambda keyframe: cycle)
time = 0
while time < 0.1:
    with server.lock():
        time = world.world_time
"""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", program], capture_output=True, text=True,
        timeout=60, check=False, env={**os.environ, "PYTHONPATH": str(BUILD / "python")})
    assert (done.returncode, done.stderr) == (0, "")
    assert len(espalier.Recording(tmp_path / "run.esp")) >= 6
