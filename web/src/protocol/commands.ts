// The text messages of docs/viewer_protocol.md, page to server.

import type { Vector } from "./messages.ts";

export type Command =
  | { type: "pause"; on: boolean }
  | { type: "step"; count: number }
  | { type: "speed"; factor: number }
  | { type: "reset"; keyframe: string | null }
  | { type: "reload" }
  | { type: "joint"; body: number; value: number }
  | { type: "drag"; body: number; point: Vector; target: Vector }
  | { type: "release" };
