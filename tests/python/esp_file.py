"""Recordings as docs/viewer_protocol.md describes them, read without Espalier: the tests' second opinion."""
import json
import math
import struct
import zlib
from pathlib import Path

MOST = 1 << 40  # quanta; just so many: not a number


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def numbers(self, kind, count=1):
        values = struct.unpack_from(f"<{count}{kind}", self.data, self.at)
        self.at += struct.calcsize(f"<{count}{kind}")
        return list(values)

    def varint(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value // 2 if value % 2 == 0 else -(value + 1) // 2

    def column(self, count, quantum):
        times = self.numbers("B")[0]
        values = [self.varint() for _ in range(count)]
        for _ in range(times):
            for i in range(1, count):
                values[i] += values[i - 1]
        return [scaled(v, quantum) for v in values]


def scaled(value, quantum):
    return math.nan if value == MOST else value * quantum


def rows(data, width, before):
    count = data.varint()
    now = []
    for i in range(count):
        old = before[i] if i < len(before) else [0] * width
        now.append([o + data.varint() for o in old])
    return now


def frames(content):
    data = Bytes(content)
    count, version, bodies, channels = data.numbers("I", 4)
    times, flags = data.numbers("d", count), data.numbers("I", count)
    quanta, (force,) = data.numbers("f", channels), data.numbers("f")
    poses = [data.column(count, 1e-5 if k % 7 < 3 else 2.0**-15) for k in range(7 * bodies)]
    values = [data.column(count, quantum) for quantum in quanta]
    contacts, pushes, rays, all_frames = [], [], [], []
    for f in range(count):
        contacts = rows(data, 11, contacts)
        pushes = rows(data, 7, pushes)
        rays = rows(data, 7, rays)
        all_frames.append({
            "version": version, "time": times[f], "flags": flags[f],
            "poses": [[poses[7 * b + k][f] for k in range(7)] for b in range(bodies)],
            "channels": [value[f] for value in values],
            "contacts": [{"a": r[0] - 1, "b": r[1] - 1,
                          "position": [scaled(x, 1e-4) for x in r[2:5]],
                          "normal": [scaled(x, 1 / 1024) for x in r[5:8]],
                          "force": [scaled(x, force) for x in r[8:11]]} for r in contacts],
            "pushes": [{"body": r[0] - 1, "point": [scaled(x, 1e-4) for x in r[1:4]],
                        "force": [scaled(x, force) for x in r[4:7]]} for r in pushes]})
    assert data.at == len(content)
    return all_frames


def blocks(data):
    """(tag, content, first time, last time) of each block."""
    assert data[:16] == b"ESPREC\r\n" + struct.pack("<II", 1, 0)
    at = 16
    while at < len(data):
        tag, length, stored, crc, first, last = struct.unpack_from("<4sIIIdd", data, at)
        body = data[at + 32:at + 32 + stored]
        assert len(body) == stored
        assert crc == zlib.crc32(data[at:at + 12] + data[at + 16:at + 32] + body)
        content = zlib.decompress(body)
        assert len(content) == length
        yield tag.decode(), content, first, last
        at += 32 + stored


def read(data):
    """{"info", "scenes", "meshes": {hash: bytes}, "overlays", "frames"}"""
    data = Path(data).read_bytes() if not isinstance(data, bytes) else data
    run = {"info": None, "scenes": [], "meshes": {}, "overlays": [], "frames": []}
    for tag, content, first, last in blocks(data):
        if tag == "INFO":
            run["info"] = json.loads(content)
        elif tag == "SCEN":
            run["scenes"].append(json.loads(content))
        elif tag == "MESH":
            run["meshes"][content[:16].decode()] = content[16:]
        elif tag == "OVER":
            run["overlays"].append(json.loads(content))
        elif tag == "FRAM":
            some = frames(content)
            assert [some[0]["time"], some[-1]["time"]] == [first, last]
            run["frames"] += some
    return run
