// Velocities by differences of poses.

import type { FrameStore } from "./frame_store.ts";

export interface Velocity {
  /** m/s, world, of the body's origin. */
  linear: [number, number, number];
  /** rad/s, world. */
  angular: [number, number, number];
}

/** Between the frame at `time` and the one before; null where there are none. */
export function velocityOf(store: FrameStore, time: number, body: number): Velocity | null {
  const place = Math.max(store.find(time), 1);
  if (place >= store.length) return null;
  const [a, b] = [store.at(place - 1), store.at(place)];
  const dt = b.time - a.time;
  if (!(dt > 0) || a.poses.length !== b.poses.length) return null;
  const [p, q] = [a.poses.subarray(7 * body), b.poses.subarray(7 * body)];
  // Rotation from a to b: q_b conj(q_a).
  const [aw, ax, ay, az] = [p[3]!, p[4]!, p[5]!, p[6]!];
  const [bw, bx, by, bz] = [q[3]!, q[4]!, q[5]!, q[6]!];
  const w = bw * aw + bx * ax + by * ay + bz * az;
  const turn = [
    bx * aw - bw * ax - by * az + bz * ay,
    by * aw - bw * ay - bz * ax + bx * az,
    bz * aw - bw * az - bx * ay + by * ax,
  ] as const;
  const sine = Math.hypot(...turn);
  const angle = 2 * Math.atan2(sine, Math.abs(w)) * Math.sign(w || 1);
  const scale = sine > 1e-12 ? angle / (sine * dt) : 2 / dt;
  return {
    linear: [(q[0]! - p[0]!) / dt, (q[1]! - p[1]!) / dt, (q[2]! - p[2]!) / dt],
    angular: [turn[0] * scale, turn[1] * scale, turn[2] * scale],
  };
}
