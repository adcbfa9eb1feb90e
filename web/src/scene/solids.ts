// The shapes of all bodies: what is seen of them, and their collision shapes. Alike shapes are put in
// batches; a batch is made anew when something changes but the poses.

import {
  Box3,
  Color,
  Group,
  Matrix4,
  Vector3,
  type BufferGeometry,
  type Intersection,
  type Raycaster,
} from "three";
import type { Mesh } from "../protocol/mesh.ts";
import type { Scene, Shape } from "../protocol/messages.ts";
import { Batch, type Slot } from "./batch.ts";
import { meshGeometry, missingSize, sharedGeometry, type Detail } from "./geometry.ts";
import type { Layout } from "./layout.ts";
import type { Materials } from "./materials.ts";
import { matrixOf, type Poses } from "./poses.ts";
import { alphaOf, colorOf, hasOwnColors } from "./shape_look.ts";
import { chooseShapes } from "./shown_shapes.ts";

export type SolidKind = "visual" | "collision";

/** A shape of a body that is to be drawn. */
export interface Solid {
  body: number;
  shape: Shape;
  kind: SolidKind;
}

const highlight = new Color(0xffd23f);

export class Solids {
  readonly group = new Group();
  /** Files that could not be read, with the body they belong to. */
  readonly missing: { body: number; at: Vector3; file: string }[] = [];
  private batches: { kind: SolidKind; batch: Batch }[] = [];
  private readonly geometries = new Map<string, BufferGeometry>();
  private readonly meshHashes = new Set<string>();
  private readonly solids: Solid[];
  private picked = -1;
  private isSeeThrough = false;
  private readonly shows = { visual: true, collision: false };
  private isHidden: (body: number) => boolean = () => false;

  constructor(
    private readonly scene: Scene,
    private readonly layout: Layout,
    private materials: Materials,
  ) {
    this.solids = chooseShapes(scene);
    for (const { body, shape } of this.solids) {
      if (shape.kind === "mesh") this.meshHashes.add(shape.mesh);
      if (shape.kind !== "missing") continue;
      const at = new Vector3(...shape.pose.slice(0, 3)).add(new Vector3(0, 0, missingSize));
      this.missing.push({ body, at, file: shape.file });
    }
    this.rebuild();
  }

  /** Meshes come later than the scene; each asks for its shapes to be put in batches again. */
  async load(mesh: (hash: string) => Promise<Mesh>): Promise<string[]> {
    const hashes = this.meshHashes;
    const problems: string[] = [];
    await Promise.all(
      [...hashes].map(async (hash) => {
        try {
          this.geometries.set(hash, meshGeometry(await mesh(hash)));
        } catch (error) {
          problems.push(error instanceof Error ? error.message : String(error));
        }
      }),
    );
    if (hashes.size > 0) this.rebuild();
    return problems;
  }

  setMaterials(materials: Materials): void {
    for (const [key, geometry] of this.geometries) {
      if (!this.meshHashes.has(key)) {
        geometry.dispose();
        this.geometries.delete(key);
      }
    }
    this.materials = materials;
    this.rebuild();
  }

  setShown(kind: SolidKind, on: boolean): void {
    this.shows[kind] = on;
    for (const { kind: own, batch } of this.batches) batch.mesh.visible = this.shows[own];
  }

  /** Visuals become translucent, so that rotors and loops inside of bodies are seen. */
  setSeeThrough(on: boolean): void {
    if (on === this.isSeeThrough) return;
    this.isSeeThrough = on;
    this.rebuild();
  }

  setHidden(isHidden: (body: number) => boolean): void {
    this.isHidden = isHidden;
    for (const { batch } of this.batches) {
      for (const slot of batch.slots) slot.isVisible = !isHidden(slot.body);
    }
  }

  setPicked(body: number): void {
    this.picked = body;
    for (const { batch } of this.batches) batch.paint(body, highlight);
  }

  update(poses: Poses): void {
    for (const { batch } of this.batches) if (batch.mesh.visible) batch.update(poses.bodies);
  }

  /** The first thing hit, and which body's. */
  pick(raycaster: Raycaster): { body: number; point: Vector3 } | null {
    const meshes = this.batches.map(({ batch }) => batch.mesh).filter((mesh) => mesh.visible);
    for (const hit of raycaster.intersectObjects(meshes, false) as Intersection[]) {
      const slot = (hit.object.userData.batch as Batch).slots[hit.instanceId ?? -1];
      if (slot?.isVisible) return { body: slot.body, point: hit.point };
    }
    return null;
  }

  /** The box about all shapes of bodies for which `isWanted` holds. */
  bounds(poses: Poses, isWanted: (body: number) => boolean): Box3 {
    const box = new Box3();
    this.boundsOfBodies(poses).forEach((own, body) => {
      if (isWanted(body)) box.union(own);
    });
    return box;
  }

  /** The box about each body that has visuals. */
  boundsOfBodies(poses: Poses): Map<number, Box3> {
    const boxes = new Map<number, Box3>();
    const own = new Box3();
    for (const { kind, batch } of this.batches) {
      if (kind === "collision") continue;
      batch.mesh.geometry.computeBoundingBox();
      for (const { body, local } of batch.slots) {
        own.copy(batch.mesh.geometry.boundingBox!);
        own.applyMatrix4(new Matrix4().multiplyMatrices(poses.bodies[body]!, local));
        boxes.set(body, (boxes.get(body) ?? new Box3()).union(own));
      }
    }
    return boxes;
  }

  get counts(): { solids: number; solidsShown: number; batches: number } {
    let solidsShown = 0;
    for (const { batch } of this.batches) {
      if (batch.mesh.visible)
        solidsShown += batch.slots.filter(({ isVisible }) => isVisible).length;
    }
    return { solids: this.solids.length, solidsShown, batches: this.batches.length };
  }

  dispose(): void {
    for (const { batch } of this.batches) batch.dispose();
    for (const geometry of this.geometries.values()) geometry.dispose();
  }

  private rebuild(): void {
    for (const { batch } of this.batches) batch.dispose();
    const plans = new Map<
      string,
      { solid: Solid; alpha: number; geometry: BufferGeometry; slots: Slot[] }
    >();
    for (const solid of this.solids) {
      const place = this.geometryOf(solid.shape);
      if (!place) continue;
      const alpha = alphaOf(solid, this.scene, this.layout, this.isSeeThrough);
      const key = `${solid.kind} ${place.key} ${alpha} ${hasOwnColors(solid.shape)}`;
      const plan = plans.get(key) ?? { solid, alpha, geometry: place.geometry, slots: [] };
      plans.set(key, plan);
      plan.slots.push({
        body: solid.body,
        local: matrixOf(solid.shape.pose).scale(place.scale),
        color: colorOf(solid),
        isVisible: !this.isHidden(solid.body),
      });
    }
    this.batches = [...plans.values()].map(({ solid, alpha, geometry, slots }) => {
      const material = this.materials.get(
        alpha,
        hasOwnColors(solid.shape),
        solid.shape.kind === "mesh",
      );
      const batch = new Batch(geometry, material, slots, alpha >= 1);
      batch.mesh.castShadow ||= this.isSeeThrough && solid.kind === "visual";
      batch.mesh.visible = this.shows[solid.kind];
      batch.paint(this.picked, highlight);
      this.group.add(batch.mesh);
      return { kind: solid.kind, batch };
    });
  }

  private geometryOf(
    shape: Shape,
  ): { key: string; geometry: BufferGeometry; scale: Vector3 } | null {
    if (shape.kind === "mesh") {
      const geometry = this.geometries.get(shape.mesh);
      return geometry ? { key: shape.mesh, geometry, scale: new Vector3(1, 1, 1) } : null;
    }
    const shared = sharedGeometry(shape, this.detail);
    if (!shared) return null;
    const geometry = this.geometries.get(shared.key) ?? shared.make();
    this.geometries.set(shared.key, geometry);
    return { key: shared.key, geometry, scale: shared.scale };
  }

  private get detail(): Detail {
    const count = this.solids.length;
    if (this.materials.lighting === "rich") return count < 500 ? "fine" : "middle";
    return count < 150 ? "middle" : "coarse";
  }
}
