import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeFrame } from "../../src/protocol/frame.ts";
import { decodeMesh } from "../../src/protocol/mesh.ts";
import { encodeFrame, encodeMesh } from "../fixtures/encode.ts";
import { makeFrame, walkers } from "../fixtures/scenes.ts";

function bytesOf(buffer: Buffer): ArrayBuffer {
  return Uint8Array.from(buffer).buffer;
}

test("a frame is what was encoded", () => {
  const frame = { ...walkers(2).frame(0.7), flags: 5 };
  frame.pushes = Float32Array.from([1, 2, 3, 4, 5, 6]);
  frame.pushBodies = Int32Array.from([3]);
  frame.rays = Float32Array.from([1, 1, 5, 1, 1, 0, 2, 1, 5, 2, 1, -95]);
  frame.rayBodies = Int32Array.from([0, -1]);
  assert.deepEqual(decodeFrame(bytesOf(encodeFrame(frame))), frame);
});

test("a message that is no whole frame is refused", () => {
  const bytes = encodeFrame(makeFrame(1, 0, [0, 0, 0, 1, 0, 0, 0], [1]));
  assert.throws(() => decodeFrame(bytesOf(bytes.subarray(0, 20))), /not a frame/);
  assert.throws(() => decodeFrame(bytesOf(bytes.subarray(0, bytes.length - 1))), /instead of/);
  bytes[0] = 0;
  assert.throws(() => decodeFrame(bytesOf(bytes)), /not a frame/);
});

test("a mesh is what was encoded, with and without colours", () => {
  const positions = Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  const mesh = { positions, indices: Uint32Array.from([0, 1, 2]), colors: null };
  assert.deepEqual(decodeMesh(encodeMesh(mesh)), mesh);
  const painted = { ...mesh, colors: Uint8Array.from({ length: 12 }, (_, i) => 20 * i) };
  assert.deepEqual(decodeMesh(encodeMesh(painted)), painted);
});

test("a mesh that is cut off or has a wrong index is refused", () => {
  const positions = Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  const bytes = encodeMesh({ positions, indices: Uint32Array.from([0, 1, 3]), colors: null });
  assert.throws(() => decodeMesh(bytes.subarray(0, bytes.length - 4)), /instead of/);
  assert.throws(() => decodeMesh(bytes), /vertex that does not exist/);
  assert.throws(() => decodeMesh(bytes.subarray(0, 3)), /instead of/);
});
