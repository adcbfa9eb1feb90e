// The overlay: what a program draws on top of its world. It may come again with every frame, so what is
// alike in the next message is kept.

import {
  Color,
  Group,
  Matrix4,
  SRGBColorSpace,
  Vector3,
  type BufferGeometry,
  type Object3D,
} from "three";
import type { Mesh } from "../protocol/mesh.ts";
import type { Overlay, Shape } from "../protocol/messages.ts";
import type { Theme } from "../view/theme.ts";
import { Batch, type Slot } from "./batch.ts";
import { meshGeometry, sharedGeometry } from "./geometry.ts";
import { disposeLabel, makeLabel } from "./label.ts";
import { disposeLine, makeLine } from "./lines.ts";
import type { Materials } from "./materials.ts";
import { Pen } from "./pen.ts";
import { matrixOf } from "./poses.ts";
import { hasOwnColors } from "./shape_look.ts";

type Instances = Overlay["instances"][number];

/** A drawn thing, and how to remove it. */
interface Drawn {
  object: Object3D;
  dispose: () => void;
  batch?: Batch;
}

export class ProgramDrawings {
  readonly group = new Group();
  private readonly pen = new Pen(1, true);
  private drawn = new Map<string, Drawn>();
  private readonly geometries = new Map<string, BufferGeometry | "loading">();

  constructor(private readonly mesh: (hash: string) => Promise<Mesh>) {
    this.group.add(this.pen.group);
  }

  /** `changed` is called when the picture is to be drawn again, now or after a mesh has come. */
  set(overlay: Overlay, materials: Materials, theme: Theme, changed: () => void): void {
    const next = new Map<string, Drawn>();
    const keep = (key: string, make: () => Drawn) => {
      const known = next.has(key) ? undefined : this.drawn.get(key);
      const one = known ?? make();
      this.drawn.delete(key);
      next.set(next.has(key) ? `${key} ${next.size}` : key, one);
      if (!known) this.group.add(one.object);
      return one;
    };
    for (const { points, color, width } of overlay.polylines) {
      if (points.length < 2) continue;
      keep(`line ${width} ${color.join()} ${points.join()}`, () => {
        const line = makeLine(points.flat(), color, width || 2);
        return { object: line, dispose: () => disposeLine(line) };
      });
    }
    for (const { text, position } of overlay.texts) {
      const label = keep(`text ${theme.name} ${text}`, () => {
        const sprite = makeLabel(text, theme.label, theme.labelHalo);
        return { object: sprite, dispose: () => disposeLabel(sprite) };
      });
      label.object.position.set(...position);
    }
    const reload = () => this.set(overlay, materials, theme, changed);
    for (const set of overlay.instances) this.addInstances(set, materials, keep, reload);
    for (const { dispose } of this.drawn.values()) dispose();
    this.drawn = next;
    this.drawMarkers(overlay);
    changed();
  }

  /** Lines, texts and instanced things; of markers the numbers of rods, heads and balls. */
  get count(): number {
    const { rods, heads, balls } = this.pen.counts;
    return this.drawn.size + rods + heads + balls;
  }

  private drawMarkers(overlay: Overlay): void {
    this.pen.begin();
    for (const { from, to, radius, color } of overlay.arrows) {
      this.pen.arrow(new Vector3(...from), new Vector3(...to), radius, colorOf(color));
    }
    for (const { points, size, color } of overlay.points) {
      for (const point of points) this.pen.ball(new Vector3(...point), size / 2, colorOf(color));
    }
    this.pen.end();
  }

  private addInstances(
    set: Instances,
    materials: Materials,
    keep: (key: string, make: () => Drawn) => Drawn,
    reload: () => void,
  ): void {
    const { shape, poses } = set;
    const place = this.geometryOf(shape, reload);
    if (!place || poses.length === 0) return;
    const alpha = set.colors[0]?.[3] ?? shape.color[3];
    const slots = slotsOf(set, place.scale);
    const form = JSON.stringify({ ...shape, name: "", pose: 0, color: 0 });
    const key = `instances ${materials.lighting} ${alpha} ${poses.length} ${form}`;
    const { batch } = keep(key, () => {
      const material = materials.get(alpha, hasOwnColors(shape), shape.kind === "mesh");
      const made = new Batch(place.geometry, material, slots, alpha >= 1);
      return { object: made.mesh, batch: made, dispose: () => made.dispose() };
    });
    batch!.slots.splice(0, batch!.slots.length, ...slots);
    batch!.update([new Matrix4()]);
    batch!.paint();
  }

  /** Null while a mesh is on its way. */
  private geometryOf(
    shape: Shape,
    reload: () => void,
  ): { geometry: BufferGeometry; scale: Vector3 } | null {
    const shared = sharedGeometry(shape, "middle");
    const key = shape.kind === "mesh" ? shape.mesh : shared!.key;
    const known = this.geometries.get(key);
    if (known === "loading") return null;
    const scale = shared?.scale ?? new Vector3(1, 1, 1);
    if (known) return { geometry: known, scale };
    if (shape.kind === "mesh") {
      this.geometries.set(key, "loading");
      void this.mesh(shape.mesh).then((mesh) => {
        this.geometries.set(key, meshGeometry(mesh));
        reload();
      });
      return null;
    }
    const geometry = shared!.make();
    this.geometries.set(key, geometry);
    return { geometry, scale };
  }
}

function slotsOf({ shape, poses, scales, colors }: Instances, shapeScale: Vector3): Slot[] {
  const local = matrixOf(shape.pose).scale(shapeScale);
  return poses.map((pose, i) => {
    const place = matrixOf(pose);
    if (scales[i]) place.scale(new Vector3(...scales[i]));
    return {
      body: 0,
      local: place.multiply(local),
      color: colorOf(colors[i] ?? shape.color),
      isVisible: true,
    };
  });
}

function colorOf([r, g, b]: readonly number[]): Color {
  return new Color().setRGB(r ?? 0, g ?? 0, b ?? 0, SRGBColorSpace);
}
