#!/usr/bin/env python3
"""Sends a viewer's server what no browser sends, for minutes, while an honest page looks on.

    tests/soak/viewer_sockets.py BINARY [--minutes 10] [--seed 1] [--model FILE]

BINARY is `espalier`, best built with the address sanitizer. Attackers, a thread each: random bytes;
requests cut off; floods of connections; half-open ones; WebSockets with random frames, huge lengths
and endless fragments; readers that never read; commands that are nearly right. It fails when the
server ends, when the page sees no new frame for ten seconds, or when the server does not end within
ten seconds after Ctrl-C; and prints what was sent and the server's memory.
"""

import argparse
import json
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from viewer import _message as message  # noqa: E402

UPGRADE = (b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")


def connect(port):
    stream = socket.create_connection(("127.0.0.1", port), timeout=5)
    return stream


def upgraded(port):
    stream = connect(port)
    stream.sendall(UPGRADE)
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        piece = stream.recv(1)
        if not piece:
            raise OSError("closed")
        head += piece
    if b" 101 " not in head:
        raise OSError("refused")
    return stream


def frame(payload, opcode=1, last=True, claimed=None):
    size = len(payload) if claimed is None else claimed
    head = bytes([opcode | (0x80 if last else 0)])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65536:
        head += b"\xfe" + struct.pack(">H", size)
    else:
        head += b"\xff" + struct.pack(">Q", size)
    return head + b"\0\0\0\0" + payload


def command(dice):
    number = lambda: dice.choice([0, 1, -1, 0.5, 1e300, -1e-300, 2**31, 2**63, 7, "x", None, [], {}])
    kind = dice.choice(["pause", "step", "speed", "reset", "joint", "drag", "release", "reload", "",
                        "\ud800", 5])
    text = {"type": kind, "on": dice.choice([False, 0, "true"]), "count": number(),
            "factor": dice.choice([0, 1, number()]), "keyframe": dice.choice([None, "x" * 5000, 1]),
            "body": dice.choice([0, 1, 2, 3, 99, -1, number()]), "value": dice.choice([0.1, number()]),
            "point": dice.choice([[0, 0, 0], [number()] * 3, [1]]),
            "target": dice.choice([[dice.uniform(-9, 9) for _ in range(3)], [number()] * 3, "x"])}
    return json.dumps(text).encode("utf-8", "replace")


def random_bytes(port, dice):
    with connect(port) as stream:
        for _ in range(dice.randrange(20)):
            stream.sendall(dice.randbytes(dice.choice([1, 10, 1000, 40000])))


def cut_off(port, dice):
    whole = dice.choice([UPGRADE, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
                         b"POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n",
                         b"GET /mesh/../../etc/passwd HTTP/1.0\r\nHost: localhost\r\n\r\n",
                         b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\n"])
    with connect(port) as stream:
        stream.sendall(whole[:dice.randrange(1, len(whole) + 1)])
        if dice.random() < 0.3:
            time.sleep(dice.random())


def flood(port, dice):
    streams = [connect(port) for _ in range(dice.randrange(1, 40))]
    if dice.random() < 0.2:
        time.sleep(dice.random() * 3)
    for stream in streams:
        stream.close()


def random_frames(port, dice):
    with upgraded(port) as stream:
        for _ in range(dice.randrange(1, 50)):
            stream.sendall(frame(dice.randbytes(dice.choice([0, 5, 125, 126, 70000])),
                                 dice.randrange(16), dice.random() < 0.7))


def huge_lengths(port, dice):
    with upgraded(port) as stream:
        stream.sendall(frame(b"x" * dice.randrange(70000),
                             claimed=dice.choice([2**31 - 1, 2**31, 2**40, 2**63, 2**64 - 1,
                                                  10_000_000])))
        for _ in range(dice.randrange(100)):
            stream.sendall(b"y" * 65536)


def endless_fragments(port, dice):
    with upgraded(port) as stream:
        stream.sendall(frame(b"{", 1, last=False))
        for _ in range(dice.randrange(1000)):
            stream.sendall(frame(b" " * dice.randrange(2000), 0, last=False))


def never_reads(port, dice):
    with upgraded(port):
        time.sleep(dice.random() * 8)


def commands(port, dice):
    with upgraded(port) as stream:
        stream.settimeout(0.001)
        for _ in range(dice.randrange(1, 300)):
            stream.settimeout(5)
            stream.sendall(frame(command(dice)))


ATTACKS = [random_bytes, cut_off, flood, random_frames, huge_lengths, endless_fragments, never_reads,
           commands]


class Page(threading.Thread):
    """An honest one; joins again when the attackers have taken all places."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.frames, self.seen, self.joins = port, 0, time.monotonic(), 0

    def run(self):
        while True:
            try:
                with upgraded(self.port) as stream:
                    self.joins += 1
                    stream.settimeout(30)
                    while True:
                        opcode, _ = message(stream)
                        if opcode == 2:
                            self.frames += 1
                            self.seen = time.monotonic()
                        # Attackers pause and stop the world: it has to go on.
                        if self.frames % 30 == 0:
                            stream.sendall(frame(b'{"type": "pause", "on": false}')
                                           + frame(b'{"type": "speed", "factor": 1}'))
            except OSError:
                time.sleep(0.2)


def memory(pid):
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--model", default=ROOT / "models/strider/strider.urdf")
    options = parser.parse_args()

    errors = tempfile.TemporaryFile("w+")
    process = subprocess.Popen([options.binary, "view", options.model, "--port", "0", "--play"],
                               stdout=subprocess.PIPE, stderr=errors, text=True)
    port = 0
    for line in process.stdout:
        if line.startswith("http://"):
            port = int(line.strip().rstrip("/").rpartition(":")[2])
            break
    page = Page(port)
    page.start()
    counts = dict.fromkeys((attack.__name__ for attack in ATTACKS), 0)
    end = time.monotonic() + 60 * options.minutes

    def attacker(attack, seed):
        dice = random.Random(seed)
        while time.monotonic() < end and process.poll() is None:
            try:
                attack(port, dice)
            except OSError:
                pass  # it may close the connection as it likes
            counts[attack.__name__] += 1
            time.sleep(0.005)

    threads = [threading.Thread(target=attacker, args=(attack, options.seed * 1000 + i), daemon=True)
               for i, attack in enumerate(ATTACKS * 2)]
    for thread in threads:
        thread.start()
    most, fault = 0, ""
    while time.monotonic() < end and not fault:
        time.sleep(0.5)
        if process.poll() is not None:
            fault = f"the server ended with {process.returncode}"
        elif time.monotonic() - page.seen > 10:
            fault = "the page has seen no frame for ten seconds"
        else:
            most = max(most, memory(process.pid))
    for thread in threads:
        thread.join(10)
    if process.poll() is None:
        last = memory(process.pid)
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        try:
            code = process.wait(10)
            fault = fault or (f"it ended with {code}" if code else "")
        except subprocess.TimeoutExpired:
            fault = fault or "it did not end within ten seconds"
            process.kill()
        print(f"ended in {time.monotonic() - begin:.1f} s; memory {last:.0f} MB, at most {most:.0f} MB")
    print(f"{page.frames} frames seen by the page, which joined {page.joins} times; sent: {counts}")
    errors.seek(0)
    said = errors.read()
    if "Sanitizer" in said or "runtime error" in said:
        fault = fault or "a sanitizer has spoken"
    if fault:
        print(said[-8000:], file=sys.stderr)
        sys.exit(f"viewer_sockets: {fault}")


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    os.environ.setdefault("ESPALIER_CACHE", "off")
    main()
