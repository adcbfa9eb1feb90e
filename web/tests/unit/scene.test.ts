import assert from "node:assert/strict";
import { test } from "node:test";
import { Vector3 } from "three";
import { closureColor } from "../../src/scene/colors.ts";
import { meshGeometry, sharedGeometry } from "../../src/scene/geometry.ts";
import { Layout } from "../../src/scene/layout.ts";
import { Poses } from "../../src/scene/poses.ts";
import { chooseShapes, groundOf } from "../../src/scene/shown_shapes.ts";
import { qualities, QualityControl } from "../../src/view/quality.ts";
import { twoLink, walkers } from "../fixtures/scenes.ts";

test("worlds stand in rows, or all in one place as ghosts", () => {
  const grid = new Layout("grid", 5, 2);
  assert.deepEqual(grid.offset(0).toArray(), [0, 0, 0]);
  assert.deepEqual(grid.offset(4).toArray(), [2, 2, 0]);
  assert.equal(grid.isGhost(3), false);
  const ghosts = new Layout("ghosts", 5, 2);
  assert.deepEqual(ghosts.offset(4).toArray(), [0, 0, 0]);
  assert.deepEqual(
    [0, 1].map((world) => ghosts.isGhost(world)),
    [false, true],
  );
});

test("bodies are drawn where the frame says, moved by their world's place", () => {
  const { scene, frame } = twoLink();
  scene.worlds = 2;
  scene.objects[1]!.world = 1;
  const poses = new Poses(scene, new Layout("grid", 2, 3));
  poses.update(frame(0.3));
  const wanted = frame(0.3).poses.subarray(14, 21);
  poses
    .pose(2)
    .forEach((value, i) => assert.ok(Math.abs(value - wanted[i]! - (i === 0 ? 3 : 0)) < 1e-6));
});

test("an object without visuals is shown by collision shapes, one without those by inertia boxes", () => {
  const { scene } = walkers(1);
  const visuals = (bodies = scene.bodies) =>
    chooseShapes({ ...scene, bodies }).filter(({ kind }) => kind === "visual");
  assert.equal(visuals().length, 26);
  const bare = scene.bodies.map((body) => ({ ...body, visuals: [] }));
  assert.equal(visuals(bare).length, 10);
  const nothing = bare.map((body) => ({ ...body, collisions: [] }));
  assert.equal(visuals(nothing).length, 13);
  assert.ok(visuals(nothing).every(({ shape }) => shape.kind === "box"));
});

test("the first plane is the ground", () => {
  assert.equal(groundOf(twoLink().scene)?.body, 0);
  const { scene } = twoLink();
  scene.bodies[0]!.visuals = [];
  assert.equal(groundOf(scene), null);
});

test("capsules of one proportion share a geometry, their size is the scale", () => {
  const capsule = (radius: number, height: number) =>
    sharedGeometry(
      {
        kind: "capsule",
        name: "",
        radius,
        height,
        pose: [0, 0, 0, 1, 0, 0, 0],
        color: [1, 1, 1, 1],
      },
      "middle",
    )!;
  assert.equal(capsule(0.1, 0.4).key, capsule(0.2, 0.8).key);
  assert.notEqual(capsule(0.1, 0.4).key, capsule(0.1, 0.5).key);
  const geometry = capsule(0.1, 0.4).make();
  geometry.computeBoundingBox();
  const size = geometry.boundingBox!.getSize(new Vector3()).multiply(capsule(0.1, 0.4).scale);
  assert.ok(Math.abs(size.z - 0.6) < 1e-6 && Math.abs(size.x - 0.2) < 0.01, `${size.toArray()}`);
});

test("meshes are smooth but at creases", () => {
  // Two triangles that meet at a right angle along x.
  const positions = Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const bent = meshGeometry({
    positions,
    indices: Uint32Array.from([0, 1, 2, 1, 0, 3]),
    colors: null,
  });
  const normal = bent.getAttribute("normal");
  assert.deepEqual([normal.getX(0), normal.getY(0), normal.getZ(0)], [0, 0, 1]);
  assert.ok(Math.abs(normal.getY(3) + 0) < 1e-6 || Math.abs(Math.abs(normal.getY(3)) - 1) < 1e-6);
  assert.ok(Math.abs(normal.getZ(3)) < 1e-6);
});

test("closure errors go from green by yellow to red; what is not a number is red", () => {
  const reds = [0, 1e-6, 1e-5, 1e-4].map((error) => closureColor(error).r);
  assert.deepEqual(
    reds,
    [...reds].sort((a, b) => a - b),
  );
  assert.ok(closureColor(0).g > closureColor(0).r);
  assert.equal(closureColor(1).getHex(), closureColor(NaN).getHex());
});

test("quality falls by a level where frames are slow, and ends at the last", () => {
  const control = new QualityControl(qualities(1), 0);
  const feed = (milliseconds: number, frames: number) => {
    for (let i = 0; i < frames; ++i) control.take(milliseconds);
    return control.level;
  };
  assert.equal(feed(16, 100), 0);
  assert.equal(feed(50, 24), 1);
  assert.equal(feed(500, 1000), qualities(1).length - 1);
});
