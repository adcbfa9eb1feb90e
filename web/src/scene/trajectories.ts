// Trajectories: where the origins of chosen bodies have been during the last seconds.

import { Group, type Vector3 } from "three";
import type { Line2 } from "three/examples/jsm/lines/Line2.js";
import type { FrameStore } from "../session/frame_store.ts";
import { disposeLine, makeLine } from "./lines.ts";

const seconds = 10;
const mostPoints = 500;
const colors = [
  [0.85, 0.2, 0.55, 1],
  [0.1, 0.55, 0.75, 1],
  [0.9, 0.55, 0.1, 1],
  [0.35, 0.6, 0.2, 1],
];

export class Trajectories {
  readonly group = new Group();
  readonly bodies: number[] = [];
  private lines: Line2[] = [];

  toggle(body: number): boolean {
    const place = this.bodies.indexOf(body);
    if (place < 0) this.bodies.push(body);
    else this.bodies.splice(place, 1);
    return place < 0;
  }

  update(store: FrameStore, time: number, offsetOf: (body: number) => Vector3): void {
    for (const line of this.lines) disposeLine(line);
    this.lines = [];
    if (this.bodies.length === 0 || !this.group.visible) return;
    const first = Math.max(store.find(time - seconds), 0);
    const last = store.find(time);
    const stride = Math.max(1, Math.ceil((last - first) / mostPoints));
    this.bodies.forEach((body, number) => {
      const offset = offsetOf(body);
      const points: number[] = [];
      // Counted from the newest frame, so that the line's end is where the body is.
      for (let place = last; place >= first; place -= stride) {
        const { poses } = store.at(place);
        points.push(
          poses[7 * body]! + offset.x,
          poses[7 * body + 1]! + offset.y,
          poses[7 * body + 2]! + offset.z,
        );
      }
      if (points.length < 6) return;
      const line = makeLine(points, colors[number % colors.length]!, 2.5);
      this.lines.push(line);
      this.group.add(line);
    });
  }
}
