// Colour and opacity of a shape.

import { Color, SRGBColorSpace } from "three";
import type { Scene, Shape } from "../protocol/messages.ts";
import type { Layout } from "./layout.ts";
import type { Solid } from "./solids.ts";

const collisionAlpha = 0.35;
const ghostAlpha = 0.25;
const seeThroughAlpha = 0.35;
const leastGrey = 0.09;
const collisionColor = new Color(0xe8842c);
const missingColor = new Color(0xd0208c);

/** Opacity of a shape, 0..1. */
export function alphaOf(
  { body, shape, kind }: Solid,
  scene: Scene,
  layout: Layout,
  isSeeThrough: boolean,
): number {
  const object = scene.objects[scene.bodies[body]!.object];
  const isGhost = object?.kind === "ghost" || layout.isGhost(object?.world ?? 0);
  const isRotor = scene.bodies[body]!.rotor;
  const visual = isSeeThrough && !isRotor ? seeThroughAlpha : 1;
  const own = kind === "collision" ? collisionAlpha : Math.min(shape.color[3], visual);
  return Math.round(100 * (isGhost ? Math.min(own, ghostAlpha) : own)) / 100;
}

/** Whether the colours of a mesh's vertices are drawn. */
export function hasOwnColors(shape: Shape): boolean {
  return shape.kind === "mesh" && shape.ownColors === true;
}

export function colorOf({ shape, kind }: Solid): Color {
  if (shape.kind === "missing") return missingColor;
  if (kind === "collision") return collisionColor;
  if (hasOwnColors(shape)) return new Color(1, 1, 1);
  // Black reflects no light, so that nothing would be seen of its form.
  const [r, g, b] = shape.color.map((value) => leastGrey + (1 - leastGrey) * value);
  return new Color().setRGB(r!, g!, b!, SRGBColorSpace);
}
