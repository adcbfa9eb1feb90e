// Texts at bodies: their names, and the names of files that could not be read.

import { Group, Vector3, type Sprite } from "three";
import type { Scene } from "../protocol/messages.ts";
import type { Theme } from "../view/theme.ts";
import { disposeLabel, makeLabel } from "./label.ts";
import type { Shown } from "./layers.ts";
import type { Poses } from "./poses.ts";

const mostMissingLabels = 6;

interface Label {
  body: number;
  sprite: Sprite;
  /** In the body's frame. */
  at: Vector3;
  isName: boolean;
}

/** A shape whose file could not be read. */
export interface MissingShape {
  body: number;
  at: Vector3;
  file: string;
}

export class BodyLabels {
  readonly group = new Group();
  private readonly labels: Label[] = [];

  constructor(
    scene: Scene,
    missing: MissingShape[],
    isMovable: (body: number) => boolean,
    private readonly theme: Theme,
  ) {
    this.addMissing(missing);
    scene.bodies.forEach((body, place) => {
      if (isMovable(place)) this.add(place, new Vector3(...body.com), body.name, true);
    });
  }

  update(poses: Poses, shown: Shown, hidden: ReadonlySet<number>): void {
    for (const { body, sprite, at, isName } of this.labels) {
      sprite.visible = !hidden.has(body) && (isName ? shown.names : shown.visuals);
      if (sprite.visible) sprite.position.copy(at).applyMatrix4(poses.bodies[body]!);
    }
  }

  get shown(): string[] {
    return this.labels.filter(({ sprite }) => sprite.visible).map(({ sprite }) => sprite.name);
  }

  dispose(): void {
    for (const { sprite } of this.labels) disposeLabel(sprite);
  }

  /** Each missing file by its name; of many their number alone, as names would hide one another. */
  private addMissing(missing: MissingShape[]): void {
    const first = missing[0];
    if (!first) return;
    if (missing.length > mostMissingLabels) {
      return this.add(first.body, first.at, `${missing.length} meshes missing`, false);
    }
    for (const { body, at, file } of missing) this.add(body, at, file.split("/").at(-1)!, false);
  }

  private add(body: number, at: Vector3, text: string, isName: boolean): void {
    const sprite = makeLabel(text, this.theme.label, this.theme.labelHalo);
    sprite.visible = false;
    this.labels.push({ body, sprite, at, isName });
    this.group.add(sprite);
  }
}
