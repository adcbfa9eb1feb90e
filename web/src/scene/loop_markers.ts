// Closing joints: a ball at each of the two points that are to coincide and a rod between them,
// coloured by the closure error.

import { Color, Vector3 } from "three";
import type { Frame } from "../protocol/frame.ts";
import type { Scene } from "../protocol/messages.ts";
import type { Wanted } from "./body_markers.ts";
import { closureColor } from "./colors.ts";
import type { Pen } from "./pen.ts";
import type { Poses } from "./poses.ts";

export function drawLoops(
  pen: Pen,
  scene: Scene,
  frame: Frame,
  poses: Poses,
  size: number,
  wanted: Wanted,
): void {
  const color = new Color();
  for (const loop of scene.loops) {
    if (!wanted(loop.a)) continue;
    closureColor(frame.channels[loop.channel] ?? NaN, color);
    const a = pointOf(loop.a, loop.pointA, poses, loop.a);
    const b = pointOf(loop.b, loop.pointB, poses, loop.a);
    pen.ball(a, 0.17 * size, color);
    pen.ball(b, 0.17 * size, color);
    pen.rod(a, b, 0.08 * size, color);
  }
}

/** A point of a body, or of the world as `neighbour`'s world is laid out. */
function pointOf(
  body: number,
  point: [number, number, number],
  poses: Poses,
  neighbour: number,
): Vector3 {
  const at = new Vector3(...point);
  return body < 0 ? at.add(poses.offsetOf(neighbour)) : at.applyMatrix4(poses.bodies[body]!);
}
