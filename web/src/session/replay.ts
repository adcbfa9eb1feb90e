// The source of a recording: reads all of it, block by block, while it is already played.

import { address, embeddedRecording, type Config } from "../protocol/config.ts";
import type { Mesh } from "../protocol/mesh.ts";
import type { Frame } from "../protocol/frame.ts";
import type { Overlay, Scene } from "../protocol/messages.ts";
import { readRecording } from "../recording/read.ts";
import { FrameStore } from "./frame_store.ts";
import { Session, type Part } from "./session.ts";

export interface Replay {
  session: Session;
  /** Resolves when the last block is read. */
  whole: Promise<void>;
}

export function openRecording(config: Config): Replay {
  const meshes = new Meshes();
  const mesh = (hash: string) => meshes.wait(hash);
  const session = new Session(false, new FrameStore(), mesh, () => undefined);
  let part: Part | null = null;
  let overlay: Overlay | null = null;
  const read = async () => {
    const problem = await readRecording(await recordingBytes(config), {
      onScene: (scene) => {
        part = { scene, store: new FrameStore(), overlays: [] };
        overlay = null;
        session.addPart(part);
      },
      onMesh: (hash, blob) => meshes.arrive(hash, blob),
      onOverlay: (next) => (overlay = next),
      onInfo: (info) => (document.title = `${info.source?.[0] ?? "recording"} - Espalier`),
      onFrames: (frames) => {
        if (!part || frames.length === 0) return;
        if (overlay) part.overlays.push({ from: frames[0]!.time, overlay });
        overlay = null;
        for (const frame of frames) if (isOf(frame, part.scene)) part.store.push(frame);
        session.emit("arrived", frames.at(-1)!);
      },
    });
    if (problem !== null) {
      const remedy = "the frames before it are shown; record again for the rest";
      session.emit("notice", { severity: "error", what: problem, remedy });
    }
  };
  // Panels are made first and then hear of everything.
  const whole = new Promise<void>((done) => setTimeout(done))
    .then(read)
    .catch((error: unknown) => {
      const what = error instanceof Error ? error.message : String(error);
      const remedy = "make the recording again with espalier sim --record";
      session.emit("notice", { severity: "error", what, remedy });
    })
    .then(() => {
      meshes.end();
      session.emit("connection", "ended");
    });
  return { session, whole };
}

function isOf(frame: Frame, scene: Scene): boolean {
  return frame.version === scene.version && frame.poses.length === 7 * scene.bodies.length;
}

/** Meshes of a recording. They stand after the scene that asks for them. */
class Meshes {
  private readonly promises = new Map<string, Promise<Mesh>>();
  private readonly waiting = new Map<string, PromiseWithResolvers>();

  wait(hash: string): Promise<Mesh> {
    const known = this.promises.get(hash);
    if (known) return known;
    const promise = new Promise<Mesh>((resolve, reject) => {
      this.waiting.set(hash, { resolve, reject });
    });
    this.promises.set(hash, promise);
    return promise;
  }

  arrive(hash: string, mesh: Mesh): void {
    const waiting = this.waiting.get(hash);
    if (waiting) waiting.resolve(mesh);
    else this.promises.set(hash, Promise.resolve(mesh));
    this.waiting.delete(hash);
  }

  end(): void {
    for (const [hash, { reject }] of this.waiting) {
      reject(new Error(`the recording lacks mesh ${hash}`));
    }
  }
}

interface PromiseWithResolvers {
  resolve: (mesh: Mesh) => void;
  reject: (error: Error) => void;
}

async function recordingBytes(config: Config): Promise<Uint8Array> {
  if (config.mode === "file") return embeddedRecording(document);
  const answer = await fetch(address("/recording", config));
  if (!answer.ok) throw new Error(`the server has no recording (it answers ${answer.status})`);
  return new Uint8Array(await answer.arrayBuffer());
}
