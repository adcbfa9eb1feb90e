// Tendons: straight lines between points of bodies, or points that the frame tells.

import { Color, Vector3 } from "three";
import type { Frame } from "../protocol/frame.ts";
import type { Scene, TendonEnd } from "../protocol/messages.ts";
import type { Pen } from "./pen.ts";
import type { Poses } from "./poses.ts";

const tendonColor = new Color(0x9c2f2f);

export function drawTendons(
  pen: Pen,
  scene: Scene,
  frame: Frame,
  poses: Poses,
  size: number,
): void {
  for (const { object, segments } of scene.tendons ?? []) {
    const offset = poses.offsetOf(scene.objects[object]?.bodies[0] ?? -1);
    for (const [from, to] of segments) {
      pen.rod(
        pointOf(from, frame, poses, offset),
        pointOf(to, frame, poses, offset),
        0.03 * size,
        tendonColor,
      );
    }
  }
}

function pointOf(end: TendonEnd, frame: Frame, poses: Poses, offset: Vector3): Vector3 {
  if ("channel" in end) return new Vector3().fromArray(frame.channels, end.channel).add(offset);
  const at = new Vector3(...end.point);
  return end.body < 0 ? at.add(offset) : at.applyMatrix4(poses.bodies[end.body]!);
}
