// The camera: orbits what it looks at, follows a body, frames the robot.

import { Box3, MathUtils, Vector3, type PerspectiveCamera } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

/** From what is looked at to the camera, at first. */
const firstDirection = new Vector3(1.05, -1.45, 0.62).normalize();

export class CameraControl {
  readonly orbit: OrbitControls;
  /** Whether the user has turned or moved the camera since it was framed. */
  isTouched = false;
  private followed: Vector3 | null = null;

  constructor(
    private readonly camera: PerspectiveCamera,
    canvas: HTMLElement,
  ) {
    this.orbit = new OrbitControls(camera, canvas);
    this.orbit.enableDamping = true;
    this.orbit.dampingFactor = 0.18;
    this.orbit.zoomToCursor = true;
    this.orbit.addEventListener("start", () => (this.isTouched = true));
  }

  get distance(): number {
    return this.camera.position.distanceTo(this.orbit.target);
  }

  /** CSS pixels at the edges of the picture that panels cover. */
  insets = { left: 0, right: 0, top: 0, bottom: 0 };
  private size = { width: 1, height: 1 };

  /** Puts what is looked at into the middle of what the panels leave free. */
  setSize(width: number, height: number): void {
    this.size = { width, height };
    const { left, right, top, bottom } = this.insets;
    this.camera.setViewOffset(width, height, (right - left) / 2, (bottom - top) / 2, width, height);
  }

  /** Lets the box fill the free part of the picture, `zoom` times as near. */
  frame(box: Box3, direction = firstDirection, zoom = 1): void {
    const half = MathUtils.degToRad(this.camera.fov / 2);
    const { left, right, top, bottom } = this.insets;
    const { width, height } = this.size;
    // Tangents of half the angles that the free part of the picture spans.
    const tall = Math.tan(half) * Math.max(1 - (top + bottom) / height, 0.3);
    const wide = Math.tan(half) * this.camera.aspect * Math.max(1 - (left + right) / width, 0.3);
    const centre = box.getCenter(new Vector3());
    const distance = Math.max(reach(box, centre, direction, wide, tall), 0.02);
    this.orbit.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(direction, (1.18 * distance) / zoom);
    this.isTouched = false;
    this.orbit.update();
  }

  look(from: Vector3, at: Vector3): void {
    this.camera.position.copy(from);
    this.orbit.target.copy(at);
    this.isTouched = true;
    this.orbit.update();
  }

  /** Looks at a point and moves along with it; null: with nothing. */
  follow(point: Vector3 | null): void {
    if (point) {
      const moved = point.clone().sub(this.followed ?? this.orbit.target);
      this.camera.position.add(moved);
      this.orbit.target.add(moved);
    }
    this.followed = point?.clone() ?? null;
  }

  /** Returns whether the camera has moved. */
  update(): boolean {
    return this.orbit.update();
  }
}

/** m from `centre` against `direction` at which the box fills a picture of these half angles' tangents. */
function reach(box: Box3, centre: Vector3, direction: Vector3, wide: number, tall: number): number {
  const aside = new Vector3(0, 0, 1).cross(direction);
  if (aside.length() < 1e-6) aside.set(0, 1, 0);
  aside.normalize();
  const up = direction.clone().cross(aside);
  let distance = 0;
  for (let corner = 0; corner < 8; ++corner) {
    const { min, max } = box;
    const from = new Vector3(
      corner & 1 ? max.x : min.x,
      corner & 2 ? max.y : min.y,
      corner & 4 ? max.z : min.z,
    ).sub(centre);
    const needed = Math.max(Math.abs(from.dot(aside)) / wide, Math.abs(from.dot(up)) / tall);
    distance = Math.max(distance, from.dot(direction) + needed);
  }
  return distance;
}
