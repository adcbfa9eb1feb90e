"""The suite `viewer`: what spectators cost a world, and how soon a robot file is seen.

`spectators`: bench_viewer steps the strider with and without fifty clients, in turns.
`first_scene`: from the start of the process `espalier view FILE` to the whole message `scene` at a
client; median of several runs, all files in the page cache.
"""

import base64
import json
import os
import socket
import statistics
import subprocess
import sys
import time

import robots

CLIENTS = 50


def _read(stream, size):
    got = b""
    while len(got) < size:
        piece = stream.recv(size - len(got))
        if not piece:
            raise OSError("the server has closed the connection")
        got += piece
    return got


def _message(stream):
    """(opcode, payload) of one unmasked frame."""
    first, size = _read(stream, 2)
    size &= 127
    if size == 126:
        size = int.from_bytes(_read(stream, 2), "big")
    elif size == 127:
        size = int.from_bytes(_read(stream, 8), "big")
    return first & 15, _read(stream, size)


def first_scene(program, file):
    """Seconds to the scene and to the first frame."""
    begin = time.perf_counter()
    process = subprocess.Popen([program, "view", file, "--port", "0"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    try:
        for line in process.stdout:
            if line.startswith("http://"):
                break
        port = int(line.strip().rstrip("/").rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as stream:
            key = base64.b64encode(os.urandom(16)).decode()
            stream.sendall(f"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                           f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                           f"Sec-WebSocket-Key: {key}\r\n\r\n".encode())
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                head += _read(stream, 1)
            seen = None
            while True:
                opcode, payload = _message(stream)
                now = time.perf_counter() - begin
                if opcode == 1 and json.loads(payload)["type"] == "scene":
                    seen = now
                elif opcode == 2:
                    return seen, now
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def run(options, row):
    own, shared = robots.own(), robots.shared()
    strider = own["strider/strider.urdf"]
    rounds = 3 if options.quick else 9
    print("viewer: spectators ...", file=sys.stderr)
    done = subprocess.run([options.build / "bin/bench_viewer", strider, str(CLIENTS),
                           "0.5" if options.quick else "1.5", str(rounds)], capture_output=True,
                          text=True, check=True)
    said = json.loads(done.stdout)
    case = f"strider, {CLIENTS} clients"
    rows = [row("viewer", case, metric, "double", said[key], unit)
            for metric, key, unit in (
                ("step_alone", "step_alone", "s"), ("step_watched", "step_watched", "s"),
                ("cpu_ratio", "cpu_ratio", "1"), ("wall_ratio", "wall_ratio", "1"),
                ("real_time_factor", "real_time_factor", "1"))]
    files = [own[f"{n}/{n}.urdf"] for n in ("strider", "beest", "human36")]
    files += [shared[n] for n in ("anymal_b/anymal.urdf", "talos/talos_reduced.urdf")
              if n in shared]
    for file in files:
        print(f"viewer: {file.stem} ...", file=sys.stderr)
        times = [first_scene(options.build / "bin/espalier", file) for _ in range(rounds)]
        for metric, place in (("first_scene", 0), ("first_frame", 1)):
            rows.append(row("viewer", file.stem, metric, "double",
                            statistics.median(t[place] for t in times), "s"))
    return rows
