// The overlay: what a program draws on top of its world.

import { Color, Group, Matrix4, SRGBColorSpace, Vector3, type Sprite } from "three";
import type { Line2 } from "three/examples/jsm/lines/Line2.js";
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

export class ProgramDrawings {
  readonly group = new Group();
  private readonly pen = new Pen();
  private lines: Line2[] = [];
  private labels: Sprite[] = [];
  private batches: Batch[] = [];
  private version = 0;

  constructor(private readonly mesh: (hash: string) => Promise<Mesh>) {
    this.group.add(this.pen.group);
  }

  set(overlay: Overlay, materials: Materials, theme: Theme, changed: () => void): void {
    this.clear();
    const version = ++this.version;
    for (const { points, color, width } of overlay.polylines) {
      if (points.length < 2) continue;
      const line = makeLine(points.flat(), color, width || 2);
      this.lines.push(line);
      this.group.add(line);
    }
    this.pen.begin();
    for (const { from, to, radius, color } of overlay.arrows) {
      this.pen.arrow(new Vector3(...from), new Vector3(...to), radius, colorOf(color));
    }
    for (const { points, size, color } of overlay.points) {
      for (const point of points) this.pen.ball(new Vector3(...point), size / 2, colorOf(color));
    }
    this.pen.end();
    for (const { text, position } of overlay.texts) {
      const label = makeLabel(text, theme.label, theme.labelHalo);
      label.position.set(...position);
      this.labels.push(label);
      this.group.add(label);
    }
    for (const set of overlay.instances) {
      void this.addInstances(set, materials).then((batch) => {
        if (!batch) return;
        if (version !== this.version) return batch.dispose();
        this.batches.push(batch);
        this.group.add(batch.mesh);
        changed();
      });
    }
    changed();
  }

  private async addInstances(set: Overlay["instances"][number], materials: Materials): Promise<Batch | null> {
    const place = await this.geometryOf(set.shape);
    if (!place) return null;
    const shapePose = matrixOf(set.shape.pose).scale(place.scale);
    const slots = set.poses.map((pose, i): Slot => {
      const local = matrixOf(pose);
      if (set.scales[i]) local.scale(new Vector3(...set.scales[i]));
      const color = colorOf(set.colors[i] ?? set.shape.color);
      return { body: 0, local: local.multiply(shapePose), color, isVisible: true };
    });
    const alpha = set.colors[0]?.[3] ?? set.shape.color[3];
    const hasColors = place.geometry.hasAttribute("color");
    const material = materials.get(alpha, hasColors, set.shape.kind === "mesh");
    const batch = new Batch(place.geometry, material, slots, alpha >= 1);
    batch.update([new Matrix4()]);
    return batch;
  }

  private async geometryOf(shape: Shape) {
    if (shape.kind === "mesh") {
      const geometry = meshGeometry(await this.mesh(shape.mesh));
      return { geometry, scale: new Vector3(1, 1, 1) };
    }
    const shared = sharedGeometry(shape);
    return shared && { geometry: shared.make(), scale: shared.scale };
  }

  private clear(): void {
    this.lines.forEach(disposeLine);
    this.labels.forEach(disposeLabel);
    for (const batch of this.batches) batch.dispose();
    this.lines = [];
    this.labels = [];
    this.batches = [];
  }
}

function colorOf([r, g, b]: readonly number[]): Color {
  return new Color().setRGB(r ?? 0, g ?? 0, b ?? 0, SRGBColorSpace);
}
