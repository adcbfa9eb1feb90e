// Everything that is drawn of one scene message; made anew when the scene changes.

import { Box3, Group, Matrix4, Sphere, Vector3 } from "three";
import type { Frame } from "../protocol/frame.ts";
import type { Scene } from "../protocol/messages.ts";
import type { Session } from "../session/session.ts";
import type { Theme } from "../view/theme.ts";
import { BodyLabels } from "./body_labels.ts";
import { drawFrames, drawInertias, drawJoints, drawMasses, drawTriad } from "./body_markers.ts";
import { springColor } from "./colors.ts";
import { drawContacts, drawPushes } from "./force_markers.ts";
import type { Shown } from "./layers.ts";
import { Layout, type LayoutKind } from "./layout.ts";
import { drawLoops } from "./loop_markers.ts";
import type { Materials } from "./materials.ts";
import { Pen } from "./pen.ts";
import { matrixOf, Poses } from "./poses.ts";
import { drawRays } from "./ray_markers.ts";
import { Rotors } from "./rotors.ts";
import { groundOf } from "./shown_shapes.ts";
import { Solids } from "./solids.ts";
import { drawTendons } from "./tendon_markers.ts";
import { Trajectories } from "./trajectories.ts";

export class WorldDrawing {
  /** Occluded by one another. */
  readonly group = new Group();
  /** Markers, drawn in front of everything. */
  readonly front = new Group();
  readonly solids: Solids;
  readonly trajectories = new Trajectories();
  readonly hidden = new Set<number>();
  poses: Poses;
  /** About the size of a joint, m. */
  markerSize = 0.1;
  /** Half the length of a joint's axis as drawn, m. */
  private jointSize = 0.1;
  picked = -1;
  /** From a body's point to where it is dragged, world. */
  spring: [Vector3, Vector3] | null = null;
  forceScale = 1;
  private metresPerNewton = 0.01;
  /** m, by which shapes reach out of the ball about the bodies' origins. */
  private margin = 0;
  private rotors: Rotors;
  private readonly pen = new Pen();
  private readonly glass = new Pen(0.4);
  private readonly clear = new Pen(0.75);
  private readonly labels: BodyLabels;
  private isFirst = true;

  constructor(
    readonly scene: Scene,
    layout: LayoutKind,
    materials: Materials,
    theme: Theme,
  ) {
    const plain = new Layout(layout, scene.worlds, 0);
    this.poses = new Poses(scene, plain);
    this.solids = new Solids(scene, plain, materials);
    this.rotors = new Rotors(scene, this.markerSize);
    this.group.add(this.solids.group, this.trajectories.group);
    this.front.add(this.glass.group, this.clear.group, this.pen.group);
    this.layoutKind = layout;
    const isMovable = (body: number) => this.isMovable(body);
    this.labels = new BodyLabels(scene, this.solids.missing, isMovable, theme);
    this.front.add(this.labels.group);
  }

  private readonly layoutKind: LayoutKind;

  /** Bodies that are looked at: not the ground and what stands on it. */
  isMovable(body: number): boolean {
    const kind = this.scene.objects[this.scene.bodies[body]!.object]?.kind;
    return kind === "system" || kind === "body" || kind === "ghost";
  }

  isHidden = (body: number): boolean => this.hidden.has(body);

  update(frame: Frame, session: Session, shown: Shown): void {
    this.poses.update(frame);
    if (this.isFirst) this.measure(frame);
    this.solids.setShown("visual", shown.visuals);
    this.solids.setShown("collision", shown.collisions);
    this.solids.setSeeThrough(shown.seeThrough);
    this.solids.update(this.poses);
    this.rotors.setShown(shown.rotors);
    if (shown.rotors) this.rotors.update(this.poses, this.isHidden);
    this.trajectories.group.visible = shown.trajectories;
    this.trajectories.update(session.store, frame.time, (body) => this.poses.offsetOf(body));
    this.drawMarkers(frame, shown);
    this.labels.update(this.poses, shown, this.hidden);
  }

  setHidden(bodies: Iterable<number>, on: boolean): void {
    for (const body of bodies) {
      if (on) this.hidden.add(body);
      else this.hidden.delete(body);
    }
    this.solids.setHidden(this.isHidden);
  }

  setPicked(body: number): void {
    this.picked = body;
    this.solids.setPicked(body);
  }

  /** The box about what is looked at; about everything where there is nothing of that kind. */
  bounds(): Box3 {
    const wanted = this.solids.bounds(this.poses, (body) => this.isMovable(body));
    const box = wanted.isEmpty() ? this.solids.bounds(this.poses, () => true) : wanted;
    if (!box.isEmpty()) return box;
    for (const matrix of this.poses.bodies)
      box.expandByPoint(new Vector3().setFromMatrixPosition(matrix));
    return box.isEmpty()
      ? box.set(new Vector3(-1, -1, 0), new Vector3(1, 1, 1))
      : box.expandByScalar(0.2);
  }

  /** A ball about what moves; by the bodies' origins, which is cheaper than bounds(). */
  extent(): { centre: Vector3; radius: number } {
    const box = this.originBox();
    const centre = box.getCenter(new Vector3());
    return { centre, radius: box.getSize(new Vector3()).length() / 2 + this.margin };
  }

  private originBox(): Box3 {
    const box = new Box3();
    const origin = new Vector3();
    this.poses.bodies.forEach((matrix, body) => {
      if (this.isMovable(body)) box.expandByPoint(origin.setFromMatrixPosition(matrix));
    });
    return box.isEmpty() ? this.bounds() : box;
  }

  /** Pose of the ground's plane; null where there is none. */
  ground(): Matrix4 | null {
    const ground = groundOf(this.scene);
    return ground && this.poses.bodies[ground.body]!.clone().multiply(matrixOf(ground.shape.pose));
  }

  get markerCounts(): Pen["counts"] {
    const [a, b] = [this.pen.counts, this.clear.counts];
    return {
      rods: a.rods + b.rods,
      heads: a.heads + b.heads,
      balls: a.balls + b.balls,
      boxes: a.boxes + b.boxes,
    };
  }

  get labelsShown(): string[] {
    return this.labels.shown;
  }

  dispose(): void {
    this.group.removeFromParent();
    this.front.removeFromParent();
    this.solids.dispose();
    this.rotors.dispose();
    this.pen.dispose();
    this.glass.dispose();
    this.clear.dispose();
    this.labels.dispose();
  }

  /** Sizes of markers and distances of worlds follow from the size of what the first frame shows. */
  private measure(frame: Frame): void {
    this.isFirst = false;
    const { objects, bodies, gravity } = this.scene;
    const world = this.sizeOf((body) => objects[bodies[body]!.object]?.world === 0);
    const layout = new Layout(this.layoutKind, this.scene.worlds, Math.ceil(2 * world * 1.3) / 2);
    this.poses = new Poses(this.scene, layout);
    this.poses.update(frame);
    // Of many objects the markers fit the largest one.
    let size = 0;
    let weight = 0;
    objects.forEach((_, object) => {
      const own = bodies
        .map((body, place) => ({ ...body, place }))
        .filter((body) => body.object === object);
      if (own.length === 0 || !this.isMovable(own[0]!.place)) return;
      size = Math.max(
        size,
        this.sizeOf((body) => bodies[body]!.object === object),
      );
      const mass = own.reduce((sum, body) => sum + (Number.isFinite(body.mass) ? body.mass : 0), 0);
      weight = Math.max(weight, mass * (Math.hypot(...gravity) || 9.81));
    });
    this.markerSize = Math.min(Math.max(0.12 * (size || world), 0.005), 2);
    this.jointSize = Math.min(0.6 * this.medianLink(), this.markerSize);
    this.metresPerNewton = (0.7 * (size || world)) / Math.max(weight, 1e-6);
    const shapes = this.bounds().getBoundingSphere(new Sphere());
    const origins = this.originBox();
    this.margin = Math.max(shapes.radius - origins.getSize(new Vector3()).length() / 2, 0);
    this.margin += shapes.center.distanceTo(origins.getCenter(new Vector3()));
    this.rotors.dispose();
    this.rotors = new Rotors(this.scene, this.markerSize);
    this.group.add(this.rotors.group);
    this.front.add(this.rotors.front);
  }

  /** m, the size of a middling body among those with shapes; of no body: as large as a marker. */
  private medianLink(): number {
    const sizes: number[] = [];
    this.solids.boundsOfBodies(this.poses).forEach((box, body) => {
      if (this.isMovable(body)) sizes.push(Math.max(...box.getSize(new Vector3()).toArray()));
    });
    return sizes.sort((a, b) => a - b)[sizes.length >> 1] ?? this.markerSize;
  }

  /** m, the edge of a cube about the moving bodies for which `isWanted` holds. */
  private sizeOf(isWanted: (body: number) => boolean): number {
    const box = this.solids.bounds(this.poses, (body) => isWanted(body) && this.isMovable(body));
    if (box.isEmpty()) box.copy(this.bounds());
    const { x, y, z } = box.getSize(new Vector3());
    return Math.max(x, y, z, 1e-3);
  }

  private drawMarkers(frame: Frame, shown: Shown): void {
    const { scene, poses, pen, glass, clear, markerSize: size } = this;
    const wanted = (body: number) => !this.hidden.has(body);
    const scale = this.metresPerNewton * this.forceScale;
    pen.begin();
    glass.begin();
    if (shown.frames) drawFrames(pen, scene, poses, size, wanted);
    clear.begin();
    if (shown.joints) drawJoints(clear, scene, poses, this.jointSize, wanted);
    clear.end();
    if (shown.masses) drawMasses(pen, scene, poses, size, wanted);
    if (shown.inertias) drawInertias(glass, scene, poses, wanted);
    if (shown.loops) drawLoops(pen, scene, frame, poses, 0.6 * size, wanted);
    if (shown.tendons) drawTendons(pen, scene, frame, poses, size);
    if (shown.contacts)
      drawContacts(pen, frame, poses, size, scale, (body) => this.isMovable(body));
    if (shown.forces) drawPushes(pen, frame, poses, size, scale);
    if (shown.rays) drawRays(pen, frame, poses, size);
    if (this.picked >= 0 && !shown.frames) drawTriad(pen, poses.bodies[this.picked]!, size);
    if (this.spring) pen.rod(this.spring[0], this.spring[1], 0.05 * size, springColor);
    if (this.spring) pen.ball(this.spring[1], 0.14 * size, springColor);
    pen.end();
    glass.end();
  }
}
