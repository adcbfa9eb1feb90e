"""A page without a browser, for the tests of the package: by PyPI's websockets."""

import contextlib
import json
import time
from urllib.parse import urlsplit

import espalier
import pytest

websockets = pytest.importorskip("websockets.sync.client")


class WatchingPage:
    """Joins a server; keeps the last message of each kind and the last frame."""

    def __init__(self, url):
        parts = urlsplit(url)
        query = f"?{parts.query}" if parts.query else ""
        self.stack = contextlib.ExitStack()
        self.socket = self.stack.enter_context(websockets.connect(
            f"ws://{parts.netloc}/ws{query}", max_size=None, close_timeout=1))
        self.last, self.frame, self.frames = {}, None, 0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.stack.close()

    def send(self, kind, **fields):
        self.socket.send(json.dumps({"type": kind, **fields}))

    def take(self, seconds):
        """One message; False where none comes."""
        try:
            message = self.socket.recv(timeout=seconds)
        except TimeoutError:
            return False
        if isinstance(message, bytes):
            self.frame = espalier.decode_frame(message)
            self.frames += 1
        else:
            text = json.loads(message)
            self.last[text["type"]] = text
        return True

    def until(self, condition, meanwhile=lambda: None, seconds=10.0):
        """Takes messages, calling `meanwhile` between them, until the condition holds."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, (self.last.keys(), self.last.get("error"))
            meanwhile()
            while self.take(0.002):
                pass

    def body(self, name):
        return next(i for i, b in enumerate(self.last["scene"]["bodies"]) if b["name"] == name)
