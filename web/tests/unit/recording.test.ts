import assert from "node:assert/strict";
import { test } from "node:test";
import type { Frame } from "../../src/protocol/frame.ts";
import { readRecording } from "../../src/recording/read.ts";
import { block, encodeRecording } from "../fixtures/encode.ts";
import { twoLink, walkers, type Fixture } from "../fixtures/scenes.ts";

async function read(bytes: Uint8Array) {
  const frames: Frame[] = [];
  const kinds: string[] = [];
  const problem = await readRecording(bytes, {
    onScene: (scene) => kinds.push(`scene ${scene.name}`),
    onMesh: (hash, mesh) => kinds.push(`mesh ${hash} ${mesh.positions.length}`),
    onOverlay: () => kinds.push("overlay"),
    onInfo: () => kinds.push("info"),
    onFrames: (some) => frames.push(...some),
  });
  return { frames, kinds, problem };
}

function record(fixture: Fixture, count: number, framesInBlock = 16): [Buffer, Frame[]] {
  const frames = Array.from({ length: count }, (_, i) => fixture.frame(i / 60));
  return [encodeRecording({ scene: fixture.scene, frames }, framesInBlock), frames];
}

function assertNear(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  tolerance: (place: number) => number,
) {
  assert.equal(a.length, b.length);
  for (let i = 0; i < a.length; ++i) {
    const isSame = Number.isNaN(a[i])
      ? Number.isNaN(b[i])
      : Math.abs(a[i]! - b[i]!) <= tolerance(i);
    assert.ok(isSame, `number ${i}: ${a[i]} and ${b[i]}`);
  }
}

test("frames come back within half a quantum", async () => {
  const [bytes, frames] = record(walkers(2), 40);
  const got = await read(bytes);
  assert.equal(got.problem, null);
  assert.equal(got.frames.length, 40);
  got.frames.forEach((frame, i) => {
    const wanted = frames[i]!;
    assert.equal(frame.time, wanted.time);
    assert.deepEqual(frame.contactBodies, wanted.contactBodies);
    assertNear(frame.poses, wanted.poses, (place) => (place % 7 < 3 ? 0.51e-5 : 0.51 * 2 ** -15));
    assertNear(frame.channels, wanted.channels, () => 4e-5);
    assertNear(
      frame.contacts,
      wanted.contacts,
      (place) => [0.6e-4, 0.51 / 1024, 0.51e-2][Math.floor((place % 9) / 3)]!,
    );
  });
});

test("numbers that are not finite, contacts that come and go, pushes, rays", async () => {
  const fixture = twoLink();
  const frames = [0, 1, 2, 3].map((i) => fixture.frame(i));
  frames[1]!.channels[0] = NaN;
  frames[2]!.contacts = Float32Array.from([0.1, 0.2, 0.3, 0, 0, 1, 0, -3, 80]);
  frames[2]!.contactBodies = Int32Array.from([2, -1]);
  frames[3]!.pushes = Float32Array.from([1, -1, 0.5, 10, 0, -20]);
  frames[3]!.pushBodies = Int32Array.from([1]);
  frames[3]!.rays = Float32Array.from([1, 1, 5, 1, 1, 0.5]);
  frames[3]!.rayBodies = Int32Array.from([-1]);
  frames[3]!.flags = 6;
  const got = await read(encodeRecording({ scene: fixture.scene, frames }));
  assert.equal(got.problem, null);
  assert.ok(Number.isNaN(got.frames[1]!.channels[0]));
  assert.ok(Math.abs(got.frames[2]!.channels[0]! - frames[2]!.channels[0]!) < 1e-5);
  assertNear(got.frames[2]!.contacts, frames[2]!.contacts, () => 1e-2);
  assert.deepEqual([...got.frames[2]!.contactBodies], [2, -1]);
  assertNear(got.frames[3]!.pushes, frames[3]!.pushes, () => 1e-2);
  assertNear(got.frames[3]!.rays, frames[3]!.rays, () => 1e-4);
  assert.deepEqual([...got.frames[3]!.rayBodies], [-1]);
  assert.equal(got.frames[3]!.flags, 6);
});

test("scene, meshes, overlay and info are handed on; unknown blocks are skipped", async () => {
  const fixture = twoLink();
  const mesh = {
    positions: new Float32Array(9),
    indices: Uint32Array.from([0, 1, 2]),
    colors: null,
  };
  const bytes = encodeRecording({
    scene: fixture.scene,
    meshes: [["0123456789abcdef", mesh]],
    overlay: { type: "overlay" },
    info: { source: ["a.urdf"] },
    frames: [fixture.frame(0)],
  });
  const got = await read(Buffer.concat([bytes, block("LATE", Buffer.from("later versions"))]));
  assert.deepEqual(got.kinds, ["scene two_link", "info", "mesh 0123456789abcdef 9", "overlay"]);
  assert.equal(got.problem, null);
});

test("a recording that is cut off loses its last block at most", async () => {
  const [bytes] = record(twoLink(), 48);
  for (const cut of [1, 20, 200]) {
    const got = await read(bytes.subarray(0, bytes.length - cut));
    assert.equal(got.frames.length, 32);
    assert.match(got.problem ?? "", /cut off in block 4/);
  }
});

test("a broken block is named", async () => {
  const [bytes] = record(twoLink(), 48);
  bytes[bytes.length - 10]! ^= 1;
  const got = await read(bytes);
  assert.equal(got.frames.length, 32);
  assert.match(got.problem ?? "", /block 4 \(FRAM\).*CRC/);
});

test("content that cannot be read is told with its block", async () => {
  const [bytes] = record(twoLink(), 4);
  const got = await read(
    Buffer.concat([bytes, block("FRAM", Buffer.from([9, 0, 0, 0, 1, 2, 3, 4]))]),
  );
  assert.match(got.problem ?? "", /block 3 \(FRAM\) cannot be read/);
});

test("other files and other versions are refused", async () => {
  await assert.rejects(read(Buffer.from("not a recording at all")), /no recording/);
  const [bytes] = record(twoLink(), 2);
  bytes[8] = 9;
  await assert.rejects(read(bytes), /version 9/);
});
