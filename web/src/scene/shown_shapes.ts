// Which shapes stand for a body. An object without any visual is shown by its collision shapes, one
// without those by boxes with the inertia of its bodies, so that nothing is invisible.

import type { Body, Scene, Shape } from "../protocol/messages.ts";
import type { Solid } from "./solids.ts";

const palette: [number, number, number][] = [
  [0.82, 0.45, 0.31],
  [0.3, 0.49, 0.64],
  [0.78, 0.64, 0.33],
  [0.33, 0.55, 0.43],
  [0.56, 0.45, 0.62],
  [0.6, 0.62, 0.65],
];

export function chooseShapes(scene: Scene): Solid[] {
  const solids: Solid[] = [];
  scene.objects.forEach((_, object) => {
    const bodies = scene.bodies
      .map((body, place) => ({ body, place }))
      .filter(({ body }) => body.object === object);
    const hasVisuals = bodies.some(({ body }) => body.visuals.length > 0);
    const hasCollisions = bodies.some(({ body }) => body.collisions.length > 0);
    bodies.forEach(({ body, place }, number) => {
      const stand = hasVisuals
        ? body.visuals
        : hasCollisions
          ? body.collisions
          : inertiaShape(body, number);
      for (const shape of stand) solids.push({ body: place, shape, kind: "visual" });
      // A plane to collide with is where the plane to be seen is already.
      const solidCollisions = body.collisions.filter(({ kind }) => kind !== "plane");
      for (const shape of solidCollisions) solids.push({ body: place, shape, kind: "collision" });
    });
  });
  const ground = groundOf(scene);
  return solids.filter(({ shape }) => shape !== ground?.shape);
}

/** The plane that the floor draws: the first visible one. */
export function groundOf(scene: Scene): { body: number; shape: Shape } | null {
  for (let body = 0; body < scene.bodies.length; ++body) {
    const { visuals, collisions } = scene.bodies[body]!;
    const shape = [...visuals, ...collisions].find(({ kind }) => kind === "plane");
    if (shape) return { body, shape };
  }
  return null;
}

function inertiaShape(body: Body, number: number): Shape[] {
  const box = body.inertiaBox;
  if (!box) return [];
  const [r, g, b] = palette[number % palette.length]!;
  return [{ kind: "box", name: body.name, size: box.size, pose: box.pose, color: [r, g, b, 1] }];
}
