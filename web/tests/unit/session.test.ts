import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameStore } from "../../src/session/frame_store.ts";
import { interpolate } from "../../src/session/interpolate.ts";
import { velocityOf } from "../../src/session/velocity.ts";
import { columnsOf } from "../../src/plots/series.ts";
import { makeFrame, poseAboutY } from "../fixtures/scenes.ts";

const still = [0, 0, 0, 1, 0, 0, 0];

function filled(count: number, value: (i: number) => number, store = new FrameStore()): FrameStore {
  for (let i = 0; i < count; ++i) store.push(makeFrame(1, i / 100, still, [value(i)]));
  return store;
}

test("the store finds the last frame at or before a moment", () => {
  const store = filled(101, () => 0);
  assert.equal(store.find(0.505), 50);
  assert.equal(store.find(-1), 0);
  assert.equal(store.find(9), 100);
  assert.equal(new FrameStore().find(0), -1);
});

test("the store keeps the last seconds only, and no more bytes than allowed", () => {
  const ring = filled(10_000, (i) => i, new FrameStore(2));
  assert.equal(ring.last, 99.99);
  assert.ok(Math.abs(ring.first - 97.99) < 1e-9);
  assert.equal(ring.at(ring.find(98.5)).channels[0], 9850);
  assert.ok(filled(1000, () => 0, new FrameStore(60, 10_000)).length < 45);
});

test("time that goes back or another scene empties the store; the same moment is replaced", () => {
  const store = filled(10, () => 0);
  store.push(makeFrame(1, 0.09, still, [7]));
  assert.equal(store.length, 10);
  assert.equal(store.at(9).channels[0], 7);
  store.push(makeFrame(1, 0, still, [0]));
  assert.equal(store.length, 1);
  store.push(makeFrame(2, 1, still, [0]));
  assert.equal(store.length, 1);
});

test("poses between frames turn on the shorter arc", () => {
  const a = makeFrame(1, 0, poseAboutY(0, 0, 0, 0.2), [1]);
  const b = makeFrame(
    1,
    1,
    poseAboutY(1, 2, 3, 0.6).map((x, i) => (i < 3 ? x : -x)),
    [2],
  );
  const middle = interpolate(a, b, 0.5);
  const wanted = poseAboutY(0.5, 1, 1.5, 0.4);
  wanted.forEach((value, i) => assert.ok(Math.abs(middle.poses[i]! - value) < 1e-6, `number ${i}`));
  assert.equal(middle.channels[0], 1);
  assert.equal(interpolate(a, b, 0), a);
});

test("velocities are those of the motion", () => {
  const store = new FrameStore();
  for (let i = 0; i < 10; ++i)
    store.push(makeFrame(1, i / 100, poseAboutY(i / 50, 0, -i / 25, i / 40 + 3), []));
  const { linear, angular } = velocityOf(store, 0.05, 0)!;
  [2, 0, -4].forEach((value, i) => assert.ok(Math.abs(linear[i]! - value) < 1e-4));
  [0, 2.5, 0].forEach((value, i) => assert.ok(Math.abs(angular[i]! - value) < 1e-3, `${angular}`));
  assert.equal(velocityOf(new FrameStore(), 0, 0), null);
});

test("plots of many frames keep every peak", () => {
  const store = filled(50_000, (i) => (i === 31_234 ? 9 : i === 7 ? -4 : Math.sin(i)));
  const [times, values] = columnsOf(store, [0], 0, 500, 600) as [number[], number[]];
  assert.ok(times.length <= 620 && times.length === values.length);
  assert.equal(Math.max(...values), 9);
  assert.equal(Math.min(...values), -4);
  assert.deepEqual(
    columnsOf(
      filled(3, (i) => i),
      [0],
      0,
      1,
      600,
    ),
    [
      [0, 0.01, 0.02],
      [0, 1, 2],
    ],
  );
});
