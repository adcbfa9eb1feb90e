// A batch: alike shapes of many bodies, drawn by one call.

import { Color, InstancedMesh, Matrix4, type BufferGeometry, type Material } from "three";

export interface Slot {
  body: number;
  /** Of the shape in the body's frame, its scale included. */
  local: Matrix4;
  color: Color;
  isVisible: boolean;
}

const hidden = new Matrix4().makeScale(0, 0, 0);
const product = new Matrix4();

export class Batch {
  readonly mesh: InstancedMesh;

  constructor(
    geometry: BufferGeometry,
    material: Material,
    readonly slots: Slot[],
    isOpaque: boolean,
  ) {
    this.mesh = new InstancedMesh(geometry, material, slots.length);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = isOpaque;
    this.mesh.receiveShadow = isOpaque;
    this.mesh.userData.batch = this;
    this.paint();
  }

  update(bodies: Matrix4[]): void {
    this.slots.forEach((slot, place) => {
      const matrix = slot.isVisible
        ? product.multiplyMatrices(bodies[slot.body]!, slot.local)
        : hidden;
      this.mesh.setMatrixAt(place, matrix);
    });
    this.mesh.instanceMatrix.needsUpdate = true;
    // Picking computes them anew.
    this.mesh.boundingSphere = null;
    this.mesh.boundingBox = null;
  }

  /** Writes the colours; `highlight` is mixed into those of the body `picked`. */
  paint(picked = -1, highlight?: Color): void {
    const mixed = new Color();
    this.slots.forEach((slot, place) => {
      mixed.copy(slot.color);
      if (highlight && slot.body === picked) mixed.lerp(highlight, 0.45);
      this.mesh.setColorAt(place, mixed);
    });
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.dispose();
  }
}
