// Materials of shapes. Where frames are slow the cheaper lighting model is taken for all of them.

import {
  DoubleSide,
  FrontSide,
  MeshLambertMaterial,
  MeshStandardMaterial,
  type Material,
} from "three";

export type Lighting = "rich" | "cheap";

export class Materials {
  private readonly made = new Map<string, Material>();

  constructor(readonly lighting: Lighting) {}

  /** `hasColors`: the geometry has colours of its vertices. */
  get(alpha: number, hasColors: boolean, isMesh: boolean): Material {
    const key = `${alpha} ${hasColors} ${isMesh}`;
    const known = this.made.get(key);
    if (known) return known;
    const isOpaque = alpha >= 1;
    const parameters = {
      vertexColors: hasColors,
      transparent: !isOpaque,
      opacity: alpha,
      depthWrite: isOpaque,
      // Meshes of files are not always closed or wound alike.
      side: isMesh && isOpaque ? DoubleSide : FrontSide,
    };
    const material =
      this.lighting === "rich"
        ? new MeshStandardMaterial({ ...parameters, roughness: 0.55, metalness: 0.08 })
        : new MeshLambertMaterial(parameters);
    this.made.set(key, material);
    return material;
  }

  dispose(): void {
    for (const material of this.made.values()) material.dispose();
    this.made.clear();
  }
}
