// Poses between two frames: positions linearly, quaternions normalised linearly on the shorter arc.

import type { Frame } from "../protocol/frame.ts";

/** The moment `time` between frames a and b; all but the poses is that of a. */
export function interpolate(a: Frame, b: Frame, time: number): Frame {
  const share = (time - a.time) / (b.time - a.time);
  if (!(share > 0) || a.poses.length !== b.poses.length || a.version !== b.version) return a;
  const s = Math.min(share, 1);
  const poses = new Float32Array(a.poses.length);
  for (let p = 0; p < poses.length; p += 7) {
    let dot = 0;
    for (let i = 3; i < 7; ++i) dot += a.poses[p + i]! * b.poses[p + i]!;
    const t = dot < 0 ? -s : s;
    let square = 0;
    for (let i = 0; i < 7; ++i) {
      const weight = i < 3 ? s : t;
      const value = (1 - s) * a.poses[p + i]! + weight * b.poses[p + i]!;
      poses[p + i] = value;
      if (i > 2) square += value * value;
    }
    const scale = 1 / Math.sqrt(square);
    for (let i = 3; i < 7; ++i) poses[p + i]! *= scale;
  }
  return { ...a, time, poses };
}
