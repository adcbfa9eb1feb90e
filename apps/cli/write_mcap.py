"""Writes a recording as MCAP with Foxglove's messages in JSON; `espalier replay --mcap` runs it.

    python write_mcap.py BLOCKS FILE.mcap

BLOCKS: again and again 4 chars tag, u32 length, content: `SCEN` the scene (JSON), `MESH` 16 chars hash and
a mesh, `FRAM` one frame as in a live viewer (docs/viewer_protocol.md). Topics: /tf, /scene, /contacts, and
one for each group of channels (/q, /u, /torque ...). Ends with 3 where a package is missing, whose name
is then on standard output.
"""
import json
import re
import struct
import sys

try:
    from mcap.writer import Writer
except ImportError as missing:
    print((missing.name or "mcap").split(".")[0])
    sys.exit(3)

NUMBER, TEXT = {"type": "number"}, {"type": "string"}


def record(**properties):
    return {"type": "object", "properties": properties}


def many(items):
    return {"type": "array", "items": items}


VECTOR = record(x=NUMBER, y=NUMBER, z=NUMBER)
QUATERNION = record(x=NUMBER, y=NUMBER, z=NUMBER, w=NUMBER)
COLOR = record(r=NUMBER, g=NUMBER, b=NUMBER, a=NUMBER)
TIME = record(sec={"type": "integer"}, nsec={"type": "integer"})
POSE = record(position=VECTOR, orientation=QUATERNION)
TRANSFORMS = record(transforms=many(record(
    timestamp=TIME, parent_frame_id=TEXT, child_frame_id=TEXT, translation=VECTOR,
    rotation=QUATERNION)))
SCENE_UPDATE = record(
    deletions=many(record(timestamp=TIME, type={"type": "integer"}, id=TEXT)),
    entities=many(record(
        timestamp=TIME, frame_id=TEXT, id=TEXT, lifetime=TIME, frame_locked={"type": "boolean"},
        arrows=many(record(pose=POSE, shaft_length=NUMBER, shaft_diameter=NUMBER,
                           head_length=NUMBER, head_diameter=NUMBER, color=COLOR)),
        cubes=many(record(pose=POSE, size=VECTOR, color=COLOR)),
        spheres=many(record(pose=POSE, size=VECTOR, color=COLOR)),
        cylinders=many(record(pose=POSE, size=VECTOR, bottom_scale=NUMBER, top_scale=NUMBER,
                              color=COLOR)),
        triangles=many(record(pose=POSE, points=many(VECTOR), color=COLOR,
                              indices=many({"type": "integer"}))),
        texts=many(record(pose=POSE, billboard={"type": "boolean"}, font_size=NUMBER,
                          scale_invariant={"type": "boolean"}, color=COLOR, text=TEXT)))))
GROUND, THIN = 20.0, 1e-3  # m, of a plane that has no end


def vector(v):
    return {"x": v[0], "y": v[1], "z": v[2]}


def pose(p):
    return {"position": vector(p),
            "orientation": {"w": p[3], "x": p[4], "y": p[5], "z": p[6]}}


def moved(p, z):
    """The pose, moved along its own z."""
    _, _, _, w, qx, qy, qz = p
    axis = (2 * (qx * qz + w * qy), 2 * (qy * qz - w * qx), 1 - 2 * (qx * qx + qy * qy))
    return [*(a + z * b for a, b in zip(p, axis)), *p[3:]]


def color(rgba):
    return dict(zip("rgba", rgba))


def stamp(nanoseconds):
    return {"sec": nanoseconds // 10**9, "nsec": nanoseconds % 10**9}


def mesh(content):
    vertices, triangles = struct.unpack_from("<II", content, 16)
    xyz = struct.unpack_from(f"<{3 * vertices}f", content, 32)
    indices = struct.unpack_from(f"<{3 * triangles}I", content, 32 + 12 * vertices)
    return [vector(xyz[i:i + 3]) for i in range(0, len(xyz), 3)], list(indices)


def draw(shape, meshes, entity):
    """Adds a shape of a scene to a Foxglove entity."""
    kind, at, paint = shape["kind"], shape["pose"], color(shape["color"])

    def add(primitive, size, where=at, **more):
        entity.setdefault(primitive, []).append(
            {"pose": pose(where), "size": vector(size), "color": paint, **more})

    if kind == "box":
        add("cubes", shape["size"])
    elif kind == "sphere":
        add("spheres", [2 * shape["radius"]] * 3)
    elif kind == "ellipsoid":
        add("spheres", [2 * r for r in shape["radii"]])
    elif kind in ("cylinder", "capsule"):
        r, h = shape["radius"], shape["height"]
        add("cylinders", [2 * r, 2 * r, h], bottom_scale=1, top_scale=1)
        if kind == "capsule":
            for end in (-h / 2, h / 2):
                add("spheres", [2 * r] * 3, moved(at, end))
    elif kind == "plane":
        add("cubes", [GROUND, GROUND, THIN], moved(at, -THIN / 2))
    elif kind == "mesh" and shape["mesh"] in meshes:
        points, indices = meshes[shape["mesh"]]
        entity.setdefault("triangles", []).append(
            {"pose": pose(at), "points": points, "color": paint, "indices": indices})
    else:  # a mesh that could not be read
        entity.setdefault("texts", []).append(
            {"pose": pose(at), "billboard": True, "font_size": 12, "scale_invariant": True,
             "color": paint, "text": shape.get("file", kind)})


class Film:
    def __init__(self, writer):
        self.writer, self.topics, self.meshes = writer, {}, {}
        self.scene, self.is_drawn, self.last = None, False, -1

    def write(self, topic, schema_name, schema, time, message):
        if topic not in self.topics:
            schema_id = self.writer.register_schema(
                name=schema_name, encoding="jsonschema", data=json.dumps(schema).encode())
            self.topics[topic] = self.writer.register_channel(
                topic=topic, message_encoding="json", schema_id=schema_id)
        self.writer.add_message(self.topics[topic], log_time=time, publish_time=time,
                                data=json.dumps(message).encode())

    def set_scene(self, scene):
        self.scene, self.is_drawn = scene, False
        names = {}
        self.frames = []  # a name of its own for each body
        for i, body in enumerate(scene["bodies"]):
            name = f"{scene['objects'][body['object']]['name']}/{body['name']}"
            self.frames.append(name if names.setdefault(name, i) == i else f"{name}#{i}")
        self.keys = [(c["group"], re.sub(r"\W", "_", re.sub(rf"(^|/){c['group']}(/|$)", r"\1",
                                                            c["name"])).strip("_") or c["group"])
                     for c in scene["channels"]]

    def entity(self, name, frame, time):
        return {"timestamp": stamp(time), "frame_id": frame, "id": name,
                "lifetime": stamp(0), "frame_locked": True}

    def draw_scene(self, time):
        entities = []
        for frame, body in zip(self.frames, self.scene["bodies"]):
            entity = self.entity(frame, frame, time)
            for shape in body["visuals"] or body["collisions"]:
                draw(shape, self.meshes, entity)
            if len(entity) > 5:
                entities.append(entity)
        clear = [{"timestamp": stamp(time), "type": 1, "id": ""}]  # all that was there
        self.write("/scene", "foxglove.SceneUpdate", SCENE_UPDATE, time,
                   {"deletions": clear, "entities": entities})

    def frame(self, content):
        time, _flags, bodies, contacts, pushes, channels, rays = struct.unpack_from(
            "<dIIIIII", content, 8)
        # Log times must not go back; a world that was reset goes on behind its end.
        time = max(self.last + 1, round(1e9 * time))
        self.last = time
        poses = struct.unpack_from(f"<{7 * bodies}f", content, 40)
        if not self.is_drawn:
            self.draw_scene(time)
            self.is_drawn = True
        self.write("/tf", "foxglove.FrameTransforms", TRANSFORMS, time, {"transforms": [
            {"timestamp": stamp(time), "parent_frame_id": "world", "child_frame_id": frame,
             "translation": vector(p), "rotation": pose(p)["orientation"]}
            for frame, p in zip(self.frames, zip(*[iter(poses)] * 7)) if finite(p)]})
        at = 40 + 28 * bodies
        self.contacts(time, [struct.unpack_from("<9f", content, at + 44 * i)
                             for i in range(contacts)])
        values = struct.unpack_from(f"<{channels}f", content,
                                    at + 44 * contacts + 28 * (pushes + rays))
        groups = {}
        for (group, key), value in zip(self.keys, values):
            groups.setdefault(group, {})[key] = value if finite([value]) else None
        for group, numbers in groups.items():
            schema = record(**{key: {"type": ["number", "null"]} for key in numbers})
            self.write(f"/{group}", f"espalier.{group}", schema, time, numbers)

    def contacts(self, time, marks):
        entity = self.entity("contacts", "world", time)
        entity["arrows"] = []
        for mark in marks:
            force = mark[6:9]
            size = sum(x * x for x in force) ** 0.5
            if finite(mark) and size > 0:
                entity["arrows"].append({
                    "pose": {"position": vector(mark), "orientation": along([x / size for x in force])},
                    "shaft_length": 1e-3 * size, "shaft_diameter": 0.01, "head_length": 0.03,
                    "head_diameter": 0.025, "color": color([0.9, 0.3, 0.1, 1])})
        self.write("/contacts", "foxglove.SceneUpdate", SCENE_UPDATE, time,
                   {"deletions": [], "entities": [entity]})


def finite(numbers):
    return all(x - x == 0 for x in numbers)


def along(axis):
    """The rotation that turns x to an axis of unit length."""
    x, y, z = axis
    if x < -1 + 1e-9:
        return {"w": 0, "x": 0, "y": 0, "z": 1}
    scale = (2 * (1 + x)) ** 0.5
    return {"w": scale / 2, "x": 0, "y": -z / scale, "z": y / scale}


def blocks(path):
    with open(path, "rb") as file:
        while head := file.read(8):
            tag, length = struct.unpack("<4sI", head)
            yield tag, file.read(length)


def main(source, target):
    with open(target, "wb") as out:
        writer = Writer(out)
        writer.start(profile="", library="espalier")
        film = Film(writer)
        for tag, content in blocks(source):
            if tag == b"SCEN":
                film.set_scene(json.loads(content))
            elif tag == b"MESH":
                film.meshes[content[:16].decode()] = mesh(content)
            elif film.scene is not None:
                film.frame(content)
        writer.finish()


if __name__ == "__main__":
    main(*sys.argv[1:])
