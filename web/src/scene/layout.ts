// Several worlds: side by side as a grid, or all in one place with the others as ghosts of the first.

import { Vector3 } from "three";

export type LayoutKind = "grid" | "ghosts";

export class Layout {
  constructor(
    readonly kind: LayoutKind,
    readonly worlds: number,
    /** m between neighbours of the grid. */
    readonly spacing: number,
  ) {}

  offset(world: number): Vector3 {
    if (this.kind === "ghosts") return new Vector3();
    const columns = Math.ceil(Math.sqrt(this.worlds));
    const row = Math.floor(world / columns);
    return new Vector3((world % columns) * this.spacing, row * this.spacing, 0);
  }

  isGhost(world: number): boolean {
    return this.kind === "ghosts" && world > 0;
  }
}
