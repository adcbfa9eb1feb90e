// Markers at bodies and joints: frames, joint axes, centres of mass, inertia boxes.

import { Color, Matrix4, Vector3 } from "three";
import type { Body, Scene } from "../protocol/messages.ts";
import { independentColor, dependentColor } from "./colors.ts";
import type { Pen } from "./pen.ts";
import { matrixOf, type Poses } from "./poses.ts";

const axisColors = [new Color(0xd8362f), new Color(0x3a9d3f), new Color(0x2f62d8)];
const massColors = [new Color(0x111111), new Color(0xf3d21b)];
const inertiaColor = new Color(0x9b59d0);
const limitMassRadius = [0.35, 1.6] as const;

/** Scales with the robot: about the size of a joint, m. */
export type MarkerSize = number;

export function drawFrames(
  pen: Pen,
  scene: Scene,
  poses: Poses,
  size: MarkerSize,
  wanted: Wanted,
): void {
  const frame = new Matrix4();
  forBodies(scene, wanted, (body, place) => {
    drawTriad(pen, poses.bodies[place]!, size);
    for (const { pose } of body.frames) {
      drawTriad(pen, frame.multiplyMatrices(poses.bodies[place]!, matrixOf(pose)), 0.7 * size);
    }
  });
}

export function drawTriad(pen: Pen, place: Matrix4, size: number): void {
  const origin = new Vector3().setFromMatrixPosition(place);
  axisColors.forEach((color, axis) => {
    const tip = new Vector3().setFromMatrixColumn(place, axis).multiplyScalar(size).add(origin);
    pen.arrow(origin, tip, 0.035 * size, color);
  });
}

/** An arrow along each axis, of a revolute joint with an axle about it; colour: independent or dependent. */
export function drawJoints(
  pen: Pen,
  scene: Scene,
  poses: Poses,
  size: MarkerSize,
  wanted: Wanted,
): void {
  forBodies(scene, wanted, (body, place) => {
    const { joint } = body;
    if (!joint) return;
    const color = joint.isIndependent ? independentColor : dependentColor;
    const pose = poses.bodies[place]!;
    const origin = new Vector3().setFromMatrixPosition(pose);
    for (const direction of joint.axes) {
      const axis = new Vector3(...direction).transformDirection(pose).multiplyScalar(size);
      const [from, to] = [origin.clone().addScaledVector(axis, -0.6), origin.clone().add(axis)];
      pen.arrow(from, to, 0.03 * size, color);
      if (joint.kind !== "prismatic") {
        const half = axis.multiplyScalar(0.2);
        pen.rod(origin.clone().sub(half), origin.clone().add(half), 0.1 * size, color);
      }
    }
    if (joint.axes.length === 0) pen.ball(origin, 0.1 * size, color);
  });
}

/** A ball of each mass, its volume in proportion to the mass. */
export function drawMasses(
  pen: Pen,
  scene: Scene,
  poses: Poses,
  size: MarkerSize,
  wanted: Wanted,
): void {
  const most = Math.max(...scene.bodies.map(({ mass }) => (Number.isFinite(mass) ? mass : 0)));
  forBodies(scene, wanted, (body, place) => {
    if (!(body.mass > 0) || !Number.isFinite(body.mass)) return;
    const share = Math.cbrt(body.mass / most) * 1.2;
    const [least, largest] = limitMassRadius;
    const radius = 0.22 * size * Math.min(Math.max(share, least), largest);
    const at = new Vector3(...body.com).applyMatrix4(poses.bodies[place]!);
    pen.ball(at, radius, massColors[1]!);
    for (let axis = 0; axis < 3; ++axis) {
      const half = new Vector3()
        .setFromMatrixColumn(poses.bodies[place]!, axis)
        .multiplyScalar(1.25 * radius);
      pen.rod(at.clone().sub(half), at.clone().add(half), 0.28 * radius, massColors[0]!);
    }
  });
}

export function drawInertias(pen: Pen, scene: Scene, poses: Poses, wanted: Wanted): void {
  const place = new Matrix4();
  forBodies(scene, wanted, (body, number) => {
    if (!body.inertiaBox) return;
    matrixOf(body.inertiaBox.pose, 0, place).scale(new Vector3(...body.inertiaBox.size));
    pen.box(place.premultiply(poses.bodies[number]!), inertiaColor);
  });
}

export type Wanted = (body: number) => boolean;

function forBodies(scene: Scene, wanted: Wanted, draw: (body: Body, place: number) => void): void {
  scene.bodies.forEach((body, place) => {
    const kind = scene.objects[body.object]?.kind;
    const isFixture =
      kind === "ground" || kind === "heightmap" || kind === "static" || kind === "visual";
    if (!isFixture && wanted(place)) draw(body, place);
  });
}
