// What the page knows of the world it shows: the last of each message, and the frames kept. Sources
// (a live connection, a recording) write into it; view and panels listen.

import type { Command } from "../protocol/commands.ts";
import type { Frame } from "../protocol/frame.ts";
import type { Mesh } from "../protocol/mesh.ts";
import type {
  Diagnostic,
  Graph,
  Overlay,
  Scene,
  ServerMessage,
  Status,
  Vector,
} from "../protocol/messages.ts";
import { Events } from "./events.ts";
import type { FrameStore } from "./frame_store.ts";

export interface Notice {
  severity: "error" | "info";
  what: string;
  remedy: string;
}

export interface SessionEvents {
  scene: Scene;
  overlay: Overlay;
  status: Status;
  diagnostics: Diagnostic[];
  graphs: Graph[];
  graphData: { title: string; time: number; values: number[] };
  camera: { position: Vector; target: Vector };
  notice: Notice;
  connection: "connecting" | "open" | "lost" | "ended";
  /** A frame has come (live) or a block of them was read (recording). */
  arrived: Frame;
  /** A recording has another part, or another one is shown. */
  parts: Part[];
}

/** A recording has a part for each of its scenes, with times of its own. */
export interface Part {
  scene: Scene;
  store: FrameStore;
  /** Each holds from its time on. */
  overlays: { from: number; overlay: Overlay }[];
}

export class Session extends Events<SessionEvents> {
  scene: Scene | null = null;
  overlay: Overlay | null = null;
  status: Status | null = null;
  diagnostics: Diagnostic[] = [];
  graphs: Graph[] = [];
  parts: Part[] = [];
  private part: Part | null = null;

  constructor(
    readonly isLive: boolean,
    public store: FrameStore,
    /** Resolves to the mesh of a hash. */
    readonly mesh: (hash: string) => Promise<Mesh>,
    readonly send: (command: Command) => void,
  ) {
    super();
  }

  get canControl(): boolean {
    return this.isLive && this.status?.canControl !== false;
  }

  receive(message: ServerMessage): void {
    switch (message.type) {
      case "scene":
        this.scene = message;
        return this.emit("scene", message);
      case "overlay":
        this.overlay = message;
        return this.emit("overlay", message);
      case "status":
        this.status = message;
        return this.emit("status", message);
      case "diagnostics":
        this.diagnostics = message.list;
        return this.emit("diagnostics", message.list);
      case "graphs":
        this.graphs = message.graphs;
        return this.emit("graphs", message.graphs);
      case "graphData":
        return this.emit("graphData", message);
      case "camera":
        return this.emit("camera", message);
      case "error":
        return this.emit("notice", { severity: "error", ...message });
      case "hello":
        return;
    }
  }

  /** Adds a part of a recording; the first one is shown. */
  addPart(part: Part): void {
    this.parts.push(part);
    if (this.parts.length === 1) this.showPart(part);
    this.emit("parts", this.parts);
  }

  showPart(part: Part): void {
    this.part = part;
    this.store = part.store;
    this.receive(part.scene);
    this.emit("parts", this.parts);
  }

  /** Of a recording: draws the overlay that holds at `time`. */
  showOverlayAt(time: number): void {
    const overlay = this.part?.overlays.findLast(({ from }) => from <= time)?.overlay;
    if (overlay && overlay !== this.overlay) this.receive(overlay);
  }

  /** Keeps a frame; one of another scene than the last is ignored. */
  receiveFrame(frame: Frame): void {
    if (this.scene === null || frame.version !== this.scene.version) return;
    if (frame.poses.length !== 7 * this.scene.bodies.length) return;
    this.store.push(frame);
    this.emit("arrived", frame);
  }
}
