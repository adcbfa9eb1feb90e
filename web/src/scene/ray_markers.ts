// Rays that the program cast: a thin rod to where each ends, a ball where it met a surface.

import { Vector3 } from "three";
import { rayFloats, type Frame } from "../protocol/frame.ts";
import { rayColor } from "./colors.ts";
import type { Pen } from "./pen.ts";
import type { Poses } from "./poses.ts";

export function drawRays(pen: Pen, frame: Frame, poses: Poses, size: number): void {
  for (let r = 0; r < frame.rayBodies.length; ++r) {
    const body = frame.rayBodies[r]!;
    const offset = body >= 0 ? poses.offsetOf(body) : new Vector3();
    const start = new Vector3().fromArray(frame.rays, rayFloats * r).add(offset);
    const end = new Vector3().fromArray(frame.rays, rayFloats * r + 3).add(offset);
    pen.rod(start, end, 0.015 * size, rayColor);
    if (body >= 0) pen.ball(end, 0.07 * size, rayColor);
  }
}
