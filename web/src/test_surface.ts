// `window.espalier`: what tests and curious users may ask of the page. Documented in
// docs/viewer_page.md; all of it reads, nothing changes the world.

import { Vector3 } from "three";
import type { Pose, Scene } from "./protocol/messages.ts";
import type { Viewer } from "./view/viewer.ts";

export interface TestSurface {
  /** Simulated s of the picture. */
  readonly time: number;
  /** Frames kept, and simulated times of the first and the last. */
  readonly kept: { frames: number; first: number; last: number };
  /** What is drawn. */
  readonly counts: {
    bodies: number;
    /** Shapes of bodies, and how many of them are shown. */
    solids: number;
    solidsShown: number;
    batches: number;
    /** Things of the overlay that are shown. */
    overlay: number;
    rods: number;
    heads: number;
    balls: number;
    boxes: number;
    drawCalls: number;
    triangles: number;
  };
  /** ms between the last pictures that were drawn. */
  readonly frameTimes: number[];
  readonly quality: number;
  /** ms from the opening of the page to its first picture; NaN before. */
  readonly firstPicture: number;
  /** Pictures drawn so far. */
  readonly drawn: number;
  readonly picked: string | null;
  readonly bodies: string[];
  /** The last scene message; null before it has come. */
  readonly scene: Scene | null;
  /** Texts that are drawn at bodies. */
  readonly labels: string[];
  /** Pose of a body as drawn: x, y, z, qw, qx, qy, qz. */
  pose(body: string): Pose | null;
  /** Where a body's centre of mass is on the page, CSS pixels. */
  onScreen(body: string): [number, number] | null;
  /** A channel at the moment of the picture. */
  channel(name: string): number | null;
}

export function testSurface(viewer: Viewer): TestSurface {
  const { session } = viewer;
  const place = (name: string) =>
    session.scene?.bodies.findIndex((body) => body.name === name) ?? -1;
  return {
    get time() {
      return viewer.frameDrawn?.time ?? 0;
    },
    get kept() {
      const { store } = session;
      return { frames: store.length, first: store.first, last: store.last };
    },
    get counts() {
      const { calls, triangles } = viewer.stage.renderer.info.render;
      const solids = viewer.drawing?.solids.counts ?? { solids: 0, solidsShown: 0, batches: 0 };
      const markers = viewer.drawing?.markerCounts ?? { rods: 0, heads: 0, balls: 0, boxes: 0 };
      const bodies = session.scene?.bodies.length ?? 0;
      return {
        bodies,
        overlay: viewer.overlayShown,
        ...solids,
        ...markers,
        drawCalls: calls,
        triangles,
      };
    },
    get frameTimes() {
      return [...viewer.times.milliseconds];
    },
    get quality() {
      return viewer.quality.level;
    },
    get firstPicture() {
      return viewer.firstPicture;
    },
    get drawn() {
      return viewer.drawn;
    },
    get picked() {
      return session.scene?.bodies[viewer.drawing?.picked ?? -1]?.name ?? null;
    },
    get bodies() {
      return session.scene?.bodies.map(({ name }) => name) ?? [];
    },
    get scene() {
      return session.scene;
    },
    get labels() {
      return viewer.drawing?.labelsShown ?? [];
    },
    pose: (name) => (place(name) < 0 ? null : (viewer.drawing?.poses.pose(place(name)) ?? null)),
    onScreen(name) {
      const body = place(name);
      if (body < 0 || !viewer.drawing) return null;
      const at = new Vector3(...session.scene!.bodies[body]!.com);
      at.applyMatrix4(viewer.drawing.poses.bodies[body]!).project(viewer.stage.camera);
      const { left, top, width, height } = viewer.canvas.getBoundingClientRect();
      return [left + ((at.x + 1) / 2) * width, top + ((1 - at.y) / 2) * height];
    },
    channel(name) {
      const channel = session.scene?.channels.findIndex((one) => one.name === name) ?? -1;
      return viewer.frameDrawn?.channels[channel] ?? null;
    },
  };
}

declare global {
  interface Window {
    espalier?: TestSurface;
  }
}
