// Contacts (points, normals, forces to scale) and external forces.

import { Vector3 } from "three";
import { contactFloats, pushFloats, type Frame } from "../protocol/frame.ts";
import { contactColor, normalColor, pushColor } from "./colors.ts";
import type { Pen } from "./pen.ts";
import type { Poses } from "./poses.ts";

/**
 * The force on A; where only B moves (A is the ground) that on B. `metresPerNewton` scales the arrows.
 */
export function drawContacts(
  pen: Pen,
  frame: Frame,
  poses: Poses,
  size: number,
  metresPerNewton: number,
  isMovable: (body: number) => boolean,
): void {
  for (let c = 0; c < frame.contactBodies.length / 2; ++c) {
    const [a, b] = [frame.contactBodies[2 * c]!, frame.contactBodies[2 * c + 1]!];
    const offset = poses.offsetOf(a >= 0 ? a : b);
    const sign = b >= 0 && isMovable(b) && !(a >= 0 && isMovable(a)) ? -1 : 1;
    const at = new Vector3().fromArray(frame.contacts, contactFloats * c).add(offset);
    const normal = new Vector3()
      .fromArray(frame.contacts, contactFloats * c + 3)
      .multiplyScalar(sign);
    const force = new Vector3()
      .fromArray(frame.contacts, contactFloats * c + 6)
      .multiplyScalar(sign);
    pen.ball(at, 0.09 * size, contactColor);
    pen.rod(at, at.clone().addScaledVector(normal, 0.35 * size), 0.025 * size, normalColor);
    pen.arrow(at, at.clone().addScaledVector(force, metresPerNewton), 0.05 * size, contactColor);
  }
}

export function drawPushes(
  pen: Pen,
  frame: Frame,
  poses: Poses,
  size: number,
  metresPerNewton: number,
): void {
  for (let p = 0; p < frame.pushBodies.length; ++p) {
    const offset = poses.offsetOf(frame.pushBodies[p]!);
    const at = new Vector3().fromArray(frame.pushes, pushFloats * p).add(offset);
    const force = new Vector3().fromArray(frame.pushes, pushFloats * p + 3);
    pen.ball(at, 0.09 * size, pushColor);
    pen.arrow(at, at.clone().addScaledVector(force, metresPerNewton), 0.06 * size, pushColor);
  }
}
