// Reads a recording from its first block to its last and hands on what it holds, in order.

import { decodeMesh, type Mesh } from "../protocol/mesh.ts";
import type { Overlay, Scene } from "../protocol/messages.ts";
import type { Frame } from "../protocol/frame.ts";
import { inflate, splitBlocks } from "./blocks.ts";
import { decodeFrames } from "./frames.ts";

export interface RecordingListener {
  onScene(scene: Scene): void;
  onMesh(hash: string, mesh: Mesh): void;
  onOverlay(overlay: Overlay): void;
  onFrames(frames: Frame[]): void;
  onInfo(info: { source?: string[] }): void;
}

/** Returns what is wrong with the recording, naming the block; null: nothing. */
export async function readRecording(
  bytes: Uint8Array,
  to: RecordingListener,
): Promise<string | null> {
  const { blocks, problem } = splitBlocks(bytes);
  const text = (content: Uint8Array) => JSON.parse(new TextDecoder().decode(content)) as unknown;
  for (const block of blocks) {
    try {
      if (block.kind === "SCEN") to.onScene(text(await inflate(block)) as Scene);
      if (block.kind === "OVER") to.onOverlay(text(await inflate(block)) as Overlay);
      if (block.kind === "INFO") to.onInfo(text(await inflate(block)) as { source?: string[] });
      if (block.kind === "FRAM") to.onFrames(decodeFrames(await inflate(block)));
      if (block.kind === "MESH") {
        const content = await inflate(block);
        const hash = String.fromCharCode(...content.subarray(0, 16));
        to.onMesh(hash, decodeMesh(content.subarray(16)));
      }
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      return `block ${block.number} (${block.kind}) cannot be read: ${what}`;
    }
  }
  return problem;
}
