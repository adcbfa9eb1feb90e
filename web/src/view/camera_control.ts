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

  /** Sees to it that the box fills the picture; keeps the direction of view where `direction` is null. */
  frame(box: Box3, direction: Vector3 | null = firstDirection): void {
    const centre = box.getCenter(new Vector3());
    const radius = Math.max(box.getSize(new Vector3()).length() / 2, 0.01);
    const half = MathUtils.degToRad(this.camera.fov / 2);
    const narrow = Math.min(half, Math.atan(Math.tan(half) * this.camera.aspect));
    const view = direction ?? this.camera.position.clone().sub(this.orbit.target).normalize();
    this.orbit.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(view, (0.82 * radius) / Math.sin(narrow));
    this.isTouched = false;
    this.orbit.update();
  }

  look(from: Vector3, at: Vector3): void {
    this.camera.position.copy(from);
    this.orbit.target.copy(at);
    this.orbit.update();
  }

  /** Moves along with a point; null: with nothing. */
  follow(point: Vector3 | null): void {
    if (point && this.followed) {
      const moved = point.clone().sub(this.followed);
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
