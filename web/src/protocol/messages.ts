// The text messages of docs/viewer_protocol.md, server to page.

export type Vector = [number, number, number];
export type Color = [number, number, number, number];
/** x, y, z in m, then the quaternion qw, qx, qy, qz. */
export type Pose = [number, number, number, number, number, number, number];

export interface ShapeBase {
  name: string;
  pose: Pose;
  color: Color;
  material?: string;
}

export type Shape = ShapeBase &
  (
    | { kind: "box"; size: Vector }
    | { kind: "sphere"; radius: number }
    | { kind: "cylinder" | "capsule"; radius: number; height: number }
    | { kind: "ellipsoid"; radii: Vector }
    | { kind: "plane" }
    | { kind: "mesh"; mesh: string; scale?: Vector; ownColors?: boolean }
    | { kind: "missing"; file: string }
  );

export interface SceneObject {
  name: string;
  kind: "system" | "body" | "ground" | "heightmap" | "static" | "visual" | "ghost";
  world: number;
  /** First place in Scene.bodies, and how many. */
  bodies: [number, number];
  dofs: number;
  independents?: string[];
}

export interface Joint {
  name: string;
  kind: string;
  axes: Vector[];
  isIndependent: boolean;
  /** null: unbounded, or of several dofs. */
  limits: [number | null, number | null] | null;
  /** Place of the first of its coordinates in Scene.channels. */
  q: number;
  coordinates: number;
  u: number;
  dofs: number;
}

export interface Body {
  name: string;
  object: number;
  /** Place in Scene.bodies; -1: the world. */
  parent: number;
  rotor: boolean;
  mass: number;
  com: Vector;
  inertiaBox: { size: Vector; pose: Pose } | null;
  frames: { name: string; pose: Pose }[];
  joint: Joint | null;
  visuals: Shape[];
  collisions: Shape[];
}

export interface Loop {
  name: string;
  object: number;
  kind: string;
  a: number;
  pointA: Vector;
  b: number;
  pointB: Vector;
  channel: number;
}

/** A point of a body in its frame, or x, y, z in the world as three channels. */
export type TendonEnd = { body: number; point: Vector } | { channel: number };

export interface Tendon {
  name: string;
  object: number;
  /** Its length. */
  channel: number;
  segments: [TendonEnd, TendonEnd][];
}

export interface Channel {
  name: string;
  unit: string;
  group: string;
}

export interface Scene {
  type: "scene";
  version: number;
  name: string;
  dt: number;
  gravity: Vector;
  worlds: number;
  objects: SceneObject[];
  bodies: Body[];
  loops: Loop[];
  tendons?: Tendon[];
  meshes: { hash: string; vertices: number; triangles: number }[];
  channels: Channel[];
  /** bit: the mask, 1, 2, 4, ... */
  flags: { bit: number; name: string; remedy: string }[];
  keyframes: string[];
}

export interface Overlay {
  type: "overlay";
  version: number;
  polylines: { name: string; color: Color; width: number; points: Vector[] }[];
  arrows: { name: string; color: Color; from: Vector; to: Vector; radius: number }[];
  points: { name: string; color: Color; size: number; points: Vector[] }[];
  instances: { name: string; shape: Shape; poses: Pose[]; scales: Vector[]; colors: Color[] }[];
  texts: { name: string; text: string; position: Vector; color: Color }[];
}

export interface Status {
  type: "status";
  paused: boolean;
  speed: number;
  realTimeFactor: number;
  stepsPerSecond: number;
  spectators: number;
  canControl: boolean;
  canReload: boolean;
  source: string;
  focus: number;
}

export interface Diagnostic {
  severity: "error" | "warning" | "info";
  file: string;
  line: number;
  what: string;
  remedy: string;
}

export interface Graph {
  title: string;
  kind: "time" | "bar";
  labels: string[];
  xUnit: string;
  yUnit: string;
}

export type ServerMessage =
  | { type: "hello"; protocol: number; espalier: string }
  | Scene
  | Overlay
  | Status
  | { type: "camera"; position: Vector; target: Vector }
  | { type: "diagnostics"; list: Diagnostic[] }
  | { type: "graphs"; graphs: Graph[] }
  | { type: "graphData"; title: string; time: number; values: number[] }
  | { type: "error"; what: string; remedy: string };

export const protocolVersion = 1;
