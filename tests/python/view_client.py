"""`espalier view` and a page without a browser, for tests: PyPI's websockets, frames by struct."""

import contextlib
import json
import os
import signal
import struct
import subprocess
import time

import pytest
from cli_runner import BINARY

websockets = pytest.importorskip("websockets.sync.client")
faults = pytest.importorskip("websockets.exceptions")
InvalidStatus, ConnectionClosed = faults.InvalidStatus, faults.ConnectionClosed


class Viewer:
    """A running `espalier view`."""

    def __init__(self, *arguments, cwd=None):
        if not BINARY.exists():
            pytest.skip(f"{BINARY} is not built")
        self.process = subprocess.Popen(
            [str(BINARY), "view", *map(str, arguments), "--port", "0"], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"}, cwd=cwd)
        self.was_stopped = False
        self.url = ""
        self.printed = ""
        while not self.url:
            line = self.process.stdout.readline()
            assert line, self.process.stderr.read()
            self.printed += line
            if line.startswith("http://"):
                self.url = line.strip()
        rest = self.url.removeprefix("http://")
        self.authority, _, self.query = rest.partition("/")
        self.port = int(self.authority.rpartition(":")[2])

    def page(self, query=None, **options):
        query = self.query if query is None else query
        return Page(f"ws://127.0.0.1:{self.port}/ws{query}", **options)

    def stop(self, patience=5):
        """Seconds until it has ended after Ctrl-C, and its exit code."""
        begin = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=patience)
        self.was_stopped = True
        return time.monotonic() - begin, code

    def is_alive(self):
        return self.process.poll() is None

    def kill(self):
        if self.is_alive():
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


@contextlib.contextmanager
def viewing(*arguments, **more):
    viewer = Viewer(*arguments, **more)
    try:
        yield viewer
        assert viewer.was_stopped or viewer.is_alive(), viewer.process.stderr.read()
    finally:
        viewer.kill()


class Frame:
    """One binary message, read as docs/viewer_protocol.md has it."""

    HEAD = struct.Struct("<IIdIIIIII")

    def __init__(self, data):
        (magic, self.version, self.time, self.flags, bodies, contacts, pushes, channels,
         rays) = self.HEAD.unpack_from(data)
        assert magic == 0x46505345
        at = self.HEAD.size
        assert len(data) == at + 28 * (bodies + pushes + rays) + 44 * contacts + 4 * channels
        self.poses = [struct.unpack_from("<7f", data, at + 28 * i) for i in range(bodies)]
        at += 28 * bodies
        self.contacts = [struct.unpack_from("<9f2i", data, at + 44 * i) for i in range(contacts)]
        at += 44 * contacts
        self.pushes = [struct.unpack_from("<6fi", data, at + 28 * i) for i in range(pushes)]
        at += 28 * pushes
        self.rays = [struct.unpack_from("<6fi", data, at + 28 * i) for i in range(rays)]
        at += 28 * rays
        self.channels = struct.unpack_from(f"<{channels}f", data, at)


class Page:
    def __init__(self, uri, **options):
        self.stack = contextlib.ExitStack()
        self.socket = self.stack.enter_context(
            websockets.connect(uri, max_size=None, close_timeout=1, **options))
        self.last, self.kinds, self.frame, self.frames = {}, [], None, 0

    def close(self):
        self.stack.close()

    def send(self, kind, **fields):
        self.socket.send(json.dumps({"type": kind, **fields}))

    def take(self, seconds=5.0):
        """One message; False where none comes."""
        try:
            message = self.socket.recv(timeout=seconds)
        except TimeoutError:
            return False
        if isinstance(message, bytes):
            self.frame = Frame(message)
            self.frames += 1
        else:
            text = json.loads(message)
            self.kinds.append(text["type"])
            self.last[text["type"]] = text
        return True

    def until(self, condition, seconds=10.0):
        end = time.monotonic() + seconds
        while not condition():
            left = end - time.monotonic()
            assert left > 0 and self.take(left), (self.kinds[-5:], self.last.get("error"))
        return True

    def next_frame(self):
        seen = self.frames
        self.until(lambda: self.frames > seen)
        return self.frame

    def rest(self, seconds):
        """What comes in this time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not self.take(left):
                break

    @property
    def scene(self):
        return self.last["scene"]

    def body(self, name):
        return next(i for i, b in enumerate(self.scene["bodies"]) if b["name"] == name)

    def joint(self, name):
        """The body that a joint carries."""
        return next(i for i, b in enumerate(self.scene["bodies"])
                    if b["joint"] and b["joint"]["name"] == name)

    def coordinate(self, name):
        return self.frame.channels[self.scene["bodies"][self.joint(name)]["joint"]["q"]]

    def channel(self, name):
        return next(i for i, c in enumerate(self.scene["channels"]) if c["name"] == name)

    def pause(self, on=True):
        self.send("pause", on=on)
        self.until(lambda: self.last["status"]["paused"] == on)


