// The pointer on the picture: a click picks a body; with shift or ctrl held, a body is dragged by a
// spring whose end moves in the plane through the grabbed point that faces the camera.

import { Matrix4, Plane, Raycaster, Vector2, Vector3 } from "three";
import type { Viewer } from "./viewer.ts";

/** Pixels that a click may move. */
const clickSlack = 4;

interface Drag {
  body: number;
  /** In the body's frame. */
  point: Vector3;
  plane: Plane;
  target: Vector3;
}

export class Pointer {
  private readonly raycaster = new Raycaster();
  private drag: Drag | null = null;
  private start = new Vector2();
  private isSent = true;

  constructor(private readonly viewer: Viewer) {
    const { canvas } = viewer;
    // In the capture phase, so that the orbit never begins while a body is dragged.
    canvas.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", () => this.release());
    canvas.addEventListener("dblclick", (event) => this.followAt(event));
    viewer.on("drawn", () => this.showSpring());
  }

  private down(event: PointerEvent): void {
    this.start.set(event.clientX, event.clientY);
    if (event.button !== 0 || !(event.shiftKey || event.ctrlKey)) return;
    event.stopImmediatePropagation();
    const { drawing, session, stage } = this.viewer;
    const hit = this.hit(event);
    if (!hit || !drawing || !session.canControl) return;
    const inverse = new Matrix4().copy(drawing.poses.bodies[hit.body]!).invert();
    const facing = stage.camera.getWorldDirection(new Vector3());
    this.drag = {
      body: hit.body,
      point: hit.point.clone().applyMatrix4(inverse),
      plane: new Plane().setFromNormalAndCoplanarPoint(facing, hit.point),
      target: hit.point.clone(),
    };
    this.viewer.canvas.setPointerCapture(event.pointerId);
    this.viewer.pick(hit.body);
    this.send();
  }

  private move(event: PointerEvent): void {
    if (!this.drag) return;
    this.aim(event);
    this.raycaster.ray.intersectPlane(this.drag.plane, this.drag.target);
    this.viewer.touch();
    // At most one message for each picture.
    if (this.isSent) requestAnimationFrame(() => this.send());
    this.isSent = false;
  }

  private up(event: PointerEvent): void {
    if (this.drag) return this.release();
    const moved = Math.hypot(event.clientX - this.start.x, event.clientY - this.start.y);
    if (event.button === 0 && moved <= clickSlack) this.viewer.pick(this.hit(event)?.body ?? -1);
  }

  private followAt(event: MouseEvent): void {
    const hit = this.hit(event);
    if (hit) this.viewer.follow(hit.body);
  }

  private send(): void {
    this.isSent = true;
    if (!this.drag || !this.viewer.drawing) return;
    const { body, point, target } = this.drag;
    const offset = this.viewer.drawing.poses.offsetOf(body);
    this.viewer.session.send({
      type: "drag",
      body,
      point: point.toArray(),
      target: target.clone().sub(offset).toArray(),
    });
  }

  private release(): void {
    if (!this.drag) return;
    this.drag = null;
    if (this.viewer.drawing) this.viewer.drawing.spring = null;
    this.viewer.session.send({ type: "release" });
    this.viewer.touch();
  }

  private showSpring(): void {
    const { drawing } = this.viewer;
    if (!drawing || !this.drag) return;
    const from = this.drag.point.clone().applyMatrix4(drawing.poses.bodies[this.drag.body]!);
    drawing.spring = [from, this.drag.target];
  }

  private hit(event: MouseEvent): { body: number; point: Vector3 } | null {
    this.aim(event);
    return this.viewer.drawing?.solids.pick(this.raycaster) ?? null;
  }

  private aim(event: MouseEvent): void {
    const { left, top, width, height } = this.viewer.canvas.getBoundingClientRect();
    const x = (2 * (event.clientX - left)) / width - 1;
    const y = 1 - (2 * (event.clientY - top)) / height;
    this.raycaster.setFromCamera(new Vector2(x, y), this.viewer.stage.camera);
  }
}
