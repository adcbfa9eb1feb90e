// The container of a recording: 16 bytes of head, then blocks, each with its CRC and deflated.

import { crc32 } from "./crc32.ts";

export interface Block {
  /** 1, 2, ...: its place in the file, for messages. */
  number: number;
  kind: string;
  inflatedBytes: number;
  first: number;
  last: number;
  stored: Uint8Array;
}

export interface Blocks {
  blocks: Block[];
  /** What is wrong with the end of the file; null: nothing. */
  problem: string | null;
}

const headBytes = 16;
const blockHeadBytes = 32;

/**
 * Splits a recording into its blocks. Throws where the file is no recording at all; a block that is
 * broken or cut off ends the list, and `problem` says which one.
 */
export function splitBlocks(bytes: Uint8Array): Blocks {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = String.fromCharCode(...bytes.subarray(0, 8));
  if (bytes.length < headBytes || magic !== "ESPREC\r\n") {
    throw new Error("this file is no recording: it does not begin with ESPREC");
  }
  const version = view.getUint32(8, true);
  if (version !== 1) {
    throw new Error(`this recording has version ${version}; this page reads version 1`);
  }
  const blocks: Block[] = [];
  let at = headBytes;
  while (at < bytes.length) {
    const number = blocks.length + 1;
    const cut = `the recording is cut off in block ${number}, at byte ${at}`;
    if (at + blockHeadBytes > bytes.length) return { blocks, problem: cut };
    const kind = String.fromCharCode(...bytes.subarray(at, at + 4));
    const start = at + blockHeadBytes;
    const end = start + view.getUint32(at + 8, true);
    if (end > bytes.length) return { blocks, problem: cut };
    const stored = bytes.subarray(start, end);
    if (
      crc32(bytes.subarray(at, at + 12), bytes.subarray(at + 16, end)) !==
      view.getUint32(at + 12, true)
    ) {
      return { blocks, problem: `block ${number} (${kind}) at byte ${at} is broken: wrong CRC` };
    }
    const inflatedBytes = view.getUint32(at + 4, true);
    const [first, last] = [view.getFloat64(at + 16, true), view.getFloat64(at + 24, true)];
    blocks.push({ number, kind, inflatedBytes, first, last, stored });
    at = end;
  }
  return { blocks, problem: null };
}

/** The content of a block. */
export async function inflate(block: Block): Promise<Uint8Array> {
  const stream = new Blob([block.stored as BlobPart]).stream();
  const plain = stream.pipeThrough(new DecompressionStream("deflate"));
  const content = new Uint8Array(await new Response(plain).arrayBuffer());
  if (content.length !== block.inflatedBytes) {
    throw new Error(
      `block ${block.number} (${block.kind}) holds ${content.length} bytes instead of ` +
        `${block.inflatedBytes}`,
    );
  }
  return content;
}
